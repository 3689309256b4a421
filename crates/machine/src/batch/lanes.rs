//! Between states and lanes: rows of bits become columns and back.

use crate::circuit::CircuitState;

/// Transposes a square of 64 by 64 bits (after Warren, "Hacker's Delight", 7-3). The loops have
/// fixed bounds and no dependence from row to row, so that they become vector instructions.
pub(super) fn transpose(square: &mut [u64; 64]) {
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

/// Writes up to 64 states into the lanes of one word of the first slots.
pub(super) fn load(slots: &mut [u64], words: usize, word: usize, states: &[&CircuitState], count: usize) {
    let Some(first) = states.first() else { return };
    for part in 0..first.words().len() {
        let mut square = [0u64; 64];
        square.iter_mut().zip(states).for_each(|(row, state)| *row = state.words()[part]);
        transpose(&mut square);
        let slots = slots[part * 64 * words..count * words].chunks_mut(words);
        slots.zip(&square).for_each(|(slot, column)| slot[word] = *column);
    }
}

/// Reads `count` slots of one word's lanes: 64 rows of `count.div_ceil(64)` words.
pub(super) fn rows(slots: &[u64], words: usize, word: usize, count: usize, out: &mut Vec<u64>) {
    let length = count.div_ceil(64);
    out.clear();
    out.resize(length * 64, 0);
    for part in 0..length {
        let mut square = [0u64; 64];
        let here = slots[part * 64 * words..count * words].chunks(words);
        square.iter_mut().zip(here).for_each(|(row, slot)| *row = slot[word]);
        transpose(&mut square);
        square.iter().enumerate().for_each(|(lane, row)| out[lane * length + part] = *row);
    }
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
        let mut found = Vec::new();
        rows(&slots, words, 2, count, &mut found);
        for (index, state) in states.iter().enumerate() {
            assert_eq!(state.words(), &found[index * 3..index * 3 + 3]);
            assert_eq!(*state, lane(&slots, words, 2 * 64 + index, count));
        }
        set_lane(&mut slots, words, 130, &states[9], count);
        assert_eq!(states[9], lane(&slots, words, 130, count));
    }
}
