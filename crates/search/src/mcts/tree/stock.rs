//! What a thread has taken from the tree ahead of need.
//!
//! Threads that took node after node by turns would wait for one counter, and write to cache lines of
//! each other's nodes: a line that travels between processors takes longer than the work on it. So each
//! takes many neighbours at a time.

use std::ops::Range;

use super::NodeId;
use super::nodes::Nodes;
use super::words::Words;

/// Nodes that are taken at a time where there are several threads.
pub(crate) const NODES_AHEAD: u32 = 64;

/// Words for moves that are taken at a time where there are several threads.
pub(crate) const WORDS_AHEAD: u32 = 1 << 10;

/// Nodes and words that are one thread's to use.
#[derive(Debug, Default)]
pub(crate) struct Stock {
    nodes: Range<u32>,
    words: Range<u32>,
    /// Of the tree when they were taken: see [`super::Tree::age`].
    age: u64,
    /// Whether other threads take from the tree as well.
    shared: bool,
}

impl Stock {
    /// Prepares for work on a tree of some age. What was taken from an older one is gone.
    pub(crate) fn prepare(&mut self, age: u64, shared: bool) {
        if self.age != age {
            (self.nodes, self.words, self.age) = (0..0, 0..0, age);
        }
        self.shared = shared;
    }

    pub(super) fn node<State>(&mut self, all: &Nodes<State>) -> Option<NodeId> {
        if self.nodes.is_empty() {
            self.nodes = all.allocate(if self.shared { NODES_AHEAD } else { 1 });
        }
        self.nodes.next().map(NodeId)
    }

    /// A piece of zeros.
    pub(super) fn words(&mut self, all: &Words, length: usize) -> Option<u32> {
        if !self.shared || length > WORDS_AHEAD as usize / 4 {
            return all.allocate(length);
        }
        if self.words.len() < length {
            // When there is little left the rest is for all.
            let Some(start) = all.allocate(WORDS_AHEAD as usize) else { return all.allocate(length) };
            self.words = start..start + WORDS_AHEAD;
        }
        let start = self.words.start;
        self.words.start += length as u32;
        Some(start)
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
        let mut words = Words::default();
        (0..4).for_each(|_| nodes.grow());
        words.grow();
        let mut stocks = [Stock::default(), Stock::default()];
        stocks.iter_mut().for_each(|stock| stock.prepare(1, true));
        let mut take = |who: usize| (stocks[who].node(&nodes), stocks[who].words(&words, 5));
        let first = [take(0), take(1)];
        assert_ne!(first[0], first[1]);
        for (who, (node, word)) in first.into_iter().enumerate() {
            let next = node.map(|NodeId(number)| NodeId(number + 1));
            assert_eq!(take(who), (next, word.map(|start| start + 5)));
        }
        // What a tree has left is given out to the last.
        let mut given: Vec<NodeId> = std::iter::from_fn(|| take(0).0).collect();
        given.extend(std::iter::from_fn(|| take(1).0));
        given.sort_unstable();
        given.dedup();
        assert_eq!(given.len(), nodes.end() as usize - 1 - 4);
        assert_eq!(nodes.free(), 0);
        stocks[0].prepare(2, true);
        assert_eq!(stocks[0].node(&nodes), None);
    }

    #[test]
    fn who_is_alone_takes_no_more_than_needed() {
        crate::sync::tried(take_one_by_one);
    }

    fn take_one_by_one() {
        let mut nodes: Nodes<u8> = Nodes::new(1);
        let mut words = Words::default();
        nodes.grow();
        words.grow();
        let mut stock = Stock::default();
        assert_eq!(stock.node(&nodes), Some(NodeId(1)));
        assert_eq!(stock.words(&words, 5), Some(0));
        assert_eq!((nodes.end(), words.used()), (2, 5));
    }
}
