//! Whether a tree is what it should be; for tests.

use std::collections::HashSet;
use std::hash::Hash;

use super::{NodeId, Status, Tree};
use crate::sync::Ordering;

impl<State: Eq + Hash> Tree<State> {
    /// Panics if something is not as it should be: nothing is lost, and nothing is in use twice.
    pub(crate) fn check(&mut self) {
        self.make_room(0, 0, 0);
        let mut pieces = HashSet::new();
        let mut positions = HashSet::new();
        let ids = (1..self.nodes.end()).map(NodeId).filter(|&id| !self.node(id).is_free());
        for id in ids {
            if let Some(hash) = self.state(id).and_then(|state| self.hash(state)) {
                let same = |other| other == id;
                if self.table.find(hash, same).is_some() {
                    assert!(
                        positions.insert(self.state(id)),
                        "two nodes of the table stand for one position"
                    );
                }
            }
            let (node, goals) = (self.node(id), -1e-3..100.001);
            assert_eq!(node.visits().0, node.visits().1, "all visits have ended");
            assert!(
                (0..self.shape.roles).all(|role| goals.contains(&node.mean(role))),
                "{id:?} {}",
                node.mean(0)
            );
            let Status::Open { block: start, .. } = node.status() else { continue };
            let block = self.block(start);
            assert!(pieces.insert(start), "a block has one node");
            assert_eq!(block.owner(), id);
            for edge in block.all() {
                assert_eq!(edge.visits().0, edge.visits().1, "all visits have ended");
                for role in 0..self.shape.roles {
                    let mean = edge.worth(role) as f64 / super::UNIT / f64::from(edge.visits().1.max(1));
                    assert!(goals.contains(&mean), "{id:?} {mean}");
                }
            }
            let joint = self.links(&block);
            if let Some(word) = block.links_word()
                && joint.is_some()
            {
                assert!(pieces.insert(word.load(Ordering::Relaxed) as u32 - 1), "links have one node");
            }
            let joint = joint.into_iter().flat_map(|links| links.all()).map(|link| link.link());
            for link in block.all().map(|edge| edge.link()).chain(joint).flatten() {
                assert!(link.id.0 < self.nodes.end());
                if self.is_current(link) {
                    assert!(!self.node(link.id).is_free(), "a link leads to a node in use, or nowhere");
                }
            }
        }
        self.table.check(|id, tag| {
            assert!(!self.node(id).is_free(), "the table knows nodes in use only");
            let hash = self.state(id).and_then(|state| self.hash(state));
            assert_eq!(hash.map(|hash| hash >> 32), Some(tag));
        });
        assert_eq!(self.slab.pieces(), pieces.len(), "memory in use is used");
    }
}
