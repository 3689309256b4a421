//! Listing the moves of nodes, and making room for what is known of them.

use std::hash::Hash;

use game::Choices;

use super::block::{Layout, MOST_MOVES};
use super::links::{self, Links};
use super::status::MOST_MOVERS;
use super::{Block, JointLink, NodeId, NodeLock, Status, Stock, Tree};
use crate::sync::{Ordering, fetch};

/// Words of a cache line, and lines that are asked for ahead.
const WORDS_A_LINE: usize = 8;
const LINES_AHEAD: usize = 5;

/// Moves that there is room for at first where one role chooses, and when that is not enough.
const FIRST_EDGES: usize = 2;
const SECOND_EDGES: usize = 8;

impl<State: Eq + Hash> Tree<State> {
    /// Asks for the moves of an open node, to be changed soon: for as many as most nodes have. What it takes
    /// to know how many there are would have to be waited for.
    #[inline]
    pub(crate) fn fetch_moves(&self, id: NodeId) {
        if let Status::Open { block, .. } = self.node(id).status() {
            self.slab.from(block).iter().step_by(WORDS_A_LINE).take(LINES_AHEAD).for_each(fetch);
        }
    }

    /// Makes room in the block of an open node for some more moves that are tried for the first time, as far
    /// as there is memory; where the block is now. Those that were read before may be out of date.
    pub(crate) fn reserve(
        &self,
        id: NodeId,
        _lock: &NodeLock<'_>,
        start: u32,
        more: usize,
        stock: &mut Stock,
    ) -> u32 {
        let block = self.block(start);
        if block.has_room(more) {
            return start;
        }
        let (tried, layout) = (block.tried(), block.layout());
        let wanted = (2 * tried).max(tried + more).max(SECOND_EDGES).min(layout.moves);
        let Some(piece) = self.slab.allocate(self.shape.block_words(layout, wanted)) else { return start };
        let words = &self.slab.from(piece.start)[..piece.words];
        block.copy_to(words, self.shape.capacity(layout, piece.words));
        let node = self.node(id);
        if let Status::Open { mover, .. } = node.status() {
            node.set_status(Status::Open { block: piece.start, mover });
        }
        stock.retire_piece(start, &self.slab);
        piece.start
    }

    pub(super) fn links(&self, block: &Block<'_>) -> Option<Links<'_>> {
        let start = block.links_word()?.load(Ordering::Relaxed) as u32;
        (start != 0).then(|| Links::new(self.slab.from(start - 1), self.shape))
    }

    /// Where the joint moves lead that were tried where several roles choose.
    pub(crate) fn joint_children(&self, block: &Block<'_>) -> impl Iterator<Item = NodeId> {
        self.links(block).into_iter().flat_map(Links::all).filter_map(|link| self.follow(link.link()))
    }

    /// What is known of a joint move where several roles choose.
    pub(crate) fn joint_link(&self, block: &Block<'_>, number: u64) -> Option<JointLink<'_>> {
        self.links(block)?.find(number)
    }

    /// What is known of a joint move, which is made known if it was never tried; `None` without room.
    pub(crate) fn try_joint(
        &self,
        id: NodeId,
        _lock: &NodeLock<'_>,
        number: u64,
        stock: &mut Stock,
    ) -> Option<JointLink<'_>> {
        let Status::Open { block, .. } = self.node(id).status() else { return None };
        let block = self.block(block);
        let links = self.links(&block);
        if let Some(known) = links.and_then(|links| links.find(number)) {
            return Some(known);
        }
        if let Some(links) = links.filter(|links| !links.is_full()) {
            return Some(links.insert(number));
        }
        let capacity = links.map_or(links::FEWEST, |links| 2 * links.capacity());
        let Some(piece) = self.slab.allocate(Links::words_for(self.shape, capacity)) else {
            return links.map(|links| links.insert(number));
        };
        let larger = Links::write(self.slab.from(piece.start), self.shape, id, capacity);
        let word = block.links_word()?;
        if let Some(links) = links {
            links.copy_to(&larger);
            stock.retire_piece(word.load(Ordering::Relaxed) as u32 - 1, &self.slab);
        }
        // Zero is for "none".
        word.store(u64::from(piece.start) + 1, Ordering::Relaxed);
        Some(larger.insert(number))
    }

    /// Lists the moves of a claimed node; whether there was room. Without room it is a leaf again.
    pub(crate) fn open(&self, id: NodeId, choices: Choices<'_>) -> bool {
        let node = self.node(id);
        let mut choosers = (0..).zip(choices.by_role()).filter(|(_, legal)| legal.len() > 1);
        let mover = match (choosers.next(), choosers.next()) {
            (None, _) => Some(0),
            (Some((role, _)), None) => Some(role).filter(|&role| role < MOST_MOVERS),
            _ => None,
        };
        drop(choosers);
        if choices.len() > MOST_MOVES {
            node.set_status(Status::Leaf);
            return false;
        }
        let layout = Layout::new(choices, mover.is_none());
        let edges = if mover.is_none() { self.shape.roles } else { layout.moves.min(FIRST_EDGES) };
        let Some(piece) = self.slab.allocate(self.shape.block_words(layout, edges)) else {
            node.set_status(Status::Leaf);
            return false;
        };
        let words = &self.slab.from(piece.start)[..piece.words];
        let capacity = self.shape.capacity(layout, piece.words);
        self.shape.write(words, id, capacity, choices, layout);
        node.set_status(Status::Open { block: piece.start, mover });
        true
    }
}
