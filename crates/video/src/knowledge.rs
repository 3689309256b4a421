//! What a player learns about types of sprites from what it sees and tries.

use rustc_hash::FxHashMap;
use vgdl::{Action, Event, Outcome, Rect};

use crate::{KindId, World};

/// How much a new meeting counts at least: what meetings lead to changes with what an avatar holds, so that
/// old ones are forgotten.
const LEAST_RATE: f64 = 0.02;

/// Meetings of which it is looked whether the other one is gone: looking takes time where there are many.
const LOOKS: f64 = 30.0;

/// What came of meetings with a type, lately.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Meetings {
    /// How often it was met.
    pub(crate) count: f64,
    /// Points gained in such a tick, on average.
    pub(crate) gain: f64,
    /// How often the game was lost in such a tick, as a share.
    pub(crate) losses: f64,
    /// How often the game was won in such a tick, as a share.
    pub(crate) wins: f64,
    /// How often it was gone afterwards, or the avatar another one or its hands fuller, as a share.
    pub(crate) changes: f64,
}

/// What a tick came to.
#[derive(Clone, Copy, Debug)]
struct Upshot {
    gain: f64,
    outcome: Outcome,
    /// Whether the avatar is of another type or holds something else.
    other: bool,
}

impl Meetings {
    /// Whether meeting it is worth something: `usual` is a usual change of the score.
    pub(crate) fn is_good(&self, usual: f64) -> bool {
        !self.is_deadly() && (self.gain > 0.05 * usual || self.wins > 0.01)
    }

    /// Whether meeting it is often the end.
    pub(crate) fn is_deadly(&self) -> bool {
        self.losses > 0.3
    }

    fn is_idle(&self) -> bool {
        self.gain.abs() < 1e-9 && self.losses < 0.01 && self.wins < 0.01
    }

    /// Counts a meeting; `changed` is not always known.
    fn add(&mut self, upshot: Upshot, changed: Option<bool>) {
        self.count += 1.0;
        let rate = (1.0 / self.count).max(LEAST_RATE);
        let share = |is: bool| f64::from(u8::from(is));
        self.gain += rate * (upshot.gain - self.gain);
        self.losses += rate * (share(upshot.outcome == Outcome::Lost) - self.losses);
        self.wins += rate * (share(upshot.outcome == Outcome::Won) - self.wins);
        if let Some(changed) = changed {
            self.changes += rate * (share(changed) - self.changes);
        }
    }
}

/// What is known of a type.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KindKnowledge {
    /// Meetings with the avatar itself.
    pub(crate) touched: Meetings,
    /// Meetings with what the avatar made.
    pub(crate) hit: Meetings,
    /// How often the avatar met it and did not move, and how often it did.
    pub(crate) blocked: u32,
    pub(crate) passed: u32,
    /// Whether the avatar stood on it and nothing came of it.
    pub(crate) inert: bool,
}

impl KindKnowledge {
    /// Whether avatars cannot go where it is.
    pub(crate) fn is_solid(&self) -> bool {
        self.blocked > 4 * self.passed
    }
}

/// A state before a tick, as far as it matters for learning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) score: f64,
    pub(crate) events: usize,
    place: Option<Rect>,
    pub(crate) hands: u64,
}

impl Moment {
    pub(crate) fn of(world: &World) -> Self {
        let place = world.avatar_sprite().map(|sprite| sprite.rect);
        Self { score: world.score(), events: world.news().len(), place, hands: world.hands() }
    }
}

/// What is known of all types.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    kinds: Vec<KindKnowledge>,
    /// Meetings of avatars of one type with another type: avatars become others in many games, and may
    /// then do what they could not.
    touches: FxHashMap<(KindId, KindId), Meetings>,
    /// Ticks in which the score changed, and by how much in all.
    changes: f64,
    changed: f64,
}

impl Knowledge {
    pub(crate) fn of(&self, kind: KindId) -> KindKnowledge {
        self.kinds.get(kind.number()).copied().unwrap_or_default()
    }

    /// Meetings of avatars of a type with another type.
    pub(crate) fn touches(&self, avatar: KindId, kind: KindId) -> Meetings {
        self.touches.get(&(avatar, kind)).copied().unwrap_or_default()
    }

