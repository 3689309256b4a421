//! Monte Carlo tree search.
//!
//! One tree holds what every role thinks of its moves, so that games in turn, at once, with or
//! against each other are one case: in each node every role with a choice chooses by its own
//! statistics. The paper behind it is Finnsson and Björnsson's on CadiaPlayer (2008); what is added
//! is that leaves are gathered and handled hundreds at a time, that ends of the game are backed up
//! as proofs, and that positions reached by several paths are one.

mod advance;
mod advice;
mod afar;
mod arbitration;
mod backup;
mod batch;
mod cutoff;
mod descend;
mod effective;
mod estimates;
mod expand;
mod foresee;
mod guided;
mod joint;
mod judgement;
mod leaf;
mod link;
mod mix;
mod objective;
mod parallel;
mod paths;
pub mod policy;
mod prove;
mod rave;
mod resist;
mod retune;
mod returns;
mod room;
mod search;
mod select;
#[cfg(test)]
mod selection_tests;
mod sequences;
mod size;
mod solving;
mod tactics;
mod terms;
#[cfg(test)]
mod tests;
mod tree;
mod ucb;
mod visit_allocation;

pub use advice::{Advice, Candidate, choose, merge};
pub use afar::{LeafBatch, LeafPlayer};
pub use leaf::{LeafEvaluation, Stopping};
pub use search::{Search, Totals};
pub use tree::Bounds;
