//! The moves of a role in a node, and how they fared.

use game::{Dice, MoveId};

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
/// Roles whose values by a heuristic have room in one word. In a tree that keeps them they are the last words, those of
/// the first roles last; before them come the squares and what was learnt by temporal differences, in this order.
pub(super) const HEURISTIC_ROLES: usize = 2;

/// What a move is estimated to be worth to a role by temporal differences.
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
    /// Whether all were tried, and none of another role.
    is_full: bool,
}

impl<'a> Edges<'a> {
    #[inline]
    pub(super) fn new(block: Block<'a>, start: usize, count: usize, is_full: bool) -> Self {
        Self { block, start, count, is_full }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// A move by its place.
    #[inline]
    pub(crate) fn id(&self, place: usize) -> MoveId {
        self.block.id_at(self.start + place)
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

    /// What is known of every move in turn, if all were tried and are known side by side: so it is where one
    /// role chooses.
    #[inline]
    pub(crate) fn side_by_side(self) -> Option<impl Iterator<Item = Edge<'a>> + Clone> {
        self.is_full.then(|| self.block.all())
    }

    /// What is known of every move in turn, if all were tried.
    #[inline]
    pub(crate) fn all_tried(self) -> Option<impl Iterator<Item = Edge<'a>> + Clone> {
        (self.untried_count() == 0).then(|| self.iter().flatten())
    }

    /// What is known of every move in turn; nothing of those that were never tried.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = Option<Edge<'a>>> + Clone {
        let Self { block, start, count, .. } = self;
        let mut next = self.tried_before();
        (start..start + count).map(move |index| {
            let is_tried = block.is_marked(index);
            next += usize::from(is_tried);
            is_tried.then(|| block.edge_at(next - 1))
        })
    }

    /// How many moves of other roles have their edges before these.
    #[inline]
    fn tried_before(&self) -> usize {
        if self.block.has_links() { self.block.rank(self.start) } else { 0 }
    }

    /// What is known of a move; `None` if it was never tried.
    #[inline(always)]
    pub(crate) fn get(&self, place: usize) -> Option<Edge<'a>> {
        if self.is_full {
            return Some(self.block.edge_at(place));
        }
        self.block.slot(self.start + place).map(|slot| self.block.edge_at(slot))
    }

    /// Whether a move was ever tried.
    #[inline]
    pub(crate) fn is_tried(&self, place: usize) -> bool {
        self.is_full || self.block.is_marked(self.start + place)
    }

    /// Whether there is room for some more moves that are tried for the first time.
    #[inline]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        self.is_full || self.block.has_room(more)
    }

    /// How many moves were never tried.
    #[inline]
    pub(crate) fn untried_count(&self) -> usize {
        let tried = match self.block.has_links() {
            true => self.block.rank(self.start + self.count) - self.block.rank(self.start),
            false => self.block.tried().min(self.count),
        };
        self.count - tried
    }

    /// The moves that were never tried.
    #[inline]
    pub(crate) fn untried(&self) -> Untried {
        let more = (1..self.count.div_ceil(64)).map(|word| self.untried_of(word)).collect();
        Untried { first: self.untried_of(0), more, count: self.untried_count() }
    }

    /// Of sixty-four moves, those that were never tried.
    #[inline]
    fn untried_of(&self, word: usize) -> u64 {
        let first = self.start + 64 * word;
        let (from, shift, rest) = (first / 64, first % 64, self.count - 64 * word);
        let low = self.block.marks(from) >> shift;
        let is_split = shift > 0 && shift + rest > 64;
        let high = if is_split { self.block.marks(from + 1) << (64 - shift) } else { 0 };
        !(low | high) & if rest < 64 { !(u64::MAX << rest) } else { u64::MAX }
    }
}

/// Moves of a role that were never tried: a bit for each place.
#[derive(Debug)]
pub(crate) struct Untried {
    first: u64,
    more: Vec<u64>,
    count: usize,
}

