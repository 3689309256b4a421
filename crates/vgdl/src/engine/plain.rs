//! The plain way to find who meets whom: everybody is compared with everybody.
//!
//! Wherever assertions are on, which they are in tests, what the cells answer is compared with this.

use crate::rules::{Collision, TypeId};

use super::{NONE, Play, Slot};

/// With more sprites than this the plain way takes too long even for tests.
const MAX_COMPARED: usize = 500;

impl Play<'_> {
    /// All sprites of a family that are older than `limit`, in the order in which they are asked.
    fn members<'b>(&'b self, family: &'b [TypeId], limit: u32) -> impl Iterator<Item = Slot> + 'b {
        let sprite = |slot: Slot| self.state.sprites.get(slot as usize).filter(|_| slot != NONE);
        let older = move |slot: &Slot| sprite(*slot).is_some_and(|sprite| sprite.id < limit);
        family.iter().flat_map(move |id| {
            let head = Some(self.state.groups[id.number()].head).filter(older);
            std::iter::successors(head, move |slot| sprite(*slot).map(|sprite| sprite.next).filter(older))
        })
    }

    /// All sprites of the second family that a sprite meets.
    fn partners<'b>(
        &'b self,
        collision: &'b Collision,
        slot: Slot,
        limit: u32,
    ) -> impl Iterator<Item = Slot> + 'b {
        let rect = self.state.sprites[slot as usize].rect;
        let meets =
            move |other: &Slot| *other != slot && rect.intersects(&self.state.sprites[*other as usize].rect);
        self.members(&self.rules.kind(collision.second).family, limit).filter(meets)
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
            || self.partners(collision, slot, limit).eq(found.iter().map(|&(_, other)| other))
    }

    /// Whether no sprite of the first family but these meets anybody, and they stand in their order.
    pub(super) fn nobody_else_meets(&self, collision: &Collision, found: &[(u64, Slot)], limit: u32) -> bool {
        let firsts = self.members(&self.rules.kind(collision.first).family, limit);
        let meets = |slot: &Slot| self.partners(collision, *slot, limit).next().is_some();
        self.state.sprites.len() > MAX_COMPARED
            || firsts.filter(meets).eq(found.iter().map(|&(_, slot)| slot))
    }
}
