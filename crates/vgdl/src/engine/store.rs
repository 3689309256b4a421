//! Sprites come and go: creating, killing, removing, and what they hold.

use crate::ontology::SpriteClass;
use crate::rules::{ResourceId, TypeId};

use super::state::ABSENT;
use super::{Chase, MAX_SPRITES, NONE, Play, Rect, Slot, Sprite, flag};

/// The most slots of a state. The framework's own limit is lower, but its count can be fooled.
const MAX_SLOTS: usize = 60_000;

impl Play<'_> {
    /// How many sprites there are of a type and its family.
    pub(crate) fn count(&self, id: TypeId) -> i32 {
        self.rules.kind(id).family.iter().map(|member| self.state.groups[member.number()].count as i32).sum()
    }

    /// How many of them are not dead avatars.
    pub(crate) fn count_alive(&self, id: TypeId) -> i32 {
        let alive = |member: &TypeId| {
            let group = &self.state.groups[member.number()];
            group.count as i32 - group.disabled as i32
        };
        self.rules.kind(id).family.iter().map(alive).sum()
    }

    /// Creates a sprite, unless there are too many or it is a singleton that is there; `force`
    /// creates singletons all the same.
    pub(crate) fn create(&mut self, id: TypeId, x: i32, y: i32, force: bool) -> Option<Slot> {
        let kind = self.rules.kind(id);
        let class = kind.class?;
        if self.state.number > MAX_SPRITES || self.state.sprites.len() >= MAX_SLOTS {
            self.state.messages += 1;
            return None;
        }
        if !force {
            for &above in &kind.lineage {
                if self.rules.kind(above).singleton && self.count(above) > 0 {
                    return None;
                }
            }
        }
        let block = f64::from(self.level.block);
        let mut sprite = Sprite::new(kind, id, self.state.next_id);
        sprite.rect = Rect { x, y, w: (block * kind.width) as i32, h: (block * kind.height) as i32 };
        sprite.last = sprite.rect;
        let group = &mut self.state.groups[id.number()];
        sprite.moved_at = group.updates.wrapping_sub(kind.last_move as u32);
        if !std::mem::replace(&mut group.made, true) {
            // The first of a type remembers a place that was not scaled yet.
            (sprite.last.w, sprite.last.h) = (self.level.block, self.level.block);
            if sprite.last != sprite.rect {
                group.displaced = true;
            }
        } else if class == SpriteClass::OngoingTurningAvatar {
            // Copies of this class forget what they leave behind.
            sprite.makes = 0;
        }
        self.furnish(&mut sprite, class);
        self.state.next_id += 1;
        self.state.number += 1;
        Some(self.insert(sprite))
    }

    /// Side tables of the classes that need them.
    fn furnish(&mut self, sprite: &mut Sprite, class: SpriteClass) {
        match class {
            SpriteClass::PathAltChaser | SpriteClass::RandomPathAltChaser => {
                let chase = Chase { target: NONE, grave: None, known: None };
                match self.state.free_chases.pop() {
                    Some(side) => {
                        sprite.side = side;
                        self.state.chases[side as usize] = chase;
                    }
                    None => {
                        sprite.side = self.state.chases.len() as u32;
                        self.state.chases.push(chase);
                    }
                }
            }
            SpriteClass::BomberRandomMissile => {
                let targets = &self.rules.kind(sprite.kind).targets;
                sprite.side = self.state.magazines.len() as u32;
                self.state
                    .magazines
                    .extend(targets.iter().map(|target| target.map_or(-1, |target| target.0 as i16)));
            }
            SpriteClass::CarAvatar => sprite.start = self.rules.kind(sprite.kind).facing as i32,
            SpriteClass::WizardAvatar => sprite.start = 1,
            SpriteClass::RandomNPC
            | SpriteClass::RandomInertial
            | SpriteClass::Chaser
            | SpriteClass::Fleeing
            | SpriteClass::LOSChaser
            | SpriteClass::PathChaser => sprite.counter = 0,
            _ => {}
        }
    }

    /// Puts a sprite into its group and its cell.
    pub(crate) fn insert(&mut self, sprite: Sprite) -> Slot {
        let slot = match self.state.free.pop() {
            Some(slot) => {
                self.state.sprites[slot as usize] = sprite;
                slot
            }
            None => {
                self.state.sprites.push(sprite);
                (self.state.sprites.len() - 1) as Slot
            }
        };
        let group = &mut self.state.groups[sprite.kind.number()];
        let tail = std::mem::replace(&mut group.tail, slot);
        group.count += 1;
        if tail == NONE {
            group.head = slot;
            self.state.live |= 1 << (sprite.kind.0 & 63);
        } else {
            self.state.sprites[tail as usize].next = slot;
        }
        self.state.sprites[slot as usize].previous = tail;
        self.enter_cell(slot);
        slot
    }

    /// Kills a sprite. Avatars are only disabled, unless they were transformed.
    pub(crate) fn kill(&mut self, slot: Slot, transformed: bool) {
        let sprite = &mut self.state.sprites[slot as usize];
        let avatar = self.rules.kind(sprite.kind).class.is_some_and(SpriteClass::is_avatar);
        if avatar && !transformed {
            if !sprite.is(flag::DISABLED) {
                sprite.flags |= flag::DISABLED;
                self.state.groups[sprite.kind.number()].disabled += 1;
            }
        } else {
            sprite.flags |= flag::KILLED;
            self.state.kills.push(slot);
        }
    }

    /// Removes the dead at the end of a tick.
    pub(crate) fn bury(&mut self) {
        for index in 0..self.state.kills.len() {
            self.state.number -= 1;
            let slot = self.state.kills[index];
            if !self.state.sprites[slot as usize].is(flag::FREE) {
                self.remove(slot);
            }
        }
        self.state.kills.clear();
        self.state.shields.clear();
    }

    /// Takes a sprite out of its group and its cell.
    pub(crate) fn remove(&mut self, slot: Slot) {
        self.leave_cell(slot);
        let sprite = self.state.sprites[slot as usize];
        let group = &mut self.state.groups[sprite.kind.number()];
        group.count -= 1;
        if sprite.is(flag::DISABLED) {
            group.disabled -= 1;
        }
        match sprite.previous {
            NONE => group.head = sprite.next,
            previous => self.state.sprites[previous as usize].next = sprite.next,
        }
        match sprite.next {
            NONE => group.tail = sprite.previous,
            next => self.state.sprites[next as usize].previous = sprite.previous,
        }
        if group.head == NONE && self.rules.kinds.len() <= 64 {
            self.state.live &= !(1 << sprite.kind.0);
        }
        if sprite.purse != NONE {
            self.state.free_purses.push(sprite.purse);
        }
        if let Some(SpriteClass::PathAltChaser | SpriteClass::RandomPathAltChaser) =
            self.rules.kind(sprite.kind).class
        {
            self.state.free_chases.push(sprite.side);
        }
        for chase in &mut self.state.chases {
            if chase.target == slot && chase.grave.is_none() {
                chase.grave = Some(sprite.rect);
            }
        }
        for player in &mut self.state.players {
            if player.avatar == slot {
                player.avatar = NONE;
            }
        }
        self.state.sprites[slot as usize].flags = flag::FREE;
        self.state.free.push(slot);
    }

    /// How much of a resource a sprite has, or none if it never had any.
    pub(crate) fn held(&self, slot: Slot, resource: ResourceId) -> Option<i32> {
        let purse = self.state.sprites[slot as usize].purse;
        if purse == NONE {
            return None;
        }
        let amount = self.state.purses[purse as usize * self.rules.resources.len() + resource.0 as usize];
        (amount != ABSENT).then_some(amount)
    }

    pub(crate) fn amount(&self, slot: Slot, resource: Option<ResourceId>) -> i32 {
        resource.and_then(|resource| self.held(slot, resource)).unwrap_or(0)
    }

    /// Changes an amount, which does not fall below nothing.
    pub(crate) fn change(&mut self, slot: Slot, resource: ResourceId, by: i32) {
        let now = self.amount(slot, Some(resource)).saturating_add(by).max(0);
        self.set_amount(slot, resource, now);
    }

    pub(crate) fn set_amount(&mut self, slot: Slot, resource: ResourceId, amount: i32) {
        let width = self.rules.resources.len();
        if self.state.sprites[slot as usize].purse == NONE {
            let purse = self.state.free_purses.pop().unwrap_or_else(|| {
                let rows = self.state.purses.len() / width;
                self.state.purses.resize((rows + 1) * width, ABSENT);
                rows as u16
            });
            let row = purse as usize * width;
            self.state.purses[row..row + width].fill(ABSENT);
            self.state.sprites[slot as usize].purse = purse;
        }
        let purse = self.state.sprites[slot as usize].purse as usize;
        self.state.purses[purse * width + resource.0 as usize] = amount;
    }

    /// Gives all that one sprite holds to another, on top of what that holds.
    pub(crate) fn bequeath(&mut self, from: Slot, to: Slot) {
        for index in 0..self.rules.resources.len() {
            let resource = ResourceId(index as u16);
            if let Some(amount) = self.held(from, resource) {
                self.change(to, resource, amount);
            }
        }
    }
}
