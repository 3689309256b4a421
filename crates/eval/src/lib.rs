//! Evaluation functions that are read off the rules of a game.
//!
//! [`Candidates`] are expressions of the rules with wildcards, and their differences. [`Positions`] out of random
//! games say by [`statistics`] which of them go along with a role's score and do not change with every move. The
//! best make a [`Function`], which people can read, and which is an `engine::Evaluator` once it is bound to a
//! machine.

pub mod bound;
pub mod choice;
pub mod columns;
pub mod derived;
pub mod domains;
pub mod features;
pub mod function;
pub mod learn;
mod logistic;
pub mod observations;
pub mod paper;
pub mod pieces;
pub mod positions;
pub mod regression;
pub mod statistics;
pub mod vocabulary;

pub use bound::Bound;
pub use choice::{Choice, EVALUATION, Method, Prepared};
pub use derived::Derived;
pub use features::{Candidates, Expression, Feature, FeatureLimits};
pub use function::{Function, Link, RoleFunction, Term};
pub use learn::{LearnError, LearnOptions, Learnt, Report, explained, learn};
pub use observations::Observations;
pub use paper::PaperOptions;
pub use pieces::{Piece, PieceOptions, learn_pieces};
pub use positions::{Positions, SampleOptions};
pub use regression::RegressionOptions;
