//! Plays what the plan says, several matches at once, and keeps everything.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use arena::{Contestant, Ground, MatchKey, MatchRules, Thinking};
use game::{Describe, Game};
use parking_lot::Mutex;
use protocol::Manner;
use referee::tournament::{EntrantId, Fixture, FixtureId, Plan, Progress, Results};
use referee::{Event, Match, MatchRecord, Rulebook, Settings};
use server::{Opponent, conduct, conduct_resumed};
use store::{Outcome, RunId, Store};
use tokio::task::JoinSet;

use super::entrants;
use super::file::{Described, Who};
use super::games::{self, TournamentGame};
use super::kept::{Diary, write_whole};
use super::page;
use super::report::Report;
use crate::commands::referee::tournament::one_word;
use crate::elsewhere::{Conditions, Remote};
use crate::output::Output;
use crate::process::now;

/// The name of whoever plays the role of chance.
const CHANCE: &str = "chance";
/// Seconds to build the machines of a game for agents who count simulations.
const BUILDING: Duration = Duration::from_secs(60);

/// How often the page is written at most, but at the end.
const BETWEEN_PAGES: Duration = Duration::from_secs(2);

/// Everything that the matches share.
pub(super) struct Conductor {
    described: Described,
    games: Vec<TournamentGame>,
    plan: Plan,
    ways: Vec<Opponent>,
    store: Arc<Mutex<Store>>,
    run: RunId,
    /// Where repeatable matches are played, if not here.
    elsewhere: Option<Arc<Remote>>,
    /// When this process began: ids of matches are never given twice.
    base: u64,
}

/// What came of a match.
struct Played {
    fixture: Fixture,
    goals: Vec<u8>,
    fault: Option<String>,
}

impl Conductor {
    pub(super) async fn new(
        described: Described,
        output: &mut Output,
        quiet: bool,
    ) -> anyhow::Result<Arc<Self>> {
        let games = games::games(&described)?;
        let plan = games::plan(&described, &games)?;
        let mut store = Store::open(&described.database)?;
        let run = store.run(&games::identity(&described, &games), now())?;
        let (ways, address) = entrants::ways(&described).await?;
        if let (Some(address), false) = (address, quiet) {
            writeln!(
                output,
                "players connect to {address}: ludens player --connect http://{address} --name NAME"
            )?;
            output.flush()?;
        }
        let store = Arc::new(Mutex::new(store));
        let connect = |(address, certificates): &(String, Option<PathBuf>)| {
            // It has a runtime of its own, which cannot be started in this one.
            tokio::task::block_in_place(|| Remote::connect(address, certificates.clone()))
        };
        let elsewhere = described.cluster.as_ref().map(connect).transpose()?.map(Arc::new);
        Ok(Arc::new(Self { described, games, plan, ways, store, run, elsewhere, base: now() }))
    }

    /// Waits until all players answer.
    pub(super) async fn wait_for_players(&self, wait: Duration) -> anyhow::Result<()> {
        let begin = Instant::now();
        for (entrant, way) in self.described.entrants.iter().zip(&self.ways) {
            loop {
                match entrants::is_there(way).await {
                    Ok(()) => break,
                    Err(why) if begin.elapsed() >= wait => {
                        let name = &entrant.name;
                        let (what, kind) = (entrant.who.kind(), &entrant.who);
                        let hint = match kind {
                            Who::Connects(_) => "start it with `ludens player --connect`",
                            _ => "start it there with `ludens player`",
                        };
                        bail!(
                            "the entrant {name} ({what}) is not there: {why}; {hint}, or allow more time with --wait"
                        );
                    }
                    Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
                }
            }
        }
        Ok(())
    }

