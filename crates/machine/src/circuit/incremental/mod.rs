//! Computing only what changed.
//!
//! From one state of a playout to the next few facts change, and few gates with them. Small circuits are computed
//! faster as a whole, without asking what changed; large ones are computed like this where a trial shows that it pays.

mod logic;
mod memory;
mod net;
#[cfg(test)]
mod tests;
mod trial;
mod values;

pub(super) use memory::Memory;
pub(super) use net::Net;
#[cfg(test)]
pub(super) use tests::random_circuit;
pub(super) use trial::{Incremental, networks, try_out};
use values::Work;

/// How much of a circuit is computed for a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// What a short trial shows to be less work. It counts and looks at no clock, so it is always the same.
    #[default]
    Measured,
    /// Every gate.
    Whole,
    /// Every gate that tells what is legal and over; what comes next is looked up wherever it can be.
    Effects,
    /// The gates that change, if no more than so many facts do.
    Changes {
        /// For more the whole circuit is computed.
        most_facts: u32,
    },
}
