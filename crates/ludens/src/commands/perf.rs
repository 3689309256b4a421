//! `ludens perf`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use game::{Describe, RuleFault};
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use machine::reference::Reference;

use super::bench::measure::{self, Tally};
use crate::arguments::GameArguments;
use crate::circuits::{BuildArguments, positive};
use crate::failure::{FAULTY, FaultyGame, Unbuildable, tell};
use crate::input::{self, LoadedGame};
use crate::machines::faulty;
use crate::output::Output;

/// Measure random playouts and write the figures to a file as gdl-perf expects them
///
/// The fastest machine that the game allows plays in one thread. The file has the lines `version=`,
/// `millisecondsTaken=` (of the processor, without building), `numStateChanges=` and
/// `numRollouts=`; if the game cannot be played, `errorMessage=` instead of the counts.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens perf tic-tac-toe result.txt 10\n  \
                        ludens perf my-game.kif result.txt 5 --build-seconds 20")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// The file to write
    file: PathBuf,

    /// Seconds to play for
    #[arg(value_parser = positive)]
    seconds: f64,

    #[command(flatten)]
    build: BuildArguments,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let played = input::load(&self.game.game, self.game.reading.mode()).and_then(|game| self.play(&game));
        let mut text = format!("version={}\n", env!("CARGO_PKG_VERSION"));
        match &played {
            Ok((_, tally)) => {
                text += &format!("millisecondsTaken={:.0}\n", 1000.0 * tally.cpu_seconds);
                text += &format!("numStateChanges={}\n", tally.state_changes);
                text += &format!("numRollouts={}\n", tally.playouts);
            }
            // One line, whatever is in the message.
            Err(error) => text += &format!("errorMessage={}\n", format!("{error:#}").replace('\n', " ")),
        }
        std::fs::write(&self.file, text).with_context(|| format!("cannot write {}", self.file.display()))?;
        match played {
            Ok((machine, tally)) => {
                let speed = tally.state_changes as f64 / tally.cpu_seconds.max(1e-9);
                writeln!(output, "{speed:.0} state changes a second ({machine})")?;
                Ok(ExitCode::SUCCESS)
            }
            Err(error) => {
                tell("error", &format!("{error:#}"));
                Ok(ExitCode::from(FAULTY))
            }
        }
    }

    /// Plays on the fastest machine that can: in lanes, else state by state, else by the reference.
    fn play(&self, game: &LoadedGame) -> anyhow::Result<(&'static str, Tally)> {
        match self.build.build(&game.rules) {
            Ok(built) => {
                let circuit = Arc::new(CircuitMachine::new(built.circuit));
                refuse_if_over(&*circuit)?;
                let batch = BatchMachine::new(Arc::clone(&circuit));
                let attempt = measure::in_lanes(&batch, self.seconds);
                if let Some(tally) = succeeded("compiled", &*circuit, attempt) {
                    return Ok(("compiled", tally));
                }
                let attempt = measure::one_by_one(&*circuit, self.seconds);
                if let Some(tally) = succeeded("circuit", &*circuit, attempt) {
                    return Ok(("circuit", tally));
                }
            }
            Err(error) => tell("warning", &format!("{error}; the reference plays")),
        }
        let limits = datalog::Limits { bytes: self.build.bytes(), ..Default::default() };
        let reference = Reference::new(&game.rules, limits).map_err(Unbuildable)?;
        refuse_if_over(&reference)?;
        let tally = measure::one_by_one(&reference, self.seconds).map_err(faulty(&reference))?;
        Ok(("reference", tally))
    }
}

fn refuse_if_over<G: Describe>(game: &G) -> anyhow::Result<()> {
    let is_over = measure::is_over(game).map_err(faulty(game))?;
    anyhow::ensure!(!is_over, FaultyGame(measure::OVER.to_owned()));
    Ok(())
}

/// The figures of a machine, unless it met a fault.
fn succeeded<G: Describe>(name: &str, game: &G, attempt: Result<Tally, RuleFault>) -> Option<Tally> {
    attempt.map_err(|fault| tell("warning", &format!("{name}: {}", faulty(game)(fault)))).ok()
}
