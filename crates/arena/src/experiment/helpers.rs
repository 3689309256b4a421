//! What helpers are worth to a player: trees of their own, or leaves of the one tree.

use std::time::Duration;

use super::{Duel, Experiment, Laboratory, Report};
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct Helpers;

const GAMES: [&str; 5] = ["connect-four", "breakthrough", "othello", "checkers", "hex"];

/// How the trees of a player and three helpers are merged.
const MERGES: [&str; 4] = ["best", "sum", "sum10", "raw"];

impl Experiment for Helpers {
    fn name(&self) -> &'static str {
        "helpers"
    }

    fn about(&self) -> &'static str {
        "A player with helpers against the same player alone. First the four ways of merging four trees, each of them with as \
         many simulations as the player alone has: what more trees are worth, whatever they cost. Then two and four \
         helpers at equal time by the clock, with trees of their own and at the leaves of one tree; that says something only \
         where there is a core for each of them. The survey has it that Sum and Sum10 are best and close, that trees of \
         their own are better below five helpers, and one tree with up to sixteen."
    }

    fn source(&self) -> &'static str {
        "Méhat and Cazenave 2011, as told in Świechowski et al. 2015"
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let scale = laboratory.scale();
        let counted = Thinking::Simulations(scale.simulations(1_000));
        let timed = Thinking::Time(Duration::from_millis(if scale.quick { 100 } else { 500 }));
        let mut duels = Vec::new();
        for game in GAMES {
            for merge in MERGES {
                let team = format!("cadia-uct:helpers=3,merge={merge}");
                let duel = Duel::new(game, (&team, counted), ("cadia-uct", counted))?;
                duels.push(duel.at(game, format!("four trees, {merge} ({counted} each)")));
            }
            for (team, helpers) in [("root", 2), ("root", 4), ("tree", 2), ("tree", 4)] {
                let text = format!("cadia-uct:helpers={helpers},team={team}");
                let duel = Duel::new(game, (&text, timed), ("cadia-uct", timed))?;
                duels.push(duel.at(game, format!("{team}, {helpers} helpers ({timed})")));
            }
        }
        Report::of_duels(self, laboratory, "A player with helpers against the player alone", duels, 100)
    }
}
