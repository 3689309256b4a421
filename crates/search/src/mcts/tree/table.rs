//! Which node stands for a position: an open table of node numbers.
//!
//! Positions are compared in full; part of the hash beside the number spares most comparisons.

use super::NodeId;
use crate::sync::{AtomicU64, Ordering};

/// So far a position is looked for.
const MOST_STEPS: usize = 256;

/// Finds nodes by the hash of their position.
#[derive(Debug)]
pub(crate) struct Table {
    slots: Box<[AtomicU64]>,
}

impl Table {
    /// With room for some nodes.
    pub(crate) fn new(nodes: usize) -> Self {
        Self { slots: (0..Self::slots_for(nodes)).map(|_| AtomicU64::new(0)).collect() }
    }

    fn slots_for(nodes: usize) -> usize {
        (nodes * 2).next_power_of_two().max(64)
    }

    /// The bytes of a table with room for some nodes.
    pub(crate) fn bytes_for(nodes: usize) -> usize {
        Self::slots_for(nodes) * 8
    }

    /// How many nodes fit without long searches.
    pub(crate) fn room(&self) -> usize {
        self.slots.len() / 2
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.len() * 8
    }

    /// What is at the place where the search for a position begins.
    #[inline]
    pub(crate) fn first(&self, hash: u64) -> u64 {
        self.slots[hash as usize & (self.slots.len() - 1)].load(Ordering::Relaxed)
    }

    /// Finds the node of a position, or enters `new` for it. `same` compares positions.
    pub(crate) fn find_or_insert(
        &self,
        hash: u64,
        new: NodeId,
        mut same: impl FnMut(NodeId) -> bool,
    ) -> Option<NodeId> {
        let mask = self.slots.len() - 1;
        let entry = hash & !0xffff_ffff | u64::from(new.0);
        let mut place = hash as usize & mask;
        // A full table would be searched for ever; what finds no place is not entered.
        for _ in 0..self.slots.len().min(MOST_STEPS) {
            let mut found = self.slots[place].load(Ordering::Acquire);
            if found == 0 {
                match self.slots[place].compare_exchange(0, entry, Ordering::Release, Ordering::Acquire) {
                    Ok(_) => return None,
                    Err(now) => found = now,
                }
            }
            if found >> 32 == hash >> 32 && same(NodeId(found as u32)) {
                return Some(NodeId(found as u32));
            }
            place = (place + 1) & mask;
        }
        None
    }

    /// Enters a node in place of another one for the same position.
    pub(crate) fn replace(&mut self, hash: u64, old: NodeId, new: NodeId) {
        let entry = |id: NodeId| hash & !0xffff_ffff | u64::from(id.0);
        let mask = self.slots.len() - 1;
        let places = (0..self.slots.len()).map(|offset| (hash as usize).wrapping_add(offset) & mask);
        for place in places.take(MOST_STEPS) {
            if self.slots[place].load(Ordering::Relaxed) == entry(old) {
                self.slots[place] = AtomicU64::new(entry(new));
                return;
            }
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.slots.iter_mut().for_each(|slot| *slot = AtomicU64::new(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_better_node_takes_the_place_of_another() {
        crate::sync::tried(take_the_place);
    }

    fn take_the_place() {
        let mut table = Table::new(8);
        let hash = 5 << 40 | 7;
        assert_eq!(table.find_or_insert(hash, NodeId(1), |_| true), None);
        // Another position at the same place in the table.
        assert_eq!(table.find_or_insert(hash, NodeId(2), |_| false), None);
        assert_eq!(table.find_or_insert(hash, NodeId(3), |id| id == NodeId(2)), Some(NodeId(2)));
        table.replace(hash, NodeId(2), NodeId(3));
        assert_eq!(table.find_or_insert(hash, NodeId(4), |id| id == NodeId(3)), Some(NodeId(3)));
        assert_eq!(table.find_or_insert(hash, NodeId(4), |id| id == NodeId(1)), Some(NodeId(1)));
    }

    #[test]
    fn room_doubles() {
        let table = Table::new(1000);
        let next = Table::bytes_for(table.room() + 1);
        assert_eq!(next, 2 * table.bytes());
    }
}
