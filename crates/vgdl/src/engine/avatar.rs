//! What avatars do with the actions of their players.

use crate::ontology::SpriteClass;
use crate::rules::{Physics, TypeId};

use super::movement::Moved;
use super::{Action, Direction, NONE, Play, Slot, flag};

impl Action {
    /// The direction of an action.
    pub(crate) fn direction(self) -> Direction {
        match self {
            Action::Up => Direction::UP,
            Action::Left => Direction::LEFT,
            Action::Down => Direction::DOWN,
            Action::Right => Direction::RIGHT,
            Action::Nil | Action::Use => Direction::NONE,
        }
    }
}

/// The actions a class takes, in the framework's order, `Nil` left out.
pub(crate) fn actions(class: SpriteClass) -> &'static [Action] {
    use Action::{Down, Left, Nil, Right, Up, Use};
    match class {
        SpriteClass::FlakAvatar => &[Use, Left, Right],
        SpriteClass::HorizontalAvatar => &[Left, Right],
        SpriteClass::VerticalAvatar => &[Up, Down],
        SpriteClass::NullAvatar => &[Nil],
        SpriteClass::AimedAvatar => &[Use, Down, Up],
        SpriteClass::ShootAvatar | SpriteClass::OngoingShootAvatar | SpriteClass::SpaceshipAvatar => {
            &[Use, Left, Right, Down, Up]
        }
        SpriteClass::ShootOnlyAvatar => &[Left, Up, Right, Down, Use],
        SpriteClass::BirdAvatar => &[Use],
        SpriteClass::PlatformerAvatar => &[Left, Right, Use],
        SpriteClass::WizardAvatar => &[Left, Right, Use, Up],
        _ => &[Left, Right, Down, Up],
    }
}

