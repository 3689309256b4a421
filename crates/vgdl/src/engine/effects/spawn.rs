//! Effects that make sprites.

use crate::engine::collision::Result;
use crate::engine::{Direction, NONE, Play, Slot};
use crate::ontology::{EffectClass, SpriteClass};
use crate::rules::Effect;

impl Play<'_> {
    /// Casts the die of an effect.
    fn happens(&mut self, effect: &Effect) -> bool {
        self.state.random.next_double() < effect.probability
    }

    fn spawn_at(&mut self, effect: &Effect, x: i32, y: i32) {
        if let Some(target) = effect.payload.target {
            self.create(target, x, y, false);
        }
    }

    pub(super) fn spawn(&mut self, effect: &Effect, first: Slot) -> Result {
        if self.happens(effect) {
            let rect = self.state.sprites[first as usize].rect;
            self.spawn_at(effect, rect.x, rect.y);
        }
        Result::DONE
    }

    pub(super) fn spawn_if_has(&mut self, effect: &Effect, first: Slot) -> Result {
        let payload = &effect.payload;
        if !self.happens(effect) {
            return Result::scores(false);
        }
        let amount = self.amount(first, payload.resource);
        let more = effect.class == EffectClass::SpawnIfHasMore;
        let condition = if more { amount >= payload.limit } else { amount <= payload.limit };
        if condition {
            let rect = self.state.sprites[first as usize].rect;
            self.spawn_at(effect, rect.x, rect.y);
            if more && let Some(resource) = payload.resource {
                self.change(first, resource, payload.bound.saturating_neg());
            }
        }
        Result::scores(condition)
    }

    pub(super) fn spawn_if_kinds(&mut self, effect: &Effect, first: Slot) -> Result {
        let payload = &effect.payload;
        let rect = self.state.sprites[first as usize].rect;
        let met = payload.counted.is_some_and(|counted| {
            self.count_alive(counted) == payload.limit && self.kinds_below(counted) / 2 == payload.bound
        });
        if let Some(id) = if met { payload.target } else { payload.other } {
            self.create(id, rect.x, rect.y, false);
        }
        Result { counts: met, ..Result::scores(met) }
    }

    pub(super) fn spawn_behind(&mut self, effect: &Effect, second: Option<Slot>) -> Result {
        let Some(second) = second else {
            self.state.messages += 1;
            return Result::DONE;
        };
        if self.happens(effect)
            && let Some((x, y)) = self.state.sprites[second as usize].last_place()
        {
            self.spawn_at(effect, x, y);
        }
        Result::DONE
    }

    pub(super) fn spawn_beside(&mut self, effect: &Effect, second: Option<Slot>, way: Direction) -> Result {
        let Some(second) = second else {
            self.state.messages += 1;
            return Result::DONE;
        };
        if !self.happens(effect) {
            return Result::DONE;
        }
        let sprite = &self.state.sprites[second as usize];
        let from =
            if effect.payload.switch { sprite.last_place() } else { Some((sprite.rect.x, sprite.rect.y)) };
        if let Some((x, y)) = from {
            let (dx, dy) = (way.x as i32 * self.level.block, way.y as i32 * self.level.block);
            self.spawn_at(effect, x.wrapping_add(dx), y.wrapping_add(dy));
        }
        Result::DONE
    }

    /// Changes what producers make.
    pub(super) fn update_spawn_type(&mut self, effect: &Effect, second: Option<Slot>) -> Result {
        let (Some(spawner), Some(new), Some(second)) = (effect.payload.other, effect.payload.target, second)
        else {
            return Result::DONE;
        };
        let old = self.state.sprites[second as usize].kind.0 as i16;
        for &id in &self.rules.kind(spawner).family {
            let kind = self.rules.kind(id);
            let mut slot = self.state.groups[id.number()].head;
            while slot != NONE {
                let sprite = &mut self.state.sprites[slot as usize];
                match kind.class {
                    Some(SpriteClass::BomberRandomMissile) => {
                        let row = sprite.side as usize;
                        let row = &mut self.state.magazines[row..row + kind.targets.len()];
                        if let Some(entry) = row.iter_mut().find(|entry| **entry == old) {
                            *entry = new.0 as i16;
                        }
                    }
                    Some(SpriteClass::SpawnPoint | SpriteClass::Bomber | SpriteClass::RandomBomber) => {
                        sprite.makes = new.0 as i16;
                    }
                    _ => {}
                }
                slot = self.state.sprites[slot as usize].next;
            }
        }
        Result::DONE
    }
}
