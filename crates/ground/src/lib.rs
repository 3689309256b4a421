//! From rules with variables to propositional rules, within a budget.
//!
//! ```text
//! NormalRules -flatten-> Program -split-> Program -dependency-> Dependencies
//!             -reach-> tables of what may become true -rules-> GroundRules
//! ```
//!
//! Before that, arguments that only ever forbid are dropped from the rules (`trail`).
//!
//! The key decision: ground rules are never stored. [`ground()`] computes only *which* atoms may
//! become true, and stops looking for further derivations of an atom once it has one.
//! [`GroundRules::bodies`] then finds the bodies of one atom at a time, with the head bound, when
//! whoever builds the circuit asks for it. Relations that occur only under `not` cannot make
//! anything reachable: they are never computed, and only the atoms that are asked for exist.

mod body;
mod budget;
mod dependency;
mod error;
mod flatten;
mod ground;
mod plan;
mod program;
mod reach;
mod rules;
mod solve;
mod spelling;
mod split;
mod table;
mod term;
mod trail;
mod unique;

pub use body::{AtomId, Bodies, GroundLiteral};
pub use budget::{Budget, Progress, Stage};
pub use dependency::strong_components;
pub use error::GroundError;
pub use ground::{GroundReport, Strategy, assume_unique, ground, ground_by, ground_unassumed};
pub use rules::{GroundBase, GroundMove, GroundRole, GroundRules};
pub use spelling::Spellings;