impl Play<'_> {
    /// Lets a player's avatar act, unless it is dead.
    pub(crate) fn act(&mut self, player: usize, action: Action) {
        let slot = self.state.players[player].avatar;
        if slot == NONE || self.state.sprites[slot as usize].is(flag::DISABLED) {
            return;
        }
        let Some(class) = self.rules.kind(self.state.sprites[slot as usize].kind).class else { return };
        self.state.players[player].action = action;
        let sprite = &mut self.state.sprites[slot as usize];
        sprite.last = sprite.rect;
        sprite.moved_at = sprite.moved_at.wrapping_sub(1);
        self.steer(slot, class, action);
    }

    fn steer(&mut self, slot: Slot, class: SpriteClass, action: Action) {
        use SpriteClass::*;
        match class {
            FlakAvatar => {
                if self.advance(slot, action) == Moved::Still && action == Action::Use {
                    self.drop_shot(slot);
                }
            }
            OrientedAvatar => {
                self.advance_and_face(slot, action);
            }
            ShootAvatar => {
                if self.advance_and_face(slot, action) == Moved::Still && action == Action::Use {
                    self.shoot(slot, class);
                }
            }
            ShootOnlyAvatar => {
                self.float(slot);
                self.shoot_one(slot, action);
            }
            AimedAvatar => self.aim(slot, action),
            SpaceshipAvatar => self.fly(slot, action),
            BirdAvatar => self.flap(slot, action),
            CarAvatar => self.drive(slot, action),
            LanderAvatar => self.land(slot, action),
            MissileAvatar => self.drift(slot),
            OngoingAvatar => {
                if action.direction() != Direction::NONE {
                    self.turn(slot, action.direction());
                }
                self.drift(slot);
            }
            OngoingShootAvatar => {
                if action.direction() != Direction::NONE {
                    self.turn(slot, action.direction());
                }
                self.drift(slot);
                if action == Action::Use {
                    self.shoot(slot, class);
                }
            }
            OngoingTurningAvatar => self.turn_and_trail(slot, action),
            PlatformerAvatar => self.run(slot, action),
            WizardAvatar => self.conjure(slot, action),
            _ => {
                self.advance(slot, action);
            }
        }
    }

    /// Passive movement of avatars that do not live on the grid.
    fn float(&mut self, slot: Slot) {
        if self.rules.kind(self.state.sprites[slot as usize].kind).physics != Physics::Grid {
            self.drift(slot);
        }
    }

    fn advance(&mut self, slot: Slot, action: Action) -> Moved {
        self.float(slot);
        self.push(slot, action.direction(), self.state.sprites[slot as usize].speed)
    }

    /// Moves and faces the way it moved.
    fn advance_and_face(&mut self, slot: Slot, action: Action) -> Moved {
        let moved = self.advance(slot, action);
        let sprite = &mut self.state.sprites[slot as usize];
        if moved == Moved::Away && self.rules.kind(sprite.kind).physics == Physics::Grid {
            sprite.direction = sprite.displacement().normalised();
        }
        moved
    }

    /// A shot where the avatar is.
    fn drop_shot(&mut self, slot: Slot) {
        let sprite = self.state.sprites[slot as usize];
        let kind = self.rules.kind(sprite.kind);
        if let Some(resource) = kind.ammunition.first() {
            let held = resource.and_then(|resource| self.held(slot, resource));
            let least = if kind.least_ammunition > -1 { kind.least_ammunition } else { 0 };
            if held.is_none_or(|held| held <= least) {
                return;
            }
        }
        let Some(target) = kind.target else { return };
        let Some(shot) = self.create(target, sprite.rect.x, sprite.rect.y, false) else { return };
        self.state.sprites[shot as usize].flags |= flag::FROM_AVATAR;
        if let Some(&Some(resource)) = kind.ammunition.first() {
            let left = self.amount(slot, Some(resource)).saturating_sub(kind.ammunition_cost);
            self.set_amount(slot, resource, left);
        }
    }

    /// Shoots the first weapon that has ammunition.
    fn shoot(&mut self, slot: Slot, class: SpriteClass) {
        let kind = self.rules.kind(self.state.sprites[slot as usize].kind);
        for weapon in 0..kind.targets.len() {
            if self.is_loaded(slot, weapon) {
                self.fire(slot, class, weapon);
                return;
            }
        }
    }

    /// Shoots the weapon of an action.
    fn shoot_one(&mut self, slot: Slot, action: Action) {
        let class = SpriteClass::ShootOnlyAvatar;
        let weapon = actions(class).iter().position(|&other| other == action);
        let kind = self.rules.kind(self.state.sprites[slot as usize].kind);
        if let Some(weapon) = weapon
            && weapon < kind.targets.len()
            && self.is_loaded(slot, weapon)
        {
            self.fire(slot, class, weapon);
        }
    }

    fn is_loaded(&self, slot: Slot, weapon: usize) -> bool {
        let kind = self.rules.kind(self.state.sprites[slot as usize].kind);
        match kind.ammunition.get(weapon) {
            Some(resource) => self.amount(slot, *resource) > 0,
            None => true,
        }
    }

    /// A shot one cell ahead.
    fn fire(&mut self, slot: Slot, class: SpriteClass, weapon: usize) {
        let sprite = self.state.sprites[slot as usize];
        let kind = self.rules.kind(sprite.kind);
        let ahead = if class == SpriteClass::SpaceshipAvatar {
            Direction { x: sprite.rotation.cos(), y: sprite.rotation.sin() }
        } else {
            sprite.direction.normalised()
        };
        let x = f64::from(sprite.rect.x) + ahead.x * f64::from(sprite.last.w);
        let y = f64::from(sprite.rect.y) + ahead.y * f64::from(sprite.last.h);
        let Some(target) = kind.targets[weapon] else { return };
        let Some(shot) = self.create(target, x as i32, y as i32, false) else { return };
        let shot = &mut self.state.sprites[shot as usize];
        shot.flags |= flag::FROM_AVATAR;
        if shot.is(flag::ORIENTED) {
            shot.direction = ahead;
        }
        if let Some(&Some(resource)) = kind.ammunition.get(weapon)
            && let Some(held) = self.held(slot, resource)
        {
            self.set_amount(slot, resource, held - 1);
        }
    }

    fn aim(&mut self, slot: Slot, action: Action) {
        let moved = self.advance_and_face(slot, action);
        if action == Action::Use {
            if moved == Moved::Still {
                self.shoot(slot, SpriteClass::AimedAvatar);
            }
            self.shoot(slot, SpriteClass::AimedAvatar);
        }
        let sprite = &mut self.state.sprites[slot as usize];
        let turn = self.rules.kind(sprite.kind).angle;
        let angle: f64 = match action {
            Action::Up => -turn,
            Action::Down => turn,
            _ => 0.0,
        };
        let old = sprite.direction;
        sprite.direction = Direction {
            x: old.x * angle.cos() - old.y * angle.sin(),
            y: old.x * angle.sin() + old.y * angle.cos(),
        };
        sprite.rotation = sprite.direction.y.atan2(sprite.direction.x);
        self.thrust(slot, action);
    }

    /// A force ahead for `Up`, back for `Down`.
    fn thrust(&mut self, slot: Slot, action: Action) {
        let sprite = &self.state.sprites[slot as usize];
        let angle = match action {
            Action::Up => sprite.rotation,
            Action::Down => sprite.rotation + std::f64::consts::PI,
            _ => return,
        };
        self.push(slot, Direction { x: angle.cos(), y: angle.sin() }, sprite.speed);
    }

    /// Turns for `Left` and `Right`.
    fn rotate(&mut self, slot: Slot, action: Action) {
        let sprite = &mut self.state.sprites[slot as usize];
        let angle = self.rules.kind(sprite.kind).angle;
        match action {
            Action::Left => sprite.rotation -= angle,
            Action::Right => sprite.rotation += angle,
            _ => {}
        }
    }

    fn fly(&mut self, slot: Slot, action: Action) {
        self.float(slot);
        if action == Action::Use {
            // The framework asks for the button twice.
            self.shoot(slot, SpriteClass::SpaceshipAvatar);
            self.shoot(slot, SpriteClass::SpaceshipAvatar);
        }
        self.rotate(slot, action);
        self.thrust(slot, action);
    }

    fn land(&mut self, slot: Slot, action: Action) {
        self.float(slot);
        self.rotate(slot, action);
        if action == Action::Up {
            self.thrust(slot, action);
        }
    }

    fn drive(&mut self, slot: Slot, action: Action) {
        self.float(slot);
        self.rotate(slot, action);
        let sprite = &mut self.state.sprites[slot as usize];
        match action {
            Action::Up => sprite.start = 0,
            Action::Down => sprite.start = 1,
            _ => {}
        }
        let angle = sprite.rotation + f64::from(sprite.start) * std::f64::consts::PI;
        self.push(slot, Direction { x: angle.cos(), y: angle.sin() }, 5.0);
    }

    fn flap(&mut self, slot: Slot, action: Action) {
        self.advance_and_face(slot, action);
        let sprite = &mut self.state.sprites[slot as usize];
        let ahead = if sprite.direction.x.abs() < 0.5 { Direction::RIGHT } else { Direction::NONE };
        if action == Action::Use {
            sprite.direction.y = 0.0;
            let (speed, strength) = (sprite.speed, self.rules.kind(sprite.kind).jump_strength);
            self.push(slot, Direction { x: 0.0, y: -strength }, speed);
        }
        self.push(slot, ahead, self.state.sprites[slot as usize].speed);
        let sprite = &mut self.state.sprites[slot as usize];
        sprite.rotation = sprite.direction.y.atan2(sprite.direction.x);
    }

    /// Turns by right angles only, and leaves something behind in every cell.
    fn turn_and_trail(&mut self, slot: Slot, action: Action) {
        let direction = action.direction();
        let old = self.state.sprites[slot as usize].direction;
        if direction != Direction::NONE && direction.x * old.x + direction.y * old.y == 0.0 {
            self.turn(slot, direction);
        }
        self.drift(slot);
        let sprite = self.state.sprites[slot as usize];
        if let Some((x, y)) = sprite.last_place() {
            // Without a name it is the first type of all.
            self.create(TypeId(sprite.makes.max(0) as u16), x, y, false);
        }
    }

    /// The force of a running avatar, weaker in the air.
    fn run_force(&mut self, slot: Slot, action: Action) {
        self.float(slot);
        let force = action.direction();
        if force == Direction::NONE {
            return;
        }
        let sprite = &self.state.sprites[slot as usize];
        let kind = self.rules.kind(sprite.kind);
        let x = if sprite.is(flag::ON_GROUND) {
            force.x * kind.ground_factor
        } else {
            force.x / kind.air_divisor
        };
        self.push(slot, Direction { x, y: force.y }, sprite.speed);
    }

    fn run(&mut self, slot: Slot, action: Action) {
        self.run_force(slot, action);
        if action == Action::Use && self.state.sprites[slot as usize].is(flag::ON_GROUND) {
            self.jump(slot);
        }
        self.state.sprites[slot as usize].flags &= !flag::ON_GROUND;
    }

    /// A runner that builds blocks.
    fn conjure(&mut self, slot: Slot, action: Action) {
        self.run_force(slot, action);
        if action == Action::Use && self.state.sprites[slot as usize].is(flag::ON_GROUND) {
            self.jump(slot);
        }
        let waited = self.state.sprites[slot as usize].counter.saturating_add(5) <= self.state.tick;
        if action == Action::Up && waited {
            self.push(slot, Direction::DOWN, -1.0);
            let sprite = self.state.sprites[slot as usize];
            let kind = self.rules.kind(sprite.kind);
            let x = f64::from(sprite.rect.x) + f64::from(sprite.start) * f64::from(sprite.last.w) * 1.2;
            for target in kind.targets.iter().flatten() {
                self.create(*target, x as i32, sprite.rect.y, false);
            }
            self.state.sprites[slot as usize].counter = self.state.tick;
        }
        let sprite = &mut self.state.sprites[slot as usize];
        match action {
            Action::Left => sprite.start = -1,
            Action::Right => sprite.start = 1,
            _ => {}
        }
        sprite.flags &= !flag::ON_GROUND;
    }
}
