//! Whether each part of the default agent earns its place: with it against without.

use super::{Duel, Experiment, Laboratory, Report};
use crate::{ArenaError, Thinking};

/// The experiment.
pub(super) struct Parts;

const GAMES: [&str; 4] = ["connect-four", "breakthrough", "othello", "hex"];

/// A part, the agent that has it, and the same agent with something else in its place.
const PARTS: [(&str, &str, &str); 12] = [
    ("proofs, not statistics alone", "ludens", "ludens:prove=false"),
    ("positions reached in several ways are one", "ludens", "ludens:transpositions=false"),
    ("worth of the node behind a move, not of the path", "ludens", "ludens:backup=path"),
    ("the tree kept from move to move", "ludens", "ludens:keep=false"),
    ("idle lanes filled", "ludens", "ludens:fill=false"),
    ("less exploration of many moves", "ludens", "ludens:breadth=10000"),
    ("UCB1, not UCB1-tuned", "ludens", "ludens:selection=tuned"),
    ("uniform playouts, not move averages by Gibbs sampling", "ludens", "ludens:policy=mast"),
    ("uniform playouts, not move averages greedily", "ludens", "ludens:policy=mast-greedy"),
    ("the move of most visits, not of most value", "ludens", "ludens:finally=value"),
    (
        "two threads on one tree, not two trees summed",
        "ludens:threads=2",
        "ludens:threads=2,parallel=root,merge=sum",
    ),
    (
        "two trees: the best of either, not the mean of both",
        "ludens:threads=2,parallel=root,merge=best,finally=value",
        "ludens:threads=2,parallel=root,merge=raw,finally=value",
    ),
];

impl Experiment for Parts {
    fn name(&self) -> &'static str {
        "parts"
    }

    fn about(&self) -> &'static str {
        "The default agent against itself with one part exchanged, at equal numbers of simulations: above 50, the \
         part earns its place in that game. What takes longer or shorter is not seen here."
    }

    fn source(&self) -> &'static str {
        "our own question; nothing was published"
    }

    fn run(&self, laboratory: &mut dyn Laboratory) -> Result<Report, ArenaError> {
        let thinking = Thinking::Simulations(laboratory.scale().simulations(2_000));
        let mut duels = Vec::new();
        for (part, with, without) in PARTS {
            for game in GAMES {
                duels.push(Duel::new(game, (with, thinking), (without, thinking))?.at(game, part));
            }
        }
        Report::of_duels(self, laboratory, "What the parts of the default agent are worth", duels, 200)
    }
}
