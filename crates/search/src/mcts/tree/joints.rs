//! Where joint moves lead when several roles have a choice.

use game::MoveId;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::NodeId;

/// One move per role.
pub(crate) type Joint = SmallVec<[MoveId; IN_PLACE]>;

/// Moves of a joint move that need no memory of their own.
const IN_PLACE: usize = 4;

const SHARDS: usize = 16;

/// Children of nodes in which several roles choose at once.
#[derive(Debug, Default)]
pub(crate) struct Joints {
    shards: [Mutex<FxHashMap<(NodeId, Joint), NodeId>>; SHARDS],
}

impl Joints {
    fn shard(&self, node: NodeId) -> &Mutex<FxHashMap<(NodeId, Joint), NodeId>> {
        &self.shards[node.0 as usize % SHARDS]
    }

    pub(crate) fn child(&self, node: NodeId, joint: &Joint) -> Option<NodeId> {
        self.shard(node).lock().get(&(node, joint.clone())).copied()
    }

    /// Links a joint move to a new child, unless someone did before.
    pub(crate) fn link(&self, node: NodeId, joint: &Joint, child: NodeId) -> Result<(), NodeId> {
        let mut shard = self.shard(node).lock();
        match shard.entry((node, joint.clone())) {
            std::collections::hash_map::Entry::Occupied(known) => Err(*known.get()),
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(child);
                Ok(())
            }
        }
    }

    /// Links a joint move to a node in place of the one it had.
    pub(crate) fn relink(&self, node: NodeId, joint: &Joint, child: NodeId) {
        self.shard(node).lock().insert((node, joint.clone()), child);
    }

    /// Gives every node its new number; links from or to nodes without one are dropped.
    pub(crate) fn renumber(&mut self, number: impl Fn(NodeId) -> Option<NodeId>) {
        let old: Vec<_> =
            self.shards.iter_mut().flat_map(|shard| shard.get_mut().drain().collect::<Vec<_>>()).collect();
        for ((node, joint), child) in old {
            if let (Some(node), Some(child)) = (number(node), number(child)) {
                self.shards[node.0 as usize % SHARDS].get_mut().insert((node, joint), child);
            }
        }
    }

    /// The links, for a walk over the whole tree.
    pub(crate) fn links(&mut self) -> Vec<(NodeId, NodeId)> {
        let shards = self.shards.iter_mut();
        shards
            .flat_map(|shard| {
                shard.get_mut().iter().map(|((node, _), &child)| (*node, child)).collect::<Vec<_>>()
            })
            .collect()
    }

    /// The bytes held with so many roles.
    pub(crate) fn bytes(&self, roles: usize) -> usize {
        // Of eight places one is never used; each has a byte beside it.
        let place = (size_of::<((NodeId, Joint), NodeId)>() + 1) * 8 / 7;
        let apart = if roles > IN_PLACE { (4 * roles + 8).next_multiple_of(16) } else { 0 };
        let bytes = |shard: &FxHashMap<_, _>| shard.capacity() * place + shard.len() * apart;
        self.shards.iter().map(|shard| bytes(&shard.lock())).sum()
    }
}
