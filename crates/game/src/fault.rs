//! Faults of a game that show only when it is played.

use crate::RoleId;

/// What a rule sheet can do wrong at run time. Data, never a panic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleFault {
    /// The game goes on, but a role cannot move.
    #[error("role {} has no legal move in a state that is not terminal", .0.0)]
    NoLegalMove(RoleId),
    /// An atom depends on its own negation: the rules have no meaning in this state.
    #[error("the rules contradict themselves: {0} holds exactly if it does not")]
    Unstratified(String),
    /// Terms or facts grow beyond the bound on memory.
    #[error("evaluating the rules needs more than the memory allowed ({limit_bytes} bytes)")]
    OutOfMemory {
        /// The bound.
        limit_bytes: usize,
    },
    /// Evaluation took more than the time allowed.
    #[error("evaluating the rules needs more than the time allowed")]
    OutOfTime,
    /// A playout or a match went on for longer than the limit.
    #[error("there was no end within {0} steps")]
    TooLong(usize),
}
