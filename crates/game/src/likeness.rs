//! Positions that need not be told apart.

use std::fmt::Debug;

use crate::MoveId;

/// Which positions are taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merging {
    /// Those that differ only in facts that decide nothing.
    Idle,
    /// Also those that are images of each other. Images are compared without what decides nothing, so there is no
    /// merging of images alone.
    Images,
}

/// Which positions are alike: images of each other under a symmetry of the rules, or different only in facts that decide
/// nothing. Whatever roles can get from one of them they can get from the other, in as many steps. Their moves need not
/// be the same.
pub trait Likeness<State>: Debug + Send + Sync {
    /// A number that positions have in common that are alike.
    fn hash(&self, state: &State) -> u64;

    /// Whether two positions are alike.
    fn are_alike(&self, one: &State, two: &State) -> bool;

    /// Appends for each of some moves the one that is in a position that is alike what it is in the first.
    fn images(&self, from: &State, to: &State, moves: &[MoveId], out: &mut Vec<MoveId>);
}
