//! The moves of a node.
//!
//! A block lists the moves of all roles of one node; a role without a choice has its one move there too,
//! so that joint moves can be put together. Of most moves nothing else is known, so only those that were
//! tried have an edge with numbers. A map says which they are by a bit for each move; the edges are in the
//! order of the moves, so once all were tried the map is not needed. A block that has no room for one more
//! edge is replaced by a larger one.
//!
//! The list never changes. The rest is read and changed by who holds the node, or by who is alone.
//!
//! ```text
//! owner, capacity | edges, where each role's moves end | links | map | edges ... | list ...
//! ```

use game::{Choices, MoveId};

use super::NodeId;
use super::edges::{Edge, Edges, HEURISTIC_ROLES, WORTH};
use crate::sync::{AtomicU64, Ordering};

/// The first word: whose the block is in the low half, then for how many edges there is room.
const OWNER: usize = 0;
const CAPACITY_SHIFT: u32 = 32;
const CAPACITY: u64 = 0xffff;
/// Where several roles choose there is a word for the links: see `links.rs`.
const HAS_LINKS: u64 = 1 << 63;
/// Moves of small numbers have half as much room in the list.
const IS_NARROW: u64 = 1 << 61;

/// Then four numbers a word: how many edges there are, and where the moves of each role end.
const NUMBERS: usize = 1;
const NUMBERS_A_WORD: usize = 4;

/// A node of more moves than this is not opened.
pub(crate) const MOST_MOVES: usize = 0xffff;

/// How blocks are laid out: the same for all nodes of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) roles: usize,
    /// Words that say how many edges there are and where each role's moves end.
    numbers: usize,
    /// Words of an edge.
    edge: usize,
    /// Whether an edge has squares.
    squares: bool,
}

/// What moves keep beside visits and goals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kept {
    /// The sum of the squares of their role's goals.
    pub(crate) squares: bool,
    /// What they are worth by temporal differences: see [`super::edges::Estimate`]. It is kept with the squares.
    pub(crate) differences: bool,
    /// What they are worth by a heuristic.
    pub(crate) heuristic: bool,
}

/// The words of the map of so many moves.
#[inline]
fn map_words(moves: usize) -> usize {
    moves.div_ceil(64)
}

impl Shape {
    /// With what moves keep beside visits and goals.
    pub(crate) fn new(roles: usize, kept: Kept) -> Self {
        let squares = kept.squares || kept.differences;
        let differences = if kept.differences { roles } else { 0 };
        let heuristic = if kept.heuristic { roles.div_ceil(HEURISTIC_ROLES) } else { 0 };
        let edge = WORTH + roles + usize::from(squares) + differences + heuristic;
        Self { roles, numbers: (1 + roles).div_ceil(NUMBERS_A_WORD), edge, squares }
    }

    /// The words of a block for so many edges.
    pub(super) fn block_words(&self, layout: Layout, edges: usize) -> usize {
        self.fixed_words(layout) + edges * self.edge
    }

    fn fixed_words(&self, Layout { moves, has_links, is_narrow }: Layout) -> usize {
        NUMBERS + self.numbers + usize::from(has_links) + map_words(moves) + moves.div_ceil(a_word(is_narrow))
    }

    /// For how many edges there is room in a block of so many words.
    pub(super) fn capacity(&self, layout: Layout, words: usize) -> usize {
        ((words - self.fixed_words(layout)) / self.edge).min(layout.moves)
    }

    /// Writes a block without edges.
    pub(super) fn write(
        &self,
        words: &[AtomicU64],
        owner: NodeId,
        capacity: usize,
        choices: Choices<'_>,
        layout: Layout,
    ) {
        let store = |place: usize, word: u64| words[place].store(word, Ordering::Relaxed);
        let flag = |is_set: bool, flag: u64| if is_set { flag } else { 0 };
        let flags = flag(layout.has_links, HAS_LINKS) | flag(layout.is_narrow, IS_NARROW);
        store(OWNER, u64::from(owner.0) | (capacity as u64) << CAPACITY_SHIFT | flags);
        words[NUMBERS..NUMBERS + self.numbers].iter().for_each(|word| word.store(0, Ordering::Relaxed));
        let mut end = 0;
        for (role, legal) in choices.by_role().enumerate() {
            end += legal.len();
            set_number(words, 1 + role, end);
        }
        let block = self.block(words);
        let rest = &words[NUMBERS + self.numbers..block.first_edge];
        rest.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        let (mut place, mut filled, mut word) = (block.list(), 0, 0);
        let (a_word, bits) = (a_word(layout.is_narrow), 64 / a_word(layout.is_narrow));
        for id in choices.by_role().flatten() {
            word |= u64::from(id.0) << (filled * bits);
            filled += 1;
            if filled == a_word {
                store(place, word);
                (place, filled, word) = (place + 1, 0, 0);
            }
        }
        if filled > 0 {
            store(place, word);
        }
    }

