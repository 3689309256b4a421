//! `ludens verify`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use game::Describe;
use machine::Machine;
use referee::{MatchRecord, recorded_facts};
use serde::{Deserialize, Serialize};
use verify::trace::{RecordedPlayout, RecordedStep, Trace, TraceDifference, parse_trace, play_back};

use super::corpus;
use crate::arguments::{MachineArguments, Reading};
use crate::failure::FAULTY;
use crate::input;
use crate::machines::{Task, with_machine};
use crate::output::Output;
use crate::table::grouped;

/// Play recorded traces and matches back and compare every state, legal move, goal and percept
///
/// A trace is a JSON file, compressed with gzip or not: playouts recorded by another reasoner. Records of
/// matches are compared as far as they tell. The
/// first difference is shown with what was expected.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens verify game.kif trace.json.gz\n  \
                        ludens verify --corpus FOLDER --jobs 4\n  \
                        ludens verify --corpus FOLDER --only chess --verbose\n  \
                        ludens verify --corpus FOLDER --all-machines")]
pub(crate) struct Arguments {
    /// The name of a bundled game, the path of a rule sheet, or - for the standard input
    #[arg(required_unless_present = "corpus")]
    game: Option<String>,

    /// Traces of this game
    #[arg(value_name = "TRACE", required_unless_present = "corpus")]
    traces: Vec<PathBuf>,

    /// Verify all games of a folder: DIR/games/NAME.kif with DIR/traces/NAME.json.gz, or DIR/NAME.kif with
    /// DIR/NAME.json.gz, or video games: DIR/games/NAME.txt with DIR/traces/NAME_lvlN.jsonl.xz
    #[arg(long, value_name = "DIR", conflicts_with_all = ["game", "traces"])]
    pub(super) corpus: Option<PathBuf>,

    /// How many games of the corpus at once [default: as many as there are processors]
    #[arg(long, requires = "corpus", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,

    /// Only the games of the corpus whose name contains this (case does not matter)
    #[arg(long, value_name = "PATTERN", requires = "corpus")]
    pub(super) only: Option<String>,

    /// Verify the corpus on every machine that this processor has, one after the other, and list all games
    #[arg(long, requires = "corpus", conflicts_with = "machine")]
    pub(super) all_machines: bool,

    /// Have the games of the corpus verified by the workers of a queue: see `ludens worker`. Those with large traces are
    /// verified here
    #[arg(long, value_name = "URL", requires = "corpus")]
    pub(super) cluster: Option<String>,

    /// Trust these certificates of the queue as well
    #[arg(long, value_name = "FILE", requires = "cluster")]
    pub(super) certificates: Option<PathBuf>,

    /// List the games that agree, too
    #[arg(long, short)]
    pub(super) verbose: bool,

    /// Answer in JSON
    #[arg(long)]
    pub(super) json: bool,

    #[command(flatten)]
    pub(super) machine: MachineArguments,

    #[command(flatten)]
    reading: Reading,
}

/// What came of playing one trace back.
#[derive(Serialize)]
pub(super) struct Comparison {
    pub(super) game: String,
    pub(super) trace: String,
    pub(super) outcome: Outcome,
    pub(super) states: usize,
    pub(super) seconds: f64,
    /// What the machine takes in memory, about.
    pub(super) bytes: usize,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Agrees {
        playouts: usize,
    },
    Differs {
        playout: usize,
        step: usize,
        what: String,
        expected: String,
        found: String,
    },
    /// The game or the trace could not be read or built.
    Failed(String),
}

impl Outcome {
    pub(super) fn agrees(&self) -> bool {
        matches!(self, Outcome::Agrees { .. })
    }
}

impl From<TraceDifference> for Outcome {
    fn from(difference: TraceDifference) -> Self {
        let TraceDifference { playout, step, what, expected, found } = difference;
        Outcome::Differs { playout, step, what, expected, found }
    }
}

/// Plays a trace back.
pub(super) struct PlayBack<'a, F> {
    pub(super) trace: &'a Trace,
    /// Called after each state.
    pub(super) progress: F,
}

/// The outcome, states compared, bytes.
pub(crate) type PlayedBack = (Outcome, usize, usize);

impl<F: FnMut()> Task for PlayBack<'_, F> {
    type Answer = PlayedBack;

    fn run<G: Describe>(mut self, game: &G, machine: &Machine) -> anyhow::Result<PlayedBack> {
        let mut states = 0;
        let played = play_back(game, self.trace, || {
            states += 1;
            (self.progress)();
            true
        });
        let outcome = match played {
            Ok(report) => Outcome::Agrees { playouts: report.playouts },
            Err(difference) => (*difference).into(),
        };
        Ok((outcome, states, machine.bytes()))
    }
}

/// Reads a trace.
pub(super) fn read_trace(path: &Path) -> anyhow::Result<Trace> {
    let bytes = input::read_maybe_compressed(path)?;
    parse_trace(&bytes).with_context(|| format!("{} is not a trace", path.display()))
}

/// Reads a trace, or records of matches as one.
fn read_trace_or_records(path: &Path, roles: &[String]) -> anyhow::Result<Trace> {
    let bytes = input::read_maybe_compressed(path)?;
    if let Ok(trace) = parse_trace(&bytes) {
        return Ok(trace);
    }
    let records = referee::read_records(&bytes)
        .with_context(|| format!("{} is neither a trace nor a record of a match", path.display()))?;
    let game = records.first().map_or_else(String::new, |record| record.game_name.clone());
    let playouts = records.iter().map(|record| recorded(record, roles)).collect();
    Ok(Trace { game, roles: roles.to_vec(), playouts })
}

