//! What effects do, by family.

mod kill;
mod place;
mod quantity;
mod spawn;
mod transform;
mod wall;

use crate::ontology::EffectClass;
use crate::rules::{Effect, EffectId};

use super::collision::Result;
use super::{Direction, Play, Slot, TimeEntry, flag};

/// A fault that the framework logs: an effect has no sprite to work on.
const NOTHING: Result = Result::DONE;

impl Play<'_> {
    /// Executes an effect for one sprite, or for a sprite and another one.
    pub(crate) fn execute(&mut self, id: EffectId, first: Option<Slot>, second: Option<Slot>) -> Result {
        use EffectClass::*;
        let effect = &self.rules.effects[id.number()];
        // These need no sprites of their own.
        match effect.class {
            KillAll => return self.kill_all(effect),
            TransformToAll => return self.transform_all(effect, second),
            IncreaseSpeedToAll | DecreaseSpeedToAll | SetSpeedForAll => return self.speed_all(effect),
            UndoAll => return self.undo_all(effect),
            AddTimer => {
                let next = self.state.tick.saturating_add(effect.timer);
                self.schedule(TimeEntry { next, effect: id, started: true });
                return Result::DONE;
            }
            UpdateSpawnType => return self.update_spawn_type(effect, second),
            SubtractHealthPoints => return self.subtract_health(effect, first),
            SpawnBehind => return self.spawn_behind(effect, second),
            SpawnAbove => return self.spawn_beside(effect, second, Direction::UP),
            SpawnBelow => return self.spawn_beside(effect, second, Direction::DOWN),
            SpawnLeft => return self.spawn_beside(effect, second, Direction::LEFT),
            SpawnRight => return self.spawn_beside(effect, second, Direction::RIGHT),
            _ => {}
        }
        let Some(first) = first else { return self.lacking() };
        match (self.alone(effect, first, second), second) {
            (Some(result), _) => result,
            (None, Some(second)) => self.together(id, effect, first, second),
            (None, None) => self.lacking(),
        }
    }

    fn lacking(&mut self) -> Result {
        self.state.messages += 1;
        NOTHING
    }

    /// Effects that need only the first sprite; none if the effect is not one of them.
    fn alone(&mut self, effect: &Effect, first: Slot, second: Option<Slot>) -> Option<Result> {
        use EffectClass::*;
        Some(match effect.class {
            StepBack => self.step_back(effect, first, second),
            TurnAround => self.turn_around(first),
            WrapAround => self.wrap_around(effect, first),
            ReverseDirection => {
                let sprite = &mut self.state.sprites[first as usize];
                sprite.direction = sprite.direction.reversed();
                Result::DONE
            }
            FlipDirection => {
                let drawn = self.state.random.next_int(4) as usize;
                self.state.sprites[first as usize].direction = Direction::BASE[drawn];
                Result::DONE
            }
            HalfSpeed => {
                self.state.sprites[first as usize].speed *= 0.5;
                Result::DONE
            }
            WaterPhysics => {
                self.state.sprites[first as usize].flags |= flag::IN_WATER;
                Result::DONE
            }
            KillSprite => {
                self.kill(first, false);
                Result::DONE
            }
            KillIfHasLess | KillIfHasMore => self.kill_if_has(effect, first),
            KillIfNotUpright => self.kill_if_not_upright(first),
            TransformTo => self.transform_to(effect, first, second),
            TransformToRandomChild => self.transform_to_child(effect, first, second),
            CloneSprite => {
                let sprite = &self.state.sprites[first as usize];
                let (kind, rect) = (sprite.kind, sprite.rect);
                self.create(kind, rect.x, rect.y, false);
                Result::DONE
            }
            Spawn => self.spawn(effect, first),
            SpawnIfHasMore | SpawnIfHasLess => self.spawn_if_has(effect, first),
            SpawnIfCounterSubTypes => self.spawn_if_kinds(effect, first),
            AddHealthPoints => self.add_health(effect, first, second),
            AddHealthPointsToMax => self.add_health_to_limit(effect, first, second),
            RemoveScore => self.remove_score(effect, first, second),
            ShieldFrom => {
                let kind = self.state.sprites[first as usize].kind;
                if let (Some(from), Some(class)) = (effect.payload.target, effect.payload.shielded)
                    && !self.state.shields.contains(&(kind, from, class))
                {
                    self.state.shields.push((kind, from, class));
                }
                Result::DONE
            }
            _ => return None,
        })
    }

    /// Effects that need both sprites.
    fn together(&mut self, id: EffectId, effect: &Effect, first: Slot, second: Slot) -> Result {
        use EffectClass::*;
        match effect.class {
            KillBoth => {
                self.kill(first, false);
                self.kill(second, false);
                Result::DONE
            }
            KillIfAlive => {
                if !self.state.sprites[second as usize].is(flag::KILLED) {
                    self.kill(first, false);
                }
                Result::DONE
            }
            KillIfFromAbove => self.kill_if_from_above(first, second),
            KillIfFrontal => self.kill_if_frontal(first, second, true),
            KillIfNotFrontal => self.kill_if_frontal(first, second, false),
            KillIfSlow => self.kill_by_speed(effect, first, second, true),
            KillIfFast => self.kill_by_speed(effect, first, second, false),
            KillIfOtherHasMore => self.kill_if_other_has_more(effect, first, second),
            BounceForward => self.bounce_forward(first, second),
            BounceDirection => self.bounce_direction(effect, first, second),
            PullWithIt => self.pull_with_it(id, effect, first, second),
            TeleportToExit => self.teleport(first, second),
            AttractGaze => self.attract_gaze(effect, first, second),
            Align => self.align(effect, first, second),
            CollectResource => self.collect(effect, first, second),
            CollectResourceIfHeld => self.collect_if_held(effect, first, second),
            ChangeResource => self.change_resource(effect, first, second),
            TransformIfCount => self.transform_if_count(effect, first, second),
            TransformToSingleton => self.transform_to_singleton(effect, first, second),
            WallStop => self.wall_stop(first, second),
            WallBounce => self.wall_bounce(first, second),
            WallReverse => self.wall_reverse(first, second),
            _ => Result::DONE,
        }
    }
}
