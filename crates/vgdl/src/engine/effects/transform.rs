//! Effects that turn sprites into others.

use crate::engine::collision::Result;
use crate::engine::{Direction, NONE, Play, Slot, flag};
use crate::ontology::SpriteClass;
use crate::rules::{Effect, TypeId};

impl Play<'_> {
    /// Makes the new sprite in place of the old one; the old one's heir in all but its class.
    fn transform(
        &mut self,
        effect: &Effect,
        id: Option<TypeId>,
        old: Slot,
        second: Option<Slot>,
        force: bool,
    ) {
        let rect = self.state.sprites[old as usize].rect;
        let Some(new) = id.and_then(|id| self.create(id, rect.x, rect.y, force)) else { return };
        let source = self.state.sprites[old as usize];
        let sprite = &mut self.state.sprites[new as usize];
        if effect.payload.switch
            || (sprite.is(flag::ORIENTED) && source.is(flag::ORIENTED) && sprite.direction == Direction::NONE)
        {
            sprite.direction = source.direction;
        }
        let transformed = self.inherit(old, new);
        self.state.sprites[new as usize].health = source.health;
        self.kill(old, transformed);
        if effect.payload.kills
            && let Some(second) = second
        {
            self.kill(second, true);
        }
    }

    /// Hands over the last place, the resources and the player. False if the old sprite is an
    /// avatar and the new one cannot be.
    fn inherit(&mut self, old: Slot, new: Slot) -> bool {
        let source = self.state.sprites[old as usize];
        let sprite = &mut self.state.sprites[new as usize];
        sprite.last = source.last;
        let kind = sprite.kind;
        if sprite.last != sprite.rect {
            self.state.groups[kind.number()].displaced = true;
        }
        self.bequeath(old, new);
        if !self.rules.kind(source.kind).is_avatar {
            return true;
        }
        if !self.rules.kind(kind).class.is_some_and(SpriteClass::is_avatar) {
            return false;
        }
        self.state.sprites[new as usize].player = source.player;
        self.state.players[source.player as usize].avatar = new;
        true
    }

    pub(super) fn transform_to(&mut self, effect: &Effect, first: Slot, second: Option<Slot>) -> Result {
        if !self.state.sprites[first as usize].is(flag::DISABLED) {
            self.transform(effect, effect.payload.target, first, second, false);
        }
        Result::DONE
    }

    pub(super) fn transform_if_count(&mut self, effect: &Effect, first: Slot, second: Slot) -> Result {
        let payload = &effect.payload;
        let count = payload.counted.map_or(0, |counted| self.count(counted));
        let met = count <= payload.bound && count >= payload.limit;
        let otherwise = !met && payload.other.is_some();
        if met {
            self.transform(effect, payload.target, first, Some(second), true);
        } else if otherwise {
            self.transform(effect, payload.other, first, Some(second), true);
        }
        Result { scores: met, killed: false, counts: met, counts_else: otherwise, times: 1 }
    }

    pub(super) fn transform_to_child(
        &mut self,
        effect: &Effect,
        first: Slot,
        second: Option<Slot>,
    ) -> Result {
        let Some(target) = effect.payload.target else { return Result::DONE };
        let family = &self.rules.kind(target).family;
        if family.len() > 1 {
            let drawn = self.state.random.next_int(family.len() as u32 - 1) as usize;
            let chosen = family.iter().copied().filter(|&id| id != target).nth(drawn);
            if chosen.is_some_and(|id| self.rules.kind(id).class.is_none()) {
                self.state.messages += 1;
            }
            self.transform(effect, chosen, first, second, false);
        }
        Result::DONE
    }

    pub(super) fn transform_all(&mut self, effect: &Effect, second: Option<Slot>) -> Result {
        let Some(target) = effect.payload.target else { return Result::DONE };
        let limit = self.state.next_id;
        let mut slot = self.state.groups[target.number()].head;
        while slot != NONE && self.state.sprites[slot as usize].id < limit {
            self.transform(effect, effect.payload.other, slot, second, true);
            slot = self.state.sprites[slot as usize].next;
        }
        Result::DONE
    }

    pub(super) fn transform_to_singleton(&mut self, effect: &Effect, first: Slot, second: Slot) -> Result {
        let payload = &effect.payload;
        let (Some(target), Some(other)) = (payload.target, payload.other) else { return Result::DONE };
        let limit = self.state.next_id;
        let mut slot = self.state.groups[target.number()].head;
        while slot != NONE && self.state.sprites[slot as usize].id < limit {
            self.replace(other, slot);
            slot = self.state.sprites[slot as usize].next;
        }
        if let Some(new) = self.replace(target, first)
            && payload.switch
        {
            let way = self.state.sprites[second as usize].direction.reversed();
            let sprite = &mut self.state.sprites[new as usize];
            sprite.flags |= flag::ORIENTED;
            sprite.direction = way;
        }
        Result::DONE
    }

    fn replace(&mut self, id: TypeId, old: Slot) -> Option<Slot> {
        let source = self.state.sprites[old as usize];
        let new = self.create(id, source.rect.x, source.rect.y, false)?;
        let sprite = &mut self.state.sprites[new as usize];
        if sprite.is(flag::ORIENTED) && source.is(flag::ORIENTED) {
            sprite.direction = source.direction;
        }
        let transformed = self.inherit(old, new);
        self.kill(old, transformed);
        Some(new)
    }
}
