//! The method of MiNI-Player, where nobody else plays.

use std::sync::Arc;

use engine::{Demand, EngineRow, THREADS, Typed};
use puzzle::Portfolio;
use puzzle::method::mini::Transpositions;
use puzzle::method::{Method, Mini, MiniOptions};

use super::mcts;
use super::planner::{Planner, SYMMETRY};

const NAME: &str = "mini";
const LEVELS: &str = "levels";

static TABLE: Typed<&'static str> = Typed::<&'static str>::word(
    "table",
    "zobrist",
    &["zobrist", LEVELS],
    "Świechowski, Mańdziuk and Ong 2014",
    "the table of states: ours, or the paper's with five levels",
);

pub(super) fn row() -> EngineRow {
    EngineRow {
        name: NAME,
        help: "exploring playouts and the highest score in the tree",
        source: "Świechowski, Mańdziuk and Ong 2014",
        revision: 1,
        parameters: vec![TABLE.row(), SYMMETRY.row(), THREADS.row()],
        demands: vec![Demand::OneRole, Demand::NoChance, Demand::Lanes],
        fallback: Some(mcts::NAME),
        make: Arc::new(|seat| {
            let transpositions = match seat.settings.of(&TABLE) {
                LEVELS => Transpositions::FiveLevels,
                _ => Transpositions::Zobrist,
            };
            let methods = move |space: &Arc<puzzle::Space>, options: puzzle::Options| {
                let (most_bytes, seed) = (options.bytes, options.seed);
                let mini = MiniOptions { most_bytes, seed, transpositions, ..MiniOptions::default() };
                let mini = Mini::new(Arc::clone(space.machine()), space.start().clone(), mini);
                let methods = mini.into_iter().map(|mini| (1.0, Box::new(mini) as Box<dyn Method>));
                Portfolio::of(methods.collect(), space.ceiling(), options)
            };
            Ok(Box::new(Planner::new(NAME, seat, Box::new(methods))?))
        }),
    }
}
