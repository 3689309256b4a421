//! `ludens evaluate`

mod answer;
mod page;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use eval::derived::Derived;
use eval::vocabulary::Kind;
use eval::{Judgement, Lesson, METHODS, PaperOptions, Positions, SampleOptions, SequenceOptions, Taught};
use game::{Describe, Dice, Expansion, Simulator};
use gdl::normal::NormalRules;
use ground::Budget;
use machine::{Limits, Machine, MakeError, Target, Visitor, Wanted};

use crate::arguments::{GameArguments, MachineKind};
use crate::failure::Unbuildable;
use crate::input::{self, LoadedGame};
use crate::output::Output;
use answer::{Answer, PositionAnswer, RoleAnswer, TermAnswer};

const EXAMPLES: &str = "Examples:
  ludens evaluate checkers
  ludens evaluate breakthrough --method regression
  ludens evaluate tic-tac-toe --method flux
  ludens evaluate othello --random-moves 20 --page othello.html
  ludens evaluate connect-four --json";

/// Read an evaluation function off the rules of a game, and show it
///
/// Features are expressions of the rules with wildcards, and differences of them; their values are how many
/// instances are true. Random games show which of them go along with a role's score. Other methods know something else
/// of states.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// How states are valued; `ludens evaluate --help` lists the methods with their sources below
    #[arg(long, value_name = "NAME", default_value = "paper", value_parser = method_names())]
    method: String,

    /// The seed of chance
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Sequences of positions to look at (paper), or positions (others) [default: the method's own, 100 or 10000 for the
    /// paper's and the regression]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    samples: Option<u32>,

    /// Playouts from each [default: the method's own, 10 or 16 for the paper's and the regression]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    playouts: Option<u32>,

    /// Positions of a sequence, at least (paper)
    #[arg(long, value_name = "POSITIONS", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1000))]
    least: u32,

    /// Positions of a sequence, at most (paper)
    #[arg(long, value_name = "POSITIONS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    most: u32,

    /// Moves between two positions of a sequence, at most (paper)
    #[arg(long, value_name = "MOVES", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    gap: u32,

    /// How many times the variance SV within sequences counts in the stability TV / (TV + 10 SV) of a feature (paper)
    #[arg(long, value_name = "TIMES", default_value_t = eval::statistics::WITHIN, value_parser = times)]
    within: f64,

    /// Terms of the function of each role, or how many of them are shown
    #[arg(long, default_value_t = 30)]
    terms: usize,

    /// Domains of more constants take no part in specialisation
    #[arg(long, default_value_t = 30)]
    domain: usize,

    /// Features of one shape, at most: with more of them fewer arguments at a time are specialised (ours)
    #[arg(long, value_name = "FEATURES", default_value_t = 60_000)]
    shape_features: usize,

    /// Leave out features that had the same values everywhere as one that was taken (the paper takes them all)
    #[arg(long)]
    distinct: bool,

    /// Look at what the rules derive in states too, such as lines and legal moves (paper, regression)
    #[arg(long)]
    derived: bool,

    /// Show the terms in the position of these facts, in KIF; the first position if nothing is said
    #[arg(long, value_name = "FACTS", conflicts_with = "random_moves")]
    position: Option<String>,

    /// Show the terms in a position after so many random moves
    #[arg(long, value_name = "MOVES", default_value_t = 0)]
    random_moves: usize,

    /// Write a page with the board and a bar for each term
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    /// By which machine the game is played; the others are there to be compared with
    #[arg(long, value_enum, default_value_t = MachineKind::Compiled)]
    machine: MachineKind,

    /// Seconds that building a circuit may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    build_seconds: f64,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = input::load(&self.game.game, self.game.reading.mode())?;
        let begun = Instant::now();
        let machine = self.machine(&game.rules, begun)?;
        let built = begun.elapsed();
        let answer = machine.visit_fast(Evaluate { arguments: &self, game: &game, built })?;
        if let Some(path) = &self.page {
            std::fs::write(path, page::page(&game, &answer))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        if self.json {
            output.json(&answer)?;
        } else {
            game.write_title(output)?;
            answer.write(output, self.terms)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// What a sequence of positions is.
    fn sequence(&self) -> anyhow::Result<SequenceOptions> {
        let [least, most, gap] = [self.least, self.most, self.gap].map(|number| number as usize);
        anyhow::ensure!(
            least <= most,
            "a sequence of {least} to {most} positions: --least is more than --most"
        );
        Ok(SequenceOptions { least, most, gap })
    }

    fn machine(&self, rules: &NormalRules, begun: Instant) -> anyhow::Result<Machine> {
        let wanted = match self.machine {
            MachineKind::Reference => Wanted::Reference,
            MachineKind::Circuit => Wanted::Circuit(Target::Portable),
            MachineKind::CompiledCircuit => Wanted::Circuit(Target::detect()),
            MachineKind::Batch => Wanted::Batch(Target::Portable),
            MachineKind::Avx2 => Wanted::Batch(Target::Avx2),
            MachineKind::Compiled => Wanted::Batch(Target::detect()),
        };
        let time = Duration::try_from_secs_f64(self.build_seconds).unwrap_or(Duration::MAX);
        let limits = Limits { clock: &|| begun.elapsed(), time, ..Limits::generous() };
        machine::from_rules(rules, wanted, &limits).map_err(|error| match error {
            MakeError::Reference(error) => Unbuildable(error).into(),
            MakeError::Circuit(error) => {
                anyhow::anyhow!("{error}; take `--machine reference`, or allow more with --build-seconds")
            }
        })
    }
}

struct Evaluate<'a> {
    arguments: &'a Arguments,
    game: &'a LoadedGame,
    built: Duration,
}

impl Visitor<'_> for Evaluate<'_> {
    type Answer = anyhow::Result<Answer>;

    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        let Self { arguments, game: loaded, built } = self;
        let begun = Instant::now();
        let row = eval::methods::find(&arguments.method).context("there is no such method")?;
        let derived = match arguments.derived && row.derived {
            true => Some(derived(&loaded.rules, arguments.build_seconds)?),
            false => None,
        };
        let mut taught = learn(arguments, row, game, &loaded.rules, derived.as_ref())?;
        if arguments.derived && !row.derived {
            taught
                .told
                .push_str(&format!("; --derived changes nothing, as `{}` looks at facts only", row.name));
        }
        let seconds = begun.elapsed();
        let evaluator = taught.judgement.bind(game, derived.as_ref());
        let explained = match &taught.explained {
            Some(explained) => explained.clone(),
            None => {
                let sample =
                    SampleOptions { seed: arguments.seed.wrapping_add(99), ..SampleOptions::default() };
                let apart = Positions::scatter(&**game, &mut game.workspace(), 2_000, &sample, &|| true)?;
                apart.map_or_else(|| Ok(Vec::new()), |apart| eval::explained(&*evaluator, &apart))?
            }
        };
        let state = position(arguments, &**game)?;
        let mut values = vec![0.0; game.role_count()];
        evaluator.evaluate(&[&state], &mut values)?;
        let facts = game.facts(&state);
        let mut atoms: Vec<(Kind, String)> = facts.iter().map(|fact| (Kind::Fact, fact.clone())).collect();
        if let Some(derived) = &derived {
            atoms.extend(derived.holding(&facts).map(|text| (Kind::Derived, text.to_owned())));
        }
        let (function, lines) = match &taught.judgement {
            Judgement::Function(function) => (Some(function), Vec::new()),
            Judgement::Knowledge(knowledge) => (None, knowledge.lines()),
        };
        let role = |(role, name): (usize, &String)| {
            let own = function.map(|function| &function.roles[role]);
            let counts = function.map(|function| function.counts(role, &atoms).collect::<Vec<f64>>());
            let terms = own.into_iter().flat_map(|own| &own.terms).zip(counts.unwrap_or_default());
            let term = |(term, count): (&eval::Term, f64)| TermAnswer {
                expression: function
                    .map_or_else(String::new, |function| function.write_counted(&term.counted)),
                weight: term.weight,
                correlation: term.correlation,
                stability: term.stability,
                count,
            };
            RoleAnswer {
                role: name.clone(),
                constant: own.map(|own| own.constant),
                explained: explained.get(role).copied(),
                value: values[role],
                terms: terms.map(term).collect(),
                text: function.map(|function| function.write_role(role)),
            }
        };
        Ok(Answer {
            game: loaded.name.clone(),
            method: arguments.method.clone(),
            told: taught.told.clone(),
            seed: arguments.seed,
            candidates: taught.report.candidates,
            expressions: taught.report.expressions,
            positions: taught.report.positions,
            sequences: taught.report.sequences,
            length: taught.report.length,
            build_seconds: built.as_secs_f64(),
            seconds: seconds.as_secs_f64(),
            roles: game.roles().iter().enumerate().map(role).collect(),
            knowledge: lines,
            position: PositionAnswer { facts },
        })
    }
}