    /// Plays all that is not finished yet.
    pub(super) async fn play(self: Arc<Self>, output: &mut Output, quiet: bool) -> anyhow::Result<Report> {
        let (mut results, mut left) = self.known()?;
        let before = results.len();
        if before + left.len() > 0 && !quiet {
            writeln!(output, "{before} matches were played before, {} are gone on with", left.len())?;
        }
        let mut running = JoinSet::new();
        let mut begun: HashMap<FixtureId, Fixture> = HashMap::new();
        let mut written: Option<Instant> = None;
        loop {
            let progress = self.plan.progress(&results);
            // All matches are read for that.
            if written.is_none_or(|written| written.elapsed() > BETWEEN_PAGES) {
                self.write_files(&self.report(&progress)?)?;
                written = Some(Instant::now());
            }
            for fixture in &progress.open {
                if running.len() >= self.described.at_once {
                    break;
                }
                if begun.contains_key(&fixture.id) || self.is_waiting(fixture, &begun) {
                    continue;
                }
                begun.insert(fixture.id, fixture.clone());
                let (this, fixture, left) =
                    (Arc::clone(&self), fixture.clone(), left.remove(&fixture.id.number()));
                running.spawn(async move { this.one(fixture, left).await });
            }
            output.flush()?;
            let done = tokio::select! {
                done = running.join_next() => done,
                _ = tokio::signal::ctrl_c() => bail!("ended; the same command goes on where it was"),
            };
            let Some(done) = done else { break };
            let played = done.context("a match has failed")??;
            begun.remove(&played.fixture.id);
            if !quiet {
                self.tell(&played, output)?;
            }
            results.insert(played.fixture.id, played.goals);
        }
        let report = self.report(&self.plan.progress(&results))?;
        self.write_files(&report)?;
        Ok(report)
    }

    /// Whether a person of the match is playing another one.
    fn is_waiting(&self, fixture: &Fixture, begun: &HashMap<FixtureId, Fixture>) -> bool {
        let is_person = |seat: &EntrantId| matches!(self.described.entrants[seat.0].who, Who::Person);
        let busy: HashSet<EntrantId> =
            begun.values().flat_map(|fixture| fixture.seats.iter().copied()).collect();
        fixture.seats.iter().any(|seat| is_person(seat) && busy.contains(seat))
    }

    /// What was played before, and the matches that were in progress.
    fn known(&self) -> anyhow::Result<(Results, HashMap<u64, MatchRecord>)> {
        let store = self.store.lock();
        let mut results = Results::new();
        for (number, record) in store.ended(self.run)? {
            results.insert(fixture_id(number), self.seat_goals(&record));
        }
        Ok((results, store.running(self.run)?.into_iter().collect()))
    }

    /// The goals of the roles that are not chance.
    fn seat_goals(&self, record: &MatchRecord) -> Vec<u8> {
        let roles = record.goal_values.iter().zip(&record.player_names_from_host);
        let seats = roles.filter(|(_, name)| *name != CHANCE).map(|(&goal, _)| goal);
        if record.is_completed { seats.collect() } else { Vec::new() }
    }

    fn settings(&self, fixture: &Fixture, attempt: u64) -> Settings {
        let game = &self.games[fixture.game];
        let seats = self.seated(fixture);
        let entrant = |seat: &Option<EntrantId>| seat.map(|seat| &self.described.entrants[seat.0]);
        let number = fixture.id.number();
        Settings {
            match_id: format!("{}.{}.{number}.{attempt}", one_word(&game.loaded.name), self.base),
            game_name: game.loaded.name.clone(),
            game_meta_url: String::new(),
            players: seats
                .iter()
                .map(|seat| entrant(seat).map_or_else(|| CHANCE.to_owned(), |entrant| entrant.name.clone()))
                .collect(),
            human: seats
                .iter()
                .map(|seat| entrant(seat).is_some_and(|entrant| matches!(entrant.who, Who::Person)))
                .collect(),
            clocks: self.described.clocks,
            seed: fixture.seed,
            longest: self.described.steps,
            ..Settings::default()
        }
    }

    /// Who plays each role; nobody plays chance.
    fn seated(&self, fixture: &Fixture) -> Vec<Option<EntrantId>> {
        let game = &self.games[fixture.game];
        let mut seats = fixture.seats.iter();
        let chance = game.chance().map(|role| usize::from(role.0));
        (0..game.machine.role_count())
            .map(|role| if Some(role) == chance { None } else { seats.next().copied() })
            .collect()
    }

