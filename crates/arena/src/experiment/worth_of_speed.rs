//! What a faster machine is worth: more simulations against fewer.

use super::{Duel, Experiment, Laboratory, Report};
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct WorthOfSpeed;

const GAMES: [&str; 3] = ["connect-four", "breakthrough", "othello"];

impl Experiment for WorthOfSpeed {
    fn name(&self) -> &'static str {
        "worth-of-speed"
    }

    fn about(&self) -> &'static str {
        "The same agent with 2, 5 and 20 times the simulations against itself."
    }

    fn source(&self) -> &'static str {
        "our own question; nothing was published"
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let few = laboratory.scale().simulations(1_000);
        let mut duels = Vec::new();
        for game in GAMES {
            for times in [2, 5, 20] {
                let (more, less) = (Thinking::Simulations(times * few), Thinking::Simulations(few));
                let duel = Duel::new(game, ("cadia-uct", more), ("cadia-uct", less))?;
                duels.push(duel.at(game, format!("{times} times the simulations")));
            }
        }
        Report::of_duels(self, laboratory, "The worth of speed", duels, 200)
    }
}
