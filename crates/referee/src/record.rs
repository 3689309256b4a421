//! The record of a match: the one form in which all commands keep matches. The community's tools read it; what
//! only Ludens knows stands beside it.

use serde::{Deserialize, Serialize};

use crate::Thought;

/// A match in JSON. Names are always the game's own, never the scrambled ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchRecord {
    /// The name of the match.
    pub match_id: String,
    /// When it began: milliseconds since 1970.
    #[serde(default)]
    pub start_time: u64,
    /// Where the game is described.
    #[serde(default, rename = "gameMetaURL")]
    pub game_meta_url: String,
    /// The game's name.
    #[serde(default)]
    pub game_name: String,
    /// The roles in order.
    #[serde(default)]
    pub game_role_names: Vec<String>,
    /// Whether the end was reached.
    #[serde(default)]
    pub is_completed: bool,
    /// Whether it was called off.
    #[serde(default)]
    pub is_aborted: bool,
    /// Every state, as a list of its facts; the first is the initial one.
    /// None where they were not kept: the moves tell them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// The joint moves, in role order.
    pub moves: Vec<Vec<String>>,
    /// What each role was told of each joint move, in games in which the rules say who sees what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub percepts: Vec<Vec<Vec<String>>>,
    /// When each state was reached: milliseconds since 1970.
    #[serde(default)]
    pub state_times: Vec<u64>,
    /// Trouble with each role: at the start, then in every turn. Empty texts where there was none.
    #[serde(default)]
    pub errors: Vec<Vec<String>>,
    /// What each role reached; empty before the end.
    #[serde(default)]
    pub goal_values: Vec<u8>,
    /// Seconds to look at the rules before the match.
    #[serde(default)]
    pub preview_clock: u64,
    /// Seconds to prepare.
    #[serde(default)]
    pub start_clock: u64,
    /// Seconds for each move.
    #[serde(default)]
    pub play_clock: u64,
    /// Who plays, in role order.
    #[serde(default)]
    pub player_names_from_host: Vec<String>,
    /// Which of them are people.
    #[serde(default)]
    pub is_player_human: Vec<bool>,
    /// Whether the players were told other names.
    #[serde(default)]
    pub scrambled: bool,
    /// What only Ludens knows of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ludens: Option<Details>,
}

/// What the community's form has no room for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Details {
    /// The version that wrote it.
    pub version: String,
    /// The seed of all chance in it.
    pub seed: u64,
    /// Which match of these players in this game it is.
    pub round: u64,
    /// Under which conditions it was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Whether it was broken off at the limit of steps, and what the roles were given then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<Vec<u8>>,
    /// The role of the person, where no list of roles tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// How each role's player thought, in all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effort: Vec<Effort>,
    /// What each player thought of its move, turn by turn; none where a role had no choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Vec<Option<Thought>>>,
    /// What went wrong on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

/// How much a player thought in a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Decisions that were not forced.
    pub decisions: u64,
    /// Simulations in all of them.
    pub simulations: u64,
    /// Seconds in all of them.
    pub seconds: f64,
    /// The longest of them, in seconds.
    pub longest: f64,
}

impl Effort {
    /// Adds what was spent on other decisions.
    pub fn add(&mut self, other: &Effort) {
        self.decisions += other.decisions;
        self.simulations += other.simulations;
        self.seconds += other.seconds;
        self.longest = self.longest.max(other.longest);
    }
}

/// The facts of a recorded state, in canonical KIF.
pub fn recorded_facts(state: &str) -> Vec<String> {
    let state = state.trim();
    let inside = state.strip_prefix('(').and_then(|state| state.strip_suffix(')')).unwrap_or(state);
    let (mut facts, mut depth, mut fact) = (Vec::new(), 0usize, String::new());
    for letter in inside.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if letter.is_whitespace() && depth == 0 {
            facts.push(std::mem::take(&mut fact));
        } else {
            fact.extend(letter.to_lowercase());
        }
    }
    facts.push(fact);
    facts.iter_mut().for_each(|fact| {
        *fact = fact.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")")
    });
    facts.retain(|fact| !fact.is_empty());
    facts.sort();
    facts
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
