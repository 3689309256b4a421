//! Sprites that walk on solid ground.

use crate::engine::{Direction, Play, Slot, flag};

impl Play<'_> {
    pub(crate) fn walk(&mut self, slot: Slot) {
        self.drift(slot);
        let sprite = &self.state.sprites[slot as usize];
        let kind = self.rules.kind(sprite.kind);
        if kind.steers_in_air || sprite.displacement().x == 0.0 {
            let side = if sprite.direction.x > 0.0 {
                1.0
            } else if sprite.direction.x < 0.0 {
                -1.0
            } else {
                [-1.0, 1.0][self.state.random.next_int(2) as usize]
            };
            let direction = Direction { x: side, y: 0.0 };
            self.state.sprites[slot as usize].direction = direction;
            self.push(slot, direction, kind.max_speed);
        }
        let sprite = &mut self.state.sprites[slot as usize];
        sprite.speed = kind.max_speed;
        sprite.flags &= !flag::ON_GROUND;
    }

    pub(crate) fn walk_and_jump(&mut self, slot: Slot) {
        self.drift(slot);
        let sprite = self.state.sprites[slot as usize];
        let kind = self.rules.kind(sprite.kind);
        if sprite.is(flag::ON_GROUND) && kind.probability > self.state.noise.next_double() {
            self.jump(slot);
        } else {
            self.push(slot, sprite.direction, sprite.speed);
        }
        self.state.sprites[slot as usize].flags &= !flag::ON_GROUND;
    }

    /// Leaves the ground: what pulled down is forgotten, and five pixels are taken at once.
    pub(crate) fn jump(&mut self, slot: Slot) {
        let sprite = &mut self.state.sprites[slot as usize];
        let kind = self.rules.kind(sprite.kind);
        sprite.direction.y = 0.0;
        let speed = sprite.speed;
        self.push(slot, Direction { x: 0.0, y: -kind.jump_strength }, speed);
        self.set_last_move(slot, kind.cooldown);
        self.step(slot, Direction::UP, 5);
    }
}
