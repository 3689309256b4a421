//! Events: what time brings, what happens at the edge, and who meets whom.

use crate::rules::{Collision, EffectId, TypeId};

use super::{Event, MAX_MEETINGS, MAX_MESSAGES, NONE, Play, Rect, Slot, TimeEntry, flag};

/// What an effect did beside its work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Result {
    /// Whether the score changes.
    pub(crate) scores: bool,
    /// Whether the score for a kill counts instead of the usual one.
    pub(crate) killed: bool,
    pub(crate) counts: bool,
    pub(crate) counts_else: bool,
    /// How often it counts.
    pub(crate) times: i32,
}

impl Result {
    pub(crate) const DONE: Self =
        Self { scores: true, killed: false, counts: true, counts_else: true, times: 1 };

    pub(crate) fn scores(scores: bool) -> Self {
        Self { scores, ..Self::DONE }
    }
}

impl Play<'_> {
    pub(crate) fn events(&mut self) {
        self.state.pulled.clear();
        self.state.scratch.meetings = 0;
        self.time();
        for index in 0..self.rules.edge.len() {
            let (id, effect) = self.rules.edge[index];
            self.edge(id, effect);
        }
        for index in 0..self.rules.collisions.len() {
            let collision = &self.rules.collisions[index];
            if self.state.live & collision.first_bits != 0 && self.state.live & collision.second_bits != 0 {
                self.collide(collision);
            }
        }
    }

    fn time(&mut self) {
        // An effect that is due again at once would never end; so many in one tick are enough.
        let mut left = self.state.timers.len() * 2 + 64;
        while let Some(&entry) = self.state.timers.first()
            && entry.next <= self.state.tick
            && left > 0
        {
            left -= 1;
            self.state.timers.remove(0);
            self.due(entry);
        }
    }

    fn due(&mut self, entry: TimeEntry) {
        let effect = &self.rules.effects[entry.effect.number()];
        if !effect.enabled {
            return;
        }
        let work = if entry.started { effect.payload.delegate.unwrap_or(entry.effect) } else { entry.effect };
        match effect.subject {
            Some(subject) if !entry.started => {
                for &id in &self.rules.kind(subject).family {
                    let count = self.state.groups[id.number()].count;
                    let mut slot = self.state.groups[id.number()].head;
                    while slot != NONE && self.state.groups[id.number()].count == count {
                        if !self.state.sprites[slot as usize].is(flag::KILLED | flag::DISABLED) {
                            self.execute(work, Some(slot), None);
                            // The timer's own score and counters count, whatever the effect did.
                            self.reward(entry.effect, Result::DONE);
                        }
                        slot = self.state.sprites[slot as usize].next;
                    }
                }
            }
            _ => {
                self.execute(work, None, None);
                self.add_score(effect.score, 1);
            }
        }
        if effect.repeats {
            self.schedule(TimeEntry { next: self.state.tick.saturating_add(effect.timer), ..entry });
        }
    }

    /// Lets an effect wait; of several for one tick the last comes first.
    pub(crate) fn schedule(&mut self, entry: TimeEntry) {
        if self.state.timers.len() < super::MAX_SPRITES as usize {
            let place = self.state.timers.partition_point(|other| other.next < entry.next);
            self.state.timers.insert(place, entry);
        }
    }

    fn edge(&mut self, id: TypeId, effect: EffectId) {
        if !self.rules.effects[effect.number()].enabled {
            return;
        }
        let screen = Rect { x: 0, y: 0, w: self.level.screen_width(), h: self.level.screen_height() };
        for &member in &self.rules.kind(id).family {
            let count = self.state.groups[member.number()].count;
            let mut slot = self.state.groups[member.number()].head;
            while slot != NONE {
                let sprite = &self.state.sprites[slot as usize];
                if !screen.contains(&sprite.rect) && !sprite.is(flag::KILLED | flag::DISABLED) {
                    let result = self.execute(effect, Some(slot), None);
                    self.reward(effect, result);
                    if self.state.groups[member.number()].count != count {
                        // The framework stops here: a list that grows while it is walked is a fault.
                        self.state.messages += 1;
                        break;
                    }
                }
                slot = self.state.sprites[slot as usize].next;
            }
        }
    }

    fn collide(&mut self, collision: &Collision) {
        let effect = &self.rules.effects[collision.effect.number()];
        if !effect.enabled {
            return;
        }
        if !self.state.shields.is_empty()
            && self.state.shields.contains(&(collision.first, collision.second, effect.class))
        {
            return;
        }
        let limit = self.state.next_id;
        let size =
            |family: &[TypeId]| -> u32 { family.iter().map(|id| self.state.groups[id.number()].count).sum() };
        let first_family = &self.rules.kind(collision.first).family;
        let second_family = &self.rules.kind(collision.second).family;
        if collision.reversible && size(second_family) < size(first_family) {
            let mut firsts = std::mem::take(&mut self.state.scratch.firsts);
            firsts.clear();
            let bits = collision.first_bits;
            for id in second_family {
                let mut slot = self.state.groups[id.number()].head;
                while slot != NONE {
                    if self.may_meet(slot, bits) {
                        self.gather(slot, bits, &collision.first_rank, limit, &mut firsts);
                    }
                    if firsts.len() > MAX_MEETINGS {
                        firsts.sort_unstable();
                        firsts.dedup();
                    }
                    slot = self.state.sprites[slot as usize].next;
                }
            }
            if firsts.len() > 1 {
                firsts.sort_unstable();
                firsts.dedup();
            }
            debug_assert!(self.nobody_else_meets(collision, &firsts, limit));
            for &(_, slot) in &firsts {
                self.meet(collision, slot, limit);
            }
            self.state.scratch.firsts = firsts;
        } else {
            for id in first_family {
                let mut slot = self.state.groups[id.number()].head;
                while slot != NONE && self.state.sprites[slot as usize].id < limit {
                    self.meet(collision, slot, limit);
                    slot = self.state.sprites[slot as usize].next;
                }
            }
        }
    }

    /// Executes an effect for a sprite and all it meets.
    #[inline]
    fn meet(&mut self, collision: &Collision, slot: Slot, limit: u32) {
        let ground = collision.feels_ground
            && self
                .rules
                .kind(self.state.sprites[slot as usize].kind)
                .class
                .is_some_and(|class| class.feels_ground());
        if ground {
            self.feel(collision, slot, limit);
        }
        if self.may_meet(slot, collision.second_bits) {
            self.meet_near(collision, slot, limit, ground);
        } else {
            debug_assert!(self.are_all_partners(collision, slot, &[], limit));
        }
    }

    fn meet_near(&mut self, collision: &Collision, slot: Slot, limit: u32, ground: bool) {
        if self.state.scratch.meetings > MAX_MEETINGS {
            self.state.messages = MAX_MESSAGES + 1;
            return;
        }
        let mut partners = std::mem::take(&mut self.state.scratch.partners);
        partners.clear();
        self.gather(slot, collision.second_bits, &collision.second_rank, limit, &mut partners);
        self.state.scratch.meetings += partners.len();
        if partners.len() > 1 {
            partners.sort_unstable();
        }
        debug_assert!(self.are_all_partners(collision, slot, &partners, limit));
        let effect = &self.rules.effects[collision.effect.number()];
        if effect.in_batch() {
            if !partners.is_empty() {
                let result = self.execute_batch(collision.effect, slot, &partners);
                self.reward(collision.effect, result);
                for &(_, partner) in &partners {
                    self.record(slot, partner);
                }
            }
        } else {
            for &(_, partner) in &partners {
                if self.state.sprites[slot as usize].is(flag::KILLED) {
                    break;
                }
                if ground {
                    self.touch_ground(slot, partner);
                }
                let other = self.state.sprites[partner as usize].rect;
                if self.state.sprites[slot as usize].rect.intersects(&other) {
                    let result = self.execute(collision.effect, Some(slot), Some(partner));
                    self.reward(collision.effect, result);
                    self.record(slot, partner);
                }
            }
        }
        self.state.scratch.partners = partners;
    }

    /// Notices whether a sprite stands on any of those it could meet.
    fn feel(&mut self, collision: &Collision, slot: Slot, limit: u32) {
        let mut rect = self.state.sprites[slot as usize].rect;
        rect.h = rect.h.saturating_add(3);
        let mut partners = std::mem::take(&mut self.state.scratch.partners);
        partners.clear();
        self.gather_rect(slot, &rect, collision.second_bits, &collision.second_rank, limit, &mut partners);
        for &(_, partner) in &partners {
            self.touch_ground(slot, partner);
        }
        self.state.scratch.partners = partners;
    }

    fn touch_ground(&mut self, slot: Slot, partner: Slot) {
        let other = self.state.sprites[partner as usize];
        let sprite = &mut self.state.sprites[slot as usize];
        if sprite.is(flag::ON_GROUND) || !self.rules.kind(other.kind).is_solid {
            return;
        }
        let below = other.last.y > sprite.last.y.wrapping_add(sprite.rect.h / 2);
        let falls = sprite.rect.y > sprite.last.y;
        if below && falls && sprite.rect.moved(0, 3).intersects(&other.rect) {
            sprite.flags |= flag::ON_GROUND;
        }
    }

    fn add_score(&mut self, score: [i32; 2], times: i32) {
        for (player, score) in self.state.players.iter_mut().zip(score).take(self.rules.players) {
            player.score += f64::from(score.wrapping_mul(times));
        }
    }

    /// Adds what an effect is worth.
    pub(crate) fn reward(&mut self, id: EffectId, result: Result) {
        let effect = &self.rules.effects[id.number()];
        if result.scores && effect.scores {
            let score = if result.killed { effect.payload.score_if_killed } else { effect.score };
            self.add_score(score, result.times);
        }
        for index in 0..self.state.counters.len() {
            let mut by = 0;
            if result.counts && effect.counts {
                by += effect.counter[index];
            }
            if result.counts_else && effect.counts_else {
                by += effect.counter_else[index];
            }
            let counter = &mut self.state.counters[index];
            *counter = counter.wrapping_add(by.wrapping_mul(result.times));
        }
    }

    /// Remembers that an avatar, or what it made, met something.
    fn record(&mut self, first: Slot, second: Slot) {
        let (first, second) = (&self.state.sprites[first as usize], &self.state.sprites[second as usize]);
        let (active, passive, from_avatar) = if self.rules.kind(first.kind).is_avatar {
            (first, second, false)
        } else if first.is(flag::FROM_AVATAR) {
            (first, second, true)
        } else if self.rules.kind(second.kind).is_avatar {
            (second, first, false)
        } else if second.is(flag::FROM_AVATAR) {
            (second, first, true)
        } else {
            return;
        };
        let event = Event {
            tick: self.state.tick,
            from_avatar,
            active: active.kind,
            passive: passive.kind,
            active_id: active.id,
            passive_id: passive.id,
            place: (active.rect.x, active.rect.y),
        };
        let known = self.state.events.iter().rev().take_while(|old| old.tick == event.tick).any(|old| {
            (old.from_avatar, old.active, old.passive) == (from_avatar, event.active, event.passive)
        });
        if !known {
            self.state.events.push(event);
        }
    }
}
