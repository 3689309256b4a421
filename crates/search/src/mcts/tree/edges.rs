//! The moves of a role in a node, and how they fared.

use game::MoveId;

use super::Link;
use super::block::Block;
use super::bounds::Bounds;
use super::node_lock::NodeLock;
use super::worth;
use crate::sync::{AtomicU64, Ordering};

const CHILD: usize = 0;
/// Visits begun in the low half, visits ended in the high half.
const VISITS: usize = 1;
/// What is known of each role's goal: see `worth.rs`.
pub(super) const WORTH: usize = 2;
/// Words a role that a move's estimates take where they are kept: then come those by temporal differences,
/// those of a heuristic, and the squares.
pub(super) const ESTIMATES: usize = 2;

/// What a move is estimated to be worth to a role beside the mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) value: f32,
    /// How often it was learnt.
    pub(crate) count: u32,
}

impl Estimate {
    fn unpack(word: u64) -> Option<Self> {
        let estimate = Self { value: f32::from_bits(word as u32), count: (word >> 32) as u32 };
        (estimate.count > 0).then_some(estimate)
    }

    fn pack(self) -> u64 {
        u64::from(self.value.to_bits()) | u64::from(self.count) << 32
    }
}

/// The moves of one role of a node, in canonical order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edges<'a> {
    block: Block<'a>,
    /// Where they begin among those of all roles.
    start: usize,
    count: usize,
}

impl<'a> Edges<'a> {
    #[inline]
    pub(super) fn new(block: Block<'a>, start: usize, count: usize) -> Self {
        Self { block, start, count }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// A move by its place.
    #[inline]
    pub(crate) fn id(&self, place: usize) -> MoveId {
        let index = self.start + place;
        let (words, list) = (self.block.words, self.block.list());
        if self.block.is_narrow() {
            let word = words[list + index / 4].load(Ordering::Relaxed);
            return MoveId((word >> (16 * (index % 4))) as u32 & 0xffff);
        }
        MoveId((words[list + index / 2].load(Ordering::Relaxed) >> (32 * (index % 2))) as u32)
    }

    /// The place of a move.
    pub(crate) fn find(&self, id: MoveId) -> Option<usize> {
        (0..self.count).find(|&place| self.id(place) == id)
    }

    /// What is known of a move, which is made known if it was never tried; `None` without room for that.
    #[inline]
    pub(crate) fn get_or_insert(&self, place: usize, _lock: &NodeLock<'_>) -> Option<Edge<'a>> {
        let known = self.get(place);
        let has_room = self.block.has_room_for_one();
        if known.is_some() || !has_room { known } else { Some(self.block.insert(self.start + place)) }
    }

    /// What is known of every move in turn, if all were tried.
    #[inline]
    pub(crate) fn all_tried(self) -> Option<impl Iterator<Item = Edge<'a>> + Clone> {
        // Where one role chooses no others' moves are ever tried.
        let is_full = self.block.tried() >= self.count
            && (!self.block.has_links() || self.iter().all(|edge| edge.is_some()));
        is_full.then(|| self.iter().flatten())
    }

    /// What is known of every move in turn; nothing of those that were never tried.
    #[inline(always)]
    pub(crate) fn iter(self) -> impl Iterator<Item = Option<Edge<'a>>> + Clone {
        let Self { block, start, count } = self;
        let has_few = block.has_few();
        let mut next = if has_few { 0 } else { block.rank(start) };
        (start..start + count).map(move |index| {
            if has_few {
                return block.slot(index).map(|slot| block.edge_at(slot));
            }
            let is_tried = block.is_marked(index);
            next += usize::from(is_tried);
            is_tried.then(|| block.edge_at(next - 1))
        })
    }

    /// What is known of a move; `None` if it was never tried.
    #[inline(always)]
    pub(crate) fn get(&self, place: usize) -> Option<Edge<'a>> {
        self.block.slot(self.start + place).map(|slot| self.block.edge_at(slot))
    }

    /// Whether a move was ever tried.
    #[inline]
    pub(crate) fn is_tried(&self, place: usize) -> bool {
        let index = self.start + place;
        if self.block.has_few() { self.block.slot(index).is_some() } else { self.block.is_marked(index) }
    }
}

/// What is known of one move of one role in one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<'a> {
    words: &'a [AtomicU64],
}

impl<'a> Edge<'a> {
    #[inline]
    pub(super) fn new(words: &'a [AtomicU64]) -> Self {
        Self { words }
    }

    /// Where the move leads, if its role alone decides. What was there may have been recycled.
    #[inline]
    pub(crate) fn link(self) -> Option<Link> {
        Link::unpack(self.words[CHILD].load(Ordering::Relaxed))
    }

