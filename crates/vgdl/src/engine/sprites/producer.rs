//! Sprites that make others.

use crate::engine::{Direction, Play, Slot};
use crate::rules::TypeId;

impl Play<'_> {
    pub(crate) fn produce(&mut self, slot: Slot) {
        if self.is_due(slot) {
            let makes = self.state.sprites[slot as usize].makes;
            self.make(slot, makes);
        }
        self.finish(slot);
    }

    pub(crate) fn produce_and_wander(&mut self, slot: Slot) {
        let direction = Direction::BASE[self.state.random.next_int(4) as usize];
        self.push(slot, direction, self.state.sprites[slot as usize].speed);
        self.produce(slot);
    }

    /// Draws what it makes anew in every tick.
    pub(crate) fn produce_any(&mut self, slot: Slot) {
        let sprite = &self.state.sprites[slot as usize];
        let choices = self.rules.kind(sprite.kind).targets.len();
        if choices > 0 {
            let drawn = self.state.random.next_int(choices as u32) as usize;
            self.state.sprites[slot as usize].makes = self.state.magazines[sprite.side as usize + drawn];
        }
        self.produce(slot);
    }

    /// Makes one of each at once.
    pub(crate) fn produce_all(&mut self, slot: Slot) {
        if self.is_due(slot) {
            let kind = self.rules.kind(self.state.sprites[slot as usize].kind);
            for target in &kind.targets {
                self.make(slot, target.map_or(-1, |id| id.0 as i16));
            }
        }
        self.finish(slot);
    }

    /// Whether its time has come. The die is cast in every tick.
    fn is_due(&mut self, slot: Slot) -> bool {
        let sprite = &mut self.state.sprites[slot as usize];
        let kind = self.rules.kind(sprite.kind);
        if sprite.start == -1 {
            sprite.start = self.state.tick;
        }
        let roll = self.state.random.next_float();
        sprite.start.wrapping_add(self.state.tick) % kind.cooldown == 0 && f64::from(roll) < kind.probability
    }

    fn make(&mut self, slot: Slot, makes: i16) {
        if makes < 0 {
            return;
        }
        let sprite = self.state.sprites[slot as usize];
        let Some(made) = self.create(TypeId(makes as u16), sprite.rect.x, sprite.rect.y, false) else {
            return;
        };
        self.state.sprites[slot as usize].counter += 1;
        let spawn = self.rules.kind(sprite.kind).spawn_orientation;
        let made = &mut self.state.sprites[made as usize];
        if spawn != Direction::NONE {
            made.direction = spawn;
        } else if made.direction == Direction::NONE {
            made.direction = sprite.direction;
        }
    }

    fn finish(&mut self, slot: Slot) {
        self.live(slot);
        let sprite = &self.state.sprites[slot as usize];
        let total = self.rules.kind(sprite.kind).total;
        if total > 0 && sprite.counter >= total {
            self.kill(slot, false);
        }
    }
}