    /// The agents of a match in which everybody counts simulations: it is the same whenever it is played.
    fn repeatable(&self, fixture: &Fixture) -> Option<Vec<Contestant>> {
        let agent = |seat: Option<EntrantId>| match seat.map(|seat| &self.described.entrants[seat.0].who) {
            Some(Who::Agent(agent, _)) => {
                matches!(agent.thinking, Thinking::Simulations(_)).then(|| agent.clone())
            }
            // Chance is not steered, whoever sits there.
            None => Contestant::read("random@1", Thinking::Simulations(1)).ok(),
            Some(_) => None,
        };
        self.seated(fixture).into_iter().map(agent).collect()
    }

    /// Plays one match, or goes on with it.
    async fn one(self: Arc<Self>, fixture: Fixture, left: Option<MatchRecord>) -> anyhow::Result<Played> {
        if let Some(agents) = self.repeatable(&fixture) {
            if let Some(record) = left {
                self.store.lock().give_up(&record.match_id, now())?;
            }
            return self.one_repeatable(fixture, agents).await;
        }
        let game = &self.games[fixture.game];
        let attempt = self.store.lock().attempts(self.run, fixture.id.number())?;
        let mut settings = self.settings(&fixture, attempt);
        let scramble = self.described.scramble.then_some(settings.seed);
        let book = Rulebook::new(&game.loaded.parsed.sheet, scramble);
        let seats = self.seated(&fixture);
        let opponents: Vec<Option<Opponent>> =
            seats.iter().map(|seat| seat.map(|seat| self.ways[seat.0].clone())).collect();
        let faulty = |fault: String| crate::failure::FaultyGame(fault);
        let mut diary = Diary::new(Arc::clone(&self.store));
        let report = match left {
            Some(record) => {
                settings.match_id.clone_from(&record.match_id);
                let current = Match::resume(&*game.machine, &book, settings, &record, now());
                let current = current.map_err(|fault| faulty(fault.to_string()))?;
                conduct_resumed(current, &opponents, Manner::Plain, &mut diary).await
            }
            None => {
                let current = Match::new(&*game.machine, &book, settings, now());
                let current = current.map_err(|fault| faulty(fault.to_string()))?;
                self.store.lock().begin(self.run, fixture.id.number(), current.record())?;
                conduct(current, &opponents, Manner::Plain, &mut diary).await
            }
        };
        diary.result()?;
        self.keep(&fixture, report.record, report.fault.map(|fault| fault.to_string()))
    }

    /// Plays a match of agents who count simulations, in this process alone.
    async fn one_repeatable(
        self: Arc<Self>,
        fixture: Fixture,
        agents: Vec<Contestant>,
    ) -> anyhow::Result<Played> {
        let attempt = self.store.lock().attempts(self.run, fixture.id.number())?;
        let settings = self.settings(&fixture, attempt);
        let begin = MatchRecord {
            match_id: settings.match_id.clone(),
            start_time: now(),
            game_name: settings.game_name.clone(),
            player_names_from_host: settings.players.clone(),
            ..MatchRecord::default()
        };
        self.store.lock().begin(self.run, fixture.id.number(), &begin)?;
        let key = MatchKey {
            game: settings.game_name.clone(),
            seats: settings.players.clone(),
            round: fixture.id.number(),
            seed: fixture.seed,
        };
        let (played, mut record) = self.play_repeatable(fixture.game, agents, key).await?;
        record.match_id = settings.match_id;
        record.start_time = begin.start_time;
        record.player_names_from_host = settings.players;
        let machine = &self.games[fixture.game].machine;
        record.game_role_names = machine.role_ids().map(|role| machine.role_spelling(role)).collect();
        let fault = played.cut.then(|| format!("it did not end within {} moves", self.described.steps));
        self.keep(&fixture, record, fault)
    }

