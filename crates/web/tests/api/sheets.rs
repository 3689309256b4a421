//! Rules that people write.

use serde_json::json;

use crate::support::{Server, keys};

const COUNTDOWN: &str = "(role you) (init (left 2)) (legal you wait) (legal you go)
(<= (next (left 1)) (true (left 2)))
(<= (next (left 0)) (true (left 1)))
(<= terminal (true (left 0))) (<= (goal you 100) terminal) (<= (goal you 0) (not terminal))";

#[test]
fn rules_are_checked_mended_and_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let broken = COUNTDOWN
        .replace("(true (left 2)))", "(true (left ?n)))")
        .replace("(goal you 100)", "(gaol you 100)");
    let found = server.post("/api/check", "", &json!({ "rules": broken })).expect(200).json();
    assert!(found["findings"].as_array().is_some_and(|all| !all.is_empty()), "{found}");
    let torn = server.post("/api/check", "", &json!({ "rules": "(role you" })).expect(200).json();
    assert_eq!((&torn["playable"], &torn["findings"][0]["severity"]), (&json!(false), &json!("error")));
    let good = server.post("/api/check", "", &json!({ "rules": COUNTDOWN })).expect(200).json();
    assert_eq!((&good["playable"], &good["roles"]), (&json!(true), &json!(["you"])));
    let quick =
        server.post("/api/check", "", &json!({ "rules": COUNTDOWN, "quick": true })).expect(200).json();
    assert_eq!(quick["playable"], false);
    let tidy = server.post("/api/format", "", &json!({ "rules": COUNTDOWN })).expect(200).json();
    let again = server.post("/api/format", "", &tidy).expect(200).json();
    assert_eq!(tidy, again);
    server.post("/api/format", "", &json!({ "rules": "(role you" })).expect(400);
    let wish = json!({ "rules": COUNTDOWN, "title": "Countdown", "seats": [{ "kind": "person" }] });
    let made = server.post("/api/matches", "", &wish).expect(201).json();
    let (id, roles) = (made["id"].as_str().expect("an id"), keys(&made).1);
    for turn in 0..2 {
        server.until(id, &roles[0], |view| view["turns"].as_array().is_some_and(|all| all.len() == turn));
        let body = json!({ "role": 0, "text": "go", "turn": turn });
        server.post(&format!("/api/matches/{id}/moves"), &roles[0], &body).expect(204);
    }
    let view = server.until(id, "", |view| view["status"] == "over");
    assert_eq!((&view["title"], &view["roles"][0]["goal"]), (&json!("Countdown"), &json!(100)));
}

#[test]
fn rules_that_cannot_be_played_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    for rules in ["", "(init a)", "no rules at all"] {
        let told =
            server.post("/api/matches", "", &json!({ "rules": rules, "seats": [] })).expect(400).json();
        assert!(told["error"].as_str().is_some_and(|told| !told.is_empty()));
        server.post("/api/check", "", &json!({ "rules": rules })).expect(200);
    }
    // A role that is stuck breaks the match, and nothing else.
    let stuck = "(role you) (init a) (<= (legal you go) (true b)) (<= terminal (true c)) (goal you 100)";
    let made = server.post("/api/matches", "", &json!({ "rules": stuck, "seats": [{ "kind": "person" }] }));
    let id = made.expect(201).json()["id"].as_str().expect("an id").to_owned();
    let view = server.until(&id, "", |view| view["status"] == "broken");
    assert!(view["fault"].is_string(), "{view}");
}
