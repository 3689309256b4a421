//! Making room: memory grows up to its bound, and from then on nodes that are not visited make way for
//! new ones (Powley, Cowling and Whitehouse 2017).
//!
//! A hand goes round over all nodes, as in the page replacement algorithm CLOCK. A node that was visited
//! since it passed last is passed over, and so is one with many visits a few times more: once for each
//! time that they can be halved. What was searched thoroughly and then left for something better is found
//! again when that turns out to be worse. Any other is recycled: its number, its moves and its
//! place in the table are given to others. Moves that led to it are left as they are; what they know of
//! it (visits, sums, proven bounds) is what a new node begins with when one of them is made again. So
//! nothing needs to know where a node can be reached from, the root can move without anything else
//! changing, and what is no longer below it goes because nobody visits it.
//!
//! The hand moves a few steps for every node that is needed and then stops, whatever it found. If it
//! finds too little it becomes stricter: nodes with few visits are no longer passed over.

use std::hash::Hash;

use super::block::Layout;
use super::links::are_links;
use super::slab::Slab;
use super::table::Table;
use super::{NodeId, Nodes, Status, Tree};
use crate::sync::Ordering;

/// Steps of the hand for each node that is needed at most, and for each time.
pub(super) const STEPS_A_NODE: usize = 32;
pub(super) const STEPS_A_TIME: usize = 1 << 10;

/// Pages that should be empty, as any size of piece may be needed; less where there are few.
const EMPTY_PAGES: usize = 4;

/// There is room for so many nodes and words, whatever the bound on memory: without that nothing could be
/// done. Of words there is more for the moves of a node that has very many.
const FEWEST_NODES: usize = 512;
const FEWEST_WORDS: usize = 4 * Slab::PAGE_WORDS;
const MOST_MORE: usize = 1 << 12;

/// The hand, which goes round.
#[derive(Debug, Default)]
pub(super) struct Hand {
    /// The last node that was looked at.
    at: u32,
    /// Nodes with fewer visits go although they were visited lately.
    least_visits: u32,
}

/// What was done to make room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Upkeep {
    /// Nodes that were recycled.
    pub(crate) recycled: u64,
    /// Nodes whose moves were forgotten.
    pub(crate) closed: u64,
    /// Steps of the hand, pieces that were moved and buckets of the table that were split.
    pub(crate) steps: u64,
    /// The most of them at a time, beyond those that each node needed is worth.
    pub(crate) most_steps: u64,
}

impl<State: Eq + Hash> Tree<State> {
    /// Words for the moves of some nodes of about so many moves each.
    pub(crate) fn words_for(&self, nodes: usize, moves: usize) -> usize {
        nodes * self.shape.block_words(Layout { moves, has_links: false, is_narrow: false }, 2)
    }

    /// Whether there is room for some more nodes, and so many words for moves.
    pub(crate) fn has_room(&self, nodes: usize, words: usize, most_bytes: usize) -> bool {
        self.available_nodes(most_bytes) >= nodes
            && self.slab.free_words() >= words
            && 2 * self.slab.empty_pages() >= self.wanted_pages()
            && self.table_has_room(nodes)
    }

    /// How many pages should be empty.
    fn wanted_pages(&self) -> usize {
        EMPTY_PAGES.min(self.slab.words() / (8 * Slab::PAGE_WORDS)).max(1)
    }

    fn table_has_room(&self, nodes: usize) -> bool {
        // There will be no more than there is memory for.
        !self.transpositions || self.table.room() >= (self.len() + nodes).min(self.nodes.room())
    }

    /// The nodes that can be had without growing.
    fn available_nodes(&self, most_bytes: usize) -> usize {
        let free = self.nodes.free();
        if self.state_bytes == 0 {
            return free;
        }
        free.min(most_bytes.saturating_sub(self.bytes()) / self.state_bytes)
    }

    /// Makes room for some more nodes and words, within `most_bytes` if that is not less than what
    /// these take. What it does is bounded by a multiple of what is needed, so it may be that there is less
    /// room than asked for.
    pub(crate) fn make_room(&mut self, nodes: usize, words: usize, most_bytes: usize) {
        self.recycle_retired();
        let mut steps = self.grow(nodes, words, most_bytes);
        let words = words.min(self.slab.words() / 4);
        let pages = self.wanted_pages();
        let most_steps = STEPS_A_NODE * nodes + STEPS_A_TIME;
        let mut moved = self.move_pieces(|slab, moved| slab.make_span(moved));
        loop {
            let needs_nodes = self.available_nodes(most_bytes) < nodes;
            let needs_pages = self.slab.empty_pages() < pages;
            if !needs_nodes && !needs_pages && self.slab.free_words() >= words {
                self.hand.least_visits /= 2;
                break;
            }
            if moved >= most_steps {
                self.hand.least_visits = (2 * self.hand.least_visits).clamp(2, 1 << 30);
                break;
            }
            moved += 1;
            match needs_pages.then(|| self.compact()).flatten() {
                Some(pieces) => moved += pieces,
                None => self.move_hand(needs_nodes),
            }
        }
        steps += moved;
        self.upkeep.steps += steps as u64;
        let beyond = steps.saturating_sub((STEPS_A_NODE + 1) * nodes);
        self.upkeep.most_steps = self.upkeep.most_steps.max(beyond as u64);
    }

