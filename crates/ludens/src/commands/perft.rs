//! `ludens perft`

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use game::Describe;
use machine::Machine;
use serde::Serialize;

use crate::arguments::{GameArguments, MachineArguments};
use crate::input::{self, LoadedGame};
use crate::machines::{Task, faulty, with_fast_machine};
use crate::output::Output;
use crate::table::grouped;

/// Count the sequences of joint moves of each length from the initial state
///
/// Sequences that end earlier do not count, as in chess. Equal counts are a strong sign that two
/// descriptions of a game, or two reasoners, agree.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens perft tic-tac-toe 4\n  ludens perft chess 3 --divide\n  \
                        ludens perft my-game.kif 5 --json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// The greatest length
    #[arg(value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,

    /// Split the last count by the first joint move
    #[arg(long)]
    divide: bool,

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
    depths: Vec<Depth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Part>>,
}

#[derive(Serialize)]
struct Depth {
    depth: u32,
    count: u64,
    seconds: f64,
    nodes_per_second: f64,
}

#[derive(Serialize)]
struct Part {
    moves: Vec<String>,
    count: u64,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = input::load(&self.game.game, self.game.reading.mode())?;
        let task = Perft { arguments: &self, game: &game, output };
        with_fast_machine(self.machine, &game.rules, None, task)?;
        Ok(ExitCode::SUCCESS)
    }
}

struct Perft<'a> {
    arguments: &'a Arguments,
    game: &'a LoadedGame,
    output: &'a mut Output,
}

impl Task for Perft<'_> {
    type Answer = ();

    fn run<G: Describe>(self, machine: &G, _: &Machine) -> anyhow::Result<()> {
        let Self { arguments, game, output } = self;
        let mut workspace = machine.workspace();
        let initial = machine.initial();
        let mut depths = Vec::new();
        let mut divided = None;
        if !arguments.json {
            let heading = output.bold("depth                 count    seconds      nodes/s");
            writeln!(output, "{heading}")?;
        }
        for depth in 1..=arguments.depth {
            let begin = Instant::now();
            let count = if arguments.divide && depth == arguments.depth {
                let parts =
                    verify::divide(machine, &mut workspace, &initial, depth).map_err(faulty(machine))?;
                let parts: Vec<Part> = parts
                    .into_iter()
                    .map(|(moves, count)| Part {
                        moves: moves.into_iter().map(|id| machine.move_spelling(id)).collect(),
                        count,
                    })
                    .collect();
                let count = parts.iter().map(|part| part.count).fold(0, u64::saturating_add);
                divided = Some(parts);
                count
            } else {
                verify::perft(machine, &mut workspace, &initial, depth).map_err(faulty(machine))?
            };
            let seconds = begin.elapsed().as_secs_f64();
            let nodes_per_second = count as f64 / seconds.max(1e-9);
            if !arguments.json {
                let (count, speed) = (grouped(count), grouped(nodes_per_second as u64));
                writeln!(output, "{depth:>5} {count:>21} {seconds:>10.3} {speed:>12}")?;
                // Each depth takes much longer than the one before: show what is known.
                output.flush()?;
            }
            depths.push(Depth { depth, count, seconds, nodes_per_second });
        }
        if arguments.json {
            let (game, machine) = (game.name.clone(), arguments.machine.machine.name());
            return output.json(&Answer { game, machine, depths, divide: divided });
        }
        for part in divided.into_iter().flatten() {
            writeln!(output, "{:>27}  {}", grouped(part.count), part.moves.join("  "))?;
        }
        Ok(())
    }
}
