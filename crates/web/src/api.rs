//! What is said over the network: every request and every answer, in one place. `openapi.json` says the same for
//! programs in other languages, and a test compares the two.

use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// In words, with what to do.
    pub error: String,
}

/// What is served, and what can be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The version of Ludens.
    pub version: String,
    /// Strengths of agents, the weakest first.
    pub levels: Vec<Level>,
    /// All agents by name.
    pub agents: Vec<AgentInfo>,
    /// The longest that an agent may think about a move, in seconds.
    pub longest_thought: f64,
    /// Whether players on the network can be invited.
    pub remote_players: bool,
}

/// A strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// How it is asked for.
    pub name: String,
    /// How people call it.
    pub title: String,
    /// What it does.
    pub help: String,
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentInfo {
    /// Its name.
    pub name: String,
    /// What it does.
    pub help: String,
}

/// A bundled game in the list of all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameSummary {
    /// How it is asked for.
    pub name: String,
    /// How people call it.
    pub title: String,
    /// What the players do and who wins.
    pub description: String,
    /// How many roles it has, if that is told.
    pub players: Option<usize>,
    /// What kind of game it is.
    pub tags: Vec<String>,
    /// Other names.
    pub nicknames: Vec<String>,
}

/// A game that a match can be made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameDetails {
    /// How it is asked for.
    pub name: String,
    /// How people call it.
    pub title: String,
    /// What the players do and who wins.
    pub description: String,
    /// The roles in order.
    pub roles: Vec<String>,
    /// The role whose moves are drawn.
    pub chance: Option<usize>,
    /// Whether not everybody sees everything.
    pub hidden: bool,
    /// The rules.
    pub rules: String,
    /// The position at the beginning.
    pub svg: String,
}

/// A sheet of rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// The text.
    pub rules: String,
}

/// A sheet of rules that shall be checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckSheet {
    /// The text.
    pub rules: String,
    /// Whether to look at syntax and form only, and not to play.
    #[serde(default)]
    pub quick: bool,
}

/// What was found in a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// All findings in the order of the text, the same as those of `ludens check`.
    pub findings: Vec<Finding>,
    /// Whether a match can be made of it.
    pub playable: bool,
    /// Why not.
    pub obstacle: Option<String>,
    /// The roles in order.
    pub roles: Vec<String>,
    /// The role whose moves are drawn.
    pub chance: Option<usize>,
    /// Whether not everybody sees everything.
    pub hidden: bool,
    /// The position at the beginning.
    pub svg: Option<String>,
}

/// A finding. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Its code.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The line where it begins.
    pub line: usize,
    /// The column where it begins.
    pub column: usize,
    /// The line where it ends.
    pub end_line: usize,
    /// The column after its end.
    pub end_column: usize,
}

/// Who shall play a role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum SeatWish {
    /// A person.
    Person {
        /// How others know them.
        #[serde(default)]
        name: Option<String>,
    },
    /// An agent.
    Agent {
        /// A level by name.
        #[serde(default)]
        level: Option<String>,
        /// Or an agent as `ludens match` takes it.
        #[serde(default)]
        agent: Option<String>,
        /// Seconds for each move of that agent.
        #[serde(default)]
        seconds: Option<f64>,
    },
    /// A player on the network, as `ludens player` is.
    Remote {
        /// host:port
        address: String,
    },
}

/// A match that is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewMatch {
    /// A bundled game by name.
    #[serde(default)]
    pub game: Option<String>,
    /// Or the rules of any other.
    #[serde(default)]
    pub rules: Option<String>,
    /// How that game is called.
    #[serde(default)]
    pub title: Option<String>,
    /// Who plays, in role order; roles that are chance need none.
    pub seats: Vec<SeatWish>,
    /// The seed of chance; any if it is not given.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Whether agents wait until the match is gone on with.
    #[serde(default)]
    pub paused: bool,
}

/// A match that was made, and the keys to it: whoever has a key may act for its role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Made {
    /// The match.
    pub id: String,
    /// The key of who made it.
    pub owner: String,
    /// The keys of the people's roles.
    pub keys: Vec<RoleKey>,
}

/// The key of a role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoleKey {
    /// The number of the role.
    pub role: usize,
    /// The key.
    pub key: String,
}

/// A match in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSummary {
    /// The match.
    pub id: String,
    /// How its game is called.
    pub title: String,
    /// Who plays, role by role.
    pub players: Vec<String>,
    /// Joint moves so far.
    pub turn: usize,
    /// Whether it has reached its end.
    pub over: bool,
    /// What the roles reached.
    pub goals: Vec<u8>,
    /// When it was last changed: milliseconds since 1970.
    pub changed: u64,
}

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

/// A move that somebody makes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MakeMove {
    /// The role.
    pub role: usize,
    /// The move, as it is listed.
    pub text: String,
    /// After so many joint moves: a click that comes too late does nothing.
    pub turn: usize,
}

/// Whether the match shall rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pause {
    /// Whether it shall.
    pub paused: bool,
}

/// Somebody else shall play a role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TakeOver {
    /// The role.
    pub role: usize,
    /// Who.
    pub seat: SeatWish,
}

/// The key of a role that was taken over by a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TakenOver {
    /// The key.
    pub key: Option<String>,
}

/// What would an agent do?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintWish {
    /// For this role.
    pub role: usize,
    /// After so many joint moves; now if it is not given.
    #[serde(default)]
    pub step: Option<usize>,
}

/// What an agent would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    /// The move.
    pub text: String,
    /// The same in short.
    pub short: String,
    /// Why.
    pub thought: ThoughtView,
}

/// A record that shall be shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadRecord {
    /// The file: one match, or one a line.
    pub text: String,
    /// The rules, if the record's game is no bundled one.
    #[serde(default)]
    pub rules: Option<String>,
}

/// The matches of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loaded {
    /// One each.
    pub matches: Vec<Made>,
}

/// Told to watchers when something has changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The version of the match now.
    pub version: u64,
}
