//! What can go wrong, in words for whoever called.

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no bundled game of this name.
    #[error(transparent)]
    UnknownGame(#[from] bundled::UnknownGame),
    /// The rules have faults that leave no game: the first of them, and how many there are.
    #[error("{first} (line {line}); {count} faults in all")]
    Rules {
        /// The first fault.
        first: String,
        /// Its line, from 1.
        line: usize,
        /// How many there are.
        count: usize,
    },
    /// An agent or how long it thinks cannot be understood.
    #[error(transparent)]
    Agent(#[from] arena::ContestantError),
    /// A match or tournament could not be played to its end.
    #[error(transparent)]
    Arena(#[from] arena::ArenaError),
    /// A player could not answer or follow.
    #[error(transparent)]
    Player(#[from] player::PlayerError),
    /// There is no circuit for a puzzle within the limits.
    #[error(transparent)]
    Machine(#[from] machine::MakeError),
    /// The game is not a puzzle.
    #[error(transparent)]
    Puzzle(#[from] puzzle::PuzzleError),
    /// There is no plan that scores anything, or none was found in time.
    #[error("no plan was found in time")]
    NoPlan,
}
