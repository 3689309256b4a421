//! The trait that every machine implements.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Expansion, GoalReading, MoveId, RoleId, RuleFault};

/// The rules of one game, ready to be played. Shared between threads; what a thread needs to
/// think with is its own [`Game::Workspace`].
///
/// All machines of a game give the same answers. Legal moves are listed in the bytewise order of
/// their [`move_text`](Game::move_text): perft, seeds and records then agree between machines,
/// although each numbers its moves as it likes.
pub trait Game: Send + Sync {
    /// A position. Equal positions are equal values.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// Scratch space, one per thread; it may remember the last state to answer faster.
    type Workspace: Send;

    /// The names of the roles in canonical lower case, in the order of joint moves.
    fn roles(&self) -> &[String];

    /// The name of a role in the spelling of the rules, as players are told it; empty if there is no
    /// such role.
    fn role_spelling(&self, role: RoleId) -> String;

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

    /// The move in canonical lower-case KIF.
    fn move_text(&self, id: MoveId) -> String;

    /// The move in the spelling of the rules, as a match host expects it.
    fn move_spelling(&self, id: MoveId) -> String;

    /// The move of a role with this text (case and blanks do not matter), if the machine knows it.
    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId>;

    /// What is true in a state: canonical lower-case KIF, sorted bytewise.
    fn facts(&self, state: &Self::State) -> Vec<String>;

    /// The state in which exactly these facts are true, if the machine can represent it.
    fn state_of(&self, facts: &[&str]) -> Option<Self::State>;

    /// The number of roles.
    fn role_count(&self) -> usize {
        self.roles().len()
    }

    /// All roles.
    fn role_ids(&self) -> impl Iterator<Item = RoleId>
    where
        Self: Sized,
    {
        (0..self.role_count() as u16).map(RoleId)
    }
}
