//! One-player games. There is nobody to outwit, only a plan to be found: a sequence of moves whose
//! last state has the highest goal. Several methods look for it side by side; the best plan so far
//! is always at hand, and where everything has been looked at it is known to be the best there is.
//!
//! ```text
//! BatchMachine -> Space (what matters in a state, what is still possible) -> Method .. -> Board (the best plan)
//!                                                                          Portfolio deals out the time
//! ```
//!
//! The clock is the caller's: the crate knows no time of the wall.

mod board;
mod distances;
mod eye;
mod facts;
mod lanes;
mod logic;
pub mod method;
mod needs;
mod parts;
mod path;
mod portfolio;
mod replay;
mod soft;
mod space;
mod table;
#[cfg(feature = "sat")]
mod unroll;

pub use board::{Board, Clock, Found, Plan, Search};
pub use facts::{Codes, Facts};
pub use portfolio::{Options, Portfolio, Report};
pub use replay::{ReplayError, replay};
pub use space::{PuzzleError, Space, Symmetry};
