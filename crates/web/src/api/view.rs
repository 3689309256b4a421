//! A match as a visitor may see it.

use serde::{Deserialize, Serialize};

/// A match as a visitor may see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchView {
    /// The match.
    pub id: String,
    /// A number that grows with every change.
    pub version: u64,
    /// A bundled game by name; none if its rules were given.
    pub game: Option<String>,
    /// How the game is called.
    pub title: String,
    /// What the players do and who wins.
    pub description: String,
    /// Whether not everybody sees everything.
    pub hidden: bool,
    /// The roles in order.
    pub roles: Vec<RoleView>,
    /// `running`, `paused`, `over` or `broken`.
    pub status: String,
    /// Why it is broken.
    pub fault: Option<String>,
    /// What happened, turn by turn, as far as the visitor may know.
    pub turns: Vec<TurnView>,
    /// What can be chosen now by the visitor's roles.
    pub choices: Vec<ChoiceView>,
    /// The visitor's roles.
    pub own: Vec<usize>,
    /// Whether the visitor made the match.
    pub owner: bool,
    /// Whether the visitor may take a move back.
    pub can_undo: bool,
    /// The match that came after it.
    pub rematch: Option<String>,
    /// Seconds that people have for a move.
    pub play_clock: Option<f64>,
    /// Seconds that are left of them, if people are waited for and the clock runs.
    pub seconds_left: Option<f64>,
}

/// A role of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoleView {
    /// Its name.
    pub name: String,
    /// `person`, `agent`, `remote`, `chance` or `record`.
    pub kind: String,
    /// Who plays it.
    pub player: String,
    /// Whether it has to choose now.
    pub to_move: bool,
    /// Whether it has chosen already; what, nobody is told before all have.
    pub has_moved: bool,
    /// Whether its agent is at work.
    pub thinking: bool,
    /// What it has reached.
    pub goal: Option<u8>,
}

/// A turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnView {
    /// What each role did, in short; empty where the visitor may not know.
    pub moves: Vec<String>,
    /// Trouble with each role, mostly empty.
    pub trouble: Vec<String>,
    /// What each player thought of its move.
    pub thoughts: Vec<Option<ThoughtView>>,
}

/// What was thought of a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThoughtView {
    /// The goal that is expected, 0 to 100.
    pub value: Option<f64>,
    /// Whether the move is proven to be as good as any.
    pub proven: bool,
    /// Simulations.
    pub simulations: u64,
    /// And how many a second.
    pub simulations_per_second: f64,
    /// Nodes of the tree.
    pub nodes: usize,
    /// The longest way down the tree.
    pub depth: u32,
    /// Seconds.
    pub seconds: f64,
    /// What the rules were run with.
    pub machine: String,
    /// Which settings the agent chose for the game, and why.
    pub tuning: Option<String>,
    /// The moves thought best from here on.
    pub line: Vec<String>,
    /// The moves that were looked at most.
    pub moves: Vec<MoveView>,
}

/// What was thought of one move of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveView {
    /// The move.
    pub text: String,
    /// The same in short.
    pub short: String,
    /// The goal that is expected.
    pub value: f64,
    /// The goal that is proven.
    pub proven: Option<u8>,
    /// Simulations through it.
    pub visits: u32,
    /// The cells that it names.
    pub places: Vec<Place>,
}

/// What a role can choose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChoiceView {
    /// The role.
    pub role: usize,
    /// Its legal moves.
    pub moves: Vec<MoveOption>,
    /// What it has chosen, while others still choose.
    pub chosen: Option<String>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveOption {
    /// The move.
    pub text: String,
    /// The same in short.
    pub short: String,
    /// The cells that it names, in the order in which one clicks them.
    pub places: Vec<Place>,
}

/// A place that a move names: a cell, or any of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// The number of the board.
    pub board: usize,
    /// The numbers of the cells.
    pub cells: Vec<usize>,
}

/// A position of a match as a visitor may see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// After so many joint moves.
    pub step: usize,
    /// The boards; none where the visitor may not see them, or where there is no board.
    pub svg: Option<String>,
    /// What is told beside them.
    pub cards: Vec<Card>,
    /// Whether the visitor may not see the position.
    pub hidden: bool,
    /// What the visitor's roles were told.
    pub seen: Vec<Seen>,
}

/// Something told beside the boards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// What it is.
    pub title: String,
    /// What is told, row by row: one or more words each.
    pub rows: Vec<Vec<String>>,
}

/// What a role was told of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// The role.
    pub role: usize,
    /// Its own move.
    pub own: String,
    /// What it saw.
    pub percepts: Vec<String>,
}
