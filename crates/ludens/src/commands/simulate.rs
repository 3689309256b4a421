//! `ludens simulate`

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use game::Describe;
use machine::Machine;
use serde::Serialize;
use verify::{PlayoutLimits, Summary};

use crate::arguments::{GameArguments, MachineArguments};
use crate::input::{self, LoadedGame};
use crate::machines::{Task, faulty, with_fast_machine};
use crate::output::Output;
use crate::table::{Table, grouped};

/// Play a game at random many times and say what comes out
///
/// Playout i depends on the seed and i alone: the same command gives the same numbers, on every
/// machine.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens simulate tic-tac-toe\n  \
                        ludens simulate breakthrough --playouts 500 --seed 7 --json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// How many times
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: u64,

    /// The seed of chance
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Joint moves after which a playout is given up
    #[arg(long, default_value_t = PlayoutLimits::default().steps)]
    steps: usize,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    machine: MachineArguments,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    machine: &'static str,
    seed: u64,
    playouts: u64,
    seconds: f64,
    steps_per_second: f64,
    length: Length,
    branching: f64,
    goal_faults: u64,
    roles: Vec<RoleAnswer>,
}

#[derive(Serialize)]
struct Length {
    mean: f64,
    /// Half the width of the 95% confidence interval; none for a single playout.
    interval: Option<f64>,
    shortest: usize,
    longest: usize,
}

#[derive(Serialize)]
struct RoleAnswer {
    role: String,
    mean_goal: f64,
    interval: Option<f64>,
    goals: BTreeMap<u8, u64>,
}

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = input::load(&self.game.game, self.game.reading.mode())?;
        let task = Simulate { arguments: &self, game: &game };
        let answer = with_fast_machine(self.machine, &game.rules, None, task)?;
        if self.json {
            output.json(&answer)?;
        } else {
            game.write_title(output)?;
            answer.write(output)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Simulate<'a> {
    arguments: &'a Arguments,
    game: &'a LoadedGame,
}

impl Task for Simulate<'_> {
    type Answer = Answer;

    fn run<G: Describe>(self, machine: &G, _: &Machine) -> anyhow::Result<Answer> {
        let arguments = self.arguments;
        let bar = crate::commands::progress_bar(arguments.playouts, "playouts");
        let limits = PlayoutLimits { steps: arguments.steps };
        let begin = Instant::now();
        let progress = |done| {
            bar.set_position(done);
            true
        };
        let mut workspace = machine.workspace();
        let summary =
            verify::simulate(machine, &mut workspace, arguments.playouts, arguments.seed, limits, progress);
        bar.finish_and_clear();
        let summary = summary.map_err(faulty(machine))?;
        let seconds = begin.elapsed().as_secs_f64();
        let role = |(index, role): (usize, &String)| RoleAnswer {
            role: role.clone(),
            mean_goal: summary.mean_goal(index),
            interval: finite(summary.goal_interval(index)),
            goals: summary.goal_counts[index].clone(),
        };
        Ok(Answer {
            game: self.game.name.clone(),
            machine: arguments.machine.machine.name(),
            seed: arguments.seed,
            playouts: summary.playouts,
            seconds,
            steps_per_second: summary.steps as f64 / seconds.max(1e-9),
            length: length(&summary),
            branching: summary.mean_branching(),
            goal_faults: summary.goal_faults,
            roles: machine.roles().iter().enumerate().map(role).collect(),
        })
    }
}

fn length(summary: &Summary) -> Length {
    Length {
        mean: summary.mean_length(),
        interval: finite(summary.length_interval()),
        shortest: summary.shortest,
        longest: summary.longest,
    }
}

/// A mean with its interval.
fn mean(mean: f64, interval: Option<f64>) -> String {
    match interval {
        Some(interval) => format!("{mean:.2} ± {interval:.2}"),
        None => format!("{mean:.2}"),
    }
}

impl Answer {
    fn write(&self, output: &mut Output) -> anyhow::Result<()> {
        writeln!(
            output,
            "{} playouts with seed {} in {:.2} s, {} steps/s ({} machine)",
            grouped(self.playouts),
            self.seed,
            self.seconds,
            grouped(self.steps_per_second as u64),
            self.machine
        )?;
        let length = &self.length;
        let text = mean(length.mean, length.interval);
        writeln!(output, "length {text}, from {} to {}", length.shortest, length.longest)?;
        writeln!(output, "joint moves to choose from {:.2}", self.branching)?;
        writeln!(output)?;
        let mut table = Table::new(&["role", ">mean goal", "how often each goal"]);
        for role in &self.roles {
            let share = |(goal, &count): (&u8, &u64)| {
                format!("{goal}: {:.1}%", 100.0 * count as f64 / self.playouts.max(1) as f64)
            };
            let shares: Vec<String> = role.goals.iter().map(share).collect();
            table.row([role.role.clone(), mean(role.mean_goal, role.interval), shares.join("  ")]);
        }
        table.write(output)?;
        if self.goal_faults > 0 {
            writeln!(
                output,
                "\n{} playouts ended with a role that has no goal or several; `ludens check` tells more",
                grouped(self.goal_faults)
            )?;
        }
        Ok(())
    }
}