/// A number of times on the command line.
fn times(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "a number from 0 on is wanted".to_owned())
}

/// The names of all methods.
fn method_names() -> clap::builder::PossibleValuesParser {
    let value = |row: &eval::MethodRow| clap::builder::PossibleValue::new(row.name).help(row.help);
    METHODS.iter().map(value).collect::<Vec<_>>().into()
}

/// Examples, and all methods with where they come from.
fn long_help() -> String {
    let line = |row: &eval::MethodRow| format!("  {:<11} {} ({})", row.name, row.help, row.source);
    let lines: Vec<String> = METHODS.iter().map(line).collect();
    format!("{EXAMPLES}\n\nMethods:\n{}", lines.join("\n"))
}

fn derived(rules: &NormalRules, seconds: f64) -> anyhow::Result<Derived> {
    let begun = Instant::now();
    let budget = Budget {
        clock: &|| begun.elapsed(),
        deadline: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
        bytes: 1 << 30,
        progress: &|_| true,
    };
    let derived = Derived::new(rules, &budget);
    derived
        .map_err(|error| anyhow::anyhow!("what is derived cannot be counted: {error}; leave out --derived"))
}

/// What the method makes of a game.
fn learn<G: Simulator + Describe + 'static>(
    arguments: &Arguments,
    row: &eval::MethodRow,
    game: &Arc<G>,
    rules: &NormalRules,
    derived: Option<&Derived>,
) -> anyhow::Result<Taught> {
    let goes_on = || true;
    let lesson = Lesson {
        derived,
        samples: arguments.samples.map(|samples| samples as usize),
        playouts: arguments.playouts,
        sequence: arguments.sequence()?,
        limits: eval::FeatureLimits { domain: arguments.domain, of_one_shape: arguments.shape_features },
        paper: PaperOptions {
            terms: arguments.terms,
            distinct: arguments.distinct,
            within: arguments.within,
        },
        published: true,
        ..Lesson::new(game, Some(rules), arguments.seed, &goes_on)
    };
    (row.learn)(&lesson).map_err(|error| anyhow::anyhow!("no evaluation function: {error}"))
}

