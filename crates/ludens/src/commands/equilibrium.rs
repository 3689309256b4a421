//! `ludens equilibrium`

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use game::Describe;
use hidden::{Equilibrium, GameTree, Growth, Sampling, Views};
use machine::Machine;
use serde::Serialize;

use crate::arguments::{GameArguments, MachineArguments};
use crate::input;
use crate::machines::{Task, faulty, with_machine};
use crate::output::Output;
use crate::table::{Table, grouped};

/// Solve a small game with hidden information, chance or moves at once: an equilibrium, and how far from one it is
///
/// The whole game is laid out by what roles know, and counterfactual regret minimisation plays it against itself. In games of
/// two in which one loses what the other wins, play that cannot be exploited is as good as any. With `--samples` it learns from
/// single courses of the game (outcome sampling), which needs no layout but to tell how well.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens equilibrium kuhn-poker\n  ludens equilibrium leduc-poker --rounds 1000\n  \
                        ludens equilibrium liars-dice --samples 1000000\n  \
                        ludens equilibrium my-game.kif --json"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// Rounds of learning
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,

    /// Learn from so many courses of the game in place of rounds
    #[arg(long, conflicts_with = "rounds", value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,

    /// The seed of chance, with --samples
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Nodes that the game may have
    #[arg(long, default_value_t = 5_000_000)]
    nodes: usize,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    machine: MachineArguments,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    nodes: usize,
    information_sets: usize,
    rounds: u64,
    /// Courses of the game that it learnt from.
    samples: u64,
    /// By how much roles could do better on average, goals being 0 to 100.
    exploitability: f64,
    /// What each role gets, 0 to 100.
    values: Vec<Value>,
    seconds: f64,
}

#[derive(Serialize)]
struct Value {
    role: String,
    value: f64,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = input::load(&self.game.game, self.game.reading.mode())?;
        let task = Solve {
            name: &game.name,
            rounds: self.rounds,
            samples: self.samples,
            seed: self.seed,
            nodes: self.nodes,
        };
        let answer = with_machine(self.machine, &game.rules, None, task)?;
        if self.json {
            output.json(&answer)?;
        } else {
            game.write_title(output)?;
            answer.write(output)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Solve<'a> {
    name: &'a str,
    rounds: u64,
    samples: Option<u64>,
    seed: u64,
    nodes: usize,
}

impl Task for Solve<'_> {
    type Answer = Answer;

    fn run<G: Describe>(self, game: &G, _: &Machine) -> anyhow::Result<Answer> {
        let begin = Instant::now();
        let mut workspace = game.workspace();
        let mut views = Views::default();
        let first = views.begin(game.role_count());
        let mut sampling = Sampling::new(self.nodes, self.seed);
        let initial = game.initial();
        for _ in 0..self.samples.unwrap_or(0) {
            sampling.learn(game, &mut workspace, &mut views, &initial, &first).map_err(faulty(game))?;
        }
        let mut tree = GameTree::sharing(game, self.nodes, views, first);
        let growth = tree.grow_fully(game, &mut workspace).map_err(faulty(game))?;
        if growth != Growth::Complete {
            let most = grouped(self.nodes as u64);
            anyhow::bail!(
                "the game has more than {most} nodes, too many to be solved; `--nodes` allows more"
            );
        }
        let equilibrium = match self.samples {
            Some(_) => Equilibrium::of_samples(&tree, &sampling),
            None => {
                let mut equilibrium = Equilibrium::new(&tree);
                (0..self.rounds).for_each(|_| equilibrium.learn(&tree));
                equilibrium
            }
        };
        let values = tree.values(&equilibrium);
        let value = |(role, value): (&String, f64)| Value { role: role.clone(), value: 100.0 * value };
        Ok(Answer {
            game: self.name.to_owned(),
            nodes: tree.len(),
            information_sets: tree.sets().len(),
            rounds: equilibrium.rounds(),
            samples: sampling.samples(),
            exploitability: 100.0 * tree.exploitability(&equilibrium),
            values: game.roles().iter().zip(values).map(value).collect(),
            seconds: begin.elapsed().as_secs_f64(),
        })
    }
}

impl Answer {
    fn write(&self, output: &mut Output) -> anyhow::Result<()> {
        let (nodes, sets) = (grouped(self.nodes as u64), grouped(self.information_sets as u64));
        writeln!(output, "nodes           {nodes}")?;
        writeln!(output, "information     {sets} sets of positions that look the same to who decides")?;
        match self.samples {
            0 => writeln!(output, "rounds          {}, {:.2} s", grouped(self.rounds), self.seconds)?,
            samples => writeln!(output, "samples         {}, {:.2} s", grouped(samples), self.seconds)?,
        }
        writeln!(output, "exploitability  {:.4} of 100", self.exploitability)?;
        writeln!(output)?;
        let mut table = Table::new(&["role", ">expected goal"]);
        for value in &self.values {
            table.row([value.role.clone(), format!("{:.4}", value.value)]);
        }
        table.write(output)?;
        Ok(())
    }
}
