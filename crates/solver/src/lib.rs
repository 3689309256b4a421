//! Full instantiation: a small game becomes its state graph and is solved outright.
//!
//! ```text
//! BatchMachine -StateGraph::explore (forward, in lanes)-> StateGraph -Solution::new (backward)-> values, lines
//! CircuitMachine -Symbolic::solve (sets of states as diagrams, forward and backward)-> values, lines
//! ```
//!
//! What a role is *sure of* is what it gets at least, whatever all others do: the maximin value. Where several roles
//! choose at once it is sure of it on average, by mixing its moves; where dice fall, on average too. Play without end is
//! worth nothing to anybody. In a game of two in which one loses what the other wins, what both are sure of adds up to
//! all there is, unless one of them can go on for ever.

mod depth_first;
mod ending;
mod error;
mod graph;
mod line;
mod order;
mod retrograde;
#[cfg(feature = "bdd")]
mod symbolic;
mod values;

pub use depth_first::{DepthFirst, Inquiry, Verdict};
pub use ending::{Ending, Settled};
pub use error::SolverError;
pub use graph::{Limits, Met, NodeId, Shape, StateGraph};
pub use line::{Candidate, Look, Solved, Step};
pub use machine::alike::Reduction;
#[cfg(feature = "bdd")]
pub use symbolic::{Progress, Symbolic};
pub use values::{Solution, Worth};
