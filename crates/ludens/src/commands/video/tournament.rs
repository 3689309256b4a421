//! `ludens video tournament`

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use arena::statistics;
use parking_lot::Mutex;
use serde::Serialize;
use vgdl::{Action, Game, Outcome};
use video::Made;
use video::bout::{self, Allowance, Conditions};
use video::record::written;
use video::standings::{self, Tally};

use super::super::progress_bar;
use super::results::{Against, Entry, Results, Share};
use super::thinking::ThinkingArguments;
use crate::output::Output;
use crate::process::thread_cpu_time;
use crate::table::Table;
use crate::video_games::VideoGame;

/// Let players meet by the rules of the competition
///
/// Every player plays every level of every game several times; the competition has ten games of five levels
/// each and ten runs. In each game, whoever won more often is better, then whoever has more points, then
/// whoever was faster; the best ten get 25, 18, 15, 12, 10, 8, 6, 4, 2 and 1 points. Games for two are
/// played by every pair of players, from both sides. An answer that comes too late counts as none; one that
/// is far too late (--limit), or a preparation that takes too long, ends the game with -1000 points. Shares
/// of victories come with 95% confidence intervals.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens video tournament training --players random,mcts,olets --runs 2 --out training.jsonl\n  \
                        ludens video tournament a.txt b.txt --players olets,ludens-video --jobs 2 --json\n\nWith --out every \
                        game is kept as a line of JSON when it ends, with what players did; `ludens video watch \
                        --replay` shows it. The same command goes on where it was, whatever \
                        ended it; more players, games or --runs add to it. Games under other conditions are played \
                        again; games that another build played are not counted with those of this one, unless \
                        --any-build says so."
)]
pub(crate) struct Arguments {
    /// The games; `training`, `validation` and `test` are the sets of bundled ones
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,

    /// The players: NAME, or NAME:PARAMETER=VALUE;PARAMETER=VALUE
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', required = true)]
    players: Vec<String>,

    /// How often each player plays each level
    #[arg(long, short = 'n', default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    runs: u64,

    /// The most levels of a game
    #[arg(long, default_value_t = 5)]
    levels: usize,

    #[command(flatten)]
    thinking: ThinkingArguments,

    /// Milliseconds after which an answer disqualifies: a quarter more than --tick if it is not given, as the
    /// competition has 50 for 40; 0 disqualifies nobody
    #[arg(long, value_name = "MS")]
    limit: Option<f64>,

    /// Games at a time: each takes a processor
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,

    /// Keep every game in this file, and go on with what is in it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Go on with games that another build played, whose players may play otherwise
    #[arg(long, requires = "out")]
    any_build: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    players: Vec<PlayerAnswer>,
    games: Vec<GameAnswer>,
    thinking: String,
    runs: u64,
    seed: u64,
    /// Games that were in the file.
    resumed: usize,
}

#[derive(Serialize)]
struct PlayerAnswer {
    player: String,
    points: u32,
    played: u32,
    won: u32,
    /// Per cent of victories, and half the width of the interval.
    share: f64,
    interval: f64,
    late: u64,
    longest_milliseconds: f64,
    disqualified: u32,
}

#[derive(Serialize)]
struct GameAnswer {
    game: String,
    players: Vec<GamePlayerAnswer>,
}

#[derive(Serialize)]
struct GamePlayerAnswer {
    player: String,
    points: u32,
    played: u32,
    won: u32,
    mean_score: f64,
    mean_ticks: f64,
}

/// Which part of --tick disqualifies: 50 ms of 40 in the competition.
const LIMIT: f64 = 1.25;

/// One game that is to be played.
struct Fixture {
    game: usize,
    /// One player, or two.
    players: Vec<usize>,
    blank: Entry,
}

/// Who plays whom: everybody alone, or every pair from both sides.
fn seatings(players: usize, seats: usize) -> Vec<Vec<usize>> {
    if seats < 2 {
        return (0..players).map(|player| vec![player]).collect();
    }
    let pairs = (0..players).flat_map(|first| (0..players).map(move |second| [first, second]));
    pairs.filter(|[first, second]| first != second).map(Vec::from).collect()
}

