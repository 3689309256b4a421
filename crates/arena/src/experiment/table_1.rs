//! Table 1 of the CadiaPlayer paper: UCT against Monte Carlo without a tree and with one.

use super::{Bar, CADIA_GAMES, CADIA_PLAYER, CADIA_TIMES, Duel, Experiment, Laboratory, Report};
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct TableOne;

/// By game: the share and interval of UCT against MC_org and against MC_mem.
const PUBLISHED: [[(f64, f64); 2]; 4] = [
    [(91.2, 3.38), (91.6, 3.26)],
    [(91.8, 2.95), (71.4, 5.08)],
    [(84.0, 4.49), (73.8, 5.39)],
    [(80.0, 4.97), (74.8, 5.39)],
];

/// By game: of a hundred simulations of UCT, how many MC_org made in the same time.
const WITHOUT_MEMORY: [u64; 4] = [50, 50, 74, 74];

impl Experiment for TableOne {
    fn name(&self) -> &'static str {
        "table-1"
    }

    fn about(&self) -> &'static str {
        "UCT against Monte Carlo without memory (`mc`) and with a tree but uniform choice in it (`mc-memory`). The \
         paper's players thought for the same time in every game, so that they had many more of connect four's short \
         and simple playouts: here it has eight times the simulations of the others. For the same reason `mc`, which \
         cannot keep what it worked out, has fewer than UCT: half in connect four and checkers, as the paper measured, \
         and 1/1.35 in Othello and, not being named, in breakthrough."
    }

    fn source(&self) -> &'static str {
        CADIA_PLAYER
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let simulations = laboratory.scale().simulations(1_000);
        let mut duels = Vec::new();
        for (number, ((game, title), row)) in CADIA_GAMES.into_iter().zip(PUBLISHED).enumerate() {
            let simulations = CADIA_TIMES[number] * simulations;
            let opponents = [("mc", simulations * WITHOUT_MEMORY[number] / 100), ("mc-memory", simulations)];
            for ((opponent, less), (share, interval)) in opponents.into_iter().zip(row) {
                let (own, others) = (Thinking::Simulations(simulations), Thinking::Simulations(less));
                let duel = Duel::new(game, ("cadia-uct", own), (opponent, others))?
                    .at(title, format!("against {opponent}"))
                    .published(share, interval)
                    .bar(Bar::AtLeast(share - interval));
                duels.push(duel);
            }
        }
        Report::of_duels(self, laboratory, "CadiaPlayer's Table 1: UCT against Monte Carlo", duels, 250)
    }
}
