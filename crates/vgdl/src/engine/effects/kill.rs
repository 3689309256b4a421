//! Effects that kill.

use crate::engine::collision::Result;
use crate::engine::{Direction, NONE, Play, Slot};
use crate::ontology::EffectClass;
use crate::rules::Effect;

impl Play<'_> {
    pub(super) fn kill_all(&mut self, effect: &Effect) -> Result {
        if let Some(target) = effect.payload.target {
            let mut slot = self.state.groups[target.number()].head;
            while slot != NONE {
                self.kill(slot, false);
                slot = self.state.sprites[slot as usize].next;
            }
        }
        Result::DONE
    }

    fn kill_if(&mut self, first: Slot, condition: bool) -> Result {
        if condition {
            self.kill(first, false);
        }
        Result::scores(condition)
    }

    pub(super) fn kill_if_has(&mut self, effect: &Effect, first: Slot) -> Result {
        let amount = self.amount(first, effect.payload.resource);
        let condition = if effect.class == EffectClass::KillIfHasLess {
            amount <= effect.payload.limit
        } else {
            amount >= effect.payload.limit
        };
        self.kill_if(first, condition)
    }

    pub(super) fn kill_if_other_has_more(&mut self, effect: &Effect, first: Slot, second: Slot) -> Result {
        let payload = &effect.payload;
        let condition = self.amount(second, payload.resource) >= payload.limit;
        if condition
            && payload.kills
            && let Some(resource) = payload.resource
        {
            self.change(second, resource, payload.limit.saturating_neg());
        }
        self.kill_if(first, condition)
    }

    pub(super) fn kill_if_from_above(&mut self, first: Slot, second: Slot) -> Result {
        let (sprite, other) = (&self.state.sprites[first as usize], &self.state.sprites[second as usize]);
        let higher = sprite.last.y > other.last.y.wrapping_add(other.rect.h / 2);
        let falls = other.rect.y > other.last.y;
        self.kill_if(first, higher && falls)
    }

    /// Kills who stands still, and who meets the other head on, or not head on.
    pub(super) fn kill_if_frontal(&mut self, first: Slot, second: Slot, frontal: bool) -> Result {
        let way = |slot: Slot| self.state.sprites[slot as usize].displacement().normalised();
        let (own, other) = (way(first), way(second));
        let opposite = Direction { x: own.x + other.x, y: own.y + other.y } == Direction::NONE;
        self.kill_if(first, own == Direction::NONE || opposite == frontal)
    }

    pub(super) fn kill_by_speed(&mut self, effect: &Effect, first: Slot, second: Slot, slow: bool) -> Result {
        let (sprite, other) = (&self.state.sprites[first as usize], &self.state.sprites[second as usize]);
        let speed = if self.rules.kind(sprite.kind).is_static {
            other.speed
        } else if self.rules.kind(other.kind).is_static {
            sprite.speed
        } else {
            let (own, way) = (sprite.direction, other.direction);
            Direction { x: own.x - way.x, y: own.y - way.y }.length()
        };
        let limit = effect.payload.number;
        if if slow { speed < limit } else { speed > limit } {
            self.kill(first, false);
        }
        Result::DONE
    }

    pub(super) fn kill_if_not_upright(&mut self, first: Slot) -> Result {
        let full = 2.0 * std::f64::consts::PI;
        let angle = (self.state.sprites[first as usize].rotation + full) % full;
        if !(angle < 5.0 && angle > 4.4) {
            self.kill(first, false);
        }
        Result::DONE
    }
}
