//! Why a game is not solved.

use game::RuleFault;

/// Why there is no state graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// Not everybody sees everything, so a position is not all that a choice may depend on.
    #[error(
        "roles of this game do not see everything, so positions alone do not decide what is best; `ludens equilibrium` solves small games of this kind"
    )]
    HiddenInformation,
    /// The graph does not fit.
    #[error(
        "more than {states} states were found and {megabytes} MB are in use, which is all that is allowed; allow more with --memory"
    )]
    OutOfMemory {
        /// States that were found.
        states: usize,
        /// Memory in use.
        megabytes: usize,
    },
    /// More states or moves than have numbers.
    #[error(
        "the game has more states or moves than can be numbered ({0} states were found); `--method depth-first` or `alpha-beta` needs no numbers"
    )]
    TooMany(usize),
    /// Play may come back to a position, so that it depends on what went before who wins.
    #[error("play may come back to a position, which takes a state graph")]
    ComesBack,
    /// Chance has a say, or several roles choose at once.
    #[error("roles do not move in turn, which takes a state graph")]
    NotInTurn,
    /// Chance has a say: sets of states know no averages.
    #[error("dice decide in this game, and sets of states know no averages; `--method graph` does")]
    Dice,
    /// No more time.
    #[error("the time was over after {0} states; allow more with --seconds")]
    OutOfTime(usize),
    /// The rules are at fault in a state.
    #[error("the rules are at fault in a state that can be reached: {0}")]
    Fault(#[from] RuleFault),
}
