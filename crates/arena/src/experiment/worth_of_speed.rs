//! What a faster machine is worth: more simulations against fewer.

use super::{Bar, Duel, Experiment, Laboratory, Report};
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct WorthOfSpeed;

/// A game, and what a prototype of the batched search reached with 2, 5 and 20 times the simulations: +63,
/// +133 and +318 Elo in connect four, +56, +200 and +402 in breakthrough, with a new tree for every move.
const GAMES: [(&str, Option<[f64; 3]>); 3] = [
    ("connect-four", Some([59.0, 68.3, 86.2])),
    ("breakthrough", Some([58.0, 76.0, 91.0])),
    ("othello", None),
];

impl Experiment for WorthOfSpeed {
    fn name(&self) -> &'static str {
        "worth-of-speed"
    }

    fn about(&self) -> &'static str {
        "The default agent with 2, 5 and 20 times the simulations against itself with one leaf at a time. What is \
         wanted was reached by a prototype, which had a new tree for every move; the same with the tree kept from \
         move to move, as the agent plays."
    }

    fn source(&self) -> &'static str {
        "our own question; nothing was published"
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let few = laboratory.scale().simulations(1_000);
        let mut duels = Vec::new();
        for (game, wanted) in GAMES {
            for (batched, single, tree) in [
                ("ludens:keep=false", "ludens:batch=1,keep=false", "new trees"),
                ("ludens", "ludens:batch=1", "tree kept"),
            ] {
                for (place, times) in [2, 5, 20].into_iter().enumerate() {
                    let (more, less) = (Thinking::Simulations(times * few), Thinking::Simulations(few));
                    let duel = Duel::new(game, (batched, more), (single, less))?;
                    let duel = duel.at(game, format!("{times} times the simulations, {tree}"));
                    duels.push(match wanted {
                        Some(shares) => duel.bar(Bar::AtLeast(shares[place])),
                        None => duel,
                    });
                }
            }
        }
        Report::of_duels(self, laboratory, "The worth of speed", duels, 200)
    }
}
