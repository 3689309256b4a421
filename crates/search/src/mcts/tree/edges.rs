//! The moves of a node and how they fared.
//!
//! A block holds the moves of all roles of one node: first where each role's moves end, then the
//! moves. A role without a choice has its one move there too, so that joint moves can be put
//! together. Their numbers are changed only by who holds the node.

use game::{Choices, MoveId};

use super::NodeId;
use super::held::Held;
use super::stock::Stock;
use super::words::Words;
use crate::sync::{AtomicU64, Ordering, fetch};

/// The move in the low half, the child in the high half.
const MOVE: usize = 0;
/// Visits begun in the low half, visits ended in the high half.
const VISITS: usize = 1;
const WORTH: usize = 2;

/// Words of a cache line.
const WORDS_A_LINE: usize = 8;

/// How blocks are laid out: the same for all nodes of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) roles: usize,
    header: usize,
    edge: usize,
}

impl Shape {
    /// With `squares`, moves also keep the sum of the squares of their role's goals.
    pub(crate) fn new(roles: usize, squares: bool) -> Self {
        Self { roles, header: roles.div_ceil(2), edge: WORTH + roles + usize::from(squares) }
    }

    /// The words of a block.
    pub(crate) fn block_words(&self, moves: usize) -> usize {
        self.header + moves * self.edge
    }

    /// Writes a block; `None` if there is no room.
    pub(crate) fn write(&self, words: &Words, choices: Choices<'_>, stock: &mut Stock) -> Option<u32> {
        let moves = choices.len();
        let block = stock.words(words, self.block_words(moves))?;
        let piece = words.piece(block, self.block_words(moves));
        let mut end = 0;
        for (role, legal) in choices.by_role().enumerate() {
            for (place, id) in legal.iter().enumerate() {
                piece[self.header + (end + place) * self.edge].store(u64::from(id.0), Ordering::Relaxed);
            }
            end += legal.len();
            let header = &piece[role / 2];
            let old = header.load(Ordering::Relaxed);
            header.store(old | (end as u64) << (32 * (role % 2)), Ordering::Relaxed);
        }
        Some(block)
    }

    fn end(&self, words: &Words, block: u32, role: usize) -> u32 {
        (words.word(block + role as u32 / 2).load(Ordering::Relaxed) >> (32 * (role % 2))) as u32
    }

    /// The moves of a role.
    #[inline]
    pub(crate) fn edges<'a>(&self, words: &'a Words, block: u32, role: usize) -> Edges<'a> {
        let start = if role == 0 { 0 } else { self.end(words, block, role - 1) };
        let count = (self.end(words, block, role) - start) as usize;
        let first = block + self.header as u32 + start * self.edge as u32;
        Edges { words: words.piece(first, count * self.edge), first, count, edge: self.edge }
    }

    /// All moves of all roles.
    pub(crate) fn all_edges<'a>(&self, words: &'a Words, block: u32) -> Edges<'a> {
        let count = self.end(words, block, self.roles - 1) as usize;
        let first = block + self.header as u32;
        Edges { words: words.piece(first, count * self.edge), first, count, edge: self.edge }
    }

    /// One move.
    #[inline]
    pub(crate) fn edge<'a>(&self, words: &'a Words, edge: u32) -> Edge<'a> {
        Edge(words.piece(edge, self.edge))
    }
}

/// The moves of one role of a node, in canonical order.
#[derive(Clone, Copy)]
pub(crate) struct Edges<'a> {
    words: &'a [AtomicU64],
    first: u32,
    count: usize,
    edge: usize,
}

impl<'a> Edges<'a> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    #[inline]
    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = Edge<'a>> + Clone {
        // By place: chunks of a length known only at run time would cost a division.
        (0..self.count).map(move |place| self.get(place))
    }

    #[inline]
    pub(crate) fn get(self, index: usize) -> Edge<'a> {
        Edge(&self.words[index * self.edge..(index + 1) * self.edge])
    }

    /// Asks for all of them, to be changed soon.
    #[inline]
    pub(crate) fn fetch(&self) {
        self.words.iter().step_by(WORDS_A_LINE).for_each(fetch);
    }

    /// The number by which a move is found again.
    #[inline]
    pub(crate) fn number(&self, index: usize) -> u32 {
        self.first + (index * self.edge) as u32
    }
}

