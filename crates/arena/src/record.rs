//! What is kept of a match: one line of JSON.

use serde::{Deserialize, Serialize};

use crate::Fingerprint;

/// A match that was played to its end, or to the limit of its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchRecord {
    /// Which match it is.
    #[serde(flatten)]
    pub key: MatchKey,
    /// Under which conditions it was played; files of old versions do not tell. A tournament sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
    /// Whether it was broken off, as it had not ended after as many steps as a match may have.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// The goal of each role. If the match was broken off: nobody has won.
    pub goals: Vec<u8>,
    /// The joint moves that were made, texts in the order of the roles.
    pub moves: Vec<Vec<String>>,
    /// How each role's player thought.
    pub effort: Vec<Effort>,
    /// What went wrong on the way; nothing as a rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// The version of Ludens.
    pub version: String,
}

/// What tells one match from all others. Whoever plays it again gets the same match, if players
/// think by the number of simulations.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MatchKey {
    /// The game's name.
    pub game: String,
    /// The player in each role, as `cadia-uct@1000`.
    pub seats: Vec<String>,
    /// Which match of these players in this game it is.
    pub round: u64,
    /// The seed of all chance in it.
    pub seed: u64,
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

impl MatchRecord {
    /// What is kept of what the referee recorded. In a match that was cut there is a draw; who plays alone has
    /// reached nothing. What the rules say of a state that is not terminal means nothing.
    pub fn new(key: MatchKey, record: &referee::MatchRecord, cut: bool, effort: Vec<Effort>) -> Self {
        let roles = &record.game_role_names;
        let goals = match cut {
            true => vec![if roles.len() == 1 { 0 } else { 50 }; roles.len()],
            false => record.goal_values.clone(),
        };
        let entries = record.errors.iter().enumerate().flat_map(|(turn, entries)| {
            entries.iter().zip(roles).map(move |(entry, role)| (turn, role, entry))
        });
        let faults = entries.filter(|(.., entry)| !entry.is_empty());
        let faults = faults.map(|(turn, role, entry)| format!("move {turn} of {role}: {entry}")).collect();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { key, fingerprint: None, cut, goals, moves: record.moves.clone(), effort, faults, version }
    }

    /// The score of a player against the other: 1 if the goals of its roles are higher on average,
    /// one half if they are equal. `None` if it has no role or every role.
    pub fn score(&self, player: &str) -> Option<f64> {
        let mean = |own: bool| {
            let seats = self.key.seats.iter().zip(&self.goals);
            let goals: Vec<f64> = seats
                .filter(|(seat, _)| (*seat == player) == own)
                .map(|(_, &goal)| f64::from(goal))
                .collect();
            (!goals.is_empty()).then(|| goals.iter().sum::<f64>() / goals.len() as f64)
        };
        let (own, others) = (mean(true)?, mean(false)?);
        Some(if own > others {
            1.0
        } else if own == others {
            0.5
        } else {
            0.0
        })
    }
}

#[cfg(test)]
pub(crate) fn example(game: &str, seats: &[&str], round: u64, goals: &[u8]) -> MatchRecord {
    let seats: Vec<String> = seats.iter().map(|&seat| seat.to_owned()).collect();
    MatchRecord {
        effort: vec![Effort { decisions: 3, simulations: 300, seconds: 0.5, longest: 0.25 }; seats.len()],
        key: MatchKey { game: game.to_owned(), seats, round, seed: round },
        fingerprint: None,
        cut: false,
        goals: goals.to_vec(),
        moves: vec![vec!["(mark 1 1)".to_owned(), "noop".to_owned()]],
        faults: Vec::new(),
        version: "0.1.0".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_the_roles_decides() {
        let record = example("g", &["a", "b"], 0, &[100, 0]);
        assert_eq!((record.score("a"), record.score("b"), record.score("c")), (Some(1.0), Some(0.0), None));
        let three = example("g", &["a", "b", "a"], 0, &[60, 50, 40]);
        assert_eq!((three.score("a"), three.score("b")), (Some(0.5), Some(0.5)));
        assert_eq!(example("g", &["a"], 0, &[80]).score("a"), None);
    }

    #[test]
    fn a_record_is_one_line_and_comes_back() {
        let record = example("tic-tac-toe", &["a", "b"], 7, &[50, 50]);
        let line = serde_json::to_string(&record).expect("JSON");
        assert!(!line.contains('\n') && line.starts_with("{\"game\":\"tic-tac-toe\""), "{line}");
        assert_eq!(serde_json::from_str::<MatchRecord>(&line).expect("the same"), record);
    }
}
