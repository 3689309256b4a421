//! No guidance: all moves are equally likely.

use game::{MoveId, MoveRecord, RoleId};

use super::{Guide, Needs, Policy, PolicyRow, Sequence, Style};

pub(super) const ROW: PolicyRow = PolicyRow {
    name: "uniform",
    help: "all moves are equally likely",
    source: "",
    parameters: Vec::new,
    make: |_| Box::new(Uniform),
};

/// Learns nothing, prefers nothing.
#[derive(Debug)]
struct Uniform;

impl Policy for Uniform {
    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn learn_playouts(&mut self, _: &MoveRecord) {}

    fn learn_move(&mut self, _: RoleId, _: MoveId, _: u32, _: f64) {}

    fn learn_sequence(&mut self, _: &Sequence<'_>) {}

    fn guide(&mut self) -> Guide {
        Guide::None
    }

    fn style(&mut self) -> Style {
        Style::default()
    }

    fn end_batch(&mut self, _: u64) {}

    fn age(&mut self) {}
}
