//! The circuit of a game: gates, and what they mean.

use ground::Spellings;

use crate::origin::Origin;
use crate::{Edge, Gates};

/// A whole game as logic.
#[derive(Clone, Debug, Default)]
pub struct Circuit {
    /// The logic.
    pub gates: Gates,
    /// The base propositions as canonical lower-case KIF, sorted bytewise.
    pub bases: Vec<String>,
    /// Which of them are true at the beginning.
    pub initial: Vec<bool>,
    /// The roles in order, each with its moves.
    pub roles: Vec<RoleMoves>,
    /// The role, by its place, whose moves are drawn.
    pub chance: Option<usize>,
    /// Whether the rules say what is seen; otherwise everybody sees the joint move.
    pub has_percepts: bool,
    /// The game is over. Depends on base propositions alone.
    pub terminal: Edge,
    /// For each base proposition, whether it is true next. Holds only when every role does
    /// exactly one legal move.
    pub next: Vec<Edge>,
    /// How the rules spell the names in texts of roles and moves.
    pub spellings: Spellings,
    /// The rules it was made of, if they were kept.
    pub origin: Option<Box<Origin>>,
}

/// What one role can do and reach.
#[derive(Clone, Debug, Default)]
pub struct RoleMoves {
    /// The role's name.
    pub name: String,
    /// Its moves as canonical lower-case KIF, sorted bytewise; a move's number is its place here.
    pub moves: Vec<String>,
    /// For each move, whether it is legal. Depends on base propositions alone.
    pub legal: Vec<Edge>,
    /// The goal values, ascending. Depends on base propositions alone.
    pub goals: Vec<GoalOutput>,
    /// What it may be told, sorted bytewise. Holds only when every role does exactly one legal move.
    pub percepts: Vec<PerceptOutput>,
}

/// When a role is told something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerceptOutput {
    /// What, as canonical lower-case KIF.
    pub text: String,
    /// Whether it is told.
    pub edge: Edge,
}

/// When a role has a goal value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoalOutput {
    /// The value, 0 to 100.
    pub value: u8,
    /// Whether the role has it.
    pub edge: Edge,
}
