//! Tournaments of agents that are begun on the page: played one after the other in a thread of their own, kept match by
//! match in the database, and gone on with after the server was started anew.

mod contest;
mod plan;
mod view;

use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};

use arena::MatchRecord;
use parking_lot::Mutex;
use store::RunId;
use tokio::sync::watch;

use crate::api::{
    EndedMatch, EndedMatches, MadeTournament, NewTournament, TournamentSummary, TournamentView,
};
use crate::error::WebError;
use crate::games::Games;
use crate::matches::{Keeper, now};
use crate::secret;
use contest::{Contest, Status};
pub(crate) use plan::Plan;

/// Tournaments of one visitor that are played or wait.
const OPEN: usize = 2;
/// And of all visitors.
const ALL_OPEN: usize = 10;
/// Tournaments in the list.
const LISTED: usize = 200;
/// Matches that are told at once.
const PAGE: usize = 50;

/// All tournaments.
pub(crate) struct Tournaments {
    /// The latest first.
    all: Mutex<Vec<Arc<Contest>>>,
    keeper: Arc<Keeper>,
    games: Arc<Games>,
    queue: Sender<Arc<Contest>>,
    version: Arc<watch::Sender<u64>>,
}

impl Tournaments {
    /// Those of the database; the thread that plays begins to wait for work.
    pub(crate) fn new(keeper: &Arc<Keeper>, games: &Arc<Games>, memory: usize) -> Result<Self, WebError> {
        let (queue, waiting) = channel();
        let version = Arc::new(watch::channel(0).0);
        let mut all = Vec::new();
        for run in keeper.with(|store| store.runs())? {
            let Some(plan) = Plan::read(&run.settings) else { continue };
            let done = keeper.with(|store| store.count_ended(Some(run.id)))?;
            let status = if done >= plan.all() { Status::Done } else { Status::Paused };
            all.push(Arc::new(Contest::new(plan, run.id, run.created, status, None)));
        }
        let worker = Worker { keeper: Arc::clone(keeper), memory, version: Arc::clone(&version) };
        std::thread::Builder::new()
            .name("tournaments".to_owned())
            .spawn(move || worker.run(&waiting))
            .map_err(|error| WebError::Fault(error.to_string()))?;
        let (keeper, games) = (Arc::clone(keeper), Arc::clone(games));
        Ok(Self { all: Mutex::new(all), keeper, games, queue, version })
    }

    /// Makes a tournament, which is played when those before it are done.
    pub(crate) fn create(&self, wish: &NewTournament, from: IpAddr) -> Result<MadeTournament, WebError> {
        self.admit(from)?;
        let plan = Plan::new(wish, &self.games, now() % (1 << 32))?;
        let settings = plan.settings()?;
        let created = now();
        let run = self.keeper.with(|store| store.run(&settings, created))?;
        let made = MadeTournament { id: plan.id.clone(), owner: plan.owner.clone() };
        let contest = Arc::new(Contest::new(plan, run, created, Status::Waiting, Some(from)));
        self.all.lock().insert(0, Arc::clone(&contest));
        self.put(contest)?;
        Ok(made)
    }

    /// Whether a visitor may have one more played.
    fn admit(&self, from: IpAddr) -> Result<(), WebError> {
        let all = self.all.lock();
        let open = || all.iter().filter(|contest| contest.status().is_open());
        let own = open().filter(|contest| contest.state.lock().visitor == Some(from)).count();
        if own >= OPEN || open().count() >= ALL_OPEN {
            return Err(WebError::Busy(format!(
                "{own} tournaments of yours are played or wait; let one end, or pause it"
            )));
        }
        Ok(())
    }

    fn put(&self, contest: Arc<Contest>) -> Result<(), WebError> {
        let gone = |_| WebError::Fault("nobody plays tournaments any more".to_owned());
        self.queue.send(contest).map_err(gone)?;
        self.changed();
        Ok(())
    }

