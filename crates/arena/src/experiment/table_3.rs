//! Table 3 of the CadiaPlayer paper: twice the time.

use super::{Bar, CADIA_GAMES, CADIA_PLAYER, Duel, Experiment, Laboratory, Report};
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct TableThree;

/// By game: the share and interval at 10 against 5, 20 against 10, 40 against 20 seconds.
const PUBLISHED: [[(f64, f64); 3]; 4] = [
    [(64.2, 5.81), (63.2, 5.83), (65.4, 5.79)],
    [(76.2, 4.85), (72.2, 4.96), (77.8, 4.33)],
    [(67.0, 5.75), (64.0, 5.86), (69.0, 5.68)],
    [(66.8, 5.85), (67.6, 5.81), (64.8, 5.93)],
];

/// The smallest budget, in simulations; each size is twice the one before.
const SMALLEST: u64 = 500;

impl Experiment for TableThree {
    fn name(&self) -> &'static str {
        "table-3"
    }

    fn about(&self) -> &'static str {
        "UCT with twice the simulations against itself, at three sizes; the paper has twice the time at three sizes."
    }

    fn source(&self) -> &'static str {
        CADIA_PLAYER
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let smallest = laboratory.scale().simulations(SMALLEST);
        let mut duels = Vec::new();
        for ((game, title), row) in CADIA_GAMES.into_iter().zip(PUBLISHED) {
            for ((share, interval), times) in row.into_iter().zip([1, 2, 4]) {
                let (less, more) = (smallest * times, 2 * smallest * times);
                let (first, second) = (Thinking::Simulations(more), Thinking::Simulations(less));
                let duel = Duel::new(game, ("cadia-uct", first), ("cadia-uct", second))?
                    .at(title, format!("{more} against {less}"))
                    .published(share, interval)
                    .bar(Bar::Above(60.0));
                duels.push(duel);
            }
        }
        Report::of_duels(self, laboratory, "CadiaPlayer's Table 3: twice the budget", duels, 250)
    }
}