    /// Takes more memory, as far as there is need and that is allowed; how many steps that took.
    fn grow(&mut self, nodes: usize, words: usize, most_bytes: usize) -> usize {
        let more = |tree: &Self, nodes: usize, bytes: usize| {
            // With the table that all nodes will need.
            let table = Table::bytes_for(tree.nodes.room() + nodes).saturating_sub(tree.table.bytes());
            let table = if tree.transpositions { table } else { 0 };
            tree.bytes().saturating_add(table + bytes) <= most_bytes
        };
        let chunk = Nodes::<State>::CHUNK;
        while self.nodes.free() < nodes
            && self.nodes.room() < self.most_nodes
            // The least that is needed is allowed whatever the bound, or nothing could be done.
            && (more(self, chunk, self.nodes.chunk_bytes() + nodes * self.state_bytes)
                || self.nodes.room() < FEWEST_NODES)
        {
            self.nodes.grow();
        }
        while (self.slab.free_words() < words || self.slab.empty_pages() < EMPTY_PAGES)
            && (more(self, 0, Slab::PAGE_BYTES)
                || self.slab.words() < FEWEST_WORDS.max(4 * words.min(MOST_MORE)))
            && self.slab.grow()
        {}
        let mut steps = 0;
        while !self.table_has_room(nodes) {
            self.table.grow();
            steps += 1;
        }
        steps
    }

    /// One step of the hand. Where only words are needed the node stays, without its moves.
    fn move_hand(&mut self, needs_nodes: bool) {
        self.hand.at += 1;
        if self.hand.at >= self.nodes.end() {
            self.hand.at = 1;
            self.touch_children();
        }
        let id = NodeId(self.hand.at);
        let node = self.nodes.get(id);
        if node.is_free() || id == self.root {
            return;
        }
        let is_open = matches!(node.status(), Status::Open { .. });
        if !needs_nodes && !is_open {
            return;
        }
        let (_, visits) = node.visits();
        if node.pass() <= visits.max(1).ilog2() && visits >= self.hand.least_visits {
            return;
        }
        if needs_nodes {
            self.recycle(id);
            self.upkeep.recycled += 1;
        } else {
            self.close(id);
            self.upkeep.closed += 1;
        }
    }

    /// The children of the root are passed over: what is proven of them decides what is played.
    fn touch_children(&self) {
        let Status::Open { block, .. } = self.node(self.root).status() else { return };
        let block = self.block(block);
        let joint = self.links(&block).into_iter().flat_map(|links| links.all()).map(|link| link.link());
        for child in block.all().map(|edge| edge.link()).chain(joint).filter_map(|link| self.follow(link)) {
            self.node(child).touch();
        }
    }

    fn recycle(&mut self, id: NodeId) {
        self.close(id);
        let hash = self.state(id).and_then(|state| self.hash(state));
        if let Some(hash) = hash {
            self.table.remove(hash, id);
        }
        self.nodes.recycle(id);
    }

    /// Forgets the moves of a node; what it knows of itself stays.
    pub(super) fn close(&mut self, id: NodeId) {
        let Status::Open { block: start, .. } = self.node(id).status() else { return };
        let block = self.block(start);
        let links = block.links_word().map_or(0, |word| word.load(Ordering::Relaxed) as u32);
        if links != 0 {
            self.slab.give_back(links - 1);
        }
        self.slab.give_back(start);
        self.node(id).set_status(Status::Leaf);
    }

    /// Has room for no more nodes than this.
    #[cfg(test)]
    pub(crate) fn limit_nodes(&mut self, nodes: usize) {
        self.most_nodes = nodes;
    }

    /// Forgets the moves of all nodes but the root.
    #[cfg(test)]
    pub(crate) fn close_all(&mut self) {
        let root = self.root;
        (1..self.nodes.end()).map(NodeId).filter(|&id| id != root).for_each(|id| self.close(id));
    }

    fn recycle_retired(&mut self) {
        let retired = std::mem::take(self.retired.get_mut());
        for id in retired.nodes {
            // Another thread that was on its way there may have listed its moves meanwhile. It is not in the
            // table, as another node stands there for its position.
            self.close(id);
            self.nodes.recycle(id);
        }
        retired.pieces.into_iter().for_each(|piece| self.slab.give_back(piece));
    }

    /// Empties a page, if that is possible; how many pieces were moved for that.
    fn compact(&mut self) -> Option<usize> {
        self.move_pieces(|slab, moved| slab.compact(moved))
    }

    /// Lets pieces be moved, and tells the nodes they belong to.
    fn move_pieces<T>(
        &mut self,
        how: impl FnOnce(&mut Slab, &mut dyn FnMut(&Slab, NodeId, u32, u32)) -> T,
    ) -> T {
        let Self { nodes, slab, shape, .. } = self;
        let mut moved = |slab: &Slab, owner: NodeId, old: u32, new: u32| {
            let node = nodes.get(owner);
            let Status::Open { block, mover } = node.status() else { return };
            if are_links(slab.from(new)[0].load(Ordering::Relaxed)) {
                if let Some(word) = shape.block(slab.from(block)).links_word() {
                    word.store(u64::from(new) + 1, Ordering::Relaxed);
                }
            } else if block == old {
                node.set_status(Status::Open { block: new, mover });
            }
        };
        how(slab, &mut moved)
    }
}
