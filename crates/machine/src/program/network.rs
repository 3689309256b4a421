//! What is to be computed: gates, where inputs come from, where outputs go.

use circuit::{Edge, Gate, GateId, Gates};

/// One of the memory areas a program works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Area {
    /// The lanes' own memory, the same in every sweep.
    Block,
    /// Random words: a fresh row every sweep.
    Random,
    /// What happened: a fresh row every sweep.
    Events,
}

/// A word of every lane in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) area: Area,
    pub(crate) slot: u32,
}

impl Place {
    pub(crate) fn block(slot: u32) -> Self {
        Self { area: Area::Block, slot }
    }

    pub(crate) fn random(slot: u32) -> Self {
        Self { area: Area::Random, slot }
    }

    pub(crate) fn events(slot: u32) -> Self {
        Self { area: Area::Events, slot }
    }
}

/// The length of a row in the areas that move on with every sweep, in slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) random: u32,
    pub(crate) events: u32,
}

/// Gates with places for their inputs and outputs. An output may overwrite an input: all inputs
/// have the values from before the sweep.
pub(crate) struct Network<'a> {
    pub(crate) gates: &'a Gates,
    pub(crate) outputs: Vec<(Edge, Place)>,
    /// The length of a row of random words and of a row of events, in slots.
    pub(crate) rows: Rows,
    /// Where an input gate (base or does) is read.
    pub(crate) input: &'a dyn Fn(Gate) -> Place,
}

impl Network<'_> {
    /// The gates that the outputs need, ascending: inputs and logic, without the constant.
    pub(crate) fn cone(&self) -> Vec<GateId> {
        self.gates.cone(self.outputs.iter().map(|output| output.0))
    }
}
