//! `ludens watch`

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use game::{Dice, Expansion, GoalReading, MoveId};
use picture::Picture;

use crate::arguments::{GameArguments, MachineArguments};
use crate::input::{self, LoadedGame};
use crate::machines::{Machine, Task, faulty, with_machine};
use crate::output::Output;

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

    fn run<M: Machine>(mut self, machine: &M) -> anyhow::Result<()> {
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
    /// Draws a position: its boards if there are any, otherwise its facts.
    fn show(&mut self, facts: &[String]) -> anyhow::Result<()> {
        let output = &mut *self.output;
        writeln!(output)?;
        let picture = self.game.metadata.as_ref().map(|metadata| Picture::read(metadata, facts));
        if let Some(picture) = &picture {
            output.write_all(picture::text::draw(picture, output.colour).as_bytes())?;
        }
        let other = match &picture {
            Some(picture) if !picture.grids.is_empty() && !self.arguments.facts => return Ok(()),
            Some(picture) if !self.arguments.facts => &picture.other[..],
            _ => facts,
        };
        for line in wrapped(other, 100) {
            writeln!(output, "{line}")?;
        }
        Ok(())
    }

    /// Says what each role does, leaving out those who had no choice while others did.
    fn tell_moves<M: Machine>(
        &mut self,
        machine: &M,
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

/// Facts side by side, on lines of at most `width` characters where that is possible.
fn wrapped(facts: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fact in facts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 2 + fact.chars().count() <= width => {
                line.push_str("  ");
                line.push_str(fact);
            }
            _ => lines.push(fact.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_wrapped() {
        let facts = ["(a b)", "(c d)", "e"].map(str::to_owned);
        assert_eq!(wrapped(&facts, 12), ["(a b)  (c d)", "e"]);
        assert_eq!(wrapped(&facts, 3).len(), 3);
    }
}
