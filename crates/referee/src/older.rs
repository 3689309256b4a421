//! Files of matches, of this version and of those before.

use serde::Deserialize;

use crate::record::{Details, Effort, MatchRecord};

/// A file that holds no match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}this is no match that Ludens or a match host has recorded: {why}")]
pub struct RecordError {
    /// Where in the file.
    pub place: String,
    /// What is wrong.
    pub why: String,
}

/// A match in any of the forms there were.
#[derive(Deserialize)]
#[serde(untagged)]
enum Any {
    Record(Box<MatchRecord>),
    Tournament(TournamentLine),
    Answer(MatchAnswer),
    Saved(SavedGame),
}

/// What tournaments wrote.
#[derive(Deserialize)]
struct TournamentLine {
    game: String,
    seats: Vec<String>,
    round: u64,
    seed: u64,
    fingerprint: Option<String>,
    #[serde(default)]
    cut: bool,
    goals: Vec<u8>,
    moves: Vec<Vec<String>>,
    #[serde(default)]
    effort: Vec<Effort>,
    #[serde(default)]
    faults: Vec<String>,
    #[serde(default)]
    version: String,
}

/// What `ludens match --json` wrote.
#[derive(Deserialize)]
struct MatchAnswer {
    game: String,
    roles: Vec<String>,
    players: Vec<String>,
    seed: u64,
    turns: Vec<TurnAnswer>,
    goals: Vec<u8>,
    #[serde(default)]
    faults: Vec<String>,
}

#[derive(Deserialize)]
struct TurnAnswer {
    moves: Vec<String>,
}

/// What `save` in `ludens play` wrote.
#[derive(Deserialize)]
struct SavedGame {
    game: String,
    role: String,
    moves: Vec<Vec<String>>,
}

impl From<Any> for MatchRecord {
    fn from(any: Any) -> Self {
        match any {
            Any::Record(record) => *record,
            Any::Tournament(line) => {
                let cut = line.cut.then(|| line.goals.clone());
                let ludens = Details {
                    version: line.version,
                    seed: line.seed,
                    round: line.round,
                    fingerprint: line.fingerprint,
                    effort: line.effort,
                    faults: line.faults,
                    cut,
                    ..Details::default()
                };
                MatchRecord {
                    match_id: format!("{}.{}.{}", line.game, line.seed, line.round),
                    game_name: line.game,
                    is_completed: !line.cut,
                    is_aborted: line.cut,
                    moves: line.moves,
                    goal_values: if line.cut { Vec::new() } else { line.goals },
                    is_player_human: vec![false; line.seats.len()],
                    player_names_from_host: line.seats,
                    ludens: Some(ludens),
                    ..MatchRecord::default()
                }
            }
            Any::Answer(answer) => MatchRecord {
                match_id: format!("{}.{}", answer.game, answer.seed),
                game_name: answer.game,
                game_role_names: answer.roles,
                is_completed: !answer.goals.is_empty(),
                is_aborted: answer.goals.is_empty(),
                moves: answer.turns.into_iter().map(|turn| turn.moves).collect(),
                goal_values: answer.goals,
                is_player_human: vec![false; answer.players.len()],
                player_names_from_host: answer.players,
                ludens: Some(Details { seed: answer.seed, faults: answer.faults, ..Details::default() }),
                ..MatchRecord::default()
            },
            Any::Saved(saved) => MatchRecord {
                match_id: saved.game.clone(),
                game_name: saved.game,
                moves: saved.moves,
                ludens: Some(Details { person: Some(saved.role), ..Details::default() }),
                ..MatchRecord::default()
            },
        }
    }
}

/// The matches of a file: one record, a list of them, or one a line.
pub fn read_records(bytes: &[u8]) -> Result<Vec<MatchRecord>, RecordError> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Whole {
        One(Any),
        Several(Vec<Any>),
    }
    match serde_json::from_slice::<Whole>(bytes) {
        Ok(Whole::One(any)) => return Ok(vec![any.into()]),
        Ok(Whole::Several(list)) => return Ok(list.into_iter().map(Into::into).collect()),
        Err(_) => {}
    }
    let mut records = Vec::new();
    for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let any: Any = serde_json::from_slice(line).map_err(|error| RecordError {
            place: if number == 0 { String::new() } else { format!("line {}: ", number + 1) },
            why: error.to_string(),
        })?;
        records.push(any.into());
    }
    if records.is_empty() {
        return Err(RecordError { place: String::new(), why: "it is empty".to_owned() });
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::recorded_facts;

    #[test]
    fn all_forms_are_read() {
        let tournament = r#"{"game":"nim","seats":["a","b"],"round":3,"seed":9,"goals":[100,0],
            "moves":[["take 1","noop"]],"effort":[],"version":"0.1.0"}"#
            .replace('\n', " ");
        let answer = r#"{"game":"nim","roles":["x","o"],"players":["a","b"],"seed":1,
            "turns":[{"moves":["take 1","noop"],"decisions":[null,null]}],"goals":[0,100],"faults":[]}"#
            .replace('\n', " ");
        let saved = r#"{"game":"nim","role":"o","moves":[["take 1","noop"]]}"#;
        let record =
            r#"{"matchId":"m","gameName":"nim","moves":[["take 1","noop"]],"goalValues":[0,100],"other":1}"#;
        for text in [&tournament[..], &answer, saved, record] {
            let records = read_records(text.as_bytes()).expect(text);
            assert_eq!((records.len(), records[0].game_name.as_str()), (1, "nim"), "{text}");
            assert_eq!(records[0].moves, [["take 1", "noop"]], "{text}");
            // What was read is written in the one form.
            let again = serde_json::to_vec(&records[0]).expect("JSON");
            assert_eq!(read_records(&again).expect("the same"), records);
        }
        let lines = format!("{tournament}\n\n{tournament}\n");
        assert_eq!(read_records(lines.as_bytes()).expect("lines").len(), 2);
        let list = format!("[{record},{saved}]");
        assert_eq!(read_records(list.as_bytes()).expect("a list").len(), 2);
    }

    #[test]
    fn what_is_no_match_is_refused() {
        for text in ["", "hello", "{}", "[1]", "{\"matchId\":\"m\"", "{\"matchId\":3,\"moves\":[]}"] {
            assert!(read_records(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn states_are_taken_apart() {
        assert_eq!(recorded_facts("((cell 1 (a B)) control  (x y))"), ["(cell 1 (a b))", "(x y)", "control"]);
        assert_eq!(recorded_facts("()"), Vec::<String>::new());
    }
}
