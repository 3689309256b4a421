//! Table 2 of the CadiaPlayer paper: guided playouts against UCT.

use super::{Bar, CADIA_GAMES, CADIA_PLAYER, Duel, Experiment, Laboratory, Report};
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct TableTwo;

/// By game: the share and interval of the improved player.
const PUBLISHED: [(f64, f64); 4] = [(54.2, 6.08), (54.4, 5.77), (65.0, 5.83), (90.0, 3.73)];

impl Experiment for TableTwo {
    fn name(&self) -> &'static str {
        "table-2"
    }

    fn about(&self) -> &'static str {
        "Playouts and untried moves guided by the average return of each move (`cadia-mast`) against plain UCT."
    }

    fn source(&self) -> &'static str {
        CADIA_PLAYER
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let thinking = Thinking::Simulations(laboratory.scale().simulations(5_000));
        let duel = |((game, title), (share, interval)): ((&'static str, &str), (f64, f64))| {
            Ok(Duel::new(game, ("cadia-mast", thinking), ("cadia-uct", thinking))?
                .at(title, "")
                .published(share, interval)
                .bar(Bar::AtLeast(share - interval)))
        };
        let duels = CADIA_GAMES.into_iter().zip(PUBLISHED).map(duel).collect::<Result<_, ArenaError>>()?;
        Report::of_duels(self, laboratory, "CadiaPlayer's Table 2: guided playouts against UCT", duels, 250)
    }
}
