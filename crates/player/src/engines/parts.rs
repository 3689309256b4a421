//! A tree for each part, where there are several.

use std::sync::Arc;

use engine::{EngineRow, MakeError};

use super::mcts;
use crate::team::HELPERS;

pub(super) const NAME: &str = parts::NAME;

pub(super) fn row() -> EngineRow {
    let row = parts::row(mcts::NAME);
    let make = Arc::clone(&row.make);
    EngineRow {
        make: Arc::new(move |seat| {
            // Helpers grow trees of the whole game.
            if seat.settings.of(&HELPERS) > 0 {
                return Err(MakeError::Refused("helpers do not know of parts".to_owned()));
            }
            make(seat)
        }),
        ..row
    }
}
