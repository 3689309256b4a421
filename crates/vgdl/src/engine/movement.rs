//! How sprites move: in steps on the grid, or by velocity.

use crate::rules::Physics;

use super::{Direction, Play, Rect, Slot, flag};

/// What an avatar did last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    Still,
    Turned,
    Away,
}

/// The width of the grid for sprites that do not move on it.
const FREE_GRID: i32 = 10;

impl Play<'_> {
    /// Ticks since a sprite moved last.
    pub(crate) fn last_move(&self, slot: Slot) -> i32 {
        let sprite = &self.state.sprites[slot as usize];
        self.state.groups[sprite.kind.number()].updates.wrapping_sub(sprite.moved_at) as i32
    }

    pub(crate) fn set_last_move(&mut self, slot: Slot, ticks: i32) {
        let sprite = &mut self.state.sprites[slot as usize];
        let updates = self.state.groups[sprite.kind.number()].updates;
        sprite.moved_at = updates.wrapping_sub(ticks as u32);
    }

    /// The width of the grid a sprite moves on.
    pub(crate) fn grid(&self, slot: Slot) -> i32 {
        match self.rules.kind(self.state.sprites[slot as usize].kind).physics {
            Physics::Grid => self.level.block,
            Physics::Continuous => FREE_GRID,
        }
    }

    pub(crate) fn gravity(&self, slot: Slot) -> f64 {
        let sprite = &self.state.sprites[slot as usize];
        if sprite.is(flag::IN_WATER) { 0.2 } else { self.rules.kind(sprite.kind).gravity }
    }

    /// Moves a sprite by `step` pixels, or by its speed if `step` is 0. Does nothing if it moved too
    /// recently.
    pub(crate) fn step(&mut self, slot: Slot, direction: Direction, step: i32) -> bool {
        let sprite = &self.state.sprites[slot as usize];
        let step = if step == 0 { sprite.speed as i32 } else { step };
        if step == 0 || direction.x.abs() + direction.y.abs() == 0.0 {
            return false;
        }
        if self.rules.kind(sprite.kind).cooldown > self.last_move(slot) {
            return false;
        }
        let step = f64::from(step);
        let rect = sprite.rect.moved((direction.x * step) as i32, (direction.y * step) as i32);
        self.place(slot, rect);
        self.set_last_move(slot, 0);
        true
    }

    /// Turns a sprite; false if it has no orientation or had this one.
    pub(crate) fn turn(&mut self, slot: Slot, direction: Direction) -> bool {
        let sprite = &mut self.state.sprites[slot as usize];
        if !sprite.is(flag::ORIENTED) || sprite.direction == direction {
            return false;
        }
        sprite.direction = direction;
        true
    }

    /// The movement of a tick that needs no decision.
    pub(crate) fn drift(&mut self, slot: Slot) {
        let kind = self.rules.kind(self.state.sprites[slot as usize].kind);
        if kind.is_static || kind.only_active {
            return;
        }
        let sprite = &mut self.state.sprites[slot as usize];
        if sprite.is(flag::FIRST_TICK) {
            sprite.flags &= !flag::FIRST_TICK;
            return;
        }
        let (direction, speed) = (sprite.direction, sprite.speed);
        match kind.physics {
            Physics::Grid => {
                let speed = if speed == -1.0 { 1.0 } else { speed };
                if speed != 0.0 && sprite.is(flag::ORIENTED) {
                    self.step(slot, direction, (speed * f64::from(self.level.block)) as i32);
                }
            }
            Physics::Continuous => {
                if speed != 0.0 {
                    self.step(slot, direction, speed as i32);
                    let gravity = self.gravity(slot);
                    if gravity > 0.0
                        && kind.mass > 0.0
                        && !self.state.sprites[slot as usize].is(flag::ON_GROUND)
                    {
                        self.push(slot, Direction { x: 0.0, y: gravity * kind.mass }, 0.0);
                    }
                    self.state.sprites[slot as usize].speed *= 1.0 - kind.friction;
                }
            }
        }
    }

    /// The movement of a tick that was decided on: a step on the grid, a force otherwise.
    pub(crate) fn push(&mut self, slot: Slot, action: Direction, speed: f64) -> Moved {
        let kind = self.rules.kind(self.state.sprites[slot as usize].kind);
        match kind.physics {
            Physics::Grid => {
                if kind.stationary {
                    return Moved::Still;
                }
                let own = self.state.sprites[slot as usize].speed;
                let speed = match speed {
                    0.0 if own <= 0.0 => 1.0,
                    0.0 => own,
                    _ => speed,
                };
                if action == Direction::NONE {
                    return Moved::Still;
                }
                if kind.turns_first && self.turn(slot, action) {
                    return Moved::Turned;
                }
                if self.step(slot, action, (speed * f64::from(self.level.block)) as i32) {
                    Moved::Away
                } else {
                    Moved::Still
                }
            }
            Physics::Continuous => {
                let sprite = &mut self.state.sprites[slot as usize];
                let speed = if speed == 0.0 || speed == -1.0 { sprite.speed } else { speed };
                let mass = f64::from(kind.mass as f32);
                let velocity = Direction {
                    x: action.x / mass + sprite.direction.x * speed,
                    y: action.y / mass + sprite.direction.y * speed,
                };
                let mut size = velocity.length();
                if kind.max_speed != -1.0 {
                    size = size.min(kind.max_speed);
                }
                sprite.direction = velocity.normalised();
                sprite.speed = size;
                if action == Direction::NONE { Moved::Still } else { Moved::Away }
            }
        }
    }

    /// The distance as the kind of physics measures it.
    pub(crate) fn distance(&self, physics: Physics, from: &Rect, to: &Rect) -> f64 {
        let (dx, dy) = (f64::from(from.x) - f64::from(to.x), f64::from(from.y) - f64::from(to.y));
        match physics {
            Physics::Grid => dy.abs() + dx.abs(),
            Physics::Continuous => (dy * dy + dx * dx).sqrt(),
        }
    }
}