    fn of_mut(&mut self, kind: KindId) -> &mut KindKnowledge {
        if self.kinds.len() <= kind.number() {
            self.kinds.resize(kind.number() + 1, KindKnowledge::default());
        }
        &mut self.kinds[kind.number()]
    }

    /// What a change of the score is, usually; 1 before there was any.
    pub(crate) fn usual_change(&self) -> f64 {
        if self.changes == 0.0 { 1.0 } else { (self.changed / self.changes).max(1e-3) }
    }

    /// Learns from a tick.
    pub(crate) fn learn(&mut self, before: Moment, action: Action, after: &World) {
        let gain = after.score() - before.score;
        if gain != 0.0 {
            self.changes += 1.0;
            self.changed += gain.abs();
        }
        let news = &after.news()[before.events.min(after.news().len())..];
        if news.is_empty() {
            return;
        }
        let stayed = after.avatar_sprite().map(|sprite| sprite.rect) == before.place;
        let moves = !matches!(action, Action::Nil | Action::Use);
        let upshot = Upshot { gain, outcome: after.outcome(), other: after.hands() != before.hands };
        for event in news {
            self.count(event, upshot, after);
            if moves && !event.from_avatar {
                let kind = self.of_mut(event.passive);
                if stayed { kind.blocked += 1 } else { kind.passed += 1 }
            }
        }
    }

    fn count(&mut self, event: &Event, upshot: Upshot, after: &World) {
        let changed = |meetings: &Meetings| {
            let gone = || !after.sprites_of(event.passive).any(|sprite| sprite.id == event.passive_id);
            let looks = meetings.count < LOOKS && after.sees(event.passive);
            looks.then(|| upshot.other && !event.from_avatar || gone())
        };
        let kind = self.of_mut(event.passive);
        let meetings = if event.from_avatar { &mut kind.hit } else { &mut kind.touched };
        meetings.add(upshot, changed(meetings));
        if !event.from_avatar {
            let meetings = self.touches.entry((event.active, event.passive)).or_default();
            meetings.add(upshot, changed(meetings));
        }
    }

    /// Learns from where the avatar stands: what it covers without an event does nothing.
    pub(crate) fn look(&mut self, world: &World) {
        let Some(own) = world.avatar_sprite() else { return };
        let covered: Vec<KindId> = world
            .sprites()
            .filter(|sprite| sprite.id != own.id && sprite.rect.intersects(&own.rect))
            .map(|sprite| sprite.kind)
            .collect();
        for kind in covered {
            let known = self.of_mut(kind);
            if known.touched.count == 0.0 {
                known.inert = true;
            }
        }
    }

    /// Forgets meetings of which nothing came: with other things in its hands, an avatar may open what was
    /// closed.
    pub(crate) fn doubt(&mut self) {
        for kind in self.kinds.iter_mut().filter(|kind| kind.touched.is_idle()) {
            kind.touched = Meetings::default();
            kind.blocked = kind.blocked.min(5);
        }
        self.touches.retain(|_, meetings| !meetings.is_idle());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_meetings_lead_to_is_learned_and_learned_anew() {
        let tick = |gain, outcome| Upshot { gain, outcome, other: false };
        let mut meetings = Meetings::default();
        assert!(!meetings.is_good(1.0) && !meetings.is_deadly());
        (0..1000).for_each(|_| meetings.add(tick(1.0, Outcome::Open), Some(true)));
        assert!(meetings.is_good(1.0) && !meetings.is_good(100.0));
        (0..300).for_each(|_| meetings.add(tick(0.0, Outcome::Open), None));
        assert!(!meetings.is_good(1.0), "it gives nothing any more");
        (0..50).for_each(|_| meetings.add(tick(0.0, Outcome::Lost), Some(false)));
        assert!(meetings.is_deadly());
        let mut knowledge = Knowledge::default();
        assert_eq!(knowledge.usual_change(), 1.0);
        (knowledge.changes, knowledge.changed) = (2.0, 20.0);
        assert_eq!(knowledge.usual_change(), 10.0);
    }
}
