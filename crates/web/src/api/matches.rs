//! Matches: who plays, and what is done in them.

use serde::{Deserialize, Serialize};

use super::ThoughtView;

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
    /// Seconds that people have for a move; a legal one is drawn for who takes longer.
    #[serde(default)]
    pub play_clock: Option<f64>,
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
