//! One tournament: what was played of it, and how it goes on.

use std::collections::HashMap;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arena::{Contestant, Fixture, Ground, MatchKey, MatchRecord, MatchRules, Tournament};
use parking_lot::Mutex;
use referee::Event;
use store::{Outcome, RunId};

use super::plan::{Plan, THOUGHT};
use crate::alarm::Alarm;
use crate::error::WebError;
use crate::matches::{Keeper, now};
use crate::secret;

/// The time that building the machines of a game may take.
const BUILDING: Duration = Duration::from_secs(60);
/// The time that a match may take.
const LONGEST_MATCH: Duration = Duration::from_secs(900);
/// A thought by simulations takes no longer than this.
const LONGEST_THOUGHT: Duration = Duration::from_secs(2 * THOUGHT.as_secs());
/// Joint moves after which a match is broken off.
const STEPS: usize = 1_000;
/// Letters of the id of a match.
const ID_LETTERS: usize = 16;

/// How a tournament stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Waiting,
    Building,
    Running,
    Paused,
    Done,
    Failed,
}

impl Status {
    pub(super) fn name(self) -> &'static str {
        match self {
            Status::Waiting => "waiting",
            Status::Building => "building",
            Status::Running => "running",
            Status::Paused => "paused",
            Status::Done => "done",
            Status::Failed => "failed",
        }
    }

    /// Whether it takes part of the computer, or will.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Status::Waiting | Status::Building | Status::Running)
    }
}

/// What changes about a tournament.
pub(super) struct State {
    pub(super) status: Status,
    pub(super) fault: Option<String>,
    /// Set to have it rest.
    pub(super) stop: Arc<AtomicBool>,
    /// Who had it go on last.
    pub(super) visitor: Option<IpAddr>,
    /// Matches by their numbers; none before they were read.
    records: Option<Vec<(u64, MatchRecord)>>,
}

/// A tournament.
pub(super) struct Contest {
    pub(super) plan: Plan,
    pub(super) run: RunId,
    pub(super) created: u64,
    pub(super) all: usize,
    pub(super) state: Mutex<State>,
}

impl Contest {
    pub(super) fn new(plan: Plan, run: RunId, created: u64, status: Status, visitor: Option<IpAddr>) -> Self {
        let state = State { status, fault: None, stop: Arc::default(), visitor, records: None };
        Self { all: plan.all(), plan, run, created, state: Mutex::new(state) }
    }

    pub(super) fn status(&self) -> Status {
        self.state.lock().status
    }

    /// What was played, in the order in which it ended.
    pub(super) fn records(&self, keeper: &Keeper) -> Result<Vec<(u64, MatchRecord)>, WebError> {
        let mut state = self.state.lock();
        if let Some(records) = &state.records {
            return Ok(records.clone());
        }
        let mut ended = keeper.with(|store| store.ended_matches(Some(self.run), 0, self.all))?;
        ended.reverse();
        let read = |ended: store::EndedMatch| {
            let value = serde_json::to_value(&ended.record).ok()?;
            Some((ended.number, MatchRecord::try_from(value).ok()?))
        };
        // What cannot be read is of another version, and is played again.
        let records: Vec<(u64, MatchRecord)> = ended.into_iter().filter_map(read).collect();
        state.records = Some(records.clone());
        Ok(records)
    }

    /// Plays what was not played yet, until all is done or it shall rest. `changed` is called at every change.
    pub(super) fn play(&self, keeper: &Keeper, memory: usize, changed: &(dyn Fn() + Sync)) {
        let stop = Arc::clone(&self.state.lock().stop);
        let played = self.try_play(keeper, memory, &stop, changed);
        let mut state = self.state.lock();
        let done = state.records.as_ref().map_or(0, Vec::len);
        state.status = match played {
            _ if done >= self.all => Status::Done,
            _ if stop.load(Ordering::Relaxed) => Status::Paused,
            Ok(()) => Status::Done,
            Err(error) => {
                state.fault = Some(error.to_string());
                Status::Failed
            }
        };
        drop(state);
        changed();
    }

