//! The tree, which is a graph: positions reached by several paths are one node.
//!
//! Threads read and change it together: every number is an atomic word that can be read at any time,
//! and who changes those of a node and its moves holds the node meanwhile (see [`NodeLock`]). Who claims a node
//! or proves something does so by atomic exchange.
//! Making room, which means growing and recycling, needs the tree alone, but only for moments: see
//! `recycle.rs`.

mod block;
mod bounds;
#[cfg(test)]
mod check;
mod compact;
mod edges;
mod links;
mod moves;
mod node_lock;
mod nodes;
mod pages;
mod recycle;
mod rescale;
mod slab;
mod status;
mod stock;
mod table;
mod take_over;
mod words;
mod worth;

use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use game::Likeness;
use rustc_hash::FxBuildHasher;

pub(crate) use block::{Block, Kept, Shape};
pub use bounds::Bounds;
pub(crate) use edges::{Edge, Edges};
pub(crate) use links::{JointLink, joint_number};
pub(crate) use node_lock::NodeLock;
pub(crate) use nodes::{Node, Nodes};
pub(crate) use recycle::Upkeep;
#[cfg(test)]
pub(crate) use rescale::MOST_VISITS;
use slab::Slab;
pub(crate) use status::Status;
use stock::Retired;
pub(crate) use stock::{NODES_AHEAD, Stock};
use table::Table;
pub(crate) use worth::UNIT;

use crate::sync::Mutex;

/// A node by its number; 0 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(crate) u32);

/// A node as it was when something was linked to it: it may have been recycled since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) id: NodeId,
    generation: u32,
}

impl Link {
    /// A number for it that no other link has.
    pub(crate) fn key(self) -> u64 {
        self.pack()
    }

    #[inline]
    fn pack(self) -> u64 {
        u64::from(self.id.0) | u64::from(self.generation) << 32
    }

    #[inline]
    fn unpack(word: u64) -> Option<Self> {
        (word as u32 != 0).then_some(Self { id: NodeId(word as u32), generation: (word >> 32) as u32 })
    }
}

/// All that is remembered.
#[derive(Debug)]
pub(crate) struct Tree<State> {
    nodes: Nodes<State>,
    slab: Slab,
    shape: Shape,
    table: Table,
    /// Whether positions reached by several paths are one node.
    transpositions: bool,
    /// Which positions are one node although they are not the same.
    likeness: Option<Arc<dyn Likeness<State>>>,
    /// Bytes that a state holds elsewhere.
    state_bytes: usize,
    root: NodeId,
    /// How often all numbers of nodes have changed their meaning.
    age: u64,
    retired: Mutex<Retired>,
    hand: recycle::Hand,
    upkeep: Upkeep,
    /// The nodes that there may be, whatever the memory.
    most_nodes: usize,
}

/// Numbers of nodes have room for so many.
const MOST_NODES: usize = u32::MAX as usize - (1 << 20);

/// Up to so many nodes are forgotten one by one, which makes the memory as it was; more take too long.
const FEW: usize = 1 << 19;

impl<State: Eq + Hash> Tree<State> {
    /// A tree of one node.
    pub(crate) fn new(
        state: State,
        shape: Shape,
        transpositions: bool,
        likeness: Option<Arc<dyn Likeness<State>>>,
        state_bytes: usize,
    ) -> Self {
        let mut tree = Self {
            nodes: Nodes::new(shape.roles),
            slab: Slab::new(),
            shape,
            table: Table::new(),
            transpositions,
            likeness,
            state_bytes,
            root: NodeId(0),
            age: 1,
            retired: Mutex::default(),
            hand: recycle::Hand::default(),
            upkeep: Upkeep::default(),
            most_nodes: MOST_NODES,
        };
        tree.nodes.grow();
        tree.slab.grow();
        tree.plant(state);
        tree
    }

    /// Starts over from a position; nothing known is used again.
    pub(crate) fn restart(&mut self, state: State) {
        if self.nodes.end() as usize <= FEW {
            self.nodes.clear();
            self.slab.clear();
            self.table.clear();
            *self.retired.get_mut() = Retired::default();
            self.hand = recycle::Hand::default();
            self.age += 1;
        } else {
            // What nobody can find is recycled in time.
            self.table = Table::new();
        }
        self.plant(state);
    }

    /// Whether positions that are not the same may be one node. Then moves need not lead from one position of a path to
    /// the next, but to one that is like it.
    pub(crate) fn merges(&self) -> bool {
        self.likeness.is_some()
    }

    /// Makes the node of a position the root: a new one, if it is not known. That of a position that is only like it will not
    /// do, as its moves are others: see [`Tree::take_over`]. It is told.
    pub(crate) fn plant(&mut self, state: State) -> Option<Link> {
        let mut numbers = Vec::new();
        self.nodes.allocate(1, &mut numbers);
        if numbers.is_empty() {
            self.make_room(1, 0, 0);
            self.nodes.allocate(1, &mut numbers);
        }
        let &number = numbers.first()?;
        let (id, hash) = (NodeId(number), self.hash(&state));
        self.node(id).begin();
        let known = self.settle(id, state, hash);
        if let Some(known) = known.filter(|&known| self.state(known) == self.state(id)) {
            self.nodes.recycle(id);
            self.root = known;
            return None;
        }
        self.root = id;
        known.map(|known| self.link(known))
    }

