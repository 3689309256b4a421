//! What an evaluator says of the moves of nodes, kept beside the tree by the links of the nodes.

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::MoveValues;
use crate::mcts::tree::Tree;

/// About how many bytes what is known of one more node takes, beside four for each move.
const NODE_BYTES: usize = 96;

/// The tables of a tree.
#[derive(Debug)]
pub(crate) struct MoveTables {
    nodes: FxHashMap<u64, Arc<MoveValues>>,
    bytes: usize,
    most_bytes: usize,
}

impl MoveTables {
    /// Without any node, beside a tree of so many MiB.
    pub(crate) fn new(memory: u32) -> Self {
        // A quarter of what the tree may have.
        Self { nodes: FxHashMap::default(), bytes: 0, most_bytes: (memory as usize) << 18 }
    }

    /// What is said of the moves of a node, if it was asked for.
    pub(crate) fn of(&self, key: u64) -> Option<&Arc<MoveValues>> {
        self.nodes.get(&key)
    }

    /// Notes what is said of the moves of a node, if there is room: without it they are chosen as usual.
    pub(crate) fn insert(&mut self, key: u64, values: MoveValues) {
        let bytes = bytes(&values);
        if self.bytes + bytes <= self.most_bytes {
            self.bytes += bytes;
            self.nodes.insert(key, Arc::new(values));
        }
    }

    /// Forgets the nodes that are gone, after a move of the match; all if they take too much.
    pub(crate) fn tidy<State: Eq + Hash>(&mut self, tree: &Tree<State>) {
        if 2 * self.bytes >= self.most_bytes {
            self.nodes.clear();
        } else {
            self.nodes.retain(|&key, _| tree.is_current_key(key));
        }
        self.bytes = self.nodes.values().map(|values| bytes(values)).sum();
    }

    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.bytes = 0;
    }
}

fn bytes(values: &MoveValues) -> usize {
    NODE_BYTES + 4 * values.len()
}
