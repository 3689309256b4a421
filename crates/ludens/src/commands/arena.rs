//! `ludens arena`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use arena::sprt::{Sprt, Verdict};
use arena::{
    ArenaError, Contestant, Fixture, Ground, Known, Ledger, MatchKey, MatchRules, Outcome, Progress,
    ShareAnswer, Standings, TestState, Thinking, Tournament,
};
use referee::Nobody;
use serde::Serialize;

use crate::arguments::Reading;
use crate::contests::{ThinkingArguments, contestants};
use crate::elsewhere::{Conditions, QUEUED, Remote};
use crate::failure;
use crate::input;
use crate::interrupt;
use crate::output::Output;
use crate::table::{Table, grouped};

/// Let agents play many matches and say which is better
///
/// Every two players meet in every game, with roles exchanged match by match. Shares are in per cent
/// of the matches, a draw counting one half, with 95% confidence intervals.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens arena connect-four --players cadia-uct,mc --matches 100\n  \
                        ludens arena breakthrough othello --players ludens,cadia-uct,cadia-mast --play-clock 0.5 --jobs 2\n  \
                        ludens arena hex --players ludens,ludens:exploration=60 --sprt 0,30 --matches 2000 --out hex.jsonl\n  \
                        ludens arena checkers --players cadia-uct@2000,cadia-uct@1000 --json\n  \
                        ludens arena othello --gauntlet ludens --players mc,cadia-uct,cadia-mast --openings 4\n\n\
                        Ctrl-C ends with the standings so far, once more at once. With --out every match is \
                        kept as a line of JSON when it ends. The same command goes on where it was, whatever ended it; \
                        more --matches add to it.")]
pub(crate) struct Arguments {
    /// The games: names of bundled games or paths of rule sheets
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,

    #[command(flatten)]
    reading: Reading,

    /// The players: AGENT, AGENT:PARAMETER=VALUE,.. with @SIMULATIONS, @SECONDSs or @MILLISECONDSms
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', required = true)]
    players: Vec<String>,

    /// Matches of every two players in every game
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    matches: u64,

    /// Let only this player meet the others, and none of them each other
    #[arg(long, value_name = "PLAYER", conflicts_with = "sprt")]
    gauntlet: Option<String>,

    /// Joint moves at the beginning that are drawn by lot: the same for both matches of a pair, with roles exchanged
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1000))]
    openings: u16,

    #[command(flatten)]
    thinking: ThinkingArguments,

    /// Matches at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,

    /// Stop as soon as it is clear whether the first of two players is at least ELO1 points better
    /// than the second, or not even ELO0
    #[arg(long, value_name = "ELO0,ELO1", value_delimiter = ',', allow_hyphen_values = true)]
    sprt: Option<Vec<f64>>,

    /// The share of wrong decisions allowed by --sprt
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    error: f64,

    /// Keep every match in this file, and go on with what is in it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Have the matches played by the workers of a queue: see `ludens worker`. Matches at a time are then jobs in the queue,
    /// 64 unless --jobs says more
    #[arg(long, value_name = "URL")]
    cluster: Option<String>,

    /// Trust these certificates of the queue as well
    #[arg(long, value_name = "FILE", requires = "cluster")]
    certificates: Option<PathBuf>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    players: Vec<String>,
    seed: u64,
    matches: usize,
    /// Those that were in the file.
    resumed: usize,
    /// Those in the file that were played under other conditions.
    passed_over: usize,
    games: Vec<GameAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<TestState>,
    /// Matches in which a player failed to give a legal move.
    faults: usize,
    /// Whether Ctrl-C has ended it before all matches were played.
    interrupted: bool,
}

#[derive(Serialize)]
struct GameAnswer {
    /// None for all games together.
    game: Option<String>,
    matches: u64,
    mean_length: f64,
    /// Matches that were broken off, as they did not end.
    cut: u64,
    players: Vec<PlayerAnswer>,
}

