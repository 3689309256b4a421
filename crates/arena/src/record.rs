//! What is kept of a match: one line of JSON, in the one form of all records.

use referee::{Details, Effort, read_records};
use serde::{Deserialize, Serialize};

use crate::Fingerprint;

/// A match that was played to its end, or to the limit of its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "serde_json::Value", into = "referee::MatchRecord")]
pub struct MatchRecord {
    /// Which match it is.
    pub key: MatchKey,
    /// Under which conditions it was played; files of old versions do not tell. A tournament sets it.
    pub fingerprint: Option<Fingerprint>,
    /// Whether it was broken off, as it had not ended after as many steps as a match may have.
    pub cut: bool,
    /// The goal of each role. If the match was broken off: nobody has won.
    pub goals: Vec<u8>,
    /// The joint moves that were made, texts in the order of the roles.
    pub moves: Vec<Vec<String>>,
    /// How each role's player thought.
    pub effort: Vec<Effort>,
    /// What went wrong on the way; nothing as a rule.
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

impl From<MatchRecord> for referee::MatchRecord {
    fn from(record: MatchRecord) -> Self {
        let MatchKey { game, seats, round, seed } = record.key;
        let details = Details {
            version: record.version,
            seed,
            round,
            fingerprint: record.fingerprint.map(|fingerprint| fingerprint.text().to_owned()),
            cut: record.cut.then(|| record.goals.clone()),
            effort: record.effort,
            faults: record.faults,
            ..Details::default()
        };
        referee::MatchRecord {
            match_id: format!("{game}.{seed}.{round}"),
            game_name: game,
            is_completed: !record.cut,
            is_aborted: record.cut,
            moves: record.moves,
            goal_values: if record.cut { Vec::new() } else { record.goals },
            is_player_human: vec![false; seats.len()],
            player_names_from_host: seats,
            ludens: Some(details),
            ..referee::MatchRecord::default()
        }
    }
}

impl TryFrom<serde_json::Value> for MatchRecord {
    type Error = String;

    /// Reads a record of this or an older version; one that no tournament has written is refused.
    fn try_from(value: serde_json::Value) -> Result<Self, String> {
        let records = read_records(value.to_string().as_bytes()).map_err(|error| error.to_string())?;
        let mut records = records.into_iter();
        let (Some(record), None) = (records.next(), records.next()) else {
            return Err("it is no single match".to_owned());
        };
        let details = record.ludens.ok_or("it is a match of someone else")?;
        let (cut, goals) = match details.cut {
            Some(goals) => (true, goals),
            None => (false, record.goal_values),
        };
        if goals.len() != record.player_names_from_host.len() || goals.is_empty() {
            return Err("it says not what each player has reached".to_owned());
        }
        let (round, seed) = (details.round, details.seed);
        let key = MatchKey { game: record.game_name, seats: record.player_names_from_host, round, seed };
        Ok(Self {
            key,
            fingerprint: details.fingerprint.map(Fingerprint::read),
            cut,
            goals,
            moves: record.moves,
            effort: details.effort,
            faults: details.faults,
            version: details.version,
        })
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
        assert!(!line.contains('\n') && line.starts_with("{\"matchId\":\"tic-tac-toe.7.7\""), "{line}");
        assert_eq!(serde_json::from_str::<MatchRecord>(&line).expect("the same"), record);
    }

    #[test]
    fn lines_of_older_versions_are_read() {
        let line = r#"{"game":"g","seats":["a","b"],"round":2,"seed":5,"cut":true,"goals":[50,50],"moves":[],"effort":[],"version":"0.0.9"}"#;
        let record: MatchRecord = serde_json::from_str(line).expect("an old line");
        assert!(record.cut && record.goals == [50, 50] && record.key.round == 2, "{record:?}");
        let again = serde_json::to_string(&record).expect("JSON");
        assert_eq!(serde_json::from_str::<MatchRecord>(&again).expect("the same"), record);
    }
}
