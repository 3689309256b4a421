//! Sprites that run after others, or away from them.

use crate::engine::{Direction, NONE, Play, Slot};
use crate::rules::{Physics, TypeId};

impl Play<'_> {
    /// Moves towards the nearest target; with `line_of_sight` only towards targets ahead.
    pub(crate) fn chase(&mut self, slot: Slot, line_of_sight: bool) {
        self.drift(slot);
        let mut targets = std::mem::take(&mut self.state.scratch.targets);
        self.nearest(slot, line_of_sight, &mut targets);
        let kind = self.rules.kind(self.state.sprites[slot as usize].kind);
        let direction = match self.toward(slot, &targets, kind.flees, kind.max_distance) {
            Some(direction) => direction,
            None => self.random_heading(slot),
        };
        self.state.scratch.targets = targets;
        self.push(slot, direction, self.state.sprites[slot as usize].speed);
    }

    /// The nearest sprites of the type that is chased, all of them if several are as near.
    pub(crate) fn nearest(&mut self, slot: Slot, line_of_sight: bool, targets: &mut Vec<Slot>) {
        targets.clear();
        let sprite = &self.state.sprites[slot as usize];
        let Some(target) = self.rules.kind(sprite.kind).target else { return };
        let mut best = f64::MAX;
        let own = [target];
        let types: &[TypeId] = if self.state.groups[target.number()].head != NONE {
            &own
        } else {
            &self.rules.kind(target).family
        };
        for &id in types {
            if !self.nearest_of(slot, id, line_of_sight, &mut best, targets) {
                return;
            }
        }
    }

    fn nearest_of(
        &self,
        slot: Slot,
        id: TypeId,
        line_of_sight: bool,
        best: &mut f64,
        targets: &mut Vec<Slot>,
    ) -> bool {
        let sprite = &self.state.sprites[slot as usize];
        let physics = self.rules.kind(sprite.kind).physics;
        let mut at = self.state.groups[id.number()].head;
        while at != NONE {
            let other = &self.state.sprites[at as usize];
            if line_of_sight {
                let (from, to) = (&sprite.rect, &other.rect);
                let sees = match sprite.heading {
                    0 => from.x == to.x && to.y <= from.y,
                    1 => from.y == to.y && to.x <= from.x,
                    2 => from.x == to.x && to.y >= from.y,
                    3 => from.y == to.y && to.x >= from.x,
                    // It has not moved yet and looks nowhere.
                    _ => return false,
                };
                if !sees {
                    at = other.next;
                    continue;
                }
            }
            let distance = self.distance(physics, &sprite.rect, &other.rect);
            if distance < *best {
                *best = distance;
                targets.clear();
            }
            if distance == *best {
                targets.push(at);
            }
            at = other.next;
        }
        true
    }

    /// One of the directions that lead towards the targets, or away from them; none if none does.
    pub(crate) fn toward(
        &mut self,
        slot: Slot,
        targets: &[Slot],
        flees: bool,
        max_distance: f32,
    ) -> Option<Direction> {
        let sprite = &self.state.sprites[slot as usize];
        let physics = self.rules.kind(sprite.kind).physics;
        let mut headings = std::mem::take(&mut self.state.scratch.headings);
        headings.clear();
        for &target in targets {
            let rect = &self.state.sprites[target as usize].rect;
            let distance = self.distance(physics, &sprite.rect, rect);
            if max_distance != -1.0 && distance > f64::from(max_distance) {
                continue;
            }
            if physics == Physics::Grid {
                // On the grid a step leads nearer along an axis, or farther; there is no third.
                let (dx, dy) = (sprite.rect.x.wrapping_sub(rect.x), sprite.rect.y.wrapping_sub(rect.y));
                for (heading, nearer) in [dy > 0, dx > 0, dy < 0, dx < 0].into_iter().enumerate() {
                    if nearer != flees {
                        headings.push(heading as u8);
                    }
                }
                continue;
            }
            for (heading, direction) in Direction::BASE.iter().enumerate() {
                let moved = sprite.rect.moved(direction.x as i32, direction.y as i32);
                let then = self.distance(physics, &moved, rect);
                if if flees { distance < then } else { distance > then } {
                    headings.push(heading as u8);
                }
            }
        }
        let chosen = if headings.is_empty() {
            None
        } else {
            let drawn = self.state.random.next_int(headings.len() as u32) as usize;
            Some(Direction::BASE[headings[drawn] as usize])
        };
        self.state.scratch.headings = headings;
        chosen
    }

    /// Chases what there is; the framework's test of whether to flee can never hold.
    pub(crate) fn alternate(&mut self, slot: Slot) {
        self.drift(slot);
        let mut targets = std::mem::take(&mut self.state.scratch.targets);
        self.alternate_targets(slot, false, &mut targets);
        let direction = match self.toward(slot, &targets, false, -1.0) {
            Some(direction) => direction,
            None => Direction::BASE[self.state.random.next_int(4) as usize],
        };
        self.state.scratch.targets = targets;
        self.push(slot, direction, self.state.sprites[slot as usize].speed);
    }

    /// The nearest targets of one of the types that are chased, or any one of them.
    pub(crate) fn alternate_targets(&mut self, slot: Slot, any: bool, targets: &mut Vec<Slot>) {
        targets.clear();
        let kind = self.rules.kind(self.state.sprites[slot as usize].kind);
        if !kind.targets.iter().flatten().any(|&id| self.count(id) > 0) {
            return;
        }
        let drawn =
            if kind.targets.len() > 1 { self.state.noise.next_int(kind.targets.len() as u32) } else { 0 };
        let Some(target) = kind.targets[drawn as usize] else { return };
        let mut best = f64::MAX;
        // The type itself is asked first and again among its family.
        for &id in [target].iter().chain(&self.rules.kind(target).family) {
            if any {
                let mut at = self.state.groups[id.number()].head;
                while at != NONE {
                    targets.push(at);
                    at = self.state.sprites[at as usize].next;
                }
            } else {
                self.nearest_of(slot, id, false, &mut best, targets);
            }
        }
        if any && !targets.is_empty() {
            let drawn = self.state.random.next_int(targets.len() as u32) as usize;
            targets.swap(0, drawn);
            targets.truncate(1);
        }
    }
}
