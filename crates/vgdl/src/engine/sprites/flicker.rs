//! Sprites that are soon gone, and missiles that choose their own way.

use crate::engine::{Direction, Play, Slot};
use crate::rules::TypeId;

impl Play<'_> {
    pub(crate) fn flicker(&mut self, slot: Slot) {
        self.live(slot);
        let sprite = &self.state.sprites[slot as usize];
        if sprite.counter > self.rules.kind(sprite.kind).limit {
            self.kill(slot, false);
        }
        let sprite = &mut self.state.sprites[slot as usize];
        sprite.counter = sprite.counter.saturating_add(1);
    }

    /// A flicker that makes others in its second tick.
    pub(crate) fn spread(&mut self, slot: Slot) {
        self.flicker(slot);
        let sprite = self.state.sprites[slot as usize];
        if sprite.counter != 2 {
            return;
        }
        let kind = self.rules.kind(sprite.kind);
        let id = if sprite.makes < 0 { sprite.kind } else { TypeId(sprite.makes as u16) };
        for direction in Direction::BASE {
            if self.state.random.next_double() < kind.probability {
                let last = sprite.last;
                let at = last.moved(direction.x as i32 * last.w, direction.y as i32 * last.h);
                self.create(id, at.x, at.y, false);
            }
        }
    }

    pub(crate) fn random_missile(&mut self, slot: Slot) {
        if self.state.sprites[slot as usize].direction == Direction::NIL {
            let chosen = self.state.random.next_int(4) as usize;
            self.state.sprites[slot as usize].direction = Direction::BASE[chosen];
        }
        self.drift(slot);
    }
}
