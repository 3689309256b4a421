//! Effects on resources, health, speed and score.

use crate::engine::collision::Result;
use crate::engine::{NONE, Play, Slot};
use crate::ontology::{EffectClass, SpriteClass};
use crate::rules::{Effect, ResourceId};

impl Play<'_> {
    /// The resource that a sprite is, what it is worth, and how much of it can be held.
    fn resource(&self, slot: Slot) -> Option<(ResourceId, i32, i32)> {
        let kind = self.rules.kind(self.state.sprites[slot as usize].kind);
        if !kind.is_resource || !matches!(kind.class, Some(SpriteClass::Resource | SpriteClass::ResourcePack))
        {
            return None;
        }
        let resource = kind.resource?;
        Some((resource, kind.value, self.rules.resource_limits[resource.0 as usize]))
    }

    pub(super) fn collect(&mut self, effect: &Effect, first: Slot, second: Slot) -> Result {
        let Some((resource, value, limit)) = self.resource(first) else { return Result::DONE };
        let amount = self.amount(second, Some(resource));
        let room = amount < limit;
        if room {
            self.change(second, resource, value.min(limit - amount));
            if effect.payload.kills {
                self.kill(first, true);
            }
        }
        Result::scores(room)
    }

    pub(super) fn collect_if_held(&mut self, effect: &Effect, first: Slot, second: Slot) -> Result {
        let Some((resource, value, limit)) = self.resource(first) else { return Result::DONE };
        if self.amount(second, effect.payload.resource) < effect.payload.value {
            return Result::scores(false);
        }
        let room = self.amount(second, Some(resource)).saturating_add(value) <= limit;
        if room {
            self.change(second, resource, value);
        }
        if effect.payload.kills {
            self.kill(first, false);
        }
        Result::scores(room)
    }

    pub(super) fn change_resource(&mut self, effect: &Effect, first: Slot, second: Slot) -> Result {
        let payload = &effect.payload;
        let Some(resource) = payload.resource else { return Result::DONE };
        let limit = self.rules.resource_limits[resource.0 as usize];
        let room = self.amount(first, Some(resource)).saturating_add(payload.value) <= limit;
        if room {
            self.change(first, resource, payload.value);
            if payload.kills {
                self.kill(second, true);
            }
        }
        Result::scores(room)
    }

    pub(super) fn subtract_health(&mut self, effect: &Effect, first: Option<Slot>) -> Result {
        let payload = &effect.payload;
        let mut hurt = first;
        if let Some(target) = payload.target {
            // The first sprite of the last type of the family that has any.
            for &id in &self.rules.kind(target).family {
                let head = self.state.groups[id.number()].head;
                if head != NONE {
                    hurt = Some(head);
                }
            }
        }
        let Some(hurt) = hurt else {
            self.state.messages += 1;
            return Result::DONE;
        };
        let sprite = &mut self.state.sprites[hurt as usize];
        sprite.health = sprite.health.saturating_sub(payload.value);
        let killed = sprite.health <= payload.limit;
        if killed {
            self.kill(hurt, false);
        }
        Result { killed, ..Result::DONE }
    }

    pub(super) fn add_health(&mut self, effect: &Effect, first: Slot, second: Option<Slot>) -> Result {
        let sprite = &mut self.state.sprites[first as usize];
        let health = sprite.health.saturating_add(effect.payload.value);
        let room = health < self.rules.kind(sprite.kind).limit_health;
        if room {
            sprite.health = health;
            sprite.max_health = sprite.max_health.max(health);
            self.consume(effect, second);
        }
        Result::scores(room)
    }

    pub(super) fn add_health_to_limit(
        &mut self,
        effect: &Effect,
        first: Slot,
        second: Option<Slot>,
    ) -> Result {
        let sprite = &mut self.state.sprites[first as usize];
        let limit = self.rules.kind(sprite.kind).limit_health;
        sprite.health = sprite.health.saturating_add(effect.payload.value).min(limit);
        sprite.max_health = sprite.max_health.max(sprite.health);
        self.consume(effect, second);
        Result::DONE
    }

    fn consume(&mut self, effect: &Effect, second: Option<Slot>) {
        if effect.payload.kills
            && let Some(second) = second
        {
            self.kill(second, false);
        }
    }

    pub(super) fn speed_all(&mut self, effect: &Effect) -> Result {
        let Some(target) = effect.payload.target else { return Result::DONE };
        let value = effect.payload.number;
        for &id in &self.rules.kind(target).family {
            let mut slot = self.state.groups[id.number()].head;
            while slot != NONE {
                let sprite = &mut self.state.sprites[slot as usize];
                sprite.speed = match effect.class {
                    EffectClass::IncreaseSpeedToAll => sprite.speed + value,
                    EffectClass::DecreaseSpeedToAll if sprite.speed - value < 0.0 => 0.0,
                    EffectClass::DecreaseSpeedToAll => sprite.speed - value,
                    _ => value,
                };
                slot = sprite.next;
            }
        }
        Result::DONE
    }

    pub(super) fn remove_score(&mut self, effect: &Effect, first: Slot, second: Option<Slot>) -> Result {
        match effect.payload.target {
            None => self.forget_score(effect, first, second),
            Some(target) => {
                let mut slot = self.state.groups[target.number()].head;
                while slot != NONE {
                    self.forget_score(effect, slot, second);
                    slot = self.state.sprites[slot as usize].next;
                }
            }
        }
        Result::DONE
    }

    fn forget_score(&mut self, effect: &Effect, slot: Slot, second: Option<Slot>) {
        if !self.rules.kind(self.state.sprites[slot as usize].kind).is_avatar {
            return;
        }
        for player in &mut self.state.players {
            if player.avatar == slot {
                player.score = 0.0;
            }
        }
        if effect.payload.kills
            && let Some(second) = second
        {
            self.kill(second, true);
        }
    }
}