    /// Makes a node the root. What is not below it is never visited again, and recycled in time.
    pub(crate) fn move_root(&mut self, root: NodeId) {
        self.root = root;
    }

    /// Changes when all numbers of nodes change their meaning: what was taken in stock is gone then.
    pub(crate) fn age(&self) -> u64 {
        self.age
    }

    pub(crate) fn root(&self) -> NodeId {
        self.root
    }

    pub(crate) fn roles(&self) -> usize {
        self.shape.roles
    }

    /// Moves of who alone decides at the root that were never tried.
    pub(crate) fn untried_at_root(&self) -> u32 {
        match self.node(self.root).status() {
            Status::Open { block, mover: Some(mover) } => {
                self.edges(block, usize::from(mover)).untried_count() as u32
            }
            _ => 0,
        }
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> Node<'_> {
        self.nodes.get(id)
    }

    #[inline]
    pub(crate) fn state(&self, id: NodeId) -> Option<&State> {
        self.nodes.state(id)
    }

    /// A link to a node as it is now.
    pub(crate) fn link(&self, id: NodeId) -> Link {
        Link { id, generation: self.node(id).generation() }
    }

    /// Where a link leads, unless that was recycled.
    #[inline]
    pub(crate) fn follow(&self, link: Option<Link>) -> Option<NodeId> {
        link.filter(|&link| self.is_current(link)).map(|link| link.id)
    }

    /// Whether a link still leads where it led.
    #[inline]
    pub(crate) fn is_current(&self, link: Link) -> bool {
        self.node(link.id).generation() == link.generation
    }

    /// Whether the link with a number still leads where it led.
    pub(crate) fn is_current_key(&self, key: u64) -> bool {
        Link::unpack(key).is_some_and(|link| self.is_current(link))
    }

    /// The moves of an open node.
    #[inline]
    pub(crate) fn block(&self, block: u32) -> Block<'_> {
        self.shape.block(self.slab.from(block))
    }

    /// The moves of a role in an open node.
    #[inline]
    pub(crate) fn edges(&self, block: u32, role: usize) -> Edges<'_> {
        self.block(block).edges(role)
    }

    /// What is proven of a role's goal behind a move: what is known there now, and what was when it was
    /// looked at last.
    #[inline]
    pub(crate) fn bounds_behind(&self, link: Option<Link>, stored: Bounds, role: usize) -> Bounds {
        match self.follow(link) {
            Some(child) => stored.intersect(self.node(child).bounds(role)),
            None => stored,
        }
    }

    /// A node without a position yet, if there is room.
    #[inline]
    pub(crate) fn new_node(&self, stock: &mut Stock) -> Option<NodeId> {
        let id = stock.node(&self.nodes)?;
        self.node(id).begin();
        Some(id)
    }

    /// Gives a new node what a move that leads to it knows from a node that was recycled: what is proven,
    /// and visits and what they brought, if a move is worth what the node behind it is (less a discount).
    pub(crate) fn seed(&self, id: NodeId, edge: Edge<'_>, graph_discount: Option<f64>, prove: bool) {
        let (node, roles) = (self.node(id), 0..self.shape.roles);
        if let Some(discount) = graph_discount {
            let sums = roles.clone().map(|role| (edge.worth(role) as f64 / discount) as i64);
            node.seed(edge.visits().1, sums);
        }
        if prove {
            node.lock(true).narrow_all(roles.map(|role| edge.bounds(role)));
        }
    }

    /// The hash of a position, if positions reached by several paths are one node. Hash all that are to
    /// be settled first: what this reads of the table then comes from memory for all of them at once.
    pub(crate) fn hash(&self, state: &State) -> Option<u64> {
        let hash = self.transpositions.then(|| match &self.likeness {
            Some(likeness) => likeness.hash(state),
            None => FxBuildHasher.hash_one(state),
        });
        let hash = spread(hash?);
        std::hint::black_box(self.table.look(hash));
        Some(hash)
    }

    /// Gives a new node its position, unless another node stands for it: then that one.
    pub(crate) fn settle(&self, id: NodeId, state: State, hash: Option<u64>) -> Option<NodeId> {
        let place = self.nodes.state_place(id);
        // Set before it is entered in the table, so that whoever finds it there sees the state.
        let _ = place.set(state);
        let same = |other| match (&self.likeness, self.nodes.state(other), place.get()) {
            (Some(likeness), Some(one), Some(two)) => likeness.are_alike(one, two),
            (_, one, two) => one == two,
        };
        self.table.find_or_insert(hash?, id, same).filter(|&found| found != id)
    }

    /// Gives up a node that turned out to stand for a position already known.
    pub(crate) fn retire(&self, id: NodeId, stock: &mut Stock) {
        stock.retire_node(id);
    }

    /// Takes what a thread has to give back, at the end of a batch.
    pub(crate) fn take_retired(&self, stock: &mut Stock) {
        if !stock.retired.nodes.is_empty() || !stock.retired.pieces.is_empty() {
            let mut retired = self.retired.lock();
            retired.nodes.append(&mut stock.retired.nodes);
            retired.pieces.append(&mut stock.retired.pieces);
        }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.used()
    }

    /// What was done to make room so far.
    pub(crate) fn upkeep(&self) -> Upkeep {
        self.upkeep
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.len() * self.state_bytes + self.slab.bytes() + self.table.bytes()
    }
}

/// The table takes its place from the high bits and compares them: all must be good.
fn spread(hash: u64) -> u64 {
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}
