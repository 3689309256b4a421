//! Any legal move.

use std::sync::Arc;

use engine::EngineRow;
use game::Dice;
use hidden::engines::Manner;

use super::plain::{Pick, Plain};

pub(super) const NAME: &str = "random";

pub(super) fn row() -> EngineRow {
    EngineRow {
        name: NAME,
        help: "any legal move",
        source: "",
        revision: 1,
        parameters: Vec::new(),
        demands: Vec::new(),
        fallback: None,
        make: Arc::new(|seat| {
            if seat.machine.has_percepts() {
                return Ok(hidden::engines::plain(seat.machine, seat.history, NAME, Manner::Any, seat.seed));
            }
            let pick = Pick::Any(Dice::new(seat.seed));
            Ok(Box::new(Plain::new(seat.machine, seat.history, NAME, pick)?))
        }),
    }
}
