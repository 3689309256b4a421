//! When a game ends and who wins then.

use super::TypeId;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// At most `limit` of a type.
    AtMost(Option<TypeId>),
    /// At least `limit` of a type.
    AtLeast(Option<TypeId>),
    /// Exactly `limit` of several types together, or more if `more`.
    Together {
        /// The types.
        types: Vec<TypeId>,
        /// Whether more count as well.
        more: bool,
    },
    /// Exactly `limit` of a type and exactly `kinds` types below it.
    Kinds {
        /// The type.
        of: Option<TypeId>,
        /// How many types.
        kinds: i32,
    },
    /// The tick.
    Timeout {
        /// Whether the counters decide who wins.
        counts: bool,
        /// Whether the counters are compared with each other.
        compares: bool,
        /// What the counters must be.
        limits: Vec<Option<i32>>,
    },
    /// Holds back the others while it holds.
    Stop {
        /// The types.
        types: Vec<TypeId>,
        /// Whether more than `limit` hold back, instead of exactly `limit`.
        more: bool,
    },
}

/// A termination with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Termination {
    /// What is asked.
    pub condition: Condition,
    /// The limit.
    pub limit: i32,
    /// Who wins, per player.
    pub wins: [bool; 2],
    /// Whether the highest score wins.
    pub by_score: bool,
}
