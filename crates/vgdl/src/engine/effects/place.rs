//! Effects that change places and directions.

use crate::engine::collision::Result;
use crate::engine::{Direction, NONE, Play, Rect, Slot, flag};
use crate::ontology::SpriteClass;
use crate::rules::{Effect, EffectId, Physics, TypeId};

impl Play<'_> {
    pub(super) fn step_back(&mut self, effect: &Effect, first: Slot, second: Option<Slot>) -> Result {
        let rect = match second {
            Some(second) if effect.payload.switch => self.pixel_perfect(first, second),
            _ => self.state.sprites[first as usize].last,
        };
        self.place(first, rect);
        Result::DONE
    }

    /// Just in front of what it ran into, if it came straight; otherwise where it came from.
    pub(super) fn pixel_perfect(&self, first: Slot, second: Slot) -> Rect {
        let sprite = &self.state.sprites[first as usize];
        let other = &self.state.sprites[second as usize].rect;
        let (rect, last) = (sprite.rect, sprite.last);
        let way = Direction { x: rect.center_x() - last.center_x(), y: rect.center_y() - last.center_y() }
            .normalised();
        if way == Direction::DOWN {
            Rect { y: other.y.wrapping_sub(rect.h), ..rect }
        } else if way == Direction::RIGHT {
            Rect { x: other.x.wrapping_sub(rect.w), ..rect }
        } else if way == Direction::UP {
            Rect { y: other.bottom(), ..rect }
        } else if way == Direction::LEFT {
            Rect { x: other.right(), ..rect }
        } else {
            last
        }
    }

    pub(super) fn turn_around(&mut self, first: Slot) -> Result {
        let sprite = &self.state.sprites[first as usize];
        let (last, cooldown) = (sprite.last, self.rules.kind(sprite.kind).cooldown);
        self.place(first, last);
        for _ in 0..2 {
            self.set_last_move(first, cooldown);
            let speed = self.state.sprites[first as usize].speed;
            self.push(first, Direction::DOWN, speed);
        }
        let sprite = &mut self.state.sprites[first as usize];
        sprite.direction = sprite.direction.reversed();
        Result::DONE
    }

    pub(super) fn wrap_around(&mut self, effect: &Effect, first: Slot) -> Result {
        let sprite = &self.state.sprites[first as usize];
        let (mut rect, way) = (sprite.rect, sprite.direction);
        let offset = effect.payload.number;
        let (width, height) = (f64::from(rect.w), f64::from(rect.h));
        if way.x > 0.0 {
            rect.x = (offset * width) as i32;
        } else if way.x < 0.0 {
            rect.x = (f64::from(self.level.screen_width()) - width * (1.0 + offset)) as i32;
        } else if way.y > 0.0 {
            rect.y = (offset * height) as i32;
        } else if way.y < 0.0 {
            rect.y = (f64::from(self.level.screen_height()) - height * (1.0 + offset)) as i32;
        }
        self.place(first, rect);
        self.set_last_move(first, 0);
        Result::DONE
    }

    pub(super) fn undo_all(&mut self, effect: &Effect) -> Result {
        for index in 0..self.rules.order.len() {
            let id = self.rules.order[index];
            if !effect.payload.spared.contains(&id) {
                self.undo_type(id);
            }
        }
        Result::DONE
    }

    fn undo_type(&mut self, id: TypeId) {
        // A type that is left alone and was not moved is where it was.
        if self.rules.kind(id).inert && !self.state.groups[id.number()].displaced {
            return;
        }
        let mut slot = self.state.groups[id.number()].head;
        while slot != NONE {
            let sprite = &self.state.sprites[slot as usize];
            let (last, next) = (sprite.last, sprite.next);
            self.place(slot, last);
            slot = next;
        }
    }

    pub(super) fn bounce_forward(&mut self, first: Slot, second: Slot) -> Result {
        let other = &self.state.sprites[second as usize];
        let (moved, facing, speed) = (other.displacement(), other.direction, other.speed);
        let mut way = moved.normalised();
        if moved.x * facing.x < 0.0 {
            way.x *= -1.0;
        }
        if moved.y * facing.y < 0.0 {
            way.y *= -1.0;
        }
        self.push(first, way, speed);
        self.state.sprites[first as usize].direction = way;
        Result::DONE
    }

    pub(super) fn pull_with_it(
        &mut self,
        id: EffectId,
        effect: &Effect,
        first: Slot,
        second: Slot,
    ) -> Result {
        if self.state.pulled.contains(&(id, first)) {
            return Result::DONE;
        }
        self.state.pulled.push((id, first));
        let other = self.state.sprites[second as usize];
        let step = (other.speed * f64::from(self.grid(first))) as i32;
        self.step(first, other.displacement().normalised(), step);
        let sprite = &mut self.state.sprites[first as usize];
        if self.rules.kind(sprite.kind).physics != Physics::Grid {
            sprite.direction.y = 0.0;
            let rect = Rect { y: other.rect.y.wrapping_sub(other.rect.h), ..sprite.rect };
            self.place(first, rect);
        }
        if effect.payload.switch {
            self.place(first, other.rect);
        }
        Result::DONE
    }

    pub(super) fn teleport(&mut self, first: Slot, second: Slot) -> Result {
        use SpriteClass::*;
        let portal = &self.state.sprites[second as usize];
        // Only these classes have a single type that they lead to.
        let leads = matches!(
            self.rules.kind(portal.kind).class,
            Some(
                Portal
                    | SpawnPoint
                    | Bomber
                    | RandomBomber
                    | BomberRandomMissile
                    | Chaser
                    | Fleeing
                    | LOSChaser
                    | PathChaser
                    | Spreader
                    | FlakAvatar
            )
        );
        if !leads || portal.makes < 0 {
            self.state.messages += 1;
            return Result::DONE;
        }
        let group = self.state.groups[portal.makes as usize];
        if group.head == NONE {
            self.kill(first, false);
            return Result::DONE;
        }
        let drawn = self.state.random.next_int(group.count);
        let mut exit = group.head;
        for _ in 0..drawn {
            exit = self.state.sprites[exit as usize].next;
        }
        let exit = self.state.sprites[exit as usize];
        self.place(first, exit.rect);
        self.set_last_move(first, 0);
        if exit.is(flag::ORIENTED) {
            self.state.sprites[first as usize].direction = exit.direction;
        }
        Result::DONE
    }

    pub(super) fn attract_gaze(&mut self, effect: &Effect, first: Slot, second: Slot) -> Result {
        let (sprite, other) = (self.state.sprites[first as usize], self.state.sprites[second as usize]);
        if !sprite.is(flag::ORIENTED) || !other.is(flag::ORIENTED) {
            return Result::DONE;
        }
        if self.state.random.next_double() < effect.probability {
            let way = other.direction;
            self.state.sprites[first as usize].direction = way;
            if effect.payload.switch {
                let rect = if way == Direction::LEFT || way == Direction::RIGHT {
                    Rect { y: other.rect.y, ..sprite.rect }
                } else {
                    Rect { x: other.rect.x, ..sprite.rect }
                };
                self.place(first, rect);
            }
        }
        Result::DONE
    }

    pub(super) fn align(&mut self, effect: &Effect, first: Slot, second: Slot) -> Result {
        let other = self.state.sprites[second as usize];
        let sprite = &mut self.state.sprites[first as usize];
        if effect.payload.switch {
            sprite.direction = other.direction;
        }
        let rect = Rect { x: other.rect.x, y: other.rect.y, ..sprite.rect };
        self.place(first, rect);
        Result::DONE
    }
}
