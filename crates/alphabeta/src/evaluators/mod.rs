//! Evaluators: one file each, by name in one table. Whoever has another one hands it to the search
//! ([`Judge`]).

mod even;
mod goals;
mod mobility;
mod playouts;

use std::sync::Arc;

use engine::{Parameter, Settings, Typed};
use game::Simulator;

use crate::Judge;

pub use even::Even;
pub use goals::Goals;
pub use mobility::{Mobility, MobilityLearner};
pub use playouts::Playouts;

/// Names of the evaluators that every game has.
pub const NAMES: &[&str] = &["mobility", "null", "playouts", "goals"];

static EVALUATOR: Typed<&str> = Typed::<&str>::word(
    "evaluator",
    "mobility",
    NAMES,
    "ours",
    "what leaves are worth: by the number of moves, all the same, by playouts, or what the rules give there",
);
static LEAF_PLAYOUTS: Typed<u32> =
    Typed::<u32>::whole("leaf_playouts", 4, 1, 10_000, "ours", "playouts of a leaf, where playouts evaluate");
static SAMPLE_GAMES: Typed<u32> = Typed::<u32>::whole(
    "sample_games",
    512,
    1,
    100_000,
    "ours",
    "random games from which the worth of mobility is learnt",
);

/// The rows of all parameters.
pub(crate) fn rows() -> Vec<Parameter> {
    vec![EVALUATOR.row(), LEAF_PLAYOUTS.row(), SAMPLE_GAMES.row()]
}

/// Random games from which a machine without lanes learns, at most: there each step takes its time.
const FEW_GAMES: u32 = 32;

/// The evaluator that settings ask for. Nothing is played out on a machine without lanes: a call could take minutes.
pub fn chosen<G: Simulator + 'static>(game: &Arc<G>, settings: &Settings, seed: u64) -> Judge<G::State> {
    let has_lanes = game.lanes() > 1;
    match settings.of(&EVALUATOR) {
        "playouts" if has_lanes => {
            Judge::Ready(Arc::new(Playouts::new(game, settings.of(&LEAF_PLAYOUTS), seed)))
        }
        "goals" => Judge::Ready(Arc::new(Goals::new(game))),
        "null" | "playouts" => Judge::Ready(Arc::new(Even)),
        _ => {
            let games = settings.of(&SAMPLE_GAMES);
            let games = if has_lanes { games } else { games.min(FEW_GAMES) };
            Judge::Learning(Box::new(MobilityLearner::new(game, games, seed)))
        }
    }
}
