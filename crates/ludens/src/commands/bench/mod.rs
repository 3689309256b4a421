//! `ludens bench`
//!
//! Every game is measured in a process of its own: its memory is counted alone, and what kills it
//! leaves the others be.

mod answer;
mod child;
mod equilibria;
mod expansion;
pub(super) mod measure;
mod positions;
mod report;
mod search;
mod versus;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};
use clap::ValueEnum;
use machine::Target;
use player::AgentSpec;
use serde::Serialize;

use crate::circuits::{BuildArguments, positive};
use crate::failure::FAULTY;
use crate::output::Output;
use crate::process;
use answer::{Event, GameAnswer};
use versus::{HandRatio, PeerComparison};

/// Measure how fast machines play games at random
///
/// All figures are per second of processor time, one thread, uniformly random playouts from the
/// initial position. Lengths and goals are shown with 95% intervals: machines that disagree beyond
/// chance are marked, and the exit code is 1.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens bench tic-tac-toe breakthrough\n  ludens bench othello --machine all --seconds 3\n  \
                  ludens bench --against hand\n  ludens bench --corpus FOLDER --peers --machine circuit,compiled\n  \
                  ludens bench --corpus FOLDER --machine compiled --seconds 0.1 --json\n  \
                  ludens bench --search connect-four --simulations 100000 --threads 2\n  ludens bench --signature\n  \
                  ludens bench othello --positions ludens@100ms cadia-uct@100ms --sample 50"
)]
pub(crate) struct Arguments {
    /// Names of bundled games, paths of rule sheets, or with --corpus names of its games (all of
    /// them if none is given)
    #[arg(value_name = "GAME")]
    games: Vec<String>,

    /// The machines, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [
        BenchMachine::Reference, BenchMachine::Circuit, BenchMachine::Batch, BenchMachine::Compiled,
    ])]
    machine: Vec<BenchMachine>,

    /// Processor seconds for each game and machine
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = positive)]
    seconds: f64,

    /// Take the games from DIR/games
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,

    /// Compare with the figures of other players; without names, take the games they are known for
    #[arg(long)]
    peers: bool,

    /// Compare with programs written for one game; without names, take the games they are for
    #[arg(long, value_enum)]
    against: Option<Against>,

    /// Measure an agent that searches, in place of random playouts
    #[arg(long, conflicts_with_all = ["peers", "against"])]
    search: bool,

    /// One number for all that agents find in fixed games with fixed seeds; it changes with any
    /// change of play
    #[arg(long, conflicts_with_all = ["search", "games", "corpus", "peers", "against"])]
    signature: bool,

    /// How well these agents (AGENT@1000 simulations, AGENT@100ms of processor time) play positions whose values are
    /// known; GAMEs choose among the sets
    #[arg(long, value_name = "AGENT", num_args = 1..,
        conflicts_with_all = ["search", "signature", "corpus", "peers", "against"])]
    positions: Vec<String>,

    /// Positions of each set for --positions: all of them unless told
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,

    /// The agent of --search
    #[arg(long, value_name = "AGENT", default_value = "cadia-uct")]
    agent: AgentSpec,

    /// Simulations of each search of --search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    simulations: Option<u64>,

    /// Threads of --search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    build: BuildArguments,

    /// Measure here and tell every finding as a line of JSON
    #[arg(long, hide = true)]
    child: bool,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum BenchMachine {
    /// The reference reasoner
    Reference,
    /// The circuit, one state at a time, compiled where that is possible
    Circuit,
    /// The circuit in lanes, interpreted
    Batch,
    /// The circuit in lanes, compiled for AVX2
    Avx2,
    /// The circuit in lanes, compiled for AVX-512
    Avx512,
    /// The circuit in lanes, compiled for the best this processor has
    Compiled,
    /// All that this processor can run; `compiled` is one of them under another name
    All,
}

impl BenchMachine {
    fn name(self) -> &'static str {
        match self {
            BenchMachine::Reference => "reference",
            BenchMachine::Circuit => "circuit",
            BenchMachine::Batch => "batch",
            BenchMachine::Avx2 => "avx2",
            BenchMachine::Avx512 => "avx512",
            BenchMachine::Compiled => "compiled",
            BenchMachine::All => "all",
        }
    }

    /// How its programs are run, if it plays in lanes.
    fn target(self) -> Option<Target> {
        match self {
            BenchMachine::Batch => Some(Target::Portable),
            BenchMachine::Avx2 => Some(Target::Avx2),
            BenchMachine::Avx512 => Some(Target::Avx512),
            BenchMachine::Compiled => Some(Target::detect()),
            BenchMachine::Reference | BenchMachine::Circuit | BenchMachine::All => None,
        }
    }
}

/// What to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Against {
    /// Tight hand-written programs for tic-tac-toe, connect four, breakthrough and Othello
    Hand,
}

