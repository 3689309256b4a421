//! All matches of a run, several at once, each kept as it goes on.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::ProgressBar;
use machine::reference::Reference;
use parking_lot::Mutex;
use protocol::{Manner, Request};
use referee::{
    Clocks, Event, Listener, Match, MatchRecord, PerceptForm, Rulebook, Schedule, Settings, standings,
};
use server::{MatchReport, Opponent, Timing, conduct};
use store::{Outcome, RunId, Store, StoreError};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::answer::Answer;
use super::seats::Player;
use crate::input::LoadedGame;
use crate::process::now;

/// Everything that the matches share.
pub(super) struct Tournament {
    game: String,
    machine: Arc<Reference>,
    sheet: gdl::RuleSheet,
    players: Vec<Player>,
    schedule: Schedule,
    clocks: Clocks,
    matches: u64,
    at_once: usize,
    scramble: bool,
    manner: Manner,
    percept_form: PerceptForm,
    seed: u64,
    steps: usize,
    records: Option<PathBuf>,
    kept: Option<Kept>,
}

/// The database and the run in it.
#[derive(Clone)]
struct Kept {
    store: Arc<Mutex<Store>>,
    run: RunId,
}

impl Tournament {
    pub(super) fn new(
        arguments: &super::Arguments,
        game: &LoadedGame,
        machine: Reference,
        players: Vec<Player>,
        clocks: Clocks,
    ) -> anyhow::Result<Self> {
        use game::Game;
        let (roles, chance) = (machine.role_count(), machine.chance());
        let schedule = Schedule::new(roles, chance, players.len(), !arguments.no_rotation)?;
        let kept = match &arguments.db {
            None => None,
            Some(path) => {
                let mut store = Store::open(path)?;
                let run = store.run(&settings(arguments, game, &players, clocks), now())?;
                Some(Kept { store: Arc::new(Mutex::new(store)), run })
            }
        };
        Ok(Self {
            game: game.name.clone(),
            machine: Arc::new(machine),
            sheet: game.parsed.sheet.clone(),
            players,
            schedule,
            clocks,
            matches: arguments.matches,
            at_once: usize::from(arguments.jobs),
            scramble: arguments.scramble,
            manner: arguments.manner.into(),
            percept_form: arguments.percepts.into(),
            seed: arguments.seed,
            steps: arguments.steps,
            records: arguments.records.clone(),
            kept,
        })
    }

    /// Waits until all players on the network answer.
    pub(super) async fn wait_for_players(&self, wait: Duration) -> anyhow::Result<()> {
        let begin = Instant::now();
        for player in &self.players {
            let Opponent::Remote(address) = &player.opponent else { continue };
            loop {
                let info = Request::Info.to_string();
                match player.opponent.ask(info, Duration::from_millis(2500)).await {
                    Ok(_) => break,
                    Err(error) if begin.elapsed() >= wait => {
                        let port = address.to_string();
                        let port = port.rsplit(':').next().unwrap_or_default();
                        bail!(
                            "no player answers at {address} ({error}); start one there, for example with \
                             `ludens player --port {port}`, or allow more time with --wait"
                        );
                    }
                    Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
                }
            }
        }
        Ok(())
    }

    /// Plays what is not finished yet.
    pub(super) async fn play(self) -> anyhow::Result<Answer> {
        let this = Arc::new(self);
        let interrupted = this.call_off_interrupted().await?;
        let (numbers, before) = this.unfinished()?;
        let bar = crate::commands::progress_bar(this.matches, "matches");
        bar.set_position(this.matches - numbers.len() as u64);
        let places = Arc::new(Semaphore::new(this.at_once));
        let base = now();
        let mut running = JoinSet::new();
        for number in numbers {
            let (this, places, bar) = (Arc::clone(&this), Arc::clone(&places), bar.clone());
            running.spawn(async move {
                let _place = places.acquire().await;
                let outcome = this.one(number, base, &bar).await;
                bar.inc(1);
                outcome
            });
        }
        let mut reports = Vec::new();
        let mut ended = false;
        loop {
            tokio::select! {
                done = running.join_next() => match done {
                    None => break,
                    Some(report) => reports.push(report.context("a match has failed")??),
                },
                _ = tokio::signal::ctrl_c() => {
                    ended = true;
                    break;
                }
            }
        }
        bar.finish_and_clear();
        if ended {
            let hint = if this.kept.is_some() { "; the same command goes on with the rest" } else { "" };
            bail!("ended after {} matches{hint}", reports.len());
        }
        this.answer(reports, before, interrupted)
    }

    /// Marks the matches that an earlier process left behind, and tells their players.
    async fn call_off_interrupted(&self) -> anyhow::Result<u64> {
        let Some(kept) = &self.kept else { return Ok(0) };
        let left = kept.store.lock().interrupt(kept.run, now())?;
        for record in &left {
            let abort = Request::Abort { match_id: record.match_id.clone() };
            let abort = self.manner.apply(&abort.to_string());
            for player in &self.players {
                // A player that has gone, too, has nothing to forget.
                let _ = player.opponent.ask(abort.clone(), Duration::from_secs(1)).await;
            }
        }
        Ok(left.len() as u64)
    }

