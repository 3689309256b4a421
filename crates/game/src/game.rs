//! The trait that every machine implements: all that thinking needs.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Expansion, GoalReading, MoveId, RoleId, RuleFault};

/// The rules of one game, ready to be played. Shared between threads; what a thread needs to
/// think with is its own [`Game::Workspace`].
///
/// A state and a joint move have exactly one successor: where dice fall, a role throws them, and
/// [`Game::chance`] says which. How things are written is [`Describe`](crate::Describe)'s, which
/// thinking does without.
///
/// All machines of a game give the same answers. Legal moves are listed in the bytewise order of
/// their [`move_text`](crate::Describe::move_text): perft, seeds and records then agree between
/// machines, although each numbers its moves as it likes.
pub trait Game: Send + Sync {
    /// A position. Equal positions are equal values.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// Scratch space, one per thread; it may remember the last state to answer faster.
    type Workspace: Send;

    /// The number of roles. Joint moves have one move for each, in their order.
    fn role_count(&self) -> usize;

    /// The role whose moves nobody chooses: they are drawn, all legal ones equally likely.
    fn chance(&self) -> Option<RoleId>;

    /// Fresh scratch space.
    fn workspace(&self) -> Self::Workspace;

    /// The position at the beginning.
    fn initial(&self) -> Self::State;

    /// Whether the state is terminal and, if it is not, the legal moves of every role.
    fn expand(
        &self,
        workspace: &mut Self::Workspace,
        state: &Self::State,
        out: &mut Expansion,
    ) -> Result<(), RuleFault>;

    /// The state after one move per role, in role order. The moves are taken as legal.
    fn apply(
        &self,
        workspace: &mut Self::Workspace,
        state: &Self::State,
        joint: &[MoveId],
    ) -> Result<Self::State, RuleFault>;

    /// What the goal rules say for each role, in any state.
    fn goals(
        &self,
        workspace: &mut Self::Workspace,
        state: &Self::State,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault>;

    /// All roles: nothing but the numbers below [`Game::role_count`].
    fn role_ids(&self) -> impl Iterator<Item = RoleId>
    where
        Self: Sized,
    {
        (0..self.role_count() as u16).map(RoleId)
    }
}