#[derive(Serialize)]
struct PlayerAnswer {
    player: String,
    /// By opponent, in the order of the players.
    against: Vec<Option<ShareAnswer>>,
    total: Option<ShareAnswer>,
    mean_goal: Option<f64>,
    simulations_per_second: f64,
    longest_seconds: f64,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let thinking = self.thinking.thinking(Thinking::Simulations(1000));
        let players = self.in_order(contestants(&self.players, thinking)?, thinking)?;
        let sprt = self.test(players.len())?;
        let ledger = self.out.as_deref().map(Ledger::open).transpose()?;
        let (mut grounds, mut texts) = (Vec::new(), Vec::new());
        for game in &self.games {
            let game = input::load(game, self.reading.mode())?;
            if grounds.iter().any(|known: &Ground| known.name() == game.name) {
                bail!("{} is named twice", game.name);
            }
            grounds.push(self.thinking.ground(&game)?);
            texts.push(game.source.text().to_owned());
        }
        if players.len() < 2 && grounds.iter().any(|ground| ground.roles().len() > 1) {
            bail!("a comparison needs two players at least, as in `--players ludens,cadia-uct`");
        }
        let (rules, seed) = (self.rules(), self.thinking.seed);
        let mut tournament =
            Tournament { sprt, ..Tournament::new(&grounds, &players, rules, self.matches, seed) };
        tournament.schedule.gauntlet = self.gauntlet.is_some();
        let (outcome, interrupted) = self.play(&tournament, ledger, &grounds, &texts, &players)?;
        let answer = Answer { interrupted, ..Answer::new(&tournament, &outcome) };
        if self.json {
            output.json(&answer)?;
        } else {
            answer.write(output)?;
        }
        Ok(if interrupted { ExitCode::from(interrupt::INTERRUPTED) } else { ExitCode::SUCCESS })
    }

    /// What all matches have in common.
    fn rules(&self) -> MatchRules {
        MatchRules { opening: usize::from(self.openings), ..self.thinking.rules() }
    }

    /// The players, with the one who meets all others first.
    fn in_order(&self, mut players: Vec<Contestant>, thinking: Thinking) -> anyhow::Result<Vec<Contestant>> {
        let Some(first) = &self.gauntlet else { return Ok(players) };
        let first = Contestant::read(first, thinking).context("--gauntlet names no player")?;
        players.retain(|player| player.to_string() != first.to_string());
        players.insert(0, first);
        Ok(players)
    }

    /// Where matches are played, if not here.
    fn elsewhere(&self) -> anyhow::Result<Option<Remote>> {
        let connect = |address: &String| Remote::connect(address, self.certificates.clone());
        self.cluster.as_ref().map(connect).transpose()
    }

    fn test(&self, players: usize) -> anyhow::Result<Option<Sprt>> {
        let Some(bounds) = &self.sprt else { return Ok(None) };
        let &[elo0, elo1] = &bounds[..] else {
            bail!("--sprt takes two bounds in Elo points, as `--sprt 0,30`")
        };
        if players != 2 {
            bail!("--sprt compares two players, but {players} were given");
        }
        Ok(Some(Sprt::new(elo0, elo1, self.error).context("--sprt cannot be done")?))
    }

    fn play(
        &self,
        tournament: &Tournament,
        ledger: Option<(Ledger, Known)>,
        grounds: &[Ground],
        texts: &[String],
        players: &[Contestant],
    ) -> anyhow::Result<(Outcome, bool)> {
        let elsewhere = self.elsewhere()?;
        let bar = super::progress_bar(0, "matches");
        let play = |fixture: &Fixture, key: MatchKey| {
            let seats: Vec<Contestant> = fixture.seats.iter().map(|&seat| players[seat].clone()).collect();
            match &elsewhere {
                Some(elsewhere) => {
                    let conditions = Conditions { rules: self.rules(), ..(&self.thinking).into() };
                    elsewhere.play(&texts[fixture.game], &seats, key, conditions)
                }
                None => grounds[fixture.game].play_or_cut(&seats, key, self.rules(), &mut Nobody),
            }
        };
        let tell = |progress: Progress<'_>| {
            if let Some(warning) = progress.warning() {
                bar.suspend(|| failure::tell("warning", &warning));
            }
            bar.set_length(progress.all as u64);
            match progress.last {
                // What was there before says nothing about the time to come.
                None => bar.set_position(progress.done as u64),
                Some(_) => bar.inc(1),
            }
            if progress.last.is_none() {
                bar.reset_eta();
            }
            if let Some(test) = progress.test {
                bar.set_message(format!(
                    "log ratio {:.2} in {:.2} to {:.2}",
                    test.log_ratio, test.low, test.high
                ));
            }
        };
        let stop = interrupt::flag();
        let what = "the matches at hand are played to their end; Ctrl-C once more ends at once";
        let jobs = usize::from(self.jobs).max(if elsewhere.is_some() { QUEUED } else { 1 });
        let run = || tournament.run(ledger, jobs, &stop, play, tell);
        let outcome: Result<Outcome, ArenaError> = interrupt::told(&stop, &bar, what, run);
        bar.finish_and_clear();
        Ok((outcome?, stop.load(Ordering::Relaxed)))
    }
}

