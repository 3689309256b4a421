//! Between states and lanes: rows of bits become columns and back.

use crate::circuit::CircuitState;
use crate::compiled::vectorized;

/// Transposes a square of 64 by 64 bits (after Warren, "Hacker's Delight", 7-3). The loops have
/// fixed bounds and no dependence from row to row, so that they become vector instructions.
#[inline(always)]
fn transpose(square: &mut [u64; 64]) {
    swap::<32>(square, 0x0000_0000_ffff_ffff);
    swap::<16>(square, 0x0000_ffff_0000_ffff);
    swap::<8>(square, 0x00ff_00ff_00ff_00ff);
    swap::<4>(square, 0x0f0f_0f0f_0f0f_0f0f);
    swap::<2>(square, 0x3333_3333_3333_3333);
    swap::<1>(square, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn swap<const WIDTH: usize>(square: &mut [u64; 64], mask: u64) {
    for rows in square.chunks_exact_mut(2 * WIDTH) {
        let (upper, lower) = rows.split_at_mut(WIDTH);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let swapped = (*upper >> WIDTH ^ *lower) & mask;
            *upper ^= swapped << WIDTH;
            *lower ^= swapped;
        }
    }
}

/// A square of bits: what 64 lanes have in 64 slots, row by row of either.
pub(super) type Square = [u64; 64];

/// Writes up to 64 states into the lanes of one word of the first slots.
pub(super) fn load(slots: &mut [u64], words: usize, word: usize, states: &[&CircuitState], count: usize) {
    vectorized(
        #[inline(always)]
        || load_here(slots, words, word, states, count),
    );
}

#[inline(always)]
fn load_here(slots: &mut [u64], words: usize, word: usize, states: &[&CircuitState], count: usize) {
    let mut rows: [&[u64]; 64] = [&[]; 64];
    rows.iter_mut().zip(states).for_each(|(row, state)| *row = state.words());
    let rows = &rows[..states.len().min(64)];
    for part in 0..rows.first().map_or(0, |row| row.len()) {
        let mut square = [0u64; 64];
        square.iter_mut().zip(rows).for_each(|(to, row)| *to = row[part]);
        transpose(&mut square);
        let slots = &mut slots[part * 64 * words..count * words];
        match words {
            4 => put::<4>(slots, word, &square),
            _ => put::<8>(slots, word, &square),
        }
    }
}

/// Reads `count` slots of one word's lanes, as squares of the bits of 64 slots each: row `lane` of a
/// square has the lane's bits.
pub(super) fn read(slots: &[u64], words: usize, word: usize, count: usize, squares: &mut Vec<Square>) {
    squares.resize(count.div_ceil(64), [0; 64]);
    vectorized(
        #[inline(always)]
        || read_here(slots, words, word, count, squares),
    );
}

#[inline(always)]
fn read_here(slots: &[u64], words: usize, word: usize, count: usize, squares: &mut [Square]) {
    for (part, square) in squares.iter_mut().enumerate() {
        let slots = &slots[part * 64 * words..count * words];
        match words {
            4 => take::<4>(slots, word, square),
            _ => take::<8>(slots, word, square),
        }
        transpose(square);
    }
}

/// The number of words is a constant, so that no bounds are checked within.
#[inline(always)]
fn put<const WORDS: usize>(slots: &mut [u64], word: usize, square: &Square) {
    assert!(word < WORDS);
    let slots = slots.as_chunks_mut::<WORDS>().0;
    slots.iter_mut().zip(square).for_each(|(slot, row)| slot[word] = *row);
}

#[inline(always)]
fn take<const WORDS: usize>(slots: &[u64], word: usize, square: &mut Square) {
    assert!(word < WORDS);
    let slots = slots.as_chunks::<WORDS>().0;
    square.iter_mut().zip(slots).for_each(|(row, slot)| *row = slot[word]);
    square[slots.len().min(64)..].fill(0);
}

/// Writes a state into one lane of the first slots.
pub(super) fn set_lane(slots: &mut [u64], words: usize, lane: usize, state: &CircuitState, count: usize) {
    let (word, bit) = (lane / 64, lane % 64);
    for (base, slot) in slots[..count * words].chunks_mut(words).enumerate() {
        let value = u64::from(state.get(base));
        slot[word] = slot[word] & !(1 << bit) | value << bit;
    }
}

/// Reads the state of one lane of the first slots.
pub(super) fn lane(slots: &[u64], words: usize, lane: usize, count: usize) -> CircuitState {
    let (word, bit) = (lane / 64, lane % 64);
    CircuitState::from_bits(slots[..count * words].chunks(words).map(|slot| slot[word] >> bit & 1 != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_loaded_is_read_back() {
        let count = 130;
        let mut dice = game::Dice::new(3);
        let states: Vec<CircuitState> =
            (0..64).map(|_| CircuitState::from_bits((0..count).map(|_| dice.below(2) == 1))).collect();
        let words = 4;
        let mut slots = vec![0; 192 * words];
        load(&mut slots, words, 2, &states.iter().collect::<Vec<_>>(), count);
        let mut found = vec![[u64::MAX; 64]; 4];
        read(&slots, words, 2, count, &mut found);
        for (index, state) in states.iter().enumerate() {
            assert_eq!(state.words(), found.iter().map(|square| square[index]).collect::<Vec<_>>());
            assert_eq!(*state, lane(&slots, words, 2 * 64 + index, count));
        }
        set_lane(&mut slots, words, 130, &states[9], count);
        assert_eq!(states[9], lane(&slots, words, 130, count));
    }
}