/// The position that was asked for.
fn position<G: Describe>(arguments: &Arguments, game: &G) -> anyhow::Result<G::State> {
    if let Some(text) = &arguments.position {
        let facts = split(text)?;
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let state = game.state_of(&facts);
        return state.context("there is no position of these facts: a fact can never be true in this game");
    }
    let (mut state, mut dice) = (game.initial(), Dice::stream(arguments.seed, 1 << 40));
    let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
    for _ in 0..arguments.random_moves {
        game.expand(&mut workspace, &state, &mut expansion)?;
        if expansion.is_terminal() {
            break;
        }
        let joint = expansion.by_role().map(|legal| legal.get(dice.below(legal.len())).copied());
        let joint = joint.collect::<Option<Vec<_>>>().context("a role has no legal move")?;
        state = game.apply(&mut workspace, &state, &joint)?;
    }
    Ok(state)
}

/// The facts of a text, one after the other.
fn split(text: &str) -> anyhow::Result<Vec<String>> {
    let (mut facts, mut open, mut fact) = (Vec::new(), 0usize, String::new());
    for letter in text.chars().chain([' ']) {
        match letter {
            '(' => open += 1,
            ')' => open = open.checked_sub(1).context("a parenthesis is closed that was not opened")?,
            _ => {}
        }
        let ends = open == 0 && (letter == ')' || letter.is_whitespace());
        if !(open == 0 && letter.is_whitespace()) {
            fact.push(letter);
        }
        if ends && !fact.trim().is_empty() {
            facts.push(std::mem::take(&mut fact));
        }
    }
    anyhow::ensure!(open == 0, "a parenthesis is not closed");
    Ok(facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_told_apart() {
        assert_eq!(
            split("(a 1) done  (at (pos 1 2) x)").expect("facts"),
            ["(a 1)", "done", "(at (pos 1 2) x)"]
        );
        assert!(split("(a").is_err() && split("a)").is_err());
    }
}
