//! How a game is written: the texts of its roles, moves, states and percepts.

use crate::{MoveId, Observe, PerceptId, RoleId};

/// A game that can be talked about. Nothing here has a default: a machine that forgets to say how a
/// move is spelled would be understood by some hosts and not by others.
pub trait Describe: Observe<Percept = PerceptId> {
    /// The names of the roles in canonical lower case, in the order of joint moves.
    fn roles(&self) -> &[String];

    /// The name of a role in the spelling of the rules, as players are told it; empty if there is no
    /// such role.
    fn role_spelling(&self, role: RoleId) -> String;

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

    /// Whether the rules say what is seen (GDL-II). Where they do not, everybody sees the joint move, and
    /// [`Observe::observe`] tells nobody anything.
    fn has_percepts(&self) -> bool;

    /// What a role is told, in canonical lower-case KIF.
    fn percept_text(&self, id: PerceptId) -> String;

    /// What a role is told, in the spelling of the rules.
    fn percept_spelling(&self, id: PerceptId) -> String;

    /// What a role is told in this text (case and blanks do not matter), if the machine knows it.
    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId>;
}