impl Untried {
    /// Takes one of them out by chance; there must be one.
    #[inline]
    pub(crate) fn draw(&mut self, dice: &mut Dice) -> usize {
        let mut number = if self.count == 1 { 0 } else { dice.below(self.count) };
        self.count -= 1;
        for (word, bits) in std::iter::once(&mut self.first).chain(&mut self.more).enumerate() {
            let here = bits.count_ones() as usize;
            if number < here {
                let rest = (0..number).fold(*bits, |rest, _| rest & (rest - 1));
                *bits &= !(rest & rest.wrapping_neg());
                return 64 * word + rest.trailing_zeros() as usize;
            }
            number -= here;
        }
        0
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

    /// All its numbers.
    pub(super) fn words(&self) -> &'a [AtomicU64] {
        self.words
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
    pub(crate) fn squares(self, roles: usize) -> u64 {
        self.words[WORTH + roles].load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn add_square(self, roles: usize, square: u64, lock: &NodeLock<'_>) {
        lock.add(&self.words[WORTH + roles], square);
    }

    /// Takes a part of the squares, in a tree that keeps them.
    pub(super) fn rescale_squares(self, roles: usize, part: f64) {
        let less = (self.squares(roles) as f64 * part) as u64;
        self.words[WORTH + roles].store(less, Ordering::Relaxed);
    }

    /// Where what was learnt by temporal differences is, in a tree that keeps it.
    fn difference_word(&self, role: usize, roles: usize) -> &AtomicU64 {
        &self.words[WORTH + roles + 1 + role]
    }

    /// What it is worth to a role by temporal differences, if that was learnt, in a tree that keeps it.
    pub(crate) fn difference(self, role: usize, roles: usize) -> Option<Estimate> {
        Estimate::unpack(self.difference_word(role, roles).load(Ordering::Relaxed))
    }

    /// Learns by how much what was expected was wrong; less the more was learnt before.
    pub(crate) fn learn_difference(
        self,
        (role, roles): (usize, usize),
        (expected, error): (f64, f64),
        _lock: &NodeLock<'_>,
    ) {
        let count = self.difference(role, roles).map_or(0, |known| known.count).saturating_add(1);
        let value = (expected + error / f64::from(count)) as f32;
        self.difference_word(role, roles).store(Estimate { value, count }.pack(), Ordering::Relaxed);
    }

    /// The word of a role's value by a heuristic, and how far up it is there.
    #[inline]
    fn heuristic_word(&self, role: usize) -> (&AtomicU64, u32) {
        let place = self.words.len() - 1 - role / HEURISTIC_ROLES;
        (&self.words[place], 32 * (role % HEURISTIC_ROLES) as u32)
    }

    /// What a heuristic backed up as minimax does says of it, in a tree that keeps it.
    #[inline]
    pub(crate) fn heuristic(self, role: usize) -> Option<f32> {
        let (word, shift) = self.heuristic_word(role);
        let bits = (word.load(Ordering::Relaxed) >> shift) as u32;
        // A word that was never written has no value: all are kept the other way round.
        (bits != 0).then(|| f32::from_bits(!bits))
    }

    /// Remembers it; whether it is another value than before.
    pub(crate) fn set_heuristic(self, role: usize, value: f32, _lock: &NodeLock<'_>) -> bool {
        let is_new = self.heuristic(role) != Some(value);
        if is_new {
            let (word, shift) = self.heuristic_word(role);
            let others = word.load(Ordering::Relaxed) & !(u64::from(u32::MAX) << shift);
            word.store(others | u64::from(!value.to_bits()) << shift, Ordering::Relaxed);
        }
        is_new
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untried_moves_are_drawn_once_each() {
        let mut dice = Dice::new(5);
        // In two words: three of the first, two of the second.
        let (first, second) = (1 << 3 | 1 << 40 | 1 << 63, 1 | 1 << 9);
        let mut counts = [0; 5];
        for _ in 0..1_000 {
            let mut untried = Untried { first, more: vec![second], count: 5 };
            let mut drawn: Vec<usize> = (0..5).map(|_| untried.draw(&mut dice)).collect();
            let places = [3, 40, 63, 64, 73];
            counts[places.iter().position(|&place| place == drawn[0]).expect("one of them")] += 1;
            drawn.sort_unstable();
            assert_eq!(drawn, places);
        }
        // 200 each are expected; the deviation is 12.6.
        assert!(counts.iter().all(|count| (140..260).contains(count)), "{counts:?}");
    }
}
