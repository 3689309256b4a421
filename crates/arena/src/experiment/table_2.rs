//! Table 2 of the CadiaPlayer paper: guided playouts against UCT.

use super::{Bar, CADIA_GAMES, CADIA_PLAYER, CADIA_TIMES, Duel, Experiment, Laboratory, Report};
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct TableTwo;

/// By game: the share and interval of the improved player.
const PUBLISHED: [(f64, f64); 4] = [(54.2, 6.08), (54.4, 5.77), (65.0, 5.83), (90.0, 3.73)];

/// Simulations a move, as few as the paper's player had.
const FEW: u64 = 100;

impl Experiment for TableTwo {
    fn name(&self) -> &'static str {
        "table-2"
    }

    fn about(&self) -> &'static str {
        "Playouts and untried moves guided by the average return of each move (`cadia-mast`) against plain UCT. The \
         fewer simulations, the more they gain by it in most games; the paper's player, on a prover of the time, had \
         some hundred a move in breakthrough, fewer in checkers and Othello, and many more of connect four's short and \
         simple playouts, which therefore has eight times the simulations of the others, as in Table 1. So the \
         published shares stand beside the smaller budget, and the larger one shows what becomes of them."
    }

    fn source(&self) -> &'static str {
        CADIA_PLAYER
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let few = laboratory.scale().simulations(FEW);
        let mut duels = Vec::new();
        for (number, ((game, title), (share, interval))) in CADIA_GAMES.into_iter().zip(PUBLISHED).enumerate()
        {
            for times in [1, 10] {
                let thinking = Thinking::Simulations(times * CADIA_TIMES[number] * few);
                let duel = Duel::new(game, ("cadia-mast", thinking), ("cadia-uct", thinking))?
                    .at(title, thinking.to_string());
                let published =
                    |duel: Duel| duel.published(share, interval).bar(Bar::AtLeast(share - interval));
                duels.push(if times == 1 { published(duel) } else { duel });
            }
        }
        Report::of_duels(self, laboratory, "CadiaPlayer's Table 2: guided playouts against UCT", duels, 250)
    }
}
