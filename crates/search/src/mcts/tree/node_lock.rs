//! Locking a node while its numbers are changed.
//!
//! What a visit changes are a handful of numbers of one node and of its moves. Changing each by an
//! atomic addition costs more than the work itself, so one atomic exchange takes the whole node, and
//! the store that gives it back carries the new count of visits. Whoever only reads need not hold it.
//!
//! Why that is right by the memory model. *Who holds it* sees all that holders before it stored: giving
//! it back is a release store, taking it an acquiring exchange of the same word. (An exchange that finds
//! it taken changes nothing, as the mark is there already.) *Who reads a sum and the visits that belong
//! to it without holding it* ([`Node::sum_and_visits`]) reads the visits, the sum, and the visits again,
//! as with a sequence lock:
//! - If the sum it reads was stored by someone who took the node after the first reading, the release
//!   fence of the taking comes before that store, and the acquire fence of the reader after that load: so
//!   the fences synchronize, and the second reading of the visits sees the mark or something later. It
//!   differs from the first, unless visits have not changed at all: then either sum belongs to them.
//! - If the first reading sees the visits of someone who gave it back, it acquires that, and so the sum
//!   is the one stored then or a later one.
//!
//! A proof stores the means while it holds the node and then publishes the bounds by release stores to
//! the same words; who sees (by acquiring loads) that all is proven sees those means, and nobody changes
//! them again.
//!
//! Where a thread is alone on a tree nothing needs an order.

use super::bounds::Bounds;
use super::nodes::{LOCKED, MARKS, Node, TOUCHED, visits_of};
use super::worth::{self, UNIT};
use crate::sync::{AtomicU64, Ordering, fence, pause};

/// A node that no other thread changes meanwhile, with its moves. Hold one at a time, and briefly.
#[derive(Debug)]
pub(crate) struct NodeLock<'a> {
    node: Node<'a>,
    /// Visits begun in the low half, visits ended in the high half.
    visits: u64,
    /// What others see in the visits meanwhile.
    mark: u64,
}

impl<'a> Node<'a> {
    /// Locks the node, once nobody else does. `alone` if there is no other thread.
    #[inline]
    pub(crate) fn lock(self, alone: bool) -> NodeLock<'a> {
        let word = self.visits_word();
        if alone {
            return NodeLock { node: self, visits: word.load(Ordering::Relaxed), mark: 0 };
        }
        let mut tries = 0;
        loop {
            let visits = word.fetch_or(LOCKED, Ordering::Acquire);
            if visits & LOCKED == 0 {
                // No store to a number of the node comes before the mark, for who reads without holding.
                fence(Ordering::Release);
                return NodeLock { node: self, visits, mark: LOCKED };
            }
            while word.load(Ordering::Relaxed) & LOCKED != 0 {
                tries += 1;
                pause(tries);
            }
        }
    }
}

impl<'a> NodeLock<'a> {
    #[inline]
    pub(crate) fn node(&self) -> Node<'a> {
        self.node
    }

    #[inline]
    pub(crate) fn begin_visits(&mut self, visits: u32) {
        self.visits = (self.visits + u64::from(visits)) | TOUCHED;
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

    /// Lets others see the visits as they are now. They do when it is no longer locked.
    #[inline]
    pub(crate) fn show_visits(&self) {
        self.node.visits_word().store(self.visits | self.mark, Ordering::Relaxed);
    }

    /// Visits begun and visits ended.
    #[inline]
    pub(crate) fn visits(&self) -> (u32, u32) {
        visits_of(self.visits)
    }

    pub(super) fn set_visits(&mut self, begun: u32, ended: u32) {
        self.visits = self.visits & MARKS | u64::from(begun) | u64::from(ended) << 32;
    }

    #[inline]
    pub(crate) fn add_to_sum(&self, role: usize, delta: i64) {
        self.add(self.node.worth_word(role), worth::difference(delta));
    }

    /// Sets the mean of a role's goals, 0 to 100.
    pub(crate) fn set_mean(&mut self, role: usize, mean: f64) {
        let sum = (mean * UNIT * f64::from(self.visits().1.max(1))) as i64;
        let word = self.node.worth_word(role);
        word.store(worth::with_sum(word.load(Ordering::Relaxed), sum), Ordering::Relaxed);
    }

    /// Narrows what is proven of a role's goal; whether that is news.
    pub(crate) fn narrow(&self, role: usize, bounds: Bounds) -> bool {
        let word = self.node.worth_word(role);
        let old = word.load(Ordering::Relaxed);
        let narrowed = worth::bounds(old).intersect(bounds);
        // Who sees it sees all that was stored before.
        word.store(worth::with_bounds(old, narrowed), Ordering::Release);
        narrowed != worth::bounds(old)
    }

    /// Narrows what is proven of all goals; whether anything is news.
    pub(crate) fn narrow_all(&self, bounds: impl Iterator<Item = Bounds>) -> bool {
        bounds.enumerate().fold(false, |news, (role, bounds)| self.narrow(role, bounds) | news)
    }

    /// Changes a number of the node or of one of its moves.
    #[inline]
    pub(super) fn add(&self, word: &AtomicU64, delta: u64) {
        word.store(word.load(Ordering::Relaxed).wrapping_add(delta), Ordering::Relaxed);
    }
}

impl Drop for NodeLock<'_> {
    #[inline]
    fn drop(&mut self) {
        self.node.visits_word().store(self.visits, Ordering::Release);
    }
}
