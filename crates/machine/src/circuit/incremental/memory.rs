//! What is remembered from state to state, and when it is of use.

use super::net::Net;
use super::values::{Values, Work};

/// After so many questions about states near each other, and far from all that is remembered, it is worth going there.
const PATIENCE: u32 = 4;

/// The state that was looked at last, one more from which states are often reached (the beginning of the game, or
/// that of many playouts), and one that was too far away.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    now: Values,
    kept: Values,
    missed: Vec<u64>,
    misses: u32,
}

impl Memory {
    pub(crate) fn new(net: &Net) -> Self {
        let initial = net.initial();
        let missed = vec![0; initial.state.len()];
        Self { now: initial.clone(), kept: initial.clone(), missed, misses: 0 }
    }

    /// Goes to a state, if no more than so many facts change on the way. Whoever asks works it out in another way if not;
    /// only where questions about that region come one after the other it is reached all the same.
    pub(crate) fn reach(&mut self, net: &Net, state: &[u64], most: u32) -> bool {
        if self.now.state == state {
            self.misses = 0;
            return true;
        }
        let mut far = distance(&self.now.state, state);
        if far > most / 4 {
            let from_kept = distance(&self.kept.state, state);
            if from_kept < far / 2 {
                self.now.copy(&self.kept, net);
                far = from_kept;
            }
        }
        if far <= most {
            self.misses = 0;
            self.now.go_to(net, state);
            return true;
        }
        let is_near = distance(&self.missed, state) <= most;
        self.misses = if is_near { self.misses + 1 } else { 1 };
        self.missed.copy_from_slice(state);
        if self.misses <= PATIENCE {
            return false;
        }
        self.misses = 0;
        self.now.go_to(net, state);
        self.now.settle_all(net);
        self.kept.copy(&self.now, net);
        true
    }

    /// What is over and legal in the state that was reached, as a row of bits.
    pub(crate) fn looks(&mut self, net: &Net) -> &[u64] {
        self.now.looks(net)
    }

    /// The facts after the state that was reached and a joint move.
    pub(crate) fn next(&mut self, net: &Net, joint: impl Iterator<Item = u32>) -> &[u64] {
        self.now.next(net, joint)
    }

    /// What was done so far.
    pub(crate) fn work(&self) -> Work {
        self.now.work()
    }
}

/// In how many facts states differ.
fn distance(one: &[u64], other: &[u64]) -> u32 {
    one.iter().zip(other).map(|(one, other)| (one ^ other).count_ones()).sum()
}
