//! The nodes of the tree: their visits, sums and proven bounds, and the positions they stand for.
//!
//! A node that is recycled gets another generation, so that links to what it was can be told from
//! links to what it is: see [`super::Link`].

use std::sync::OnceLock;

use super::NodeId;
use super::bounds::Bounds;
use super::status::{CLAIMED, GENERATION_SHIFT, IN_USE, KEPT, OVER, Status};
use super::words::Words;
use super::worth::{self, UNIT};
use crate::sync::{AtomicU32, AtomicU64, Mutex, Ordering, fence, fetch, pause};

/// Nodes of a chunk.
#[cfg(not(test))]
const CHUNK_BITS: u32 = 13;
// Small, so that tests cross chunks.
#[cfg(test)]
const CHUNK_BITS: u32 = 5;
const CHUNK: u32 = 1 << CHUNK_BITS;

/// Visits begun in the low half, visits ended in the high half, and above each what is said below.
const VISITS: usize = 0;
/// Bits of each.
const VISITS_BITS: u32 = 27;
const VISITS_MASK: u64 = (1 << VISITS_BITS) - 1;
/// Where the moves are, what is known of them, and how often the number was used before: see `status.rs`.
const STATUS: usize = 1;
/// What is known of each role's goal: see `worth.rs`.
const WORTH: usize = 2;

/// Said of the visits of a node that someone is changing: see [`Node::lock`].
pub(crate) const LOCKED: u64 = 1 << 63;
/// Said of the visits of a node that was visited since the hand passed: see `recycle.rs`.
pub(crate) const TOUCHED: u64 = 1 << 31;
/// How often the hand has passed since then.
const PASSES: u64 = 0xf << VISITS_BITS;
/// What is above the visits begun.
pub(super) const MARKS: u64 = TOUCHED | PASSES;

/// How often numbers are read again that someone is changing. It takes a fraction of that.
const MOST_TRIES: u32 = 50;

/// Chunks of nodes whose numbers are in one piece of memory: a large page, with two roles.
const PIECE_BITS: u32 = CHUNK_BITS + 3;
const PIECE: u32 = 1 << PIECE_BITS;

/// All nodes, by number.
#[derive(Debug)]
pub(crate) struct Nodes<State> {
    roles: usize,
    stride: usize,
    /// What is known of them, by pieces.
    words: Vec<Words>,
    /// Their positions, by chunks.
    states: Vec<Box<[OnceLock<State>]>>,
    /// One more than the highest number ever given out.
    next: AtomicU32,
    /// Numbers that were given back.
    free: Mutex<Vec<u32>>,
    /// How many these are.
    free_count: AtomicU32,
}

impl<State> Nodes<State> {
    pub(crate) fn new(roles: usize) -> Self {
        let stride = WORTH + roles;
        // Number 0 stands for "none".
        let (next, free_count) = (AtomicU32::new(1), AtomicU32::new(0));
        Self {
            roles,
            stride,
            words: Vec::new(),
            states: Vec::new(),
            next,
            free: Mutex::default(),
            free_count,
        }
    }

