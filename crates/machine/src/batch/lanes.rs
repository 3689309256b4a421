//! Between states and lanes: rows of bits become columns and back.

use std::array::from_fn;

use game::Expansions;

use crate::circuit::{CircuitState, MoveNumbers};
use crate::compiled::vectorized;

/// Squares of 64 by 64 bits, side by side: what 64 slots have in the lanes of some words, row by row of
/// either.
type Squares<const GROUP: usize> = [[u64; GROUP]; 64];

/// Half of the rows of a square.
const HALF: usize = 32;
const LOW_HALF: u64 = 0x0000_0000_ffff_ffff;

/// Calls a function with constants: the words of a slot, and the first of them in which there are lanes
/// to be brought in or out: one, four or all, where a row of lanes is a vector or two.
macro_rules! with_words {
    ($words:expr, $lanes:expr, $function:ident($($argument:expr),*)) => {
        match ($words, $lanes) {
            (4, ..=64) => $function::<4, 1>($($argument),*),
            (4, _) => $function::<4, 4>($($argument),*),
            (_, ..=64) => $function::<8, 1>($($argument),*),
            (_, ..=256) => $function::<8, 4>($($argument),*),
            (_, _) => $function::<8, 8>($($argument),*),
        }
    };
}

/// Transposes squares (after Warren, "Hacker's Delight", 7-3). The loops have fixed bounds and no
/// dependence from row to row, so that they become vector instructions.
#[inline(always)]
fn transpose<const GROUP: usize>(squares: &mut Squares<GROUP>) {
    swap::<32, GROUP>(squares, LOW_HALF);
    transpose_quarters(squares);
}

