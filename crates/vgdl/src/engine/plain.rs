//! The plain way to find who meets whom: everybody is compared with everybody.
//!
//! Wherever assertions are on, which they are in tests, what the cells answer is compared with this.

use crate::rules::{Collision, TypeId};

use super::{NONE, Play, Slot};

/// With more sprites than this the plain way takes too long even for tests.
const MAX_COMPARED: usize = 500;

impl Play<'_> {
    /// All sprites of a family that are older than `limit`, in the order in which they are asked.
    fn members(&self, family: &[TypeId], limit: u32) -> Vec<Slot> {
        let mut members = Vec::new();
        for id in family {
            let mut slot = self.state.groups[id.number()].head;
            while slot != NONE && self.state.sprites[slot as usize].id < limit {
                members.push(slot);
                slot = self.state.sprites[slot as usize].next;
            }
        }
        members
    }

    /// All sprites of the second family that a sprite meets.
    fn partners(&self, collision: &Collision, slot: Slot, limit: u32) -> Vec<Slot> {
        let rect = &self.state.sprites[slot as usize].rect;
        let mut partners = self.members(&self.rules.kind(collision.second).family, limit);
        partners.retain(|&other| other != slot && rect.intersects(&self.state.sprites[other as usize].rect));
        partners
    }

    /// Whether these are the partners of a sprite, in their order.
    pub(super) fn are_all_partners(
        &self,
        collision: &Collision,
        slot: Slot,
        found: &[(u64, Slot)],
        limit: u32,
    ) -> bool {
        self.state.sprites.len() > MAX_COMPARED
            || self.partners(collision, slot, limit).into_iter().eq(found.iter().map(|&(_, other)| other))
    }

    /// Whether no sprite of the first family but these meets anybody, and they stand in their order.
    pub(super) fn nobody_else_meets(&self, collision: &Collision, found: &[(u64, Slot)], limit: u32) -> bool {
        if self.state.sprites.len() > MAX_COMPARED {
            return true;
        }
        let mut firsts = self.members(&self.rules.kind(collision.first).family, limit);
        firsts.retain(|&slot| !self.partners(collision, slot, limit).is_empty());
        firsts.into_iter().eq(found.iter().map(|&(_, slot)| slot))
    }
}
