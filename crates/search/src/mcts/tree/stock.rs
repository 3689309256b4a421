//! What one thread has taken from the tree ahead, and what it has to give back.
//!
//! Threads that take their nodes one after the other write to the same cache lines all the time: each
//! takes many neighbours at a time. What a thread no longer needs may still be looked at by others: it is
//! given back to the tree with the end of the batch, and used again when no batch is under context.

use super::NodeId;
use super::nodes::Nodes;
use super::slab::Slab;

/// Nodes that are taken at a time.
pub(crate) const NODES_AHEAD: u32 = 64;

/// Nodes that are one thread's to use, and what it has to give back.
#[derive(Debug, Default)]
pub(crate) struct Stock {
    nodes: Vec<u32>,
    /// Of the tree when they were taken: see [`super::Tree::age`].
    age: u64,
    /// Whether other threads look at the tree as well.
    shared: bool,
    pub(super) retired: Retired,
}

/// What is no longer needed.
#[derive(Debug, Default)]
pub(super) struct Retired {
    /// Nodes that nothing leads to.
    pub(super) nodes: Vec<NodeId>,
    /// Pieces of memory that were replaced by larger ones.
    pub(super) pieces: Vec<u32>,
}

impl Stock {
    /// Prepares for work on a tree of some age. What was taken from an older one is gone.
    pub(crate) fn prepare(&mut self, age: u64, shared: bool) {
        if self.age != age {
            *self = Self { age, ..Self::default() };
        }
        self.shared = shared;
    }

    pub(super) fn node<State>(&mut self, all: &Nodes<State>) -> Option<NodeId> {
        if self.nodes.is_empty() {
            all.allocate(NODES_AHEAD, &mut self.nodes);
        }
        self.nodes.pop().map(NodeId)
    }

    /// A piece was replaced.
    pub(super) fn retire_piece(&mut self, piece: u32, slab: &Slab) {
        if self.shared {
            self.retired.pieces.push(piece);
        } else {
            slab.give_back(piece);
        }
    }

    /// A node that nothing leads to any more.
    pub(super) fn retire_node(&mut self, id: NodeId) {
        self.retired.nodes.push(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_take_neighbours() {
        crate::sync::tried(take_neighbours);
    }

    fn take_neighbours() {
        let mut nodes: Nodes<u8> = Nodes::new(1);
        (0..8).for_each(|_| nodes.grow());
        let mut stocks = [Stock::default(), Stock::default()];
        stocks.iter_mut().for_each(|stock| stock.prepare(1, true));
        let mut take = |who: usize| stocks[who].node(&nodes);
        let first = [take(0), take(1)];
        assert_ne!(first[0], first[1]);
        for (who, node) in first.into_iter().enumerate() {
            assert_eq!(take(who), node.map(|NodeId(number)| NodeId(number + 1)));
        }
        // What a tree has left is given out to the last.
        let mut given: Vec<NodeId> = std::iter::from_fn(|| take(0)).collect();
        given.extend(std::iter::from_fn(|| take(1)));
        given.sort_unstable();
        given.dedup();
        assert_eq!(given.len(), nodes.end() as usize - 1 - 4);
        assert_eq!(nodes.free(), 0);
        stocks[0].prepare(2, true);
        assert_eq!(stocks[0].node(&nodes), None);
    }
}