#[derive(Serialize)]
struct Answer {
    version: &'static str,
    processor: Option<String>,
    /// What `compiled` stands for.
    target: String,
    seconds: f64,
    effort: &'static str,
    games: Vec<GameAnswer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hand: Vec<HandRatio>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peers: Option<PeerComparison>,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        if self.child {
            return child::run(&self, output);
        }
        if !self.positions.is_empty() {
            positions::positions(&self, output)?;
            return Ok(ExitCode::SUCCESS);
        }
        if self.signature || self.search {
            let measure = if self.signature { search::signature } else { search::search };
            measure(&self, output)?;
            return Ok(ExitCode::SUCCESS);
        }
        let games = self.find_games()?;
        let bar = super::progress_bar(games.len() as u64, "games");
        let mut answers = Vec::new();
        for (name, game) in games {
            bar.set_message(name.clone());
            answers.push(self.measure(name, &game)?);
            bar.inc(1);
        }
        bar.finish_and_clear();
        let hand = if self.against.is_some() { versus::hand(&answers) } else { Vec::new() };
        let answer = Answer {
            version: env!("CARGO_PKG_VERSION"),
            processor: process::processor(),
            target: format!("{:?}", Target::detect()).to_lowercase(),
            seconds: self.seconds,
            effort: self.build.effort.name(),
            hand,
            peers: self.peers.then(|| versus::peers(&answers)),
            games: answers,
        };
        if self.json {
            output.json(&answer)?;
        } else {
            answer.write(output)?;
        }
        let sound = answer.games.iter().all(GameAnswer::is_sound);
        Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(FAULTY) })
    }

    /// The machines, each once, the most trusted first.
    fn machines(&self) -> Vec<BenchMachine> {
        use BenchMachine::{All, Avx2, Avx512, Batch, Circuit, Reference};
        let mut machines = self.machine.clone();
        if machines.contains(&All) {
            let vectors = [(Avx2, Target::Avx2), (Avx512, Target::Avx512)];
            let here =
                vectors.iter().filter(|(_, target)| target.is_available()).map(|(machine, _)| *machine);
            machines.extend([Reference, Circuit, Batch].into_iter().chain(here));
            machines.retain(|&machine| machine != All);
        }
        machines.sort();
        machines.dedup();
        machines
    }

    /// The names of the games and what the binary is to be called with for each.
    fn find_games(&self) -> anyhow::Result<Vec<(String, String)>> {
        let Some(corpus) = &self.corpus else {
            let mut games = self.games.clone();
            if games.is_empty() && self.against.is_some() {
                games.extend(versus::HAND_GAMES.iter().map(|(name, _)| (*name).to_owned()));
            }
            if games.is_empty() && self.peers {
                bail!("the games the peers were measured on are in a corpus; say where with `--corpus DIR`");
            }
            if games.is_empty() {
                bail!("which games? Name some, or give `--corpus DIR` for all of a folder");
            }
            return Ok(games.into_iter().map(|game| (game.clone(), game)).collect());
        };
        let folder = corpus.join("games");
        let path = |name: &str| folder.join(format!("{name}.kif"));
        let mut names = self.games.clone();
        if names.is_empty() && self.peers {
            names = bench::peers::all().iter().map(|peer| peer.game.to_owned()).collect();
            names.retain(|name| path(name).is_file());
        }
        if names.is_empty() {
            names = list(&folder)?;
        }
        let game = |name: String| {
            let path = path(&name);
            if !path.is_file() {
                bail!("there is no game `{name}` in {}", folder.display());
            }
            Ok((name, path.to_string_lossy().into_owned()))
        };
        names.into_iter().map(game).collect()
    }

    /// Measures a game in a process of its own.
    fn measure(&self, name: String, game: &str) -> anyhow::Result<GameAnswer> {
        let binary = std::env::current_exe().context("cannot find the binary")?;
        let machines: Vec<&str> = self.machines().into_iter().map(BenchMachine::name).collect();
        let mut command = Command::new(binary);
        command.args(["bench", "--child", "--machine", &machines.join(",")]);
        command.args(["--seconds", &self.seconds.to_string()]);
        command.args(["--build-seconds", &self.build.build_seconds.to_string()]);
        command.args(["--memory", &self.build.memory.to_string()]);
        command.args(["--effort", self.build.effort.name()]);
        if self.against.is_some() {
            command.args(["--against", "hand"]);
        }
        command.args(["--", game]).stdin(Stdio::inherit());
        let done = command.output().context("cannot start a process to measure in")?;
        let mut answer = GameAnswer { game: name, ..GameAnswer::default() };
        for line in String::from_utf8_lossy(&done.stdout).lines() {
            match serde_json::from_str(line) {
                Ok(Event::Built(build)) => answer.build = Some(*build),
                Ok(Event::Unbuilt(why)) => answer.failure = Some(why),
                Ok(Event::Cell(cell)) => answer.machines.push(*cell),
                Ok(Event::Expansion(expansion)) => answer.expansion = Some(expansion),
                // Cut off when the process died.
                Err(_) => {}
            }
        }
        if !done.status.success() {
            let errors = String::from_utf8_lossy(&done.stderr);
            let last = errors.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("");
            let last = last.strip_prefix("error: ").unwrap_or(last);
            answer.failure = Some(match done.status.code() {
                Some(1 | 2) if !last.is_empty() => last.to_owned(),
                Some(child::TOO_LONG) => "measuring took far longer than it should".to_owned(),
                _ => format!("the process ended early ({}) {last}", done.status),
            });
        }
        let order = |name: &str| BenchMachine::from_str(name, true).ok();
        // The hand-written program has no place among the machines and comes last.
        answer.machines.sort_by_key(|cell| order(&cell.machine).unwrap_or(BenchMachine::All));
        answer.compare();
        Ok(answer)
    }
}

/// The games of a folder.
fn list(folder: &Path) -> anyhow::Result<Vec<String>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let path = entry.with_context(|| format!("cannot list {}", folder.display()))?.path();
        names.extend(path.file_name().and_then(|name| Some(name.to_str()?.strip_suffix(".kif")?.to_owned())));
    }
    if names.is_empty() {
        bail!("there is no game in {} (NAME.kif is looked for)", folder.display());
    }
    names.sort();
    Ok(names)
}
