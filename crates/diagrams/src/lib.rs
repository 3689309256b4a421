//! The rules of a game as binary decision diagrams: sets of states, and what moves make of them.
//!
//! ```text
//! Circuit -Rules::new-> Rules -step-> Step: image (where a set of states leads), origin (what leads into one)
//! ```
//!
//! A set of states is one diagram, however many states it has. Each fact that matters is two variables beside each other:
//! what it is before a move and after it. Diagrams of gates are made when they are asked for.

mod count;
mod gates;
mod order;
mod rules;
mod set;
mod step;

pub use order::by_number;
pub use rules::Rules;
pub use set::{Set, Trouble};
pub use step::Step;