    /// The block at the beginning of some words.
    #[inline]
    pub(crate) fn block<'a>(&self, words: &'a [AtomicU64]) -> Block<'a> {
        let first = words[OWNER].load(Ordering::Relaxed);
        let moves = number(words, self.roles);
        let map = NUMBERS + self.numbers + usize::from(first & HAS_LINKS != 0);
        let capacity = (first >> CAPACITY_SHIFT & CAPACITY) as usize;
        let first_edge = map + map_words(moves);
        Block { words, edge: self.edge, squares: self.squares, moves, map, first_edge, capacity }
    }
}

/// One of the numbers at the beginning of a block.
#[inline]
fn number(words: &[AtomicU64], place: usize) -> usize {
    let word = words[NUMBERS + place / NUMBERS_A_WORD].load(Ordering::Relaxed);
    (word >> (16 * (place % NUMBERS_A_WORD)) & 0xffff) as usize
}

fn set_number(words: &[AtomicU64], place: usize, number: usize) {
    let (word, shift) = (&words[NUMBERS + place / NUMBERS_A_WORD], 16 * (place % NUMBERS_A_WORD));
    let old = word.load(Ordering::Relaxed) & !(0xffff << shift);
    word.store(old | (number as u64) << shift, Ordering::Relaxed);
}

/// What the size of a block depends on beside its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) moves: usize,
    /// Whether several roles choose.
    pub(super) has_links: bool,
    /// Whether the numbers of all moves are small.
    pub(super) is_narrow: bool,
}

impl Layout {
    pub(super) fn new(choices: Choices<'_>, has_links: bool) -> Self {
        let is_small = |id: &MoveId| id.0 < 1 << 16;
        let is_narrow = choices.by_role().all(|legal| legal.iter().all(is_small));
        Self { moves: choices.len(), has_links, is_narrow }
    }
}

/// Moves of a word of the list.
fn a_word(is_narrow: bool) -> usize {
    if is_narrow { 4 } else { 2 }
}

/// The moves of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    pub(super) words: &'a [AtomicU64],
    /// Words of an edge.
    edge: usize,
    /// Whether an edge has squares.
    pub(super) squares: bool,
    /// Of all roles.
    moves: usize,
    /// Where the map is.
    map: usize,
    first_edge: usize,
    capacity: usize,
}

impl<'a> Block<'a> {
    pub(super) fn layout(&self) -> Layout {
        Layout { moves: self.moves, has_links: self.has_links(), is_narrow: self.is_narrow() }
    }

    pub(super) fn is_narrow(&self) -> bool {
        self.words[OWNER].load(Ordering::Relaxed) & IS_NARROW != 0
    }

    /// The node it belongs to.
    #[cfg(test)]
    pub(super) fn owner(&self) -> NodeId {
        NodeId(self.words[OWNER].load(Ordering::Relaxed) as u32)
    }

    /// Whether there is room for some more edges, or for all there can be.
    #[inline]
    pub(super) fn has_room(&self, more: usize) -> bool {
        self.capacity == self.moves || self.tried() + more <= self.capacity
    }

    #[inline]
    pub(super) fn has_links(&self) -> bool {
        self.words[OWNER].load(Ordering::Relaxed) & HAS_LINKS != 0
    }