/// Plays a game that is to be played.
fn play_fixture(fixture: &Fixture, game: &VideoGame, players: &[Made], conditions: Conditions) -> Entry {
    let seed = fixture.blank.game_seed();
    let mut seated: Vec<_> = fixture.players.iter().map(|&player| players[player].player(seed)).collect();
    let mut ticks: Vec<Vec<Action>> = Vec::new();
    let mut listen = |_: &Game, done: &[Action]| {
        ticks.extend((!done.is_empty()).then(|| done.to_vec()));
        ControlFlow::Continue(())
    };
    let level = &game.levels[fixture.blank.level];
    let bout = bout::play(level, &mut seated, seed, conditions, &thread_cpu_time, &mut listen);
    let share = |seat: usize| {
        let (outcome, score) = bout.results.get(seat).copied().unwrap_or_default();
        (outcome == Outcome::Won, score, bout.disqualified.get(seat) == Some(&true))
    };
    let blank = fixture.blank.clone();
    let against = blank.against.map(|other| {
        let (won, score, disqualified) = share(1);
        Against { won, score, disqualified, ..other }
    });
    let (won, score, disqualified) = share(0);
    Entry {
        won,
        score,
        disqualified,
        against,
        ticks: bout.ticks.unsigned_abs().into(),
        late: bout.late,
        longest_milliseconds: 1e3 * bout.longest.as_secs_f64(),
        actions: written(&ticks, fixture.players.len()),
        ..blank
    }
}

impl Arguments {
    /// The conditions of the competition, with its limit.
    fn conditions(&self) -> anyhow::Result<Conditions> {
        let conditions = self.thinking.conditions()?;
        let limit = self.limit.unwrap_or(self.thinking.tick * LIMIT);
        let seconds = Duration::try_from_secs_f64(limit / 1e3);
        let limit =
            seconds.map_err(|_| anyhow::anyhow!("`{limit}` is no time; give --limit milliseconds"))?;
        let counts = matches!(conditions.tick, Allowance::Time(_)) && !limit.is_zero();
        Ok(Conditions { limit: counts.then_some(limit), ..conditions })
    }

    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let mut games = Vec::new();
        for word in &self.games {
            for game in VideoGame::find_all(word)? {
                if game.rules.players > self.players.len() {
                    bail!("{} is for two players; give --players two or more", game.name);
                }
                games.push(game);
            }
        }
        let registry = video::players::registry();
        let mut players: Vec<Made> = Vec::new();
        for text in &self.players {
            players.push(registry.read(&text.replace(';', ","))?);
        }
        let (mut results, known) = match &self.out {
            Some(path) => {
                let (results, known) = Results::open(path)?;
                (Some(results), known)
            }
            None => (None, Vec::new()),
        };
        let build = cluster::this_build(env!("CARGO_PKG_VERSION"));
        let build = build.context("cannot read the file of this program, by which builds are told apart")?;
        let mut entries = Vec::new();
        let mut open = Vec::new();
        for fixture in self.fixtures(&games, &players, &build)? {
            match known.iter().find(|entry| entry.is_same_game(&fixture.blank)) {
                Some(entry) if !self.any_build && entry.build.as_ref() != Some(&build) => bail!(
                    "the file has games of another build ({}; this one is {build}), whose players may play \
                     otherwise; give another --out, or --any-build to count them all the same",
                    entry.shown_build()
                ),
                Some(entry) => entries.push(entry.clone()),
                None => open.push(fixture),
            }
        }
        let resumed = entries.len();
        self.play(&games, &players, &open, &mut results, &mut entries)?;
        let answer = self.answer(&games, &players, &entries, resumed);
        if self.json {
            output.json(&answer)?;
        } else {
            answer.write(output)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// All games that are to be played: run by run, so that whatever is there is fair.
    fn fixtures(&self, games: &[VideoGame], players: &[Made], build: &str) -> anyhow::Result<Vec<Fixture>> {
        let limit = self.conditions()?.limit.map(|limit| 1e3 * limit.as_secs_f64());
        let mut fixtures = Vec::new();
        for run in 0..self.runs {
            for (place, game) in games.iter().enumerate() {
                for level in 0..game.levels.len().min(self.levels) {
                    for seats in seatings(players.len(), game.rules.players) {
                        let against = seats.get(1).map(|&second| Against {
                            player: players[second].name(),
                            won: false,
                            score: 0.0,
                            disqualified: false,
                        });
                        let blank = Entry {
                            game: game.name.clone(),
                            level,
                            run,
                            player: players[seats[0]].name(),
                            seed: self.thinking.seed,
                            thinking: self.thinking.label(),
                            limit_milliseconds: limit,
                            build: Some(build.to_owned()),
                            won: false,
                            score: 0.0,
                            ticks: 0,
                            late: 0,
                            longest_milliseconds: 0.0,
                            disqualified: false,
                            against,
                            actions: Vec::new(),
                        };
                        fixtures.push(Fixture { game: place, players: seats, blank });
                    }
                }
            }
        }
        Ok(fixtures)
    }

    fn play(
        &self,
        games: &[VideoGame],
        players: &[Made],
        open: &[Fixture],
        results: &mut Option<Results>,
        entries: &mut Vec<Entry>,
    ) -> anyhow::Result<()> {
        let conditions = self.conditions()?;
        let bar = progress_bar(open.len() as u64, "games");
        let next = AtomicUsize::new(0);
        let done = Mutex::new((results, entries));
        let work = || -> anyhow::Result<()> {
            while let Some(fixture) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                let game = &games[fixture.game];
                let entry = play_fixture(fixture, game, players, conditions);
                let mut done = done.lock();
                if let Some(results) = done.0.as_mut() {
                    results.add(&entry)?;
                }
                done.1.push(entry);
                bar.inc(1);
            }
            Ok(())
        };
        let outcome = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.jobs).map(|_| scope.spawn(work)).collect();
            let ended = threads.into_iter().map(|thread| thread.join().ok());
            let ended: Vec<_> = ended.map(|ended| ended.context("a player failed")?).collect();
            ended.into_iter().collect::<anyhow::Result<()>>()
        });
        bar.finish_and_clear();
        outcome
    }

    fn answer(&self, games: &[VideoGame], players: &[Made], entries: &[Entry], resumed: usize) -> Answer {
        let mut points = vec![0; players.len()];
        let mut game_answers = Vec::new();
        for game in games {
            let tallies: Vec<Tally> = players
                .iter()
                .map(|made| {
                    let mut tally = Tally::default();
                    for entry in entries.iter().filter(|entry| entry.game == game.name) {
                        entry
                            .shares(&made.name())
                            .for_each(|share| tally.add(share.won, share.score, entry.ticks));
                    }
                    tally
                })
                .collect();
            let gained = standings::points(&tallies);
            points.iter_mut().zip(&gained).for_each(|(all, more)| *all += more);
            let rows = players.iter().zip(&tallies).zip(&gained).map(|((made, tally), &points)| {
                let played = f64::from(tally.played.max(1));
                GamePlayerAnswer {
                    player: made.name(),
                    points,
                    played: tally.played,
                    won: tally.won,
                    mean_score: tally.score / played,
                    mean_ticks: tally.ticks as f64 / played,
                }
            });
            game_answers.push(GameAnswer { game: game.name.clone(), players: rows.collect() });
        }
        let player = |(made, points): (&Made, u32)| {
            let name = made.name();
            let own: Vec<&Entry> =
                entries.iter().filter(|entry| entry.shares(&name).next().is_some()).collect();
            let shares: Vec<Share> = entries.iter().flat_map(|entry| entry.shares(&name)).collect();
            let mut tally = statistics::Tally::default();
            shares.iter().for_each(|share| tally.add(f64::from(u8::from(share.won))));
            let share = tally.share();
            PlayerAnswer {
                player: made.name(),
                points,
                played: shares.len() as u32,
                won: shares.iter().filter(|share| share.won).count() as u32,
                share: share.map_or(0.0, |share| 100.0 * share.mean),
                interval: share.map_or(100.0, |share| 100.0 * share.interval),
                late: own.iter().map(|entry| entry.late).sum(),
                longest_milliseconds: own.iter().map(|entry| entry.longest_milliseconds).fold(0.0, f64::max),
                disqualified: shares.iter().filter(|share| share.disqualified).count() as u32,
            }
        };
        let mut rows: Vec<PlayerAnswer> = players.iter().zip(points).map(player).collect();
        rows.sort_by_key(|row| std::cmp::Reverse((row.points, row.won)));
        Answer {
            players: rows,
            games: game_answers,
            thinking: self.thinking.label(),
            runs: self.runs,
            seed: self.thinking.seed,
            resumed,
        }
    }
}

