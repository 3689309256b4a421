//! `ludens watch`

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use game::Describe;
use machine::Machine;
use referee::{Answer, Match, Rulebook, Settings};

use crate::arguments::{GameArguments, MachineArguments};
use crate::input::{self, LoadedGame};
use crate::machines::{Task, called_off, with_machine};
use crate::output::Output;
use crate::printer::Printer;

/// Play a game through with random moves and show every position
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens watch tic-tac-toe\n  ludens watch breakthrough --seed 7 --delay 300\n  \
                        ludens watch my-game.kif --facts"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// The seed of chance
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Joint moves after which the game is given up
    #[arg(long, default_value_t = 10_000)]
    steps: usize,

    /// Show the facts of each position even if there is a board
    #[arg(long)]
    facts: bool,

    /// Milliseconds to wait after each position
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0)]
    delay: u64,

    #[command(flatten)]
    machine: MachineArguments,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = input::load(&self.game.game, self.game.reading.mode())?;
        let task = Watch { arguments: &self, game: &game, output };
        with_machine(self.machine, &game.rules, None, task)?;
        Ok(ExitCode::SUCCESS)
    }
}

struct Watch<'a> {
    arguments: &'a Arguments,
    game: &'a LoadedGame,
    output: &'a mut Output,
}

impl Task for Watch<'_> {
    type Answer = ();

    fn run<G: Describe>(self, machine: &G, _: &Machine) -> anyhow::Result<()> {
        let Arguments { seed, steps, facts, delay, .. } = *self.arguments;
        let book = Rulebook::default();
        let settings = Settings { seed, longest: steps, ..Settings::default() };
        let mut current = Match::new(machine, &book, settings, 0).map_err(called_off(machine))?;
        let mut printer = Printer::new(self.game, facts, self.output);
        printer.delay = Duration::from_millis(delay);
        printer.write_heading()?;
        while current.step().is_some() {
            // Every role is the referee's, which plays at random.
            let given = machine.roles().iter().map(|_| Answer::Hosted.into()).collect();
            current.take(given, 0, &mut printer);
        }
        printer.finish()?;
        if let Some(fault) = current.fault() {
            return Err(called_off(machine)(fault.clone()));
        }
        let goals = machine.roles().iter().zip(current.goals().unwrap_or_default());
        let goals: Vec<String> = goals.map(|(role, goal)| format!("{role} {goal}")).collect();
        let goals = self.output.bold(&goals.join(", "));
        writeln!(self.output, "\nThe game is over. Goals: {goals}")?;
        Ok(())
    }
}