    /// Where the links are; 0 if there are none.
    pub(super) fn links_word(&self) -> Option<&'a AtomicU64> {
        self.has_links().then(|| &self.words[self.map - 1])
    }

    #[inline]
    pub(super) fn list(&self) -> usize {
        self.first_edge + self.capacity * self.edge
    }

    #[inline]
    fn end(&self, role: usize) -> usize {
        number(self.words, 1 + role)
    }

    /// A move of a role by its place.
    #[inline]
    pub(crate) fn id(&self, role: usize, place: usize) -> MoveId {
        self.id_at(if role == 0 { place } else { self.end(role - 1) + place })
    }

    /// A move by its place among those of all roles.
    #[inline]
    pub(super) fn id_at(&self, index: usize) -> MoveId {
        let (words, list) = (self.words, self.list());
        if self.is_narrow() {
            let word = words[list + index / 4].load(Ordering::Relaxed);
            return MoveId((word >> (16 * (index % 4))) as u32 & 0xffff);
        }
        MoveId((words[list + index / 2].load(Ordering::Relaxed) >> (32 * (index % 2))) as u32)
    }

    /// The moves of a role.
    #[inline]
    pub(crate) fn edges(&self, role: usize) -> Edges<'a> {
        let start = if role == 0 { 0 } else { self.end(role - 1) };
        let count = self.end(role) - start;
        // Where one role chooses no others' moves are ever tried.
        Edges::new(*self, start, count, self.tried() == count && !self.has_links())
    }

    /// The number of the edge of a move; `None` if it was never tried.
    #[inline]
    pub(super) fn slot(&self, index: usize) -> Option<usize> {
        self.is_marked(index).then(|| self.rank(index))
    }

    /// Whether a move was tried.
    #[inline]
    pub(super) fn is_marked(&self, index: usize) -> bool {
        self.marks(index / 64) >> (index % 64) & 1 != 0
    }

    /// Of sixty-four moves, which were tried.
    #[inline]
    pub(super) fn marks(&self, word: usize) -> u64 {
        self.words[self.map + word].load(Ordering::Relaxed)
    }

    /// How many of the moves before this one were tried. It may be one past the last.
    #[inline]
    pub(super) fn rank(&self, index: usize) -> usize {
        let last = self.marks(index / 64) & !(u64::MAX << (index % 64));
        let before = if index < 64 { 0 } else { self.count_marks(index / 64) };
        before + last.count_ones() as usize
    }

    #[inline(never)]
    fn count_marks(&self, words: usize) -> usize {
        (0..words).map(|word| self.marks(word).count_ones() as usize).sum()
    }

    /// Whether there is room for one more edge.
    #[inline]
    pub(super) fn has_room_for_one(&self) -> bool {
        self.tried() < self.capacity
    }

    /// How many moves were tried.
    #[inline]
    pub(super) fn tried(&self) -> usize {
        number(self.words, 0)
    }

    #[inline]
    pub(super) fn edge_at(&self, slot: usize) -> Edge<'a> {
        let first = self.first_edge + slot * self.edge;
        Edge::new(&self.words[first..first + self.edge])
    }

    /// All edges there are.
    #[inline]
    pub(crate) fn all(self) -> impl Iterator<Item = Edge<'a>> + Clone {
        let (edge, tried) = (self.edge, self.tried());
        let words = &self.words[self.first_edge..self.first_edge + tried * edge];
        (0..tried).map(move |slot| Edge::new(&words[slot * edge..(slot + 1) * edge]))
    }

    /// Makes an edge for a move that has none, in the room there is; the caller holds the node.
    pub(super) fn insert(&self, index: usize) -> Edge<'a> {
        let tried = self.tried();
        let word = &self.words[self.map + index / 64];
        word.store(word.load(Ordering::Relaxed) | 1 << (index % 64), Ordering::Relaxed);
        let slot = self.rank(index);
        let edges =
            &self.words[self.first_edge + slot * self.edge..self.first_edge + (tried + 1) * self.edge];
        for place in (self.edge..edges.len()).rev() {
            edges[place].store(edges[place - self.edge].load(Ordering::Relaxed), Ordering::Relaxed);
        }
        let new = &edges[..self.edge];
        new.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        set_number(self.words, 0, tried + 1);
        Edge::new(new)
    }

    /// Copies it to where there is room for more edges.
    pub(super) fn copy_to(&self, words: &[AtomicU64], capacity: usize) {
        let copy = |from: usize, to: usize, count: usize| {
            for place in 0..count {
                words[to + place].store(self.words[from + place].load(Ordering::Relaxed), Ordering::Relaxed);
            }
        };
        copy(0, 0, self.first_edge + self.tried() * self.edge);
        let first = self.words[OWNER].load(Ordering::Relaxed) & !(CAPACITY << CAPACITY_SHIFT);
        words[OWNER].store(first | (capacity as u64) << CAPACITY_SHIFT, Ordering::Relaxed);
        let list = self.moves.div_ceil(a_word(self.is_narrow()));
        copy(self.list(), self.first_edge + capacity * self.edge, list);
    }
}