    #[inline]
    pub(crate) fn get(&self, id: NodeId) -> Node<'_> {
        let first = (id.0 % PIECE) as usize * self.stride;
        let words = self.words[(id.0 / PIECE) as usize].get(first, self.stride);
        Node { words, roles: self.roles }
    }

    #[inline]
    pub(crate) fn state(&self, id: NodeId) -> Option<&State> {
        self.state_place(id).get()
    }

    /// Where the state of a node is kept; it is put there once.
    #[inline]
    pub(crate) fn state_place(&self, id: NodeId) -> &OnceLock<State> {
        &self.states[(id.0 / CHUNK) as usize][(id.0 % CHUNK) as usize]
    }

    fn numbers(&self) -> u32 {
        u32::try_from(self.states.len() * CHUNK as usize).unwrap_or(u32::MAX)
    }

    /// Hands out the numbers of some nodes, or of as many as there is room for.
    pub(crate) fn allocate(&self, count: u32, out: &mut Vec<u32>) {
        let mut missing = count;
        if self.free_count.load(Ordering::Relaxed) > 0 {
            let mut free = self.free.lock();
            let rest = free.len().saturating_sub(count as usize);
            missing -= (free.len() - rest) as u32;
            out.extend(free.drain(rest..).rev());
            self.free_count.store(free.len() as u32, Ordering::Relaxed);
        }
        if missing == 0 {
            return;
        }
        let room = self.numbers();
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            let end = room.min(next.saturating_add(missing)).max(next);
            match self.next.compare_exchange_weak(next, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return out.extend((next..end).rev()),
                Err(now) => next = now,
            }
        }
    }

    /// Forgets a node: links to it lead nowhere from now on, and its number can be had again.
    pub(crate) fn recycle(&mut self, id: NodeId) {
        let node = self.get(id);
        // More bits than there are room for are lost: it begins anew.
        let generation = u64::from(node.generation() + 1) << GENERATION_SHIFT;
        node.words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        node.words[STATUS].store(generation, Ordering::Relaxed);
        self.states[(id.0 / CHUNK) as usize][(id.0 % CHUNK) as usize].take();
        // A number that was used sixteen million times is not used again: a link as old as that could be
        // taken for a new one.
        if generation != 0 {
            let free = self.free.get_mut();
            free.push(id.0);
            self.free_count = AtomicU32::new(free.len() as u32);
        }
    }

    /// The nodes that can still be had.
    pub(crate) fn free(&self) -> usize {
        self.free_count.load(Ordering::Relaxed) as usize + self.numbers().saturating_sub(self.end()) as usize
    }

    /// One more than the highest number given out.
    pub(crate) fn end(&self) -> u32 {
        self.next.load(Ordering::Relaxed)
    }

    /// The nodes there is memory for.
    pub(crate) fn room(&self) -> usize {
        self.numbers() as usize
    }

    /// The nodes that were given out and not given back.
    pub(crate) fn used(&self) -> usize {
        (self.end() - 1).saturating_sub(self.free_count.load(Ordering::Relaxed)) as usize
    }

    /// The bytes held. Of states only what is held in place: the tree knows of the rest.
    pub(crate) fn bytes(&self) -> usize {
        self.states.len() * self.chunk_bytes()
    }

    /// By how many bytes [`Nodes::grow`] makes it larger.
    pub(crate) fn chunk_bytes(&self) -> usize {
        CHUNK as usize * (self.stride * 8 + size_of::<OnceLock<State>>())
    }

    /// By how many nodes [`Nodes::grow`] makes it larger.
    pub(crate) const CHUNK: usize = CHUNK as usize;

    /// Makes room for more nodes.
    pub(crate) fn grow(&mut self) {
        if self.states.len() == self.words.len() << (PIECE_BITS - CHUNK_BITS) {
            self.words.push(Words::after(&self.words, PIECE as usize * self.stride));
        }
        self.states.push((0..CHUNK).map(|_| OnceLock::new()).collect());
    }

    /// Forgets all nodes; the memory is kept.
    pub(crate) fn clear(&mut self) {
        for id in (1..self.end()).map(NodeId) {
            if !self.get(id).is_free() {
                self.recycle(id);
            }
        }
        self.free.get_mut().clear();
        (self.next, self.free_count) = (AtomicU32::new(1), AtomicU32::new(0));
    }
}

/// Visits begun and visits ended.
#[inline]
pub(super) fn visits_of(word: u64) -> (u32, u32) {
    ((word & VISITS_MASK) as u32, (word >> 32 & VISITS_MASK) as u32)
}

/// The statistics of one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    words: &'a [AtomicU64],
    roles: usize,
}

impl<'a> Node<'a> {
    /// Begins to stand for something.
    pub(super) fn begin(self) {
        let status = self.words[STATUS].load(Ordering::Relaxed);
        self.words[STATUS].store(status | IN_USE, Ordering::Relaxed);
    }

    /// How many roles there are.
    #[inline]
    pub(crate) fn roles(self) -> usize {
        self.roles
    }

    /// Whether it stands for nothing.
    #[inline]
    pub(super) fn is_free(self) -> bool {
        self.words[STATUS].load(Ordering::Relaxed) & IN_USE == 0
    }

    /// How often its number was used before.
    #[inline]
    pub(super) fn generation(self) -> u32 {
        (self.words[STATUS].load(Ordering::Relaxed) >> GENERATION_SHIFT) as u32
    }

    /// Visits begun and visits ended.
    #[inline]
    pub(crate) fn visits(self) -> (u32, u32) {
        visits_of(self.words[VISITS].load(Ordering::Relaxed))
    }

    /// How often the hand has passed since the last visit, this time included, when nobody else is at work.
    pub(super) fn pass(self) -> u32 {
        let word = self.words[VISITS].load(Ordering::Relaxed);
        let passes = if word & TOUCHED != 0 { 0 } else { ((word & PASSES) >> VISITS_BITS) + 1 };
        let kept = passes.min(PASSES >> VISITS_BITS);
        self.words[VISITS].store(word & !MARKS | kept << VISITS_BITS, Ordering::Relaxed);
        passes as u32
    }

