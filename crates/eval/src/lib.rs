//! Evaluation functions that are read off the rules of a game.
//!
//! [`Candidates`] are expressions of the rules with wildcards, and their differences. [`Positions`] out of random
//! games say by [`statistics`] which of them go along with a role's score and do not change with every move. The
//! best make a [`Function`], which people can read, and which is an `engine::Evaluator` once it is bound to a
//! machine. That is one of the [`methods`]: others know something else of states ([`Knowledge`]), and each learns it from
//! a [`Lesson`].

mod acceptance;
mod boards;
pub mod bound;
pub mod choice;
pub mod columns;
mod counts;
pub mod derived;
pub mod domains;
pub mod features;
mod fluents;
pub mod formula;
pub mod function;
mod fuzzy;
pub mod knowledge;
pub mod learn;
mod least_squares;
pub mod lesson;
mod logistic;
pub mod methods;
pub mod observations;
mod orders;
pub mod paper;
pub mod pieces;
pub mod positions;
mod readings;
pub mod regression;
pub mod sample;
mod scatter;
pub mod statistics;
pub mod vocabulary;
mod weighted;

pub use bound::Bound;
pub use choice::{Choice, DERIVED, EVALUATION, Prepared};
pub use derived::Derived;
pub use features::{Candidates, Expression, Feature, FeatureLimits};
pub use function::{Counted, Function, Link, RoleFunction, Term};
pub use knowledge::{Knowledge, Known, Learner, Tuner};
pub use learn::{LearnError, LearnOptions, Learnt, Report, explained, learn};
pub use lesson::{Judgement, Lesson, Taught};
pub use methods::{METHODS, MethodRow};
pub use observations::Observations;
pub use paper::PaperOptions;
pub use pieces::{LearntPieces, Piece, PieceOptions, learn_pieces};
pub use positions::{Positions, SampleOptions, SequenceOptions};
pub use regression::RegressionOptions;