    fn try_play(
        &self,
        keeper: &Keeper,
        memory: usize,
        stop: &Arc<AtomicBool>,
        changed: &(dyn Fn() + Sync),
    ) -> Result<(), WebError> {
        self.set(Status::Building, changed);
        // What was being written when the server ended.
        keeper.with(|store| store.interrupt(self.run, now()))?;
        let known: HashMap<u64, MatchRecord> = self.records(keeper)?.into_iter().collect();
        let late = Arc::new(AtomicBool::new(false));
        let mut grounds = Vec::new();
        for game in &self.plan.games {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let ground = Ground::build(&game.name, game.normal_rules()?, BUILDING, memory)?;
            grounds.push(ground.bounded(&late, LONGEST_THOUGHT));
        }
        let players = self.plan.contestants()?;
        let rules = MatchRules { steps: STEPS, opening: self.plan.openings, ..MatchRules::default() };
        let mut tournament = Tournament::new(&grounds, &players, rules, self.plan.matches, self.plan.seed);
        tournament.schedule.gauntlet = self.plan.gauntlet;
        let fixtures = tournament.schedule.fixtures();
        let place = |fixture: &Fixture| (fixture.game, fixture.pair, fixture.round);
        let numbers: HashMap<_, u64> = fixtures.iter().map(place).zip(0..).collect();
        self.set(Status::Running, changed);
        let modest: Vec<Contestant> = players
            .iter()
            .map(|player| Contestant {
                agent: player.agent.clone().with_share(1, memory / 2),
                ..player.clone()
            })
            .collect();
        let play = |fixture: &Fixture, key: MatchKey| -> Result<MatchRecord, WebError> {
            let number = numbers.get(&place(fixture)).copied().unwrap_or_default();
            if let Some(record) = known.get(&number) {
                return Ok(record.clone());
            }
            let seats: Vec<Contestant> = fixture.seats.iter().map(|&seat| modest[seat].clone()).collect();
            let mut whole = referee::MatchRecord::default();
            let mut listener = |event: &Event, record: &referee::MatchRecord| {
                if matches!(event, Event::Ended { .. }) {
                    whole = record.clone();
                }
                if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let _alarm = Alarm::set(LONGEST_MATCH, &late);
            let record = grounds[fixture.game].play_or_cut(&seats, key, rules, &mut listener)?;
            self.keep(keeper, number, &record, whole)?;
            changed();
            Ok(record)
        };
        tournament.run(None, 1, stop, play, |_| ())?;
        Ok(())
    }

    /// Keeps a match: what the tournament counts, and what was thought.
    fn keep(
        &self,
        keeper: &Keeper,
        number: u64,
        record: &MatchRecord,
        whole: referee::MatchRecord,
    ) -> Result<(), WebError> {
        let counted = referee::MatchRecord::from(record.clone());
        let details = counted.ludens.map(|details| referee::Details {
            thoughts: whole.ludens.map_or_else(Vec::new, |whole| whole.thoughts),
            ..details
        });
        let kept = referee::MatchRecord {
            match_id: secret::word(ID_LETTERS),
            start_time: whole.start_time,
            game_role_names: whole.game_role_names,
            percepts: whole.percepts,
            state_times: whole.state_times,
            errors: whole.errors,
            ludens: details,
            ..counted
        };
        keeper.with(|store| {
            store.begin(self.run, number, &kept)?;
            store.end(&kept, Outcome::Finished, now())
        })?;
        if let Some(records) = &mut self.state.lock().records {
            records.push((number, record.clone()));
        }
        Ok(())
    }

    fn set(&self, status: Status, changed: &(dyn Fn() + Sync)) {
        self.state.lock().status = status;
        changed();
    }
}