    /// Counts as visited, when nobody else is at work.
    pub(super) fn touch(self) {
        let word = self.words[VISITS].load(Ordering::Relaxed);
        self.words[VISITS].store(word | TOUCHED, Ordering::Relaxed);
    }

    /// Asks for it, to be changed soon.
    #[inline]
    pub(crate) fn fetch(self) {
        fetch(&self.words[VISITS]);
    }

    /// Sets the visits begun of a node that nobody else knows of yet.
    pub(crate) fn set_begun(self, visits: u32) {
        self.words[VISITS].store(u64::from(visits), Ordering::Relaxed);
    }

    /// Gives a node that nobody else knows of yet visits that ended, and what they brought the roles.
    pub(super) fn seed(self, ended: u32, sums: impl Iterator<Item = i64>) {
        let begun = self.words[VISITS].load(Ordering::Relaxed) + u64::from(ended);
        self.words[VISITS].store(begun | u64::from(ended) << 32, Ordering::Relaxed);
        for (word, sum) in self.words[WORTH..].iter().zip(sums) {
            let known = word.load(Ordering::Relaxed);
            word.store(worth::with_sum(known, sum), Ordering::Relaxed);
        }
    }

    #[inline]
    pub(super) fn visits_word(&self) -> &'a AtomicU64 {
        &self.words[VISITS]
    }

    #[inline]
    pub(super) fn worth_word(&self, role: usize) -> &'a AtomicU64 {
        &self.words[WORTH + role]
    }

    /// What is known of the goals of all roles.
    pub(super) fn worth_words(&self) -> &'a [AtomicU64] {
        &self.words[WORTH..]
    }

    /// The sum of a role's goals over all visits that ended, in [`UNIT`]s.
    #[inline]
    pub(crate) fn sum(self, role: usize) -> i64 {
        worth::sum(self.words[WORTH + role].load(Ordering::Relaxed))
    }

    /// The sum of a role's goals over all visits that ended, and how many these are, while others may be
    /// changing them. Who holds it is waited for, but not long: it may be waiting for us.
    #[inline]
    pub(crate) fn sum_and_visits(self, role: usize) -> (i64, u32) {
        for tries in 0..MOST_TRIES {
            let before = self.words[VISITS].load(Ordering::Acquire);
            let word = self.words[WORTH + role].load(Ordering::Relaxed);
            // See `node_lock.rs`: who sees a sum that is being changed sees in the visits that it is.
            fence(Ordering::Acquire);
            let after = self.words[VISITS].load(Ordering::Relaxed);
            if before & LOCKED == 0 && before == after {
                return (worth::sum(word), visits_of(before).1);
            }
            pause(tries);
        }
        (self.sum(role), self.visits().1)
    }

    /// The mean of a role's goals, 0 to 100.
    pub(crate) fn mean(self, role: usize) -> f64 {
        self.sum(role) as f64 / UNIT / f64::from(self.visits().1.max(1))
    }

    #[inline]
    pub(crate) fn status(self) -> Status {
        Status::unpack(self.words[STATUS].load(Ordering::Acquire))
    }

    /// Takes the right to list the moves of a leaf.
    pub(crate) fn claim(self) -> bool {
        let old = self.words[STATUS].load(Ordering::Relaxed);
        let (relaxed, new) = (Ordering::Relaxed, old | CLAIMED);
        old & (OVER | IN_USE) == IN_USE
            && self.words[STATUS].compare_exchange(old, new, relaxed, relaxed).is_ok()
    }

    /// Publishes the moves, or the lack of them, after a claim or while the node is locked.
    pub(crate) fn set_status(self, status: Status) {
        let kept = self.words[STATUS].load(Ordering::Relaxed) & KEPT;
        self.words[STATUS].store(kept | status.pack(), Ordering::Release);
    }

    /// What is proven of a role's goal.
    #[inline]
    pub(crate) fn bounds(self, role: usize) -> Bounds {
        // Who sees that all is proven sees the means that were set before.
        worth::bounds(self.words[WORTH + role].load(Ordering::Acquire))
    }

    /// Forgets what was proven, when nobody else is at work.
    pub(crate) fn forget_bounds(self) {
        for word in &self.words[WORTH..] {
            let known = word.load(Ordering::Relaxed);
            word.store(worth::with_bounds(known, Bounds::UNKNOWN), Ordering::Relaxed);
        }
    }

    /// Whether the goals of all roles are known.
    #[inline]
    pub(crate) fn is_proven(self) -> bool {
        (0..self.roles).all(|role| self.bounds(role).is_exact())
    }
}
