//! Sprites that wander.

use crate::engine::{Direction, Play, Slot};

impl Play<'_> {
    pub(crate) fn wander(&mut self, slot: Slot) {
        self.drift(slot);
        let direction = self.random_heading(slot);
        self.push(slot, direction, self.state.sprites[slot as usize].speed);
    }

    /// A direction that is kept for as many ticks as the kind says.
    pub(crate) fn random_heading(&mut self, slot: Slot) -> Direction {
        let sprite = &mut self.state.sprites[slot as usize];
        if sprite.counter < self.rules.kind(sprite.kind).consecutive {
            sprite.counter += 1;
        } else {
            sprite.heading = self.state.random.next_int(4) as u8;
            sprite.counter = 0;
        }
        Direction::BASE.get(sprite.heading as usize).copied().unwrap_or(Direction::NONE)
    }

    /// Moves at random with some chance, or else as `otherwise` says.
    pub(crate) fn randomly(&mut self, slot: Slot, otherwise: fn(&mut Self, Slot)) {
        let kind = self.rules.kind(self.state.sprites[slot as usize].kind);
        if self.state.random.next_double() < kind.epsilon {
            self.drift(slot);
            let direction = Direction::BASE[self.state.random.next_int(4) as usize];
            self.push(slot, direction, self.state.sprites[slot as usize].speed);
        } else {
            otherwise(self, slot);
        }
    }
}