/// One move of one role in one node.
#[derive(Clone, Copy)]
pub(crate) struct Edge<'a>(&'a [AtomicU64]);

impl Edge<'_> {
    #[inline]
    pub(crate) fn id(self) -> MoveId {
        MoveId(self.0[MOVE].load(Ordering::Relaxed) as u32)
    }

    /// Where the move leads, if its role alone decides.
    #[inline]
    pub(crate) fn child(self) -> Option<NodeId> {
        let child = (self.0[MOVE].load(Ordering::Acquire) >> 32) as u32;
        (child != 0).then_some(NodeId(child))
    }

    /// Links the move to a new child, unless someone did before.
    pub(crate) fn link(self, child: NodeId) -> Result<(), NodeId> {
        let old = self.0[MOVE].load(Ordering::Relaxed);
        if old >> 32 != 0 {
            return Err(NodeId((old >> 32) as u32));
        }
        let new = old | u64::from(child.0) << 32;
        let exchanged = self.0[MOVE].compare_exchange(old, new, Ordering::Release, Ordering::Acquire);
        exchanged.map(|_| ()).map_err(|now| NodeId((now >> 32) as u32))
    }

    /// Links the move to a node in place of the one it had; 0 for none.
    pub(crate) fn relink(self, child: Option<NodeId>) {
        let id = self.0[MOVE].load(Ordering::Relaxed) & 0xffff_ffff;
        let child = child.map_or(0, |child| u64::from(child.0));
        self.0[MOVE].store(id | child << 32, Ordering::Release);
    }

    /// Visits begun and visits ended.
    #[inline]
    pub(crate) fn visits(self) -> (u32, u32) {
        let word = self.0[VISITS].load(Ordering::Relaxed);
        (word as u32, (word >> 32) as u32)
    }

    #[inline]
    pub(crate) fn begin_visits(self, visits: u32, held: &Held<'_>) {
        held.add(&self.0[VISITS], u64::from(visits));
    }

    pub(crate) fn cancel_visits(self, visits: u32, held: &Held<'_>) {
        held.add(&self.0[VISITS], u64::from(visits).wrapping_neg());
    }

    /// Ends visits; how many ended by now.
    #[inline]
    pub(crate) fn end_visits(self, visits: u32, held: &Held<'_>) -> u32 {
        held.add(&self.0[VISITS], u64::from(visits) << 32);
        self.visits().1
    }

    pub(super) fn visits_word(&self) -> &AtomicU64 {
        &self.0[VISITS]
    }

    /// What the visits that ended brought, and the squares of that where they are kept.
    pub(super) fn sums(&self) -> &[AtomicU64] {
        &self.0[WORTH..]
    }

    /// Asks for it, to be changed soon.
    #[inline]
    pub(crate) fn fetch(self) {
        fetch(&self.0[VISITS]);
    }

    /// The sum of a role's goals over the visits that ended.
    #[inline]
    pub(crate) fn worth(self, role: usize) -> i64 {
        self.0[WORTH + role].load(Ordering::Relaxed) as i64
    }

    #[inline]
    pub(crate) fn add_worth(self, role: usize, delta: i64, held: &Held<'_>) {
        held.add(&self.0[WORTH + role], delta as u64);
    }

    /// Sets the worth of a role; by how much it changed.
    #[inline]
    pub(crate) fn set_worth(self, role: usize, worth: i64, held: &Held<'_>) -> i64 {
        let change = worth.wrapping_sub(self.worth(role));
        self.add_worth(role, change, held);
        change
    }

    /// The sum of the squares of the role's goals, whole points, in a tree that keeps them.
    #[inline]
    pub(crate) fn squares(self) -> u64 {
        self.0[self.0.len() - 1].load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn add_square(self, square: u64, held: &Held<'_>) {
        held.add(&self.0[self.0.len() - 1], square);
    }
}
