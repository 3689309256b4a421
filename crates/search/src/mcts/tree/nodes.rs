//! The nodes of the tree: their visits, sums and proven bounds, and the positions they stand for.

use std::ops::Range;
use std::sync::OnceLock;

use super::NodeId;
use super::bounds::Bounds;
use crate::sync::{AtomicU32, AtomicU64, Ordering, fetch, pause};

/// Goals are summed in units of 2^-20.
pub(crate) const UNIT: f64 = (1u64 << 20) as f64;

/// Nodes of a chunk.
#[cfg(not(test))]
const CHUNK_BITS: u32 = 13;
// Small, so that tests cross chunks.
#[cfg(test)]
const CHUNK_BITS: u32 = 5;
const CHUNK: u32 = 1 << CHUNK_BITS;

/// Visits begun in the low half, visits ended in the high half but for its highest bit.
const VISITS: usize = 0;
/// Where the moves are, and what is known of them: see [`Status`].
const STATUS: usize = 1;
const SUMS: usize = 2;
/// Bounds of so many roles in a word.
const BOUNDS_A_WORD: usize = 4;

/// Said of the visits of a node that someone is changing: see [`Node::hold`].
pub(crate) const HELD: u64 = 1 << 63;

/// How often numbers are read again that someone is changing. It takes a fraction of that.
const MOST_TRIES: u32 = 50;

/// How much is known of the moves of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Nothing yet.
    Leaf,
    /// Someone is about to list them.
    Claimed,
    /// There are none: the game is over.
    Over,
    /// They are in a block. `mover` is the only role with a choice; none if several have one.
    Open { block: u32, mover: Option<u16> },
}

const CLAIMED: u64 = 1 << 32;
const OPEN: u64 = 2 << 32;
const OVER: u64 = CLAIMED | OPEN;
const SEVERAL: u64 = 0xffff;

impl Status {
    fn pack(self) -> u64 {
        match self {
            Status::Leaf => 0,
            Status::Claimed => CLAIMED,
            Status::Over => OVER,
            Status::Open { block, mover } => u64::from(block) | OPEN | mover.map_or(SEVERAL, u64::from) << 48,
        }
    }

    #[inline]
    fn unpack(word: u64) -> Self {
        match word & OVER {
            0 => Status::Leaf,
            OVER => Status::Over,
            OPEN => {
                let mover = word >> 48;
                Status::Open { block: word as u32, mover: (mover != SEVERAL).then_some(mover as u16) }
            }
            _ => Status::Claimed,
        }
    }
}

#[derive(Debug)]
struct Chunk<State> {
    words: Box<[AtomicU64]>,
    states: Box<[OnceLock<State>]>,
}

/// All nodes, by number.
#[derive(Debug)]
pub(crate) struct Nodes<State> {
    roles: usize,
    stride: usize,
    chunks: Vec<Chunk<State>>,
    next: AtomicU32,
}

impl<State> Nodes<State> {
    pub(crate) fn new(roles: usize) -> Self {
        let stride = SUMS + roles + roles.div_ceil(BOUNDS_A_WORD);
        // Number 0 stands for "none".
        Self { roles, stride, chunks: Vec::new(), next: AtomicU32::new(1) }
    }

    #[inline]
    pub(crate) fn get(&self, id: NodeId) -> Node<'_> {
        let first = (id.0 % CHUNK) as usize * self.stride;
        let words = &self.chunks[(id.0 / CHUNK) as usize].words[first..first + self.stride];
        Node { words, roles: self.roles }
    }

    #[inline]
    pub(crate) fn state(&self, id: NodeId) -> Option<&State> {
        self.state_place(id).get()
    }

    /// Where the state of a node is kept; it is put there once.
    #[inline]
    pub(crate) fn state_place(&self, id: NodeId) -> &OnceLock<State> {
        &self.chunks[(id.0 / CHUNK) as usize].states[(id.0 % CHUNK) as usize]
    }

    /// The numbers of some new nodes, or of as many as there is room for.
    pub(crate) fn allocate(&self, count: u32) -> Range<u32> {
        let room = u32::try_from(self.chunks.len() * CHUNK as usize).unwrap_or(u32::MAX);
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            let end = room.min(next.saturating_add(count));
            match self.next.compare_exchange_weak(next, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return next..end,
                Err(now) => next = now,
            }
        }
    }

    /// The nodes that can still be had.
    pub(crate) fn free(&self) -> usize {
        (self.chunks.len() * CHUNK as usize).saturating_sub(self.end() as usize)
    }

    /// One more than the highest number given out.
    pub(crate) fn end(&self) -> u32 {
        self.next.load(Ordering::Relaxed)
    }

    /// The bytes held. Of states only what is held in place: the tree knows of the rest.
    pub(crate) fn bytes(&self) -> usize {
        self.chunks.len() * self.chunk_bytes()
    }

    /// By how many bytes [`Nodes::grow`] makes it larger.
    pub(crate) fn chunk_bytes(&self) -> usize {
        CHUNK as usize * self.node_bytes()
    }

    fn node_bytes(&self) -> usize {
        self.stride * 8 + size_of::<OnceLock<State>>()
    }

    /// Makes room for more nodes.
    pub(crate) fn grow(&mut self) {
        self.chunks.push(Chunk {
            words: (0..CHUNK as usize * self.stride).map(|_| AtomicU64::new(0)).collect(),
            states: (0..CHUNK).map(|_| OnceLock::new()).collect(),
        });
    }

    /// Forgets all nodes from `end` on; the memory is kept.
    pub(crate) fn truncate(&mut self, end: u32) {
        let mut first = end as usize;
        let old = self.end() as usize;
        while first < old {
            let chunk = &mut self.chunks[first / CHUNK as usize];
            let at = first % CHUNK as usize;
            let count = (old - first).min(CHUNK as usize - at);
            chunk.states[at..at + count].fill_with(OnceLock::new);
            let words = &mut chunk.words[at * self.stride..(at + count) * self.stride];
            words.iter_mut().for_each(|word| *word = AtomicU64::new(0));
            first += count;
        }
        self.next = AtomicU32::new(end);
    }

    /// Moves a node to a lower number; what was there is overwritten.
    pub(crate) fn shift(&mut self, from: NodeId, to: NodeId) {
        if from == to {
            return;
        }
        let state =
            std::mem::take(&mut self.chunks[(from.0 / CHUNK) as usize].states[(from.0 % CHUNK) as usize]);
        for word in 0..self.stride {
            let value = self.get(from).words[word].load(Ordering::Relaxed);
            self.get(to).words[word].store(value, Ordering::Relaxed);
        }
        self.chunks[(to.0 / CHUNK) as usize].states[(to.0 % CHUNK) as usize] = state;
    }
}

