//! Counting in all lanes at once: numbers stand upright, one slot per binary digit.

use ::circuit::{Edge, Gate, Gates};

use super::select::{add, population};
use crate::compiled::{AlignedWords, Executable, Target};
use crate::program::{Network, Place, Rows};

/// A number in every lane, kept by ordinary code.
#[derive(Clone, Debug, Default)]
pub(super) struct Upright {
    words: usize,
    /// Digit after digit, the lowest first.
    digits: Vec<u64>,
}

impl Upright {
    /// Back to zero in all lanes, of which there are so many words.
    pub(super) fn reset(&mut self, words: usize) {
        self.words = words;
        self.digits.clear();
        self.digits.resize(words, 0);
    }

    /// Adds one in some lanes.
    pub(super) fn add(&mut self, lanes: &[u64]) {
        let mut carry = [0u64; super::LANES / 64];
        let carry = &mut carry[..self.words];
        carry.copy_from_slice(&lanes[..self.words]);
        let mut digit = 0;
        while carry.iter().any(|&word| word != 0) {
            if self.digits.len() == digit * self.words {
                self.digits.resize((digit + 1) * self.words, 0);
            }
            let words = &mut self.digits[digit * self.words..][..self.words];
            for (word, carry) in words.iter_mut().zip(&mut *carry) {
                (*word, *carry) = (*word ^ *carry, *word & *carry);
            }
            digit += 1;
        }
    }

    /// Back to zero in some lanes.
    pub(super) fn clear(&mut self, lanes: &[u64]) {
        for digit in self.digits.chunks_mut(self.words) {
            digit.iter_mut().zip(lanes).for_each(|(word, lanes)| *word &= !lanes);
        }
    }

    /// The number of a lane.
    pub(super) fn get(&self, lane: usize) -> u32 {
        let digits = self.digits.chunks(self.words).enumerate();
        digits.fold(0, |number, (digit, words)| {
            number | ((words[lane / 64] >> (lane % 64) & 1) as u32) << digit
        })
    }

    /// The numbers of 64 lanes, those of a word.
    pub(super) fn word(&self, word: usize) -> [u32; 64] {
        let mut numbers = [0; 64];
        for (digit, words) in self.digits.chunks(self.words).enumerate() {
            let mut lanes = words[word];
            for number in &mut numbers {
                *number |= ((lanes & 1) as u32) << digit;
                lanes >>= 1;
            }
        }
        numbers
    }

    /// Whether some lane of a mask has this very number; the mask is narrowed to those.
    pub(super) fn narrow(&self, mask: &mut [u64], number: u32) -> bool {
        let digits = (self.digits.len() / self.words) as u32;
        if digits < 32 && number >> digits != 0 {
            mask.fill(0);
            return false;
        }
        for (digit, words) in self.digits.chunks(self.words).enumerate() {
            let wanted = u64::from(number >> digit & 1).wrapping_neg();
            mask.iter_mut().zip(words).for_each(|(mask, word)| *mask &= !(word ^ wanted));
        }
        mask.iter().any(|&word| word != 0)
    }
}

/// Rows of events that are counted together.
pub(super) const ROWS: usize = 16;
/// Digits of the counters: enough for [`Tally::LIMIT`] rows.
const DIGITS: usize = 20;

/// Counts the events of many sweeps: a program adds up [`ROWS`] rows at a time.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    words: usize,
    events: usize,
    /// Rows of events, counters, scratch.
    block: AlignedWords,
    filled: usize,
}

impl Tally {
    /// Rows after which the counters must be read.
    pub(super) const LIMIT: usize = (1 << DIGITS) - ROWS;

    pub(super) fn program(events: usize, target: Target, words: usize) -> Executable {
        let mut gates = Gates::new();
        let first_counter = (ROWS * events) as u32;
        let mut outputs = Vec::new();
        for event in 0..events as u32 {
            let rows: Vec<Edge> =
                (0..ROWS as u32).map(|row| gates.base(row * events as u32 + event)).collect();
            let count = population(&mut gates, &rows);
            let first = first_counter + event * DIGITS as u32;
            let counter: Vec<Edge> = (0..DIGITS as u32).map(|digit| gates.base(first + digit)).collect();
            let sum = add(&mut gates, &counter, &count);
            outputs.extend(sum[..DIGITS].iter().zip(first..).map(|(&edge, slot)| (edge, Place::block(slot))));
        }
        let input = |gate: Gate| match gate {
            Gate::Base(slot) => Place::block(slot),
            other => unreachable!("{other:?} is no input"),
        };
        let network = Network { gates: &gates, outputs, rows: Rows::default(), input: &input };
        Executable::new(&network, target, words, first_counter + (events * DIGITS) as u32)
    }

    pub(super) fn new(program: &Executable, events: usize, words: usize) -> Self {
        Self { words, events, block: AlignedWords::new(program.block_slots() * words), filled: 0 }
    }

    /// The rows to be filled next: at most so many.
    pub(super) fn free_rows(&mut self) -> (usize, &mut [u64]) {
        let start = self.filled * self.events * self.words;
        (ROWS - self.filled, &mut self.block[start..ROWS * self.events * self.words])
    }

    /// Counts rows that were filled.
    pub(super) fn count(&mut self, program: &Executable, rows: usize) {
        self.filled += rows;
        if self.filled == ROWS {
            program.run(&mut self.block);
            self.filled = 0;
        }
    }

    /// Counts what is left, then hands out `(event, digit, words)` and begins anew.
    pub(super) fn read(&mut self, program: &Executable, mut each: impl FnMut(usize, usize, &[u64])) {
        if self.filled > 0 {
            let (_, rest) = self.free_rows();
            rest.fill(0);
            self.filled = ROWS;
            self.count(program, 0);
        }
        let first = ROWS * self.events * self.words;
        let counters = &mut self.block[first..first + self.events * DIGITS * self.words];
        for (index, words) in counters.chunks(self.words).enumerate() {
            each(index / DIGITS, index % DIGITS, words);
        }
        counters.fill(0);
    }
}
