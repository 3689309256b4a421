//! `ludens watch`

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use game::{Describe, Dice, Expansion, GoalReading, MoveId};
use machine::Machine;

use crate::arguments::{GameArguments, MachineArguments};
use crate::input::{self, LoadedGame};
use crate::machines::{Task, faulty, with_machine};
use crate::output::Output;
use crate::position::Drawing;

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

    fn run<G: Describe>(mut self, machine: &G, _: &Machine) -> anyhow::Result<()> {
        self.game.write_title(self.output)?;
        if let Some(metadata) = &self.game.metadata {
            writeln!(self.output, "{}", metadata.description)?;
        }
        let mut workspace = machine.workspace();
        let mut state = machine.initial();
        let mut dice = Dice::stream(self.arguments.seed, 0);
        let mut expansion = Expansion::new();
        for step in 0.. {
            machine.expand(&mut workspace, &state, &mut expansion).map_err(faulty(machine))?;
            self.show(&machine.facts(&state))?;
            if expansion.is_terminal() {
                break;
            }
            if let Some(role) = expansion.stuck_role() {
                return Err(faulty(machine)(game::RuleFault::NoLegalMove(role)));
            }
            if step >= self.arguments.steps {
                return Err(faulty(machine)(game::RuleFault::TooLong(step)));
            }
            let joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            self.tell_moves(machine, step + 1, &expansion, &joint)?;
            self.output.flush()?;
            if self.arguments.delay > 0 {
                std::thread::sleep(Duration::from_millis(self.arguments.delay));
            }
            state = machine.apply(&mut workspace, &state, &joint).map_err(faulty(machine))?;
        }
        let mut goals = Vec::new();
        machine.goals(&mut workspace, &state, &mut goals).map_err(faulty(machine))?;
        let goal = |(role, reading): (&String, &GoalReading)| match reading {
            GoalReading::None => format!("{role} has no goal"),
            GoalReading::One(goal) => format!("{role} {}", goal.0),
            GoalReading::Several { highest, lowest } => {
                format!("{role} {} (and {})", highest.0, lowest.0)
            }
        };
        let goals: Vec<String> = machine.roles().iter().zip(&goals).map(goal).collect();
        let goals = self.output.bold(&goals.join(", "));
        writeln!(self.output, "\nThe game is over. Goals: {goals}")?;
        Ok(())
    }
}

impl Watch<'_> {
    fn show(&mut self, facts: &[String]) -> anyhow::Result<()> {
        let drawing = Drawing { metadata: self.game.metadata.as_ref(), facts_too: self.arguments.facts };
        Ok(drawing.write(self.output, facts)?)
    }

    /// Says what each role does, leaving out those who had no choice while others did.
    fn tell_moves<G: Describe>(
        &mut self,
        machine: &G,
        number: usize,
        expansion: &Expansion,
        joint: &[MoveId],
    ) -> anyhow::Result<()> {
        let choosing = expansion.by_role().any(|legal| legal.len() > 1);
        let moves: Vec<String> = machine
            .roles()
            .iter()
            .zip(expansion.by_role())
            .zip(joint)
            .filter(|((_, legal), _)| !choosing || legal.len() > 1)
            .map(|((role, _), &id)| format!("{role} {}", machine.move_spelling(id)))
            .collect();
        let number = self.output.bold(&format!("Move {number}:"));
        writeln!(self.output, "\n{number} {}", moves.join(", "))?;
        Ok(())
    }
}