    pub(crate) fn set_link(self, link: Link, _lock: &NodeLock<'_>) {
        self.words[CHILD].store(link.pack(), Ordering::Relaxed);
    }

    /// Visits begun and visits ended.
    #[inline]
    pub(crate) fn visits(self) -> (u32, u32) {
        let word = self.words[VISITS].load(Ordering::Relaxed);
        (word as u32, (word >> 32) as u32)
    }

    #[inline]
    pub(crate) fn begin_visits(self, visits: u32, lock: &NodeLock<'_>) {
        lock.add(&self.words[VISITS], u64::from(visits));
    }

    pub(crate) fn cancel_visits(self, visits: u32, lock: &NodeLock<'_>) {
        lock.add(&self.words[VISITS], u64::from(visits).wrapping_neg());
    }

    /// Ends visits; how many ended by now.
    #[inline]
    pub(crate) fn end_visits(self, visits: u32, lock: &NodeLock<'_>) -> u32 {
        lock.add(&self.words[VISITS], u64::from(visits) << 32);
        self.visits().1
    }

    pub(super) fn visits_word(&self) -> &AtomicU64 {
        &self.words[VISITS]
    }

    /// What is known of the goals of all roles.
    pub(super) fn worth_words(&self, roles: usize) -> &[AtomicU64] {
        &self.words[WORTH..WORTH + roles]
    }

    /// The sum of a role's goals over the visits that ended.
    #[inline]
    pub(crate) fn worth(self, role: usize) -> i64 {
        worth::sum(self.words[WORTH + role].load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn add_worth(self, role: usize, delta: i64, lock: &NodeLock<'_>) {
        lock.add(&self.words[WORTH + role], worth::difference(delta));
    }

    /// Sets the worth of a role; by how much it changed.
    #[inline]
    pub(crate) fn set_worth(self, role: usize, worth: i64, lock: &NodeLock<'_>) -> i64 {
        let change = worth.wrapping_sub(self.worth(role));
        self.add_worth(role, change, lock);
        change
    }

    /// The sum of the squares of the role's goals, whole points, in a tree that keeps them.
    #[inline]
    pub(crate) fn squares(self) -> u64 {
        self.words[self.words.len() - 1].load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn add_square(self, square: u64, lock: &NodeLock<'_>) {
        lock.add(&self.words[self.words.len() - 1], square);
    }

    /// Takes a part of the squares, where they are kept.
    pub(super) fn rescale_squares(self, roles: usize, part: f64) {
        if let Some(squares) = self.words[WORTH + roles..].last() {
            squares.store((squares.load(Ordering::Relaxed) as f64 * part) as u64, Ordering::Relaxed);
        }
    }

    /// Where the estimates of a role are, in a tree that keeps them.
    fn estimates(&self, role: usize) -> &[AtomicU64] {
        let roles = (self.words.len() - WORTH - 1) / (1 + ESTIMATES);
        &self.words[WORTH + roles + role * ESTIMATES..][..ESTIMATES]
    }

    /// What it is worth to a role by temporal differences, if that was learnt, in a tree that keeps it.
    pub(crate) fn difference(self, role: usize) -> Option<Estimate> {
        Estimate::unpack(self.estimates(role)[0].load(Ordering::Relaxed))
    }

    /// Learns by how much what was expected was wrong; less the more was learnt before.
    pub(crate) fn learn_difference(self, role: usize, expected: f64, error: f64, _lock: &NodeLock<'_>) {
        let count = self.difference(role).map_or(0, |known| known.count).saturating_add(1);
        let value = (expected + error / f64::from(count)) as f32;
        self.estimates(role)[0].store(Estimate { value, count }.pack(), Ordering::Relaxed);
    }

    /// What a heuristic backed up as minimax does says of it, in a tree that keeps it.
    pub(crate) fn implicit(self, role: usize) -> Option<Estimate> {
        Estimate::unpack(self.estimates(role)[1].load(Ordering::Relaxed))
    }

    pub(crate) fn set_implicit(self, role: usize, value: f64, _lock: &NodeLock<'_>) {
        let estimate = Estimate { value: value as f32, count: 1 };
        self.estimates(role)[1].store(estimate.pack(), Ordering::Relaxed);
    }

    /// What was proven of a role's goal behind it, when that was looked at last.
    #[inline]
    pub(crate) fn bounds(self, role: usize) -> Bounds {
        worth::bounds(self.words[WORTH + role].load(Ordering::Relaxed))
    }

    /// Remembers what is proven of a role's goal behind it.
    pub(crate) fn set_bounds(self, role: usize, bounds: Bounds, _lock: &NodeLock<'_>) {
        let word = &self.words[WORTH + role];
        word.store(worth::with_bounds(word.load(Ordering::Relaxed), bounds), Ordering::Relaxed);
    }
}
