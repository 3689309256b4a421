//! Which node stands for a position: an open table of node numbers.
//!
//! Positions are compared in full; part of the hash beside the number spares most comparisons.

use super::NodeId;
use crate::sync::{AtomicU64, Ordering};

/// Finds nodes by the hash of their position.
#[derive(Debug)]
pub(crate) struct Table {
    slots: Box<[AtomicU64]>,
}

impl Table {
    /// With room for some nodes.
    pub(crate) fn new(nodes: usize) -> Self {
        let slots = (nodes * 2).next_power_of_two().max(64);
        Self { slots: (0..slots).map(|_| AtomicU64::new(0)).collect() }
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
        for _ in 0..self.slots.len().min(256) {
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

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.slots.iter_mut().for_each(|slot| *slot = AtomicU64::new(0));
    }
}
