//! Implementations of [`game::Game`]. All give the same answers, move for move; the reference
//! reasoner is slow, plain and right, and the rest are checked against it.
//!
//! ```
//! use game::Game;
//! use machine::reference::Reference;
//!
//! let rules = "(role you) (init (left 2)) (legal you wait)
//!     (<= (next (left 1)) (true (left 2))) (<= (next (left 0)) (true (left 1)))
//!     (<= terminal (true (left 0))) (<= (goal you 100) terminal)";
//! let game = Reference::new(&gdl::normal::read(rules), Default::default())?;
//! let mut workspace = game.workspace();
//! assert_eq!(verify::perft(&game, &mut workspace, &game.initial(), 2)?, 1);
//! assert_eq!(verify::perft(&game, &mut workspace, &game.initial(), 3)?, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod alike;
pub mod batch;
pub mod build;
pub mod builder;
pub mod circuit;
mod compiled;
mod erased;
mod exclusive;
mod handle;
mod make;
pub mod outlook;
mod program;
pub mod reference;
#[cfg(test)]
mod samples;

pub use compiled::Target;
pub use erased::{ErasedGame, ErasedState, ErasedWorkspace};
pub use handle::{Machine, MachineKind, Visitor};
pub use make::{Limits, MakeError, Wanted, from_rules, from_text};
