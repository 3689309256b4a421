//! What the tree loses by taking many leaves at once, and what speed gives back.

use std::time::Duration;

use super::{Bar, Duel, Experiment, Laboratory, Report};
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct Batching;

const GAMES: [&str; 6] = ["connect-four", "breakthrough", "othello", "checkers", "hex", "pentago"];

impl Experiment for Batching {
    fn name(&self) -> &'static str {
        "batching"
    }

    fn about(&self) -> &'static str {
        "The same search with batches of leaves against one leaf at a time: at equal time, and at equal numbers of \
         simulations (1,000 and 10,000), where batching can only lose but for the lanes that it fills with more \
         playouts from the same leaves."
    }

    fn source(&self) -> &'static str {
        "our own question; nothing was published"
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let scale = laboratory.scale();
        let time = |milliseconds: u64| {
            Thinking::Time(Duration::from_millis(if scale.quick { milliseconds / 5 } else { milliseconds }))
        };
        let few = Thinking::Simulations(scale.simulations(1_000));
        let many = Thinking::Simulations(10 * scale.simulations(1_000));
        let mut duels = Vec::new();
        for game in GAMES {
            for (thinking, column) in [
                (time(25), "equal time"),
                (time(100), "four times as long"),
                (few, "equal simulations"),
                (many, "ten times as many"),
            ] {
                let duel =
                    Duel::new(game, ("cadia-uct:fill=true", thinking), ("cadia-uct:batch=1", thinking))?;
                let duel = duel.at(game, format!("{column} ({thinking})"));
                let bar = if matches!(thinking, Thinking::Time(_)) { 75.0 } else { 42.0 };
                duels.push(duel.bar(Bar::AtLeast(bar)));
            }
        }
        Report::of_duels(self, laboratory, "Batches of leaves against one leaf at a time", duels, 100)
    }
}
