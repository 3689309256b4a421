//! No guidance: all moves are equally likely.

use game::{MoveId, MoveRecord, RoleId};

use super::{Guide, Policy, Style};

/// Learns nothing, prefers nothing.
#[derive(Debug)]
pub(super) struct Uniform;

impl Policy for Uniform {
    fn wants_moves(&self) -> bool {
        false
    }

    fn learn_playouts(&mut self, _: &MoveRecord) {}

    fn learn_move(&mut self, _: RoleId, _: MoveId, _: u32, _: f64) {}

    fn guide(&mut self) -> Guide {
        Guide::None
    }

    fn style(&mut self) -> Style {
        Style::Uniform
    }

    fn age(&mut self) {}
}
