//! The ruler of search quality: positions whose exact values are known.
//!
//! The values come from solvers of their own, written by hand for one game each, so that they share
//! nothing with what they measure. A set is a text file in `crates/bench/positions`; the example
//! `make_positions` makes it anew.

mod breakthrough;
mod connect_four;
mod connect_four_solver;
mod dots_and_boxes;
mod equilibria;
mod goofspiel;
mod make;
mod matrix;
mod othello;
mod othello_solver;
mod proof_solver;
mod set;
mod solver;

pub use breakthrough::Breakthrough;
pub use connect_four::ConnectFour;
pub use connect_four_solver::ConnectFourSolver;
pub use dots_and_boxes::{BoxTable, DotsAndBoxes};
pub use equilibria::{MatrixPosition, MatrixSet, MatrixSetError, matrix_sets};
pub use goofspiel::goofspiel_positions;
pub use make::{Wanted, make};
pub use matrix::{Equilibrium, security, solve};
pub use othello::Othello;
pub use othello_solver::OthelloSolver;
pub use proof_solver::ProofSolver;
pub use set::{Kind, Position, PositionSet, SetError, sets};
pub use solver::{Judge, Solver};

/// A two-player game in turn, written by hand. The first player's result is 1, 0 or -1.
pub trait HandGame: Clone {
    /// A move.
    type Move: Copy + PartialEq;

    /// The beginning.
    fn initial() -> Self;

    /// The first player's result, if the game is over.
    fn result(&self) -> Option<i8>;

    /// The first player's result, if it can be told by looking at the position.
    fn foreseen(&self) -> Option<i8> {
        self.result()
    }

    /// Whether the first player is to move.
    fn is_first_to_move(&self) -> bool;

    /// All legal moves. There is at least one unless the game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// The moves worth trying in a proof, the most promising first. Moves may be left out if one that
    /// is kept is at least as good for who moves.
    fn promising(&self, out: &mut Vec<Self::Move>);

    /// The position after a move.
    #[must_use]
    fn play(&self, chosen: Self::Move) -> Self;

    /// Different positions have different keys.
    fn key(&self) -> u128;

    /// The move as the bundled rule sheet writes it.
    fn text(chosen: Self::Move) -> String;
}
