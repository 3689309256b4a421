//! Searching for good moves in any game, on machines that play many positions at once.
//!
//! The search knows a game only by [`game::Simulator`]. It has no clock of its own: a [`Budget`]
//! brings one.
//!
//! ```
//! use std::sync::Arc;
//! use game::{Describe, Game, RoleId};
//! use search::{Budget, Parameters, mcts::Search};
//!
//! let rules = "(role you) (init (at 0)) (succ 0 1) (succ 1 2)
//!     (<= (legal you (take ?n)) (true (at 0)) (succ ?m ?n)) (<= (legal you rest) (not (true (at 0))))
//!     (<= (next (at ?n)) (does you (take ?n))) (<= (next (at ?n)) (true (at ?n)) (does you rest))
//!     (<= terminal (not (true (at 0)))) (<= (goal you 100) (true (at 2))) (<= (goal you 30) (true (at 1)))";
//! let game = machine::reference::Reference::new(&gdl::normal::read(rules), Default::default())?;
//! let start = game.initial();
//! let mut search = Search::new(Arc::new(game), start, Parameters::default(), 1);
//! search.run(&Budget::simulations(20))?;
//! let advice = search.advice(RoleId(0)).expect("there are moves");
//! assert_eq!(search.game().move_text(advice.best().id), "(take 2)");
//! assert!(advice.best().bounds.is_exact());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod mcts;
mod parameters;
pub mod proof_number;
mod sync;

pub use engine::{Budget, Evaluator, Stop};
pub use parameters::{
    Alike, Backup, DecisiveMoves, EvaluationPlayouts, Final, Merge, Mixed, Objective, Parallel, Parameters,
    Rave, Selection, Simultaneous, SolverChoice, Td, Untried,
};
