//! Holding a node while its numbers are changed.
//!
//! What a visit changes are a handful of numbers of one node and of its moves. Changing each by an
//! atomic addition costs more than the work itself, so one atomic exchange takes the whole node, and
//! the store that gives it back carries the new count of visits. Whoever only reads need not hold it.

use super::nodes::{HELD, Node, UNIT};
use crate::sync::{AtomicU64, Ordering, pause};

/// A node that no other thread changes meanwhile, with its moves. Hold one at a time, and briefly.
#[derive(Debug)]
pub(crate) struct Held<'a> {
    node: Node<'a>,
    /// Visits begun in the low half, visits ended in the high half.
    visits: u64,
    /// What others see in the visits meanwhile.
    mark: u64,
}

impl<'a> Node<'a> {
    /// Holds the node, once nobody else does. `alone` if there is no other thread.
    #[inline]
    pub(crate) fn hold(self, alone: bool) -> Held<'a> {
        let word = self.visits_word();
        if alone {
            return Held { node: self, visits: word.load(Ordering::Relaxed), mark: 0 };
        }
        let mut tries = 0;
        loop {
            let visits = word.fetch_or(HELD, Ordering::Acquire);
            if visits & HELD == 0 {
                return Held { node: self, visits, mark: HELD };
            }
            while word.load(Ordering::Relaxed) & HELD != 0 {
                tries += 1;
                pause(tries);
            }
        }
    }
}

impl<'a> Held<'a> {
    #[inline]
    pub(crate) fn node(&self) -> Node<'a> {
        self.node
    }

    #[inline]
    pub(crate) fn begin_visits(&mut self, visits: u32) {
        self.visits += u64::from(visits);
    }

    /// Visits that were begun and led to nothing new.
    #[inline]
    pub(crate) fn cancel_visits(&mut self, visits: u32) {
        self.visits -= u64::from(visits);
    }

    #[inline]
    pub(crate) fn end_visits(&mut self, visits: u32) {
        self.visits += u64::from(visits) << 32;
    }

    /// Lets others see the visits as they are now. They do when it is no longer held.
    #[inline]
    pub(crate) fn show_visits(&self) {
        self.node.visits_word().store(self.visits | self.mark, Ordering::Relaxed);
    }

    /// Visits begun and visits ended.
    #[inline]
    pub(crate) fn visits(&self) -> (u32, u32) {
        (self.visits as u32, (self.visits >> 32) as u32)
    }

    #[inline]
    pub(crate) fn add_to_sum(&self, role: usize, delta: i64) {
        self.add(self.node.sum_word(role), delta as u64);
    }

    /// Sets the mean of a role's goals, 0 to 100.
    pub(crate) fn set_mean(&mut self, role: usize, mean: f64) {
        let sum = (mean * UNIT * f64::from(self.visits().1.max(1))) as i64;
        self.node.sum_word(role).store(sum as u64, Ordering::Relaxed);
    }

    /// Changes a number of the node or of one of its moves.
    #[inline]
    pub(super) fn add(&self, word: &AtomicU64, delta: u64) {
        word.store(word.load(Ordering::Relaxed).wrapping_add(delta), Ordering::Relaxed);
    }
}

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        self.node.visits_word().store(self.visits, Ordering::Release);
    }
}
