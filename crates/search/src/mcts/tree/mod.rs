//! The tree, which is a graph: positions reached in several ways are one node.
//!
//! Threads read and change it together: every number is an atomic word that can be read at any time,
//! and who changes those of a node and its moves holds the node meanwhile (see [`Held`]). Who makes a new
//! link, claims a node or proves something does so by atomic exchange.
//! Growing, moving the root, clearing up and halving need the tree alone.

mod bounds;
mod collect;
mod edges;
mod halve;
mod held;
mod joints;
mod nodes;
mod stock;
mod table;
mod words;

use std::hash::{BuildHasher, Hash};

use game::Choices;
use rustc_hash::FxBuildHasher;

pub use bounds::Bounds;
pub(crate) use edges::{Edge, Edges, Shape};
pub(crate) use held::Held;
pub(crate) use joints::{Joint, Joints};
pub(crate) use nodes::{Node, Nodes, Status, UNIT};
pub(crate) use stock::{NODES_AHEAD, Stock};
use table::Table;
use words::Words;

/// A node by its number; 0 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(crate) u32);

/// All that is remembered.
#[derive(Debug)]
pub(crate) struct Tree<State> {
    nodes: Nodes<State>,
    blocks: Words,
    shape: Shape,
    table: Table,
    joints: Joints,
    /// Whether positions reached in several ways are one node.
    transpositions: bool,
    /// Bytes that a state holds elsewhere.
    state_bytes: usize,
    root: NodeId,
    /// Whether the root has moved since it was cleared up.
    has_moved: bool,
    /// The nodes that were left then.
    cleared: usize,
    /// How often numbers of nodes have changed their meaning.
    age: u64,
}

impl<State: Eq + Hash> Tree<State> {
    /// A tree of one node.
    pub(crate) fn new(state: State, shape: Shape, transpositions: bool, state_bytes: usize) -> Self {
        let mut tree = Self {
            nodes: Nodes::new(shape.roles),
            blocks: Words::default(),
            shape,
            table: Table::new(1 << 10),
            joints: Joints::default(),
            transpositions,
            state_bytes,
            root: NodeId(0),
            has_moved: false,
            cleared: 0,
            age: 0,
        };
        tree.nodes.grow();
        tree.blocks.grow();
        tree.plant(state);
        tree
    }

    /// Starts over from a position.
    pub(crate) fn restart(&mut self, state: State) {
        self.nodes.truncate(1);
        self.blocks.truncate(0);
        self.joints = Joints::default();
        self.table.clear();
        (self.has_moved, self.cleared) = (false, 0);
        self.age += 1;
        self.plant(state);
    }

    fn plant(&mut self, state: State) {
        // There is room: a chunk has many nodes.
        self.root = NodeId(self.nodes.allocate(1).start);
        let hash = self.hash(&state);
        self.settle(self.root, state, hash);
    }

    /// Changes when numbers of nodes change their meaning: what was taken in stock is gone then.
    pub(crate) fn age(&self) -> u64 {
        self.age
    }

    pub(crate) fn root(&self) -> NodeId {
        self.root
    }

    pub(crate) fn roles(&self) -> usize {
        self.shape.roles
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> Node<'_> {
        self.nodes.get(id)
    }

    #[inline]
    pub(crate) fn state(&self, id: NodeId) -> Option<&State> {
        self.nodes.state(id)
    }

