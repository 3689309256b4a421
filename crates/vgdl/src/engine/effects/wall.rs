//! Effects for sprites that run into walls: stopping, bouncing, turning back.

use crate::engine::collision::Result;
use crate::engine::{Direction, Play, Rect, Slot};
use crate::ontology::EffectClass;
use crate::rules::{Effect, EffectId};

/// Along which axis a sprite ran into something.
#[derive(Clone, Copy, Debug)]
struct Hit {
    horizontal: bool,
    vertical: bool,
}

impl Play<'_> {
    pub(super) fn wall_stop(&mut self, first: Slot, second: Slot) -> Result {
        let rect = self.pixel_perfect(first, second);
        self.place(first, rect);
        let other = self.state.sprites[second as usize].rect;
        let across = (rect.center_x() - other.center_x()).abs();
        let along = (rect.center_y() - other.center_y()).abs();
        let way = self.state.sprites[first as usize].direction;
        let kept =
            if across > along { Direction { x: 0.0, y: way.y } } else { Direction { x: way.x, y: 0.0 } };
        self.keep(first, kept);
        Result::DONE
    }

    /// Keeps part of a velocity, but at least what gravity gives.
    fn keep(&mut self, first: Slot, kept: Direction) {
        let gravity = self.gravity(first);
        let sprite = &mut self.state.sprites[first as usize];
        sprite.speed *= kept.length();
        sprite.direction = kept.normalised();
        if sprite.speed < gravity {
            sprite.speed = gravity;
        }
    }

    pub(super) fn wall_bounce(&mut self, first: Slot, second: Slot) -> Result {
        if self.gravity(first) > 0.0 {
            self.push(first, Direction::UP, 0.0);
        }
        let other = self.state.sprites[second as usize].rect;
        self.bounce(first, &other);
        self.both_back(first, second);
        Result::DONE
    }

    pub(super) fn wall_reverse(&mut self, first: Slot, second: Slot) -> Result {
        let other = self.state.sprites[second as usize].rect;
        self.reverse(first, &other);
        self.both_back(first, second);
        Result::DONE
    }

    fn both_back(&mut self, first: Slot, second: Slot) {
        for slot in [first, second] {
            let last = self.state.sprites[slot as usize].last;
            self.place(slot, last);
        }
    }

    /// Bounces off all partners at once: off the nearest, or off two that stand in line as one.
    pub(crate) fn execute_batch(&mut self, id: EffectId, first: Slot, partners: &[(u64, Slot)]) -> Result {
        let effect = &self.rules.effects[id.number()];
        let (rect, times) = self.obstacle(first, partners);
        if effect.class == EffectClass::WallBounce {
            self.bounce(first, &rect);
        } else {
            self.reverse(first, &rect);
        }
        for slot in std::iter::once(first).chain(partners.iter().map(|&(_, slot)| slot)) {
            let last = self.state.sprites[slot as usize].last;
            self.place(slot, last);
        }
        Result { times, ..Result::DONE }
    }

    fn obstacle(&self, first: Slot, partners: &[(u64, Slot)]) -> (Rect, i32) {
        let rect = |index: usize| self.state.sprites[partners[index].1 as usize].rect;
        if partners.len() == 2 {
            let (one, two) = (rect(0), rect(1));
            if one.center_x() == two.center_x() {
                let y = one.y.min(two.y);
                return (Rect { y, h: one.h.wrapping_mul(2), ..one }, 2);
            }
            if one.center_y() == two.center_y() {
                let x = one.x.min(two.x);
                return (Rect { x, w: one.w.wrapping_mul(2), ..one }, 2);
            }
        }
        let from = self.state.sprites[first as usize].last;
        let mut best = (f64::INFINITY, 0);
        if partners.len() > 1 {
            for (index, &(_, slot)) in partners.iter().enumerate() {
                let last = self.state.sprites[slot as usize].last;
                let (dx, dy) = (from.center_x() - last.center_x(), from.center_y() - last.center_y());
                let distance = (dx * dx + dy * dy).sqrt();
                if distance < best.0 {
                    best = (distance, index);
                }
            }
        }
        (rect(best.1), 1)
    }

    /// Decides along which axis a sprite ran into a rectangle.
    fn hit(&self, first: Slot, other: &Rect) -> Hit {
        let sprite = &self.state.sprites[first as usize];
        let shared = sprite.rect.intersection(other);
        let hit = Hit { horizontal: sprite.rect.h == shared.h, vertical: sprite.rect.w == shared.w };
        if hit.horizontal || hit.vertical {
            return hit;
        }
        let velocity = sprite.velocity();
        let (rect, last) = (&sprite.rect, &sprite.last);
        let across = if velocity.x == 0.0 {
            last.x.wrapping_sub(other.x)
        } else if velocity.x > 0.0 {
            last.x.wrapping_add(rect.w).wrapping_sub(other.x)
        } else {
            other.right().wrapping_sub(last.x)
        };
        let along = if velocity.y == 0.0 {
            last.y.wrapping_sub(other.y)
        } else if velocity.y > 0.0 {
            last.y.wrapping_add(rect.h).wrapping_sub(other.y)
        } else {
            last.y.wrapping_sub(other.bottom())
        };
        let until_x = (f64::from(across).abs() / velocity.x).abs();
        let until_y = (f64::from(along).abs() / velocity.y).abs();
        Hit { horizontal: until_x < until_y, vertical: until_y < until_x }
    }

    fn bounce(&mut self, first: Slot, other: &Rect) {
        let hit = self.hit(first, other);
        let sprite = &mut self.state.sprites[first as usize];
        let way = sprite.direction;
        sprite.direction = if hit.vertical {
            Direction { x: way.x, y: -way.y }
        } else if hit.horizontal {
            Direction { x: -way.x, y: way.y }
        } else {
            way.reversed()
        };
    }

    fn reverse(&mut self, first: Slot, other: &Rect) {
        let hit = self.hit(first, other);
        let way = self.state.sprites[first as usize].direction;
        let x = if hit.vertical { way.x } else { -way.x };
        self.keep(first, Direction { x, y: 0.0 });
    }

    pub(super) fn bounce_direction(&mut self, effect: &Effect, first: Slot, second: Slot) -> Result {
        let sprite = self.state.sprites[first as usize];
        let other = self.state.sprites[second as usize].rect;
        let (rect, last, velocity) = (sprite.rect, sprite.last, sprite.velocity());
        let nearer = |one: i32, two: i32| f64::from(one).abs().min(f64::from(two).abs());
        let across =
            nearer(last.x.wrapping_sub(other.right()), last.x.wrapping_add(rect.w).wrapping_sub(other.x));
        let along =
            nearer(last.y.wrapping_sub(other.bottom()), last.y.wrapping_add(rect.h).wrapping_sub(other.y));
        let until_x = (across / velocity.x).abs();
        let until_y = (along / velocity.y).abs();
        let way = if until_y < until_x {
            let away = if rect.center_y() < other.center_y() { 1.0 } else { -1.0 };
            let angle = self.bounce_angle(effect, rect.center_x() - other.center_x(), other.w);
            Direction { x: angle.sin(), y: -angle.cos() * away }
        } else if until_x < until_y {
            let away = if rect.center_x() > other.center_x() { 1.0 } else { -1.0 };
            let angle = self.bounce_angle(effect, other.center_y() - rect.center_y(), other.h);
            Direction { x: angle.cos() * away, y: -angle.sin() }
        } else {
            let old = sprite.direction;
            self.state.sprites[first as usize].direction = Direction { x: -old.x, y: old.y };
            return Result::DONE;
        };
        self.state.sprites[first as usize].direction = way.normalised();
        Result::DONE
    }

    /// The angle of a hit that far from the middle of a pad.
    fn bounce_angle(&self, effect: &Effect, off: f64, pad: i32) -> f64 {
        let relative = off / (0.5 * f64::from(pad));
        let relative = if relative < 0.0 { relative.max(-1.0) } else { relative.min(1.0) };
        relative * effect.payload.number
    }
}
