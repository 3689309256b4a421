//! Games in which not everybody sees everything.
//!
//! A role knows its own moves and what it was told: its [`View`]. Positions with the same view look the same to
//! it, and it has to do the same in all of them.
//!
//! - [`GameTree`] is the whole of a small game by views, and [`Equilibrium`] plays it as well as can be
//!   (counterfactual regret minimisation); [`GameTree::exploitability`] tells how well.
//! - [`Belief`] is what a role holds for possible: positions that agree with all it was told.
//! - [`BeliefTree`] solves games in which one role decides, over all beliefs that it may come to have.
//! - [`Nested`] values moves by simulations in which the role goes on by what it will know.
//! - [`Endgame`] plays what is left of a game with moves at once by an equilibrium.
//! - [`Sampling`] learns an equilibrium of a larger game from samples.
//! - [`Search`] draws positions from a belief and searches a tree of views, or of positions.
//!
//! The engines made of them are in [`engines`], a row each.

mod belief;
mod belief_tree;
mod bounding;
mod carrying;
#[cfg(feature = "sat")]
mod constraints;
mod endgame;
pub mod engines;
mod equilibrium;
mod game_tree;
mod inquiry;
mod nested;
mod permutations;
mod question_symmetries;
mod questions;
mod rebuild;
mod recovery;
mod response;
mod sampling;
mod search;
mod transitions;
mod view;

pub use belief::{Belief, BeliefCounts, Particle};
pub use belief_tree::BeliefTree;
pub use endgame::{Endgame, Mixture};
pub use equilibrium::Equilibrium;
pub use game_tree::{GameTree, Growth, InformationSet};
pub use nested::Nested;
pub use response::BestAnswer;
pub use sampling::Sampling;
pub use search::{Keys, MoveStatistics, Search, SearchOptions};
pub use view::{Own, Step, View, Views, read_step, tell};
