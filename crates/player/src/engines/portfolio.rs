//! Many ways of finding a plan side by side, where nobody else plays.

use std::sync::Arc;

use engine::{Demand, EngineRow, THREADS};
use puzzle::Portfolio;

use super::parts;
use super::planner::{Planner, SYMMETRY};

const NAME: &str = "portfolio";

pub(super) fn row() -> EngineRow {
    EngineRow {
        name: NAME,
        help: "many methods that look for a plan, side by side",
        source: "ours: docs/results/puzzles.md",
        revision: 1,
        parameters: vec![SYMMETRY.row(), THREADS.row()],
        demands: vec![Demand::OneRole, Demand::NoChance, Demand::Lanes],
        fallback: Some(parts::NAME),
        make: Arc::new(|seat| {
            let methods = |space: &_, options| Portfolio::new(space, options);
            Ok(Box::new(Planner::new(NAME, seat, Box::new(methods))?))
        }),
    }
}