impl Answer {
    fn write(&self, output: &mut Output) -> anyhow::Result<()> {
        for game in &self.games {
            let title = output.bold(&game.game);
            writeln!(output, "{title}")?;
            let mut table = Table::new(&["player", ">points", ">won", ">of", ">mean score", ">mean ticks"]);
            let mut rows: Vec<&GamePlayerAnswer> = game.players.iter().collect();
            rows.sort_by_key(|row| std::cmp::Reverse(row.points));
            for row in rows {
                table.row([
                    row.player.clone(),
                    row.points.to_string(),
                    row.won.to_string(),
                    row.played.to_string(),
                    format!("{:.2}", row.mean_score),
                    format!("{:.0}", row.mean_ticks),
                ]);
            }
            table.write(output)?;
            writeln!(output)?;
        }
        let title = output.bold("all games");
        writeln!(output, "{title} ({})", self.thinking)?;
        let mut table = Table::new(&[
            "player",
            ">points",
            ">won",
            ">of",
            ">victories",
            ">late",
            ">longest answer",
            ">disqualified",
        ]);
        for row in &self.players {
            table.row([
                row.player.clone(),
                row.points.to_string(),
                row.won.to_string(),
                row.played.to_string(),
                format!("{:.1} ± {:.1} %", row.share, row.interval),
                row.late.to_string(),
                format!("{:.1} ms", row.longest_milliseconds),
                row.disqualified.to_string(),
            ]);
        }
        table.write(output)?;
        if self.resumed > 0 {
            writeln!(output, "{} games were played before", self.resumed)?;
        }
        Ok(())
    }
}
