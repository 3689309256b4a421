//! Why rules could not be grounded.

/// Why rules could not be grounded or made a circuit of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// The clock passed the deadline.
    #[error("grounding the rules needs more than the time allowed")]
    OutOfTime,
    /// Tables and gates grew beyond the bound.
    #[error("grounding the rules needs more than the memory allowed ({limit_bytes} bytes)")]
    OutOfMemory {
        /// The bound.
        limit_bytes: usize,
    },
    /// The caller's progress function said so.
    #[error("grounding was stopped")]
    Stopped,
    /// The sheet names no role.
    #[error("the rules name no role")]
    NoRoles,
    /// An atom depends on its own negation.
    #[error("the rules contradict themselves: `{0}` depends on its own negation")]
    Unstratified(String),
    /// Atoms that depend on each other in a way too large to be written as logic.
    #[error("{atoms} atoms depend on each other, among them `{example}`: too many to unroll")]
    RecursionTooLarge {
        /// How many.
        atoms: usize,
        /// One of them.
        example: String,
    },
    /// The rules were rewritten as if there were one of something at a time, and that does not show.
    #[error("the rules can only be made a circuit of if every fact has one value, and that cannot be proven")]
    Unproven,
    /// More atoms, rows or moves than fit the numbers used for them.
    #[error("the game has too many {0}")]
    TooMany(&'static str),
}
