//! Sprites that find paths to what they chase.

use crate::engine::{Direction, NONE, Play, Rect, Slot};

impl Play<'_> {
    pub(crate) fn chase_by_path(&mut self, slot: Slot) {
        self.drift(slot);
        let mut targets = std::mem::take(&mut self.state.scratch.targets);
        self.nearest(slot, false, &mut targets);
        let target = targets.first().copied();
        self.state.scratch.targets = targets;
        let direction = match target {
            Some(target) => {
                let (from, to) =
                    (self.state.sprites[slot as usize].rect, self.state.sprites[target as usize].rect);
                let sprite = &mut self.state.sprites[slot as usize];
                sprite.counter = self.rules.kind(sprite.kind).consecutive;
                self.path_step(&from, (to.x, to.y)).unwrap_or(Direction::NONE)
            }
            None => self.random_heading(slot),
        };
        self.push(slot, direction, self.state.sprites[slot as usize].speed);
    }

    /// Follows one target until it covers it, then looks for another.
    pub(crate) fn alternate_by_path(&mut self, slot: Slot) {
        self.drift(slot);
        let sprite = self.state.sprites[slot as usize];
        let side = sprite.side as usize;
        let followed = self.followed(side).filter(|rect| !sprite.rect.contains(rect));
        let mut rect = followed;
        if followed.is_none() {
            let mut targets = std::mem::take(&mut self.state.scratch.targets);
            self.alternate_targets(slot, self.rules.kind(sprite.kind).random_target, &mut targets);
            if let Some(&target) = targets.first() {
                let chase = &mut self.state.chases[side];
                (chase.target, chase.grave) = (target, None);
                rect = Some(self.state.sprites[target as usize].rect);
            }
            self.state.scratch.targets = targets;
        }
        let direction = match rect {
            Some(rect) => {
                let mut found = self.path_step(&sprite.rect, (rect.x, rect.y));
                match self.state.chases[side].known {
                    Some(known) if found.is_none() => found = self.path_step(&sprite.rect, known),
                    _ => self.state.chases[side].known = Some((rect.x, rect.y)),
                }
                found.unwrap_or(Direction::NONE)
            }
            None => Direction::BASE[self.state.random.next_int(4) as usize],
        };
        self.push(slot, direction, self.state.sprites[slot as usize].speed);
    }

    /// Where what a chaser follows is, or was when it died.
    fn followed(&self, side: usize) -> Option<Rect> {
        let chase = &self.state.chases[side];
        match chase.grave {
            Some(rect) => Some(rect),
            None if chase.target != NONE => Some(self.state.sprites[chase.target as usize].rect),
            None => None,
        }
    }

    /// The first step of the path from one place to another.
    fn path_step(&self, from: &Rect, to: (i32, i32)) -> Option<Direction> {
        let paths = self.level.paths.as_ref()?;
        // Multiplied by the inverse and not divided, so that the rounding is the framework's.
        let scale = 1.0 / f64::from(self.level.block);
        let cell = |place: i32| (f64::from(place) * scale) as i32;
        paths.step((cell(from.x), cell(from.y)), (cell(to.0), cell(to.1)))
    }
}
