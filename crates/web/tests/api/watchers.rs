//! Many people watch one match.

use serde_json::{Value, json};

use crate::support::{Server, keys};

const WATCHERS: usize = 50;

#[test]
fn fifty_watchers_are_told_of_every_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let seats = json!([{ "kind": "person" }, { "kind": "person" }]);
    let made =
        server.post("/api/matches", "", &json!({ "game": "tic-tac-toe", "seats": seats })).expect(201).json();
    let (id, roles) = (made["id"].as_str().expect("an id"), keys(&made).1);
    server.until(id, &roles[0], |view| view["choices"] != json!([]));
    let versions = |line: &String| {
        let change: Value = serde_json::from_str(line.strip_prefix("data: ")?).expect("JSON");
        change["version"].as_u64()
    };
    let mut watchers: Vec<_> = (0..WATCHERS).map(|_| server.events(id)).collect();
    // The version of now is told at once.
    let first: Vec<u64> =
        watchers.iter_mut().map(|lines| lines.find_map(|line| versions(&line)).expect("one")).collect();
    assert!(first.iter().all(|version| *version == first[0]), "{first:?}");
    let mut last = first[0];
    for (turn, cell) in ["1 1", "2 2", "3 3"].into_iter().enumerate() {
        let body = json!({ "role": turn % 2, "text": format!("(mark {cell})"), "turn": turn });
        server.post(&format!("/api/matches/{id}/moves"), &roles[turn % 2], &body).expect(204);
        let told: Vec<u64> =
            watchers.iter_mut().map(|lines| lines.find_map(|line| versions(&line)).expect("one")).collect();
        assert!(told.iter().all(|version| *version > last), "{told:?} after {last}");
        last = told.into_iter().max().expect("some");
        let view = server.get(&format!("/api/matches/{id}"), "").expect(200).json();
        assert_eq!(view["turns"].as_array().map(Vec::len), Some(turn + 1));
    }
}
