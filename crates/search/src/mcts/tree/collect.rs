//! Clearing up: what is not below the root goes, and of what is, the least useful if memory is
//! short.
//!
//! Nodes and blocks slide together in their order, so no second copy is needed.

use std::hash::Hash;

use super::words::Words;
use super::{NodeId, Status, Tree};
use crate::sync::Ordering;

/// So many nodes may lie about whatever the size of the tree.
const LITTER: usize = 1 << 15;

impl<State: Eq + Hash> Tree<State> {
    /// Makes a node the root. What is not below it stays until it is cleared up.
    pub(crate) fn move_root(&mut self, root: NodeId) {
        self.has_moved |= root != self.root;
        self.root = root;
    }

    /// Whether clearing up may be worth its time.
    pub(crate) fn is_littered(&self) -> bool {
        self.has_moved && self.len() >= 2 * self.cleared + LITTER
    }

    /// Forgets what is not below the root, if there is anything.
    pub(crate) fn clear_up(&mut self) {
        if self.has_moved {
            self.collect(0);
        }
    }

    /// Forgets the moves of nodes seldom visited and of proven ones, until at most `share` of the
    /// nodes are left, or only the root.
    pub(crate) fn prune(&mut self, share: f64) {
        let most = (self.len() as f64 * share) as usize;
        let mut least_visits = 2;
        loop {
            self.collect(least_visits);
            if self.len() <= most.max(1) || least_visits >= 1 << 30 {
                return;
            }
            least_visits *= 2;
        }
    }

    /// Keeps what can be reached from the root through nodes with at least so many visits.
    fn collect(&mut self, least_visits: u32) {
        self.close(least_visits);
        let kept = self.reachable();
        let numbers = self.slide_nodes(&kept);
        let number = |id: NodeId| match numbers[id.0 as usize] {
            0 => None,
            new => Some(NodeId(new)),
        };
        self.slide_blocks(number);
        self.joints.renumber(number);
        self.root = number(self.root).unwrap_or(self.root);
        self.table.clear();
        if self.transpositions {
            self.enter_all();
        }
        self.age += 1;
        self.has_moved = false;
        self.cleared = self.len();
    }

    /// Makes leaves of nodes that are not worth their moves.
    fn close(&mut self, least_visits: u32) {
        if least_visits == 0 {
            return;
        }
        for id in (1..self.nodes.end()).map(NodeId).filter(|&id| id != self.root) {
            let node = self.nodes.get(id);
            let has_moves = matches!(node.status(), Status::Open { .. });
            if has_moves && (node.visits().1 < least_visits || node.is_proven()) {
                node.set_status(Status::Leaf);
            }
        }
    }

    /// Which nodes can be reached from the root.
    fn reachable(&mut self) -> Vec<bool> {
        let mut kept = vec![false; self.nodes.end() as usize];
        let mut joint_links = self.joints.links();
        joint_links.sort_unstable();
        let mut open = vec![self.root];
        kept[self.root.0 as usize] = true;
        while let Some(id) = open.pop() {
            let Status::Open { block, mover } = self.node(id).status() else { continue };
            let mut reach = |child: NodeId| {
                if !std::mem::replace(&mut kept[child.0 as usize], true) {
                    open.push(child);
                }
            };
            match mover {
                Some(role) => {
                    self.edges(block, usize::from(role))
                        .iter()
                        .filter_map(|edge| edge.child())
                        .for_each(reach);
                }
                None => {
                    let first = joint_links.partition_point(|&(from, _)| from < id);
                    let links = joint_links[first..].iter().take_while(|&&(from, _)| from == id);
                    links.for_each(|&(_, child)| reach(child));
                }
            }
        }
        kept
    }

    /// Slides the kept nodes together; the new number of each node, 0 for those that go.
    fn slide_nodes(&mut self, kept: &[bool]) -> Vec<u32> {
        let mut numbers = vec![0; kept.len()];
        let mut next = 1;
        for id in (1..self.nodes.end()).map(NodeId).filter(|id| kept[id.0 as usize]) {
            numbers[id.0 as usize] = next;
            self.nodes.shift(id, NodeId(next));
            next += 1;
        }
        self.nodes.truncate(next);
        numbers
    }

    /// Slides the blocks of all nodes together and gives the children in them their new numbers.
    fn slide_blocks(&mut self, number: impl Fn(NodeId) -> Option<NodeId>) {
        let mut blocks: Vec<(u32, NodeId)> = Vec::new();
        for id in (1..self.nodes.end()).map(NodeId) {
            if let Status::Open { block, .. } = self.node(id).status() {
                blocks.push((block, id));
            }
        }
        blocks.sort_unstable();
        let mut next = 0;
        for (block, id) in blocks {
            let edges = self.shape.all_edges(&self.blocks, block);
            for edge in edges.iter() {
                edge.relink(edge.child().and_then(&number));
            }
            let length = self.shape.block_words(edges.len());
            let place = Words::place_after(next, length);
            for offset in 0..length as u32 {
                let word = self.blocks.word(block + offset).load(Ordering::Relaxed);
                self.blocks.word(place + offset).store(word, Ordering::Relaxed);
            }
            next = place + length as u32;
            let node = self.node(id);
            if let Status::Open { mover, .. } = node.status() {
                node.set_status(Status::Open { block: place, mover });
            }
        }
        self.blocks.truncate(next);
    }
}