/// Transposes the quarters of squares, 32 by 32 bits each, in place; of the upper two if there are 32 rows.
#[inline(always)]
fn transpose_quarters<const GROUP: usize>(rows: &mut [[u64; GROUP]]) {
    swap::<16, GROUP>(rows, 0x0000_ffff_0000_ffff);
    swap::<8, GROUP>(rows, 0x00ff_00ff_00ff_00ff);
    swap::<4, GROUP>(rows, 0x0f0f_0f0f_0f0f_0f0f);
    swap::<2, GROUP>(rows, 0x3333_3333_3333_3333);
    swap::<1, GROUP>(rows, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn swap<const WIDTH: usize, const GROUP: usize>(rows: &mut [[u64; GROUP]], mask: u64) {
    for rows in rows.chunks_exact_mut(2 * WIDTH) {
        let (upper, lower) = rows.split_at_mut(WIDTH);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let swapped: [u64; GROUP] = from_fn(|word| (upper[word] >> WIDTH ^ lower[word]) & mask);
            *upper = from_fn(|word| upper[word] ^ swapped[word] << WIDTH);
            *lower = from_fn(|word| lower[word] ^ swapped[word]);
        }
    }
}

/// Lanes become slots: with few slots, half of the square is empty and need not be turned.
#[inline(always)]
fn to_slots<const GROUP: usize>(squares: &mut Squares<GROUP>, slots: usize) {
    if slots > HALF {
        return transpose(squares);
    }
    let (upper, lower) = squares.split_at_mut(HALF);
    for (upper, lower) in upper.iter_mut().zip(lower) {
        *upper = from_fn(|word| upper[word] & LOW_HALF | lower[word] << HALF);
    }
    transpose_quarters(&mut squares[..HALF]);
}

/// Slots become lanes.
#[inline(always)]
fn to_lanes<const GROUP: usize>(squares: &mut Squares<GROUP>, slots: usize) {
    if slots > HALF {
        return transpose(squares);
    }
    transpose_quarters(&mut squares[..HALF]);
    let (upper, lower) = squares.split_at_mut(HALF);
    for (upper, lower) in upper.iter_mut().zip(lower) {
        *lower = upper.map(|bits| bits >> HALF);
        *upper = upper.map(|bits| bits & LOW_HALF);
    }
}

/// Writes states into the lanes of the first `count` slots. What other lanes have may be lost.
pub(super) fn load(slots: &mut [u64], words: usize, states: &[&CircuitState], count: usize) {
    with_words!(words, states.len(), load_words(slots, states, count));
}

fn load_words<const WORDS: usize, const GROUP: usize>(
    slots: &mut [u64],
    states: &[&CircuitState],
    count: usize,
) {
    let slots = &mut slots.as_chunks_mut::<WORDS>().0[..count];
    vectorized(
        #[inline(always)]
        || {
            for (part, slots) in slots.chunks_mut(64).enumerate() {
                let mut squares = [[0; GROUP]; 64];
                for (word, states) in states.chunks(64).enumerate().take(GROUP) {
                    squares.iter_mut().zip(states).for_each(|(row, state)| row[word] = state.words()[part]);
                }
                to_slots(&mut squares, slots.len());
                slots.iter_mut().zip(&squares).for_each(|(slot, row)| slot[..GROUP].copy_from_slice(row));
            }
        },
    );
}

/// Reads the states in the first lanes of the first `count` slots, into states of that length.
pub(super) fn read(slots: &[u64], words: usize, states: &mut [CircuitState], count: usize) {
    with_words!(words, states.len(), read_words(slots, states, count));
}

fn read_words<const WORDS: usize, const GROUP: usize>(
    slots: &[u64],
    states: &mut [CircuitState],
    count: usize,
) {
    let slots = &slots.as_chunks::<WORDS>().0[..count];
    vectorized(
        #[inline(always)]
        || {
            for (part, slots) in slots.chunks(64).enumerate() {
                let squares = turn::<WORDS, GROUP>(slots);
                for (word, states) in states.chunks_mut(64).enumerate().take(GROUP) {
                    let rows = states.iter_mut().zip(&squares);
                    rows.for_each(|(state, row)| state.words_mut()[part] = row[word]);
                }
            }
        },
    );
}

/// Lists the moves of the first lanes: the first slot says whether the game is over, then each says
/// whether a move is legal. `rows` is room to work in.
pub(super) fn list(
    slots: &[u64],
    words: usize,
    lanes: usize,
    numbers: &MoveNumbers,
    rows: &mut Vec<u64>,
    out: &mut Expansions,
) {
    with_words!(words, lanes, list_words(slots, lanes, numbers, rows, out));
}

fn list_words<const WORDS: usize, const GROUP: usize>(
    slots: &[u64],
    lanes: usize,
    numbers: &MoveNumbers,
    rows: &mut Vec<u64>,
    out: &mut Expansions,
) {
    let slots = &slots.as_chunks::<WORDS>().0[..numbers.count() + 1];
    let parts = slots.len().div_ceil(64);
    rows.resize(GROUP * 64 * parts, 0);
    vectorized(
        #[inline(always)]
        || {
            for (part, slots) in slots.chunks(64).enumerate() {
                for (lane, row) in turn::<WORDS, GROUP>(slots).iter().enumerate() {
                    for (word, bits) in row.iter().enumerate() {
                        rows[(word * 64 + lane) * parts + part] = *bits;
                    }
                }
            }
            rows.chunks_exact(parts).take(lanes).for_each(|row| numbers.add(row, out));
        },
    );
}

/// What 64 slots have, lane by lane.
#[inline(always)]
fn turn<const WORDS: usize, const GROUP: usize>(slots: &[[u64; WORDS]]) -> Squares<GROUP> {
    let mut squares = [[0; GROUP]; 64];
    squares.iter_mut().zip(slots).for_each(|(row, slot)| row.copy_from_slice(&slot[..GROUP]));
    to_lanes(&mut squares, slots.len());
    squares
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
        // The last slots of 130 and all of 20 fill less than half a square.
        [130, 180, 20, 32, 33].into_iter().for_each(load_and_read);
    }

    fn load_and_read(count: usize) {
        let mut dice = game::Dice::new(3);
        let states: Vec<CircuitState> =
            (0..300).map(|_| CircuitState::from_bits((0..count).map(|_| dice.below(2) == 1))).collect();
        for (words, lanes) in [(4, 200), (8, 200), (8, 300), (4, 64), (8, 40), (4, 1)] {
            let states = &states[..lanes];
            let mut slots = vec![u64::MAX; 192 * words];
            load(&mut slots, words, &states.iter().collect::<Vec<_>>(), count);
            assert!(slots[count * words..].iter().all(|&word| word == u64::MAX));
            let mut found = vec![CircuitState::zeros(count.div_ceil(64)); lanes];
            found.iter_mut().for_each(|state| state.words_mut().fill(5));
            read(&slots, words, &mut found, count);
            assert_eq!(states, found);
            for (index, state) in states.iter().enumerate() {
                assert_eq!(*state, lane(&slots, words, index, count));
            }
            set_lane(&mut slots, words, 130, &states[0], count);
            assert_eq!(states[0], lane(&slots, words, 130, count));
        }
    }
}
