//! Implementations of [`game::Game`]. All give the same answers, move for move; the reference
//! reasoner is slow, plain and right, and the rest are checked against it.

pub mod batch;
pub mod circuit;
mod compiled;
mod exclusive;
mod program;
#[cfg(test)]
mod samples;

pub use compiled::Target;