    /// The moves of a role in an open node.
    #[inline]
    pub(crate) fn edges(&self, block: u32, role: usize) -> Edges<'_> {
        self.shape.edges(&self.blocks, block, role)
    }

    /// A move by its number.
    #[inline]
    pub(crate) fn edge(&self, number: u32) -> Edge<'_> {
        self.shape.edge(&self.blocks, number)
    }

    pub(crate) fn joints(&self) -> &Joints {
        &self.joints
    }

    /// A node without a position yet, if there is room.
    #[inline]
    pub(crate) fn new_node(&self, stock: &mut Stock) -> Option<NodeId> {
        stock.node(&self.nodes)
    }

    /// The hash of a position, if positions reached in several ways are one node. Hash all that are to
    /// be settled first: what this reads of the table then comes from memory for all of them at once.
    pub(crate) fn hash(&self, state: &State) -> Option<u64> {
        let hash = self.transpositions.then(|| spread(FxBuildHasher.hash_one(state)))?;
        std::hint::black_box(self.table.first(hash));
        Some(hash)
    }

    /// Gives a new node its position, unless another node stands for it: then that one.
    pub(crate) fn settle(&self, id: NodeId, state: State, hash: Option<u64>) -> Option<NodeId> {
        let place = self.nodes.state_place(id);
        // Set before it is entered in the table, so that whoever finds it there sees the state.
        let _ = place.set(state);
        let found = self.table.find_or_insert(hash?, id, |other| {
            self.nodes.state(other).is_some_and(|state| Some(state) == place.get())
        });
        found.filter(|&found| found != id)
    }

    /// Lists the moves of a claimed node; whether there was room. Without room it is a leaf again.
    pub(crate) fn open(&self, id: NodeId, choices: Choices<'_>, stock: &mut Stock) -> bool {
        let node = self.node(id);
        let mut choosers = (0..).zip(choices.by_role()).filter(|(_, legal)| legal.len() > 1);
        let mover = match (choosers.next(), choosers.next()) {
            (None, _) => Some(0),
            (Some((role, _)), None) => Some(role),
            _ => None,
        };
        drop(choosers);
        match self.shape.write(&self.blocks, choices, stock) {
            Some(block) => node.set_status(Status::Open { block, mover }),
            None => node.set_status(Status::Leaf),
        }
        matches!(node.status(), Status::Open { .. })
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.end() as usize - 1
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.len() * self.state_bytes
            + self.blocks.bytes()
            + self.table.bytes()
            + self.joints.bytes(self.shape.roles)
    }

    /// Whether there is room for some more nodes, and for the moves of as many.
    pub(crate) fn has_room(&self, nodes: usize, moves: usize) -> bool {
        let words = self.shape.block_words(moves) * nodes;
        // What is left over at the end of a chunk may be as long as a block.
        let lost = self.shape.block_words(moves) * (1 + words / words::CHUNK as usize);
        self.nodes.free() >= nodes
            && self.blocks.free() >= words + lost
            && (!self.transpositions || self.table.room() >= self.len() + nodes)
    }

    /// Makes room; `false` if that would take more than `most_bytes`.
    pub(crate) fn grow(&mut self, nodes: usize, moves: usize, most_bytes: usize) -> bool {
        while !self.has_room(nodes, moves) {
            let larger_table = self.transpositions && self.table.room() < self.len() + nodes;
            let more_nodes = self.nodes.free() < nodes;
            let more_bytes = match (larger_table, more_nodes) {
                // The old table is there until all is in the new one.
                (true, _) => Table::bytes_for(self.len() + nodes),
                (_, true) => self.nodes.chunk_bytes(),
                _ => Words::CHUNK_BYTES,
            };
            if self.bytes().saturating_add(more_bytes) > most_bytes
                || self.blocks.bytes() >= (u32::MAX as usize - 4 * words::CHUNK as usize) * 8
            {
                return false;
            }
            if larger_table {
                self.table = Table::new(self.len() + nodes);
                self.enter_all();
            } else if more_nodes {
                self.nodes.grow();
            } else {
                self.blocks.grow();
            }
        }
        true
    }

    /// Enters all nodes in an empty table.
    fn enter_all(&mut self) {
        for id in (1..self.nodes.end()).map(NodeId) {
            if let Some(state) = self.nodes.state(id) {
                let hash = spread(FxBuildHasher.hash_one(state));
                let same = |other| self.nodes.state(other) == Some(state);
                let visits = |id| self.node(id).visits().0;
                // Of two nodes for one position, one was given up as soon as it was known.
                if let Some(other) = self.table.find_or_insert(hash, id, same)
                    && visits(id) > visits(other)
                {
                    self.table.replace(hash, other, id);
                }
            }
        }
    }
}

/// The table takes its place from the low bits and compares the high ones: all must be good.
fn spread(hash: u64) -> u64 {
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}