/// What a role was told, as traces have it.
fn sorted(told: &[String]) -> Vec<String> {
    let mut told: Vec<String> = told.iter().map(|text| text.to_lowercase()).collect();
    told.sort_unstable();
    told
}

/// A match as a playout of a trace: its moves, and what it says of states and goals.
fn recorded(record: &MatchRecord, roles: &[String]) -> RecordedPlayout {
    let step = |number: usize| {
        let facts = record.states.get(number).map(|state| recorded_facts(state));
        let last = number == record.moves.len();
        let goals = (last && record.is_completed && record.goal_values.len() == roles.len()).then(|| {
            roles.iter().cloned().zip(record.goal_values.iter().map(|&goal| i64::from(goal))).collect()
        });
        RecordedStep {
            facts: facts.as_ref().map(Vec::len),
            state_sha1: None,
            state: facts,
            terminal: if last { record.is_completed.then_some(true) } else { Some(false) },
            legal: None,
            moves: record
                .moves
                .get(number)
                .map(|joint| joint.iter().map(|text| text.to_lowercase()).collect()),
            sees: record
                .percepts
                .get(number)
                .map(|told| roles.iter().cloned().zip(told.iter().map(|told| sorted(told))).collect()),
            goals,
        }
    };
    RecordedPlayout {
        complete: record.is_completed,
        error: None,
        steps: (0..=record.moves.len()).map(step).collect(),
    }
}

/// Plays a trace back that came as it is in a job.
#[cfg(feature = "cluster")]
pub(crate) fn verify_job(job: &crate::elsewhere::TraceJob) -> anyhow::Result<PlayedBack> {
    let digits =
        |place: usize| u8::from_str_radix(job.trace.get(2 * place..2 * place + 2).unwrap_or("?"), 16);
    let bytes: Vec<u8> =
        (0..job.trace.len() / 2).map(digits).collect::<Result<_, _>>().context("no trace")?;
    let trace = parse_trace(&input::decompress(&bytes, "the trace")?).context("it is no trace")?;
    let source = gdl::SourceFile::new("the job's rules", job.rules.clone());
    let rules = gdl::normal::normalize(&gdl::parse(&source).sheet);
    with_machine(job.machine, &rules, None, PlayBack { trace: &trace, progress: || {} })
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        if let Some(folder) = &self.corpus {
            let only = self.only.as_deref();
            if let Some(code) = super::video::verify(folder, only, self.verbose, self.json, output)? {
                return Ok(code);
            }
            return corpus::run(&self, folder, output);
        }
        let game = input::load(self.game.as_deref().unwrap_or_default(), self.reading.mode())?;
        let symbols = &game.rules.symbols;
        let roles: Vec<String> = game.rules.roles.iter().map(|&role| symbols.name(role).to_owned()).collect();
        let mut comparisons = Vec::new();
        for path in &self.traces {
            let trace = read_trace_or_records(path, &roles)?;
            let begin = Instant::now();
            let task = PlayBack { trace: &trace, progress: || {} };
            let (outcome, states, bytes) = with_machine(self.machine, &game.rules, None, task)?;
            let comparison = Comparison {
                game: game.name.clone(),
                trace: path.display().to_string(),
                outcome,
                states,
                seconds: begin.elapsed().as_secs_f64(),
                bytes,
            };
            if !self.json {
                comparison.write(output)?;
            }
            comparisons.push(comparison);
        }
        if self.json {
            output.json(&comparisons)?;
        }
        let agree = comparisons.iter().all(|comparison| comparison.outcome.agrees());
        Ok(if agree { ExitCode::SUCCESS } else { ExitCode::from(FAULTY) })
    }
}

impl Comparison {
    fn write(&self, output: &mut Output) -> anyhow::Result<()> {
        let verdict = output.styled(if self.outcome.agrees() { "32" } else { "31" }, self.verdict_word());
        let states = grouped(self.states as u64);
        writeln!(output, "{verdict}: {} after {states} states, {:.2} s", self.trace, self.seconds)?;
        self.write_details(output, usize::MAX)
    }

    /// `agrees`, `differs` or `failed`.
    pub(super) fn verdict_word(&self) -> &'static str {
        match self.outcome {
            Outcome::Agrees { .. } => "agrees",
            Outcome::Differs { .. } => "differs",
            Outcome::Failed(_) => "failed",
        }
    }

    /// What differs, texts cut to `limit` characters.
    pub(super) fn write_details(&self, output: &mut Output, limit: usize) -> anyhow::Result<()> {
        match &self.outcome {
            Outcome::Agrees { .. } => {}
            Outcome::Differs { playout, step, what, expected, found } => {
                writeln!(output, "  playout {playout}, step {step}: the {what} differs")?;
                writeln!(output, "    expected: {}", cut(expected, limit))?;
                writeln!(output, "    found:    {}", cut(found, limit))?;
            }
            Outcome::Failed(why) => writeln!(output, "  {}", cut(why, limit))?,
        }
        Ok(())
    }
}

fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}
