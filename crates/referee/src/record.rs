//! The record of a match, as the community's tools read it.

use serde::{Deserialize, Serialize};

/// A match in JSON. Names are always the game's own, never the scrambled ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchRecord {
    /// The name of the match.
    pub match_id: String,
    /// When it began: milliseconds since 1970.
    pub start_time: u64,
    /// Where the game is described.
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: String,
    /// The game's name.
    #[serde(default)]
    pub game_name: String,
    /// The roles in order.
    #[serde(default)]
    pub game_role_names: Vec<String>,
    /// Whether the end was reached.
    pub is_completed: bool,
    /// Whether it was called off.
    pub is_aborted: bool,
    /// Every state, as a list of its facts; the first is the initial one.
    pub states: Vec<String>,
    /// The joint moves, in role order.
    pub moves: Vec<Vec<String>>,
    /// What each role was told of each joint move, in games in which the rules say who sees what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub percepts: Vec<Vec<Vec<String>>>,
    /// When each state was reached: milliseconds since 1970.
    pub state_times: Vec<u64>,
    /// Trouble with each role: at the start, then in every turn. Empty texts where there was none.
    pub errors: Vec<Vec<String>>,
    /// What each role reached; empty before the end.
    pub goal_values: Vec<u8>,
    /// Seconds to look at the rules before the match.
    pub preview_clock: u64,
    /// Seconds to prepare.
    pub start_clock: u64,
    /// Seconds for each move.
    pub play_clock: u64,
    /// Who plays, in role order.
    pub player_names_from_host: Vec<String>,
    /// Which of them are people.
    pub is_player_human: Vec<bool>,
    /// Whether the players were told other names.
    pub scrambled: bool,
}

impl MatchRecord {
    /// How often a role's entries begin with these two letters.
    pub fn count_errors(&self, role: usize, code: &str) -> u64 {
        let entries = self.errors.iter().filter_map(|errors| errors.get(role));
        entries.filter(|entry| entry.starts_with(code)).count() as u64
    }

    /// Whether no player had trouble.
    pub fn is_clean(&self) -> bool {
        self.errors.iter().flatten().all(String::is_empty)
    }
}