    /// Plays such a match here, or has it played elsewhere.
    async fn play_repeatable(
        &self,
        game: usize,
        agents: Vec<Contestant>,
        key: MatchKey,
    ) -> anyhow::Result<(arena::MatchRecord, MatchRecord)> {
        let rules = MatchRules { steps: self.described.steps, ..MatchRules::default() };
        if let Some(elsewhere) = self.elsewhere.clone() {
            let conditions = Conditions { rules, building: BUILDING, memory: self.described.memory };
            let text = self.games[game].loaded.source.text().to_owned();
            let asking = tokio::task::spawn_blocking(move || elsewhere.play(&text, &agents, key, conditions));
            let played = asking.await.context("a match has failed")??;
            return Ok((played.clone(), played.into()));
        }
        let ground = self.ground(game).await?;
        let mut last = None;
        let playing = tokio::task::spawn_blocking(move || {
            let mut keep = |event: &Event, record: &MatchRecord| {
                if let Event::Ended { .. } = event {
                    last = Some(record.clone());
                }
                ControlFlow::Continue(())
            };
            let played = ground.play_or_cut(&agents, key, rules, &mut keep);
            played.map(|played| (played, last.unwrap_or_default()))
        });
        Ok(playing.await.context("a match has failed")??)
    }

    /// The machines of a game, built when they are first needed.
    async fn ground(&self, number: usize) -> anyhow::Result<Ground> {
        let game = &self.games[number];
        let build = || async {
            let (name, rules) = (game.loaded.name.clone(), game.loaded.rules.clone());
            let memory = self.described.memory;
            let building = tokio::task::spawn_blocking(move || Ground::build(&name, rules, BUILDING, memory));
            anyhow::Ok(building.await.context("a game could not be built")??)
        };
        Ok(game.ground.get_or_try_init(build).await?.clone())
    }

    /// Keeps a match that has ended.
    fn keep(&self, fixture: &Fixture, record: MatchRecord, fault: Option<String>) -> anyhow::Result<Played> {
        let outcome = if record.is_completed { Outcome::Finished } else { Outcome::Aborted };
        self.store.lock().end(&record, outcome, now())?;
        Ok(Played { fixture: fixture.clone(), goals: self.seat_goals(&record), fault })
    }

    fn tell(&self, played: &Played, output: &mut Output) -> anyhow::Result<()> {
        let game = &self.games[played.fixture.game].loaded;
        let stage = &self.described.stages[played.fixture.id.stage];
        let name = |seat: &EntrantId| self.described.entrants[seat.0].name.as_str();
        let result = match &played.fault {
            Some(fault) => {
                let names: Vec<&str> = played.fixture.seats.iter().map(name).collect();
                format!("{}: called off, {fault}", names.join(", "))
            }
            None => {
                let seats = played.fixture.seats.iter().zip(&played.goals);
                let told: Vec<String> = seats.map(|(seat, goal)| format!("{} {goal}", name(seat))).collect();
                told.join(", ")
            }
        };
        writeln!(output, "{}: {}: {result}", page::kind_name(stage.kind), game.title())?;
        Ok(output.flush()?)
    }

    fn report(&self, progress: &Progress) -> anyhow::Result<Report> {
        let store = self.store.lock();
        let ended = store.ended(self.run)?;
        let all = store.all_records()?;
        drop(store);
        Ok(Report::new(&self.described, &self.games, progress, &ended, &all))
    }

    /// Writes the page and the file beside it, each as a whole.
    fn write_files(&self, report: &Report) -> anyhow::Result<()> {
        write_whole(&self.described.page, page::page(report).as_bytes())?;
        write_whole(&self.described.json, &serde_json::to_vec_pretty(report)?)
    }
}

/// The fixture of a number.
fn fixture_id(number: u64) -> FixtureId {
    let (stage, series, match_number) = (number >> 40, (number >> 8) & 0xffff_ffff, number & 0xff);
    FixtureId { stage: stage as usize, series: series as usize, number: match_number as usize }
}