impl Answer {
    fn new(tournament: &Tournament, outcome: &Outcome) -> Self {
        let standings = |game: Option<&String>| {
            let counted = Standings::count(&tournament.players, game.map(String::as_str), &outcome.records);
            GameAnswer::new(game.cloned(), &tournament.players, &counted)
        };
        let mut games: Vec<GameAnswer> = tournament.games.iter().map(|game| standings(Some(game))).collect();
        if games.len() > 1 {
            games.push(standings(None));
        }
        Self {
            players: tournament.players.clone(),
            seed: tournament.schedule.seed,
            matches: outcome.records.len(),
            resumed: outcome.resumed,
            passed_over: outcome.passed_over,
            games,
            sprt: outcome.test,
            faults: outcome.records.iter().filter(|record| !record.faults.is_empty()).count(),
            interrupted: false,
        }
    }

    fn write(&self, output: &mut Output) -> anyhow::Result<()> {
        for game in &self.games {
            game.write(output, &self.players)?;
        }
        if let Some(test) = &self.sprt {
            let verdict = match test.verdict {
                Verdict::Open => "not decided yet; more --matches go on",
                Verdict::Gain => "the first player is better, as was claimed",
                Verdict::NoGain => "the first player is not better by that much",
            };
            let (ratio, pairs) = (test.log_ratio, test.pairs);
            writeln!(
                output,
                "Test: {verdict} (log ratio {ratio:.2} of {:.2} to {:.2}, {pairs} pairs)",
                test.low, test.high
            )?;
        }
        if self.interrupted {
            writeln!(output, "Ended early; with --out FILE the same command goes on")?;
        }
        if self.resumed > 0 {
            writeln!(output, "{} of {} matches were played before", self.resumed, self.matches)?;
        }
        if self.faults > 0 {
            writeln!(output, "In {} matches a player failed to give a legal move", self.faults)?;
        }
        Ok(())
    }
}

impl GameAnswer {
    fn new(game: Option<String>, players: &[String], standings: &Standings) -> Self {
        let player = |(place, name): (usize, &String)| {
            let effort = standings.effort(place);
            PlayerAnswer {
                player: name.clone(),
                against: (0..players.len())
                    .map(|other| ShareAnswer::new(standings.against(place, other)))
                    .collect(),
                total: ShareAnswer::new(&standings.total(place)),
                mean_goal: standings.goals(place).map(|share| 100.0 * share.mean),
                simulations_per_second: effort.simulations as f64 / effort.seconds.max(1e-9),
                longest_seconds: effort.longest,
            }
        };
        let players = players.iter().enumerate().map(player).collect();
        let (matches, mean_length) = (standings.matches(), standings.mean_length());
        Self { game, matches, mean_length, cut: standings.cut(), players }
    }

    fn write(&self, output: &mut Output, players: &[String]) -> anyhow::Result<()> {
        let title = output.bold(self.game.as_deref().unwrap_or("all games"));
        let cut = match self.cut {
            0 => String::new(),
            cut => format!(", {} broken off without a winner (`--steps` allows more)", grouped(cut)),
        };
        writeln!(output, "{title}: {} matches of {:.1} moves{cut}", grouped(self.matches), self.mean_length)?;
        let share = |share: &Option<ShareAnswer>| {
            share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} ± {:.1}", share.mean, share.interval))
        };
        let mut headings = vec!["player".to_owned()];
        headings.extend(players.iter().map(|player| format!(">{player}")));
        headings.extend([">share", ">won, drawn, lost", ">goal", ">simulations/s"].map(str::to_owned));
        let mut table = Table::new(&headings.iter().map(String::as_str).collect::<Vec<_>>());
        for player in &self.players {
            let counts = player.total.map_or_else(String::new, |total| {
                let [wins, draws, losses] = total.wins_draws_losses;
                format!("{wins}, {draws}, {losses}")
            });
            let mut row = vec![player.player.clone()];
            row.extend(player.against.iter().map(share));
            row.push(share(&player.total));
            row.push(counts);
            row.push(player.mean_goal.map_or_else(String::new, |goal| format!("{goal:.1}")));
            row.push(grouped(player.simulations_per_second as u64));
            table.row(row);
        }
        table.write(output)?;
        for (place, player) in self.players.iter().enumerate() {
            for (other, share) in players.iter().zip(&player.against).skip(place + 1) {
                if let Some(share) = share {
                    writeln!(output, "{} against {other}: {}", player.player, share.elo)?;
                }
            }
        }
        Ok(writeln!(output)?)
    }
}
