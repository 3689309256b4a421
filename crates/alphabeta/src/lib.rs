//! Looking ahead to a depth, one more each time: MTD(f) for real values (Walędzik and Mańdziuk 2014, Figure 3;
//! Plaat, Schaeffer, Pijls and de Bruin 1996) over alpha-beta with memory.
//!
//! A game of any number of roles, in turn or at once, is made one of two sides: a role against all others, who
//! know its move before they choose theirs and want it to get as little as possible (Sturtevant and Korf 2000,
//! "paranoid"). What is proven that way holds whatever the others want.
//!
//! Leaves are evaluated by an [`Evaluator`](engine::Evaluator), all children of a position or of all its children
//! in one call. Beside the value of a position to a depth the least and the most that the role can be sure of are kept
//! ([`Proven`]): they rest on ends of the game alone, so they hold at any depth and for every evaluator.
//!
//! - [`Search`] is a search in a match: think for a slice, ask, follow moves.
//! - [`Driver`] says with which windows alpha-beta is called.
//! - [`Options`] has every parameter.
//! - [`Judge`] is what a search evaluates by: an evaluator, or a [`Learner`] that makes one piece by piece.

mod advice;
mod children;
mod driver;
pub mod evaluators;
mod frontier;
mod guard;
mod judge;
mod memory;
mod options;
mod order;
mod ranking;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod value;
mod worker;

pub use advice::{Advice, Candidate};
pub use driver::{Driver, DriverKind};
pub use judge::{Judge, Learner};
pub use options::Options;
pub use search::Search;
pub use value::Proven;
pub use worker::Work;
