//! Tournaments: played, watched, paused, gone on with, browsed, replayed.

use serde_json::json;

use crate::support::Server;

const COUNTING: &str = "(role left) (role right) (init (at 0)) (next-of 0 1) (next-of 1 2)
    (<= (legal ?r go) (role ?r)) (<= (legal left stay) (true (at 0)))
    (<= (next (at ?b)) (true (at ?a)) (next-of ?a ?b))
    (<= terminal (true (at 2))) (goal left 100) (goal right 0)";

#[test]
fn standings_come_in_and_matches_are_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let mut events = server.lines("/api/tournaments/events");
    let mut told = || events.find(|line| line.starts_with("data:")).expect("an event");
    told();
    let wish = json!({
        "games": ["tic-tac-toe"], "rules": COUNTING, "title": "Counting",
        "players": ["mc@60", "random", "random"], "matches": 4, "seed": 7,
    });
    let made = server.post("/api/tournaments", "", &wish).expect(201).json();
    let id = made["id"].as_str().expect("an id");
    told();
    let view = server.until_done(id);
    assert_eq!((&view["summary"]["done"], &view["summary"]["all"]), (&json!(24), &json!(24)));
    let titles: Vec<&str> = view["standings"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|game| game["title"].as_str())
        .collect();
    assert_eq!(titles, ["Tic-Tac-Toe", "Counting", "All games"]);
    let best = &view["standings"][0]["players"][0];
    assert_eq!(best["player"], "mc@60");
    assert!(best["total"]["mean"].as_f64() > Some(50.0), "{best}");
    assert!(best["total"]["interval"].as_f64() > Some(0.0));
    assert_eq!(best["against"][0], json!(null));
    assert_eq!(view["course"].as_array().expect("a list").len(), 24);
    // A game of a stranger, played by its rules and not by its name.
    let matches = server.get(&format!("/api/tournaments/{id}/matches/0"), "").expect(200).json();
    assert_eq!(matches["all"], 24);
    for title in ["Counting", "Tic-Tac-Toe"] {
        let all = matches["matches"].as_array().expect("a list");
        let one = all.iter().find(|one| one["title"] == title).expect("one of each");
        let id = one["id"].as_str().expect("an id");
        let view = server.until(id, "", |view| view["status"] == "over");
        assert_eq!(view["turns"].as_array().map(Vec::len), one["moves"].as_u64().map(|moves| moves as usize));
        assert_eq!(view["roles"][0]["kind"], "record");
        server.get(&format!("/api/matches/{id}/positions/1"), "").expect(200);
    }
    assert_eq!(
        server.get("/api/ended/20", "").expect(200).json()["matches"].as_array().map(Vec::len),
        Some(4)
    );
}

#[test]
fn a_tournament_rests_and_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("web.db");
    let server = Server::start(&database);
    let wish = json!({ "games": ["tic-tac-toe"], "players": ["mc@200", "mc@200"], "matches": 60, "seed": 1 });
    let made = server.post("/api/tournaments", "", &wish).expect(201).json();
    let (id, owner) = (made["id"].as_str().expect("an id"), made["owner"].as_str().expect("a key"));
    let path = format!("/api/tournaments/{id}");
    let view = |server: &Server| server.get(&path, owner).expect(200).json();
    while view(&server)["summary"]["done"].as_u64() < Some(2) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    server.post(&format!("{path}/pause"), "wrong", &json!({ "paused": true })).expect(403);
    server.post(&format!("{path}/pause"), owner, &json!({ "paused": true })).expect(204);
    while view(&server)["summary"]["status"] == "running" {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let done = view(&server)["summary"]["done"].as_u64().expect("a number");
    assert!((2..60).contains(&done), "it rests: {done}");
    drop(server);

    let server = Server::start(&database);
    let resting = view(&server);
    assert_eq!(
        (&resting["summary"]["status"], &resting["summary"]["done"]),
        (&json!("paused"), &json!(done))
    );
    server.post(&format!("{path}/pause"), owner, &json!({ "paused": false })).expect(204);
    let whole = server.until_done(id);
    let tally = &whole["standings"][0]["players"][0]["total"];
    let count = |name: &str| tally[name].as_u64().expect("a number");
    assert_eq!(count("wins") + count("draws") + count("losses"), 60, "each counts once: {tally}");
    server.send("DELETE", &path, &[("X-Ludens-Keys", owner)], None).expect(204);
    server.get(&path, "").expect(404);
}

#[test]
fn nobody_starts_too_much() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let wish = |players: serde_json::Value, matches: u64| json!({ "games": ["nim"], "players": players, "matches": matches });
    for wrong in [
        wish(json!(["random"]), 2),
        wish(json!(["random", "nobody"]), 2),
        wish(json!(["random", "mc@10000000"]), 2),
        wish(json!(["random", "mc@1h"]), 2),
        wish(json!(["random", "random"]), 1_000_000_000),
        json!({ "games": [], "players": ["random", "random"], "matches": 2 }),
        json!({ "games": ["no such game"], "players": ["random", "random"], "matches": 2 }),
        json!({ "games": [], "rules": "(role", "players": ["random", "random"], "matches": 2 }),
    ] {
        let answer = server.post("/api/tournaments", "", &wrong);
        assert!((400..500).contains(&answer.status), "{wrong}: {} {}", answer.status, answer.body);
    }
    // Slow ones, so that they are still open.
    let slow = json!({ "games": ["chess"], "players": ["mc@2s", "mc@2s"], "matches": 4 });
    server.post("/api/tournaments", "", &slow).expect(201);
    server.post("/api/tournaments", "", &slow).expect(201);
    server.post("/api/tournaments", "", &slow).expect(429);
}