/// The statistics of one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    words: &'a [AtomicU64],
    roles: usize,
}

impl<'a> Node<'a> {
    /// Visits begun and visits ended.
    #[inline]
    pub(crate) fn visits(self) -> (u32, u32) {
        let word = self.words[VISITS].load(Ordering::Relaxed) & !HELD;
        (word as u32, (word >> 32) as u32)
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

    #[inline]
    pub(super) fn visits_word(&self) -> &'a AtomicU64 {
        &self.words[VISITS]
    }

    #[inline]
    pub(super) fn sum_word(&self, role: usize) -> &'a AtomicU64 {
        &self.words[SUMS + role]
    }

    /// The sums of all roles.
    pub(super) fn sums(&self) -> &'a [AtomicU64] {
        &self.words[SUMS..SUMS + self.roles]
    }

    /// The sum of a role's goals over all visits that ended, in [`UNIT`]s.
    #[inline]
    pub(crate) fn sum(self, role: usize) -> i64 {
        self.words[SUMS + role].load(Ordering::Relaxed) as i64
    }

    /// The sum of a role's goals over all visits that ended, and how many these are, while others may be
    /// changing them. Who holds it is waited for, but not long: it may be waiting for us.
    #[inline]
    pub(crate) fn sum_and_visits(self, role: usize) -> (i64, u32) {
        for tries in 0..MOST_TRIES {
            let before = self.words[VISITS].load(Ordering::Acquire);
            let sum = self.words[SUMS + role].load(Ordering::Acquire);
            let after = self.words[VISITS].load(Ordering::Relaxed);
            if before & HELD == 0 && before == after {
                return (sum as i64, (before >> 32) as u32);
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
        let claimed = Status::Claimed.pack();
        self.words[STATUS].compare_exchange(0, claimed, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Publishes the moves, or the lack of them, after a claim.
    pub(crate) fn set_status(self, status: Status) {
        self.words[STATUS].store(status.pack(), Ordering::Release);
    }

    /// What is proven of a role's goal.
    #[inline]
    pub(crate) fn bounds(self, role: usize) -> Bounds {
        // Who sees that all is proven sees the means that were set before.
        let word = self.words[SUMS + self.roles + role / BOUNDS_A_WORD].load(Ordering::Acquire);
        Bounds::unpack((word >> (16 * (role % BOUNDS_A_WORD))) as u16)
    }

    /// Narrows what is proven of a role's goal; whether that is news.
    pub(crate) fn narrow(self, role: usize, bounds: Bounds) -> bool {
        let word = &self.words[SUMS + self.roles + role / BOUNDS_A_WORD];
        let shift = 16 * (role % BOUNDS_A_WORD);
        let mut old = word.load(Ordering::Relaxed);
        loop {
            let known = Bounds::unpack((old >> shift) as u16);
            let narrowed = known.intersect(bounds);
            if narrowed == known {
                return false;
            }
            let new = old & !(0xffff << shift) | u64::from(narrowed.pack()) << shift;
            match word.compare_exchange_weak(old, new, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => old = now,
            }
        }
    }

    /// Forgets what was proven, when nobody else is at work.
    pub(crate) fn forget_bounds(self) {
        self.words[SUMS + self.roles..].iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// Whether the goals of all roles are known.
    #[inline]
    pub(crate) fn is_proven(self) -> bool {
        (0..self.roles).all(|role| self.bounds(role).is_exact())
    }
}
