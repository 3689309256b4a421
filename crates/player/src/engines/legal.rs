//! The first legal move.

use std::sync::Arc;

use engine::{Engine, EngineRow};
use game::RuleFault;
use hidden::engines::Manner;
use machine::Machine;

use super::plain::{Pick, Plain};

pub(super) const NAME: &str = "legal";

pub(super) fn row() -> EngineRow {
    EngineRow {
        name: NAME,
        help: "the first legal move",
        source: "",
        revision: 1,
        parameters: Vec::new(),
        demands: Vec::new(),
        fallback: None,
        make: Arc::new(|seat| Ok(on(seat.machine, seat.history)?)),
    }
}

pub(super) fn on(machine: &Machine, history: &[Vec<String>]) -> Result<Box<dyn Engine>, RuleFault> {
    if machine.has_percepts() {
        return Ok(hidden::engines::plain(machine, history, NAME, Manner::First, 0));
    }
    Ok(Box::new(Plain::new(machine, history, NAME, Pick::First)?))
}