    /// The numbers of the matches to play, and how many are finished.
    fn unfinished(&self) -> anyhow::Result<(Vec<u64>, u64)> {
        let Some(kept) = &self.kept else { return Ok(((0..self.matches).collect(), 0)) };
        let store = kept.store.lock();
        Ok((store.unfinished(kept.run, self.matches)?, store.records(kept.run)?.len() as u64))
    }

    /// Plays one match.
    async fn one(&self, number: u64, base: u64, bar: &ProgressBar) -> anyhow::Result<MatchReport> {
        let attempt = match &self.kept {
            Some(kept) => kept.store.lock().attempts(kept.run, number)?,
            None => 0,
        };
        let seats = self.schedule.players(number);
        let name = |seat: &Option<usize>| seat.map_or("chance", |player| &self.players[player].name);
        let settings = Settings {
            match_id: format!("{}.{base}.{number}.{attempt}", one_word(&self.game)),
            game_name: self.game.clone(),
            game_meta_url: String::new(),
            players: seats.iter().map(|seat| name(seat).to_owned()).collect(),
            human: vec![false; seats.len()],
            clocks: self.clocks,
            percept_form: self.percept_form,
            seed: self.seed.wrapping_mul(1_000_003).wrapping_add(number),
            longest: self.steps,
        };
        let book = Rulebook::new(&self.sheet, self.scramble.then_some(settings.seed));
        let opponents: Vec<Option<Opponent>> =
            seats.iter().map(|seat| seat.map(|player| self.players[player].opponent.clone())).collect();
        let current = match Match::new(&*self.machine, &book, settings, now()) {
            Ok(current) => current,
            Err(fault) => return Err(crate::failure::FaultyGame(fault.to_string()).into()),
        };
        let mut diary = Diary { kept: self.kept.clone(), bar: bar.clone(), failure: None };
        if let Some(kept) = &self.kept {
            kept.store.lock().begin(kept.run, number, current.record())?;
        }
        let report = conduct(current, &opponents, self.manner, &mut diary).await;
        if let Some(failure) = diary.failure {
            return Err(failure.into());
        }
        if let Some(kept) = &self.kept {
            let outcome = if report.fault.is_some() { Outcome::Aborted } else { Outcome::Finished };
            kept.store.lock().end(&report.record, outcome, now())?;
        }
        if let Some(folder) = &self.records {
            write_record(folder, &report.record)?;
        }
        Ok(report)
    }

    fn answer(&self, reports: Vec<MatchReport>, before: u64, interrupted: u64) -> anyhow::Result<Answer> {
        let mut timing = Timing::default();
        reports.iter().for_each(|report| timing.add(&report.timing));
        let fault = reports.iter().find_map(|report| report.fault.as_ref()).map(ToString::to_string);
        let (records, aborted) = match &self.kept {
            Some(kept) => {
                let store = kept.store.lock();
                (store.records(kept.run)?, store.aborted(kept.run)?)
            }
            None => {
                let aborted = reports.iter().filter(|report| report.fault.is_some()).count() as u64;
                let finished = reports.into_iter().filter(|report| report.fault.is_none());
                (finished.map(|report| report.record).collect(), aborted)
            }
        };
        let names: Vec<String> = self.players.iter().map(|player| player.name.clone()).collect();
        Ok(Answer {
            game: self.game.clone(),
            matches: self.matches,
            finished: records.len() as u64,
            finished_before: before,
            aborted,
            fault,
            interrupted,
            timing,
            standings: standings(&names, records.iter()),
        })
    }
}

/// Keeps a match as it goes on.
struct Diary {
    kept: Option<Kept>,
    bar: ProgressBar,
    failure: Option<StoreError>,
}

impl Listener for Diary {
    fn hear(&mut self, event: &Event, record: &MatchRecord) -> ControlFlow<()> {
        if !matches!(event, Event::Position { .. } | Event::Ended { .. }) {
            return ControlFlow::Continue(());
        }
        self.bar.set_message(format!("{} move {}", record.match_id, record.moves.len()));
        let kept = self.kept.as_ref().map_or(Ok(()), |kept| kept.store.lock().update(record));
        self.failure = kept.err();
        // What cannot be kept is not played.
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// What makes a run: with the same settings, an earlier one is gone on with.
fn settings(arguments: &super::Arguments, game: &LoadedGame, players: &[Player], clocks: Clocks) -> String {
    let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
    let value = serde_json::json!({
        "game": game.name,
        "rules": gdl::print_sheet(&game.parsed.sheet),
        "players": names,
        "clocks": [clocks.preview.as_secs_f64(), clocks.start.as_secs_f64(), clocks.play.as_secs_f64()],
        "scramble": arguments.scramble,
        "rotation": !arguments.no_rotation,
        "seed": arguments.seed,
    });
    value.to_string()
}

/// A name as part of a match id.
pub(crate) fn one_word(name: &str) -> String {
    let name = Path::new(name).file_stem().map_or_else(|| name.into(), |stem| stem.to_string_lossy());
    let letter =
        |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    name.chars().map(letter).collect()
}

/// Writes a record so that it is there as a whole or not at all.
fn write_record(folder: &Path, record: &MatchRecord) -> anyhow::Result<()> {
    let path = folder.join(format!("{}.json", record.match_id));
    let shown = path.display().to_string();
    let text = serde_json::to_string_pretty(record)?;
    let write = || -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        std::io::Write::write_all(&mut file, text.as_bytes())?;
        file.persist(&path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {shown}"))
}