    fn changed(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    /// A number that grows with every change of any tournament.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// The latest tournaments.
    pub(crate) fn list(&self) -> Result<Vec<TournamentSummary>, WebError> {
        let all: Vec<Arc<Contest>> = self.all.lock().iter().take(LISTED).cloned().collect();
        let summary = |contest: &Arc<Contest>| {
            let done = self.keeper.with(|store| store.count_ended(Some(contest.run)))?;
            Ok(view::summary(contest, done))
        };
        all.iter().map(summary).collect()
    }

    fn find(&self, id: &str) -> Result<Arc<Contest>, WebError> {
        let found = self.all.lock().iter().find(|contest| contest.plan.id == id).cloned();
        found.ok_or_else(|| {
            WebError::Unknown("there is no such tournament; it may have been deleted".to_owned())
        })
    }

    fn own(&self, id: &str, keys: &[String]) -> Result<Arc<Contest>, WebError> {
        let contest = self.find(id)?;
        let why = || WebError::Forbidden("only who made the tournament may do this".to_owned());
        is_owner(&contest, keys).then_some(contest).ok_or_else(why)
    }

    /// A tournament as a visitor sees it.
    pub(crate) fn view(&self, id: &str, keys: &[String]) -> Result<TournamentView, WebError> {
        let contest = self.find(id)?;
        let records = contest.records(&self.keeper)?;
        let records: Vec<MatchRecord> = records.into_iter().map(|(_, record)| record).collect();
        Ok(view::view(&contest, &records, is_owner(&contest, keys)))
    }

    /// Has a tournament rest or go on.
    pub(crate) fn pause(
        &self,
        id: &str,
        keys: &[String],
        paused: bool,
        from: IpAddr,
    ) -> Result<(), WebError> {
        let contest = self.own(id, keys)?;
        if paused {
            self.rest(&contest);
            return Ok(());
        }
        match contest.status() {
            Status::Paused | Status::Failed => {}
            Status::Done => return Err(WebError::Conflict("everything was played".to_owned())),
            _ => return Ok(()),
        }
        self.admit(from)?;
        let mut state = contest.state.lock();
        state.status = Status::Waiting;
        state.fault = None;
        state.visitor = Some(from);
        state.stop = Arc::default();
        drop(state);
        self.put(contest)
    }

    fn rest(&self, contest: &Contest) {
        let mut state = contest.state.lock();
        state.stop.store(true, Ordering::Relaxed);
        // One that is being played says itself when it rests.
        if state.status == Status::Waiting {
            state.status = Status::Paused;
        }
        drop(state);
        self.changed();
    }

    /// Forgets a tournament and its matches.
    pub(crate) fn delete(&self, id: &str, keys: &[String]) -> Result<(), WebError> {
        let contest = self.own(id, keys)?;
        if matches!(contest.status(), Status::Building | Status::Running) {
            return Err(WebError::Conflict("pause the tournament first".to_owned()));
        }
        self.rest(&contest);
        self.keeper.with(|store| store.forget_run(contest.run))?;
        self.all.lock().retain(|other| other.run != contest.run);
        self.changed();
        Ok(())
    }

    /// Matches of a tournament that have ended, the latest first.
    pub(crate) fn matches(&self, id: &str, from: usize) -> Result<EndedMatches, WebError> {
        self.ended(Some(self.find(id)?.run), from)
    }

    /// Matches of tournaments and referees that have ended, the latest first.
    pub(crate) fn ended(&self, run: Option<RunId>, from: usize) -> Result<EndedMatches, WebError> {
        let (found, all) = self.keeper.with(|store| {
            let found = store.ended_matches(run, from, PAGE)?;
            Ok((found, store.count_ended(run)?))
        })?;
        Ok(EndedMatches { matches: found.into_iter().map(ended_match).collect(), all })
    }
}

fn ended_match(ended: store::EndedMatch) -> EndedMatch {
    let record = ended.record;
    let known = bundled::find(&record.game_name).ok();
    let title = known.and_then(|game| game.metadata().ok()).map(|metadata| metadata.name.clone());
    let cut = record.ludens.and_then(|details| details.cut);
    EndedMatch {
        id: record.match_id,
        title: title.filter(|title| !title.is_empty()).unwrap_or(record.game_name),
        players: record.player_names_from_host,
        goals: if record.goal_values.is_empty() { cut.unwrap_or_default() } else { record.goal_values },
        moves: record.moves.len(),
        ended: ended.ended,
    }
}

fn is_owner(contest: &Contest, keys: &[String]) -> bool {
    keys.iter().any(|key| secret::same(key, &contest.plan.owner))
}

impl Drop for Tournaments {
    /// What is being played ends soon, and lets go of the database.
    fn drop(&mut self) {
        for contest in self.all.lock().iter() {
            contest.state.lock().stop.store(true, Ordering::Relaxed);
        }
    }
}

/// The thread that plays.
struct Worker {
    keeper: Arc<Keeper>,
    memory: usize,
    version: Arc<watch::Sender<u64>>,
}

impl Worker {
    fn run(self, waiting: &Receiver<Arc<Contest>>) {
        let changed = || self.version.send_modify(|version| *version += 1);
        while let Ok(contest) = waiting.recv() {
            // It may have been paused, and gone on with, since it was put here.
            if contest.status() != Status::Waiting {
                continue;
            }
            let play = || contest.play(&self.keeper, self.memory, &changed);
            if catch_unwind(AssertUnwindSafe(play)).is_err() {
                let mut state = contest.state.lock();
                state.status = Status::Failed;
                state.fault = Some("it could not go on, which is a fault of ours".to_owned());
                drop(state);
                changed();
            }
        }
    }
}
