//! Random words for all lanes, a fresh row every sweep.
//!
//! Every lane has a shift register of its own: `x[n] = x[n-127] ^ x[n-99] ^ x[n-58] ^ x[n-37]`
//! (a generalized feedback shift register with four taps; the polynomial is irreducible and
//! 2^127 - 1 is prime, so the period is 2^127 - 1), begun with true 127 random bits a lane. What
//! is given out is `x[n] ^ (x[n-1] & x[n-17])`, which breaks the linear relations between words.
//! It is pure bitwise logic, so the same compiler makes it as fast as the rest.

use std::sync::Arc;

use ::circuit::{Edge, Gate, Gates};

use crate::compiled::{AlignedWords, Executable, Target};
use crate::program::{Network, Place, Rows};

/// The length of the shift registers, and of a refill.
pub(super) const LENGTH: usize = 127;
const TAPS: [usize; 3] = [99, 58, 37];
const FILTER: [usize; 2] = [1, 17];

/// The program that makes the next [`LENGTH`] words.
pub(super) fn refill_program(target: Target, words: usize) -> Arc<Executable> {
    let mut gates = Gates::new();
    let mut history: Vec<Edge> = (0..LENGTH as u32).map(|number| gates.base(number)).collect();
    let mut outputs = Vec::new();
    for index in 0..LENGTH {
        let last = history.len();
        let mut word = history[last - LENGTH];
        for tap in TAPS {
            word = gates.xor(word, history[last - tap]);
        }
        history.push(word);
        let both = gates.and(history[last - FILTER[0]], history[last - FILTER[1]]);
        let given = gates.xor(word, both);
        outputs.push((given, Place::block((LENGTH + index) as u32)));
        outputs.push((word, Place::block(index as u32)));
    }
    let input = |gate: Gate| match gate {
        Gate::Base(number) => Place::block(number),
        other => unreachable!("{other:?} is no input"),
    };
    let network = Network { gates: &gates, outputs, rows: Rows::default(), input: &input };
    Arc::new(Executable::new(&network, target, words, 2 * LENGTH as u32))
}

/// The random words of one block of lanes.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    refill: Arc<Executable>,
    words: usize,
    /// Slots of a row.
    row: usize,
    /// Lanes that are wanted, the first ones.
    lanes: usize,
    /// The shift registers, the words given out, scratch.
    block: AlignedWords,
    /// Rows that are longer than a refill are put together here.
    long_row: Vec<u64>,
    /// The next slot to give out, of the block's [`LENGTH`].
    next: usize,
}

impl Stream {
    pub(super) fn new(refill: &Arc<Executable>, words: usize) -> Self {
        let block = AlignedWords::new(refill.block_slots().max(2 * LENGTH) * words);
        Self {
            refill: Arc::clone(refill),
            words,
            row: 0,
            lanes: words * 64,
            block,
            long_row: Vec::new(),
            next: LENGTH,
        }
    }

    /// Begins anew for the first lanes with rows of so many slots: 64 lanes depend on the seed and the
    /// number of their group of 64 alone.
    pub(super) fn seed(&mut self, row: usize, seed: u64, first_group: usize, lanes: usize) {
        (self.row, self.lanes) = (row, lanes);
        for word in 0..lanes.div_ceil(64).min(self.words) {
            let mut dice = game::Dice::stream(seed, (first_group + word) as u64);
            for index in 0..LENGTH {
                self.block[index * self.words + word] = dice.bits();
            }
        }
        self.next = LENGTH;
    }

    /// The next rows, at most `most`: how many, and their words.
    pub(super) fn rows(&mut self, most: usize) -> (usize, &[u64]) {
        if self.row == 0 {
            return (most, &[]);
        }
        if self.row > LENGTH {
            self.long_row.clear();
            while self.long_row.len() < self.row * self.words {
                self.refill.run_lanes(&mut self.block, self.lanes);
                let missing = self.row * self.words - self.long_row.len();
                let fresh = &self.block[LENGTH * self.words..2 * LENGTH * self.words];
                self.long_row.extend_from_slice(&fresh[..missing.min(fresh.len())]);
            }
            return (1, &self.long_row);
        }
        if self.next + self.row > LENGTH {
            self.refill.run_lanes(&mut self.block, self.lanes);
            self.next = 0;
        }
        let rows = most.min((LENGTH - self.next) / self.row);
        let start = (LENGTH + self.next) * self.words;
        self.next += rows * self.row;
        (rows, &self.block[start..start + rows * self.row * self.words])
    }
}
