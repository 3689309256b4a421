//! Matches from the first move to the last.

use serde_json::{Value, json};

use crate::support::{Server, keys};

fn person() -> Value {
    json!({ "kind": "person" })
}

fn agent(level: &str) -> Value {
    json!({ "kind": "agent", "level": level })
}

fn make(server: &Server, game: &str, seats: Value) -> (String, String, Vec<String>) {
    let wish = json!({ "game": game, "seats": seats, "seed": 1 });
    let made = server.post("/api/matches", "", &wish).expect(201).json();
    let (owner, roles) = keys(&made);
    (made["id"].as_str().expect("an id").to_owned(), owner, roles)
}

fn texts(choice: &Value) -> Vec<&str> {
    choice["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|option| option["text"].as_str().expect("a text"))
        .collect()
}

#[test]
fn two_people_play_tic_tac_toe_and_one_wins() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let (id, _, roles) = make(&server, "tic-tac-toe", json!([person(), person()]));
    let path = format!("/api/matches/{id}");
    for (turn, square) in ["1 1", "2 1", "1 2", "2 2", "1 3"].iter().enumerate() {
        let role = turn % 2;
        let view = server
            .until(&id, &roles[role], |view| view["turns"].as_array().is_some_and(|all| all.len() == turn));
        assert_eq!(view["own"], json!([role]));
        let text = format!("(mark {square})");
        assert!(texts(&view["choices"][0]).contains(&text.as_str()), "{view}");
        // The other one cannot move for this role.
        let wrong = json!({ "role": role, "text": text, "turn": turn });
        server.post(&format!("{path}/moves"), &roles[1 - role], &wrong).expect(403);
        server.post(&format!("{path}/moves"), &roles[role], &wrong).expect(204);
    }
    let view = server.until(&id, "", |view| view["status"] == "over");
    assert_eq!((&view["roles"][0]["goal"], &view["roles"][1]["goal"]), (&json!(100), &json!(0)));
    let late = json!({ "role": 1, "text": "(mark 3 3)", "turn": 5 });
    server.post(&format!("{path}/moves"), &roles[1], &late).expect(409);
    let position = server.get(&format!("{path}/positions/5"), "").expect(200).json();
    assert!(position["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg")), "{position}");
    server.get(&format!("{path}/positions/6"), "").expect(404);
    let record = server.get(&format!("{path}/record"), "").expect(200).json();
    assert_eq!(
        (record["moves"].as_array().map(Vec::len), &record["goalValues"]),
        (Some(5), &json!([100, 0]))
    );
}

#[test]
fn what_was_chosen_at_once_is_told_to_nobody_before_all_have_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("web.db");
    let server = Server::start(&database);
    let (id, owner, roles) = make(&server, "rock-paper-scissors", json!([person(), person()]));
    let first = server.until(&id, &roles[0], |view| !view["choices"][0].is_null());
    let text = texts(&first["choices"][0])[0].to_owned();
    let choose = |server: &Server, role: usize| {
        let body = json!({ "role": role, "text": text, "turn": 0 });
        server.post(&format!("/api/matches/{id}/moves"), &roles[role], &body)
    };
    choose(&server, 0).expect(204);
    let own = server.until(&id, &roles[0], |view| view["roles"][0]["has_moved"] == true);
    assert_eq!(own["choices"][0]["chosen"], json!(text));
    for key in [&roles[1], &owner, &String::new()] {
        let view = server.get(&format!("/api/matches/{id}"), key).expect(200).json();
        assert_eq!(view["roles"][0]["has_moved"], true);
        let others = view["choices"].as_array().expect("choices");
        assert!(others.iter().all(|choice| choice["role"] != 0 && choice["chosen"].is_null()), "{view}");
        let record = server.get(&format!("/api/matches/{id}/record"), key).expect(200).json();
        assert_eq!(record["moves"], json!([]));
        server.post(&format!("/api/matches/{id}/undo"), key, &json!({})).expect(403);
    }
    choose(&server, 0).expect(409);
    // A server that starts anew remembers what was chosen.
    drop(server);
    let server = Server::start(&database);
    let view = server.until(&id, &roles[1], |view| view["roles"][0]["has_moved"] == true);
    assert_eq!(view["turns"], json!([]));
    choose(&server, 1).expect(204);
    server.until(&id, "", |view| view["turns"].as_array().is_some_and(|turns| turns.len() == 1));
}

#[test]
fn an_agent_answers_hints_and_undoing_is_possible() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let (id, owner, roles) = make(&server, "tic-tac-toe", json!([person(), agent("medium")]));
    let key = format!("{owner},{}", roles[0]);
    let path = format!("/api/matches/{id}");
    let hint = server.post(&format!("{path}/hint"), &key, &json!({ "role": 0 })).expect(200).json();
    assert!(hint["thought"]["simulations"].as_u64() > Some(0), "{hint}");
    assert!(!hint["thought"]["moves"][0]["places"].as_array().expect("places").is_empty(), "{hint}");
    server.post(&format!("{path}/hint"), "", &json!({ "role": 0 })).expect(403);
    let body = json!({ "role": 0, "text": hint["text"], "turn": 0 });
    server.post(&format!("{path}/moves"), &key, &body).expect(204);
    let view = server.until(&id, &key, |view| view["turns"].as_array().is_some_and(|turns| turns.len() == 2));
    let thought = &view["turns"][1]["thoughts"][1];
    assert!(thought["simulations"].as_u64() > Some(0) && thought["moves"].is_array(), "{view}");
    assert_eq!(view["can_undo"], true);
    server.post(&format!("{path}/undo"), &key, &json!({})).expect(204);
    let view = server.until(&id, &key, |view| view["turns"] == json!([]));
    assert_eq!((&view["status"], &view["can_undo"]), (&json!("running"), &json!(false)));
}

#[test]
fn agents_are_watched_paused_and_taken_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let (id, owner, _) = make(&server, "connect-four", json!([agent("random"), agent("random")]));
    let path = format!("/api/matches/{id}");
    let mut events = server.events(&id).filter(|line| line.starts_with("data: "));
    let version = |line: Option<String>| -> u64 {
        let line = line.expect("an event");
        let change: Value = serde_json::from_str(line.trim_start_matches("data: ")).expect("JSON");
        change["version"].as_u64().expect("a version")
    };
    let (one, two) = (version(events.next()), version(events.next()));
    assert!(one < two, "{one} {two}");
    server.until(&id, "", |view| view["turns"].as_array().is_some_and(|turns| turns.len() >= 2));
    server.post(&format!("{path}/pause"), "", &json!({ "paused": true })).expect(403);
    server.post(&format!("{path}/pause"), &owner, &json!({ "paused": true })).expect(204);
    let paused = server.until(&id, &owner, |view| view["status"] == "paused");
    let made = paused["turns"].as_array().expect("turns").len();
    server.post(&format!("{path}/undo"), &owner, &json!({})).expect(204);
    server.until(&id, &owner, |view| view["turns"].as_array().is_some_and(|turns| turns.len() == made - 1));
    let role = (made - 1) % 2;
    let wish = json!({ "role": role, "seat": person() });
    server.post(&format!("{path}/seats"), "", &wish).expect(403);
    let taken = server.post(&format!("{path}/seats"), &owner, &wish).expect(200).json();
    let key = taken["key"].as_str().expect("a key");
    server.post(&format!("{path}/pause"), key, &json!({ "paused": false })).expect(204);
    let view = server.until(&id, key, |view| view["choices"][0]["role"] == json!(role));
    let body = json!({ "role": role, "text": texts(&view["choices"][0])[0], "turn": made - 1 });
    server.post(&format!("{path}/moves"), key, &body).expect(204);
    server.until(&id, key, |view| view["turns"].as_array().is_some_and(|turns| turns.len() >= made));
    server.send("DELETE", &path, &[("X-Ludens-Keys", key)], None).expect(403);
    server.send("DELETE", &path, &[("X-Ludens-Keys", &owner)], None).expect(204);
    server.get(&path, &owner).expect(404);
}

#[test]
fn a_server_that_starts_anew_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("web.db");
    let server = Server::start(&database);
    let (id, owner, roles) = make(&server, "tic-tac-toe", json!([person(), agent("easy")]));
    let body = json!({ "role": 0, "text": "(mark 2 2)", "turn": 0 });
    server.post(&format!("/api/matches/{id}/moves"), &roles[0], &body).expect(204);
    let before =
        server.until(&id, &roles[0], |view| view["turns"].as_array().is_some_and(|turns| turns.len() == 2));
    drop(server);
    let server = Server::start(&database);
    let after = server.get(&format!("/api/matches/{id}"), &roles[0]).expect(200).json();
    assert_eq!((&after["turns"], &after["choices"]), (&before["turns"], &before["choices"]));
    let listed = server.get("/api/matches", "").expect(200).json();
    assert_eq!((&listed[0]["id"], &listed[0]["turn"]), (&json!(id), &json!(2)));
    // The rematch has the same keys.
    let again = server.post(&format!("/api/matches/{id}/rematch"), &roles[0], &json!({})).expect(201).json();
    assert_eq!((&again["owner"], &again["keys"][0]["key"]), (&json!(""), &json!(roles[0])));
    let other = server.post(&format!("/api/matches/{id}/rematch"), &owner, &json!({})).expect(201).json();
    assert_eq!((&other["id"], &other["owner"], &other["keys"]), (&again["id"], &json!(owner), &json!([])));
}

#[test]
fn hidden_things_stay_hidden_until_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let (id, owner, roles) = make(&server, "kuhn-poker", json!([person(), agent("random")]));
    let key = format!("{owner},{}", roles[0]);
    let path = format!("/api/matches/{id}");
    let mut view = server.until(&id, &key, |view| !view["choices"][0].is_null() || view["status"] == "over");
    while view["status"] != "over" {
        let turns = view["turns"].as_array().expect("turns").len();
        for turn in view["turns"].as_array().expect("turns") {
            let others = turn["moves"].as_array().expect("moves").iter().enumerate();
            let told = others.filter(|(role, text)| {
                !view["own"].as_array().expect("own").contains(&json!(role)) && **text != ""
            });
            assert_eq!(told.count(), 0, "{view}");
            assert_eq!(turn["thoughts"], json!([]));
        }
        let position = server.get(&format!("{path}/positions/{turns}"), &key).expect(200).json();
        assert_eq!(
            (&position["hidden"], &position["svg"], &position["cards"]),
            (&json!(true), &Value::Null, &json!([]))
        );
        server.get(&format!("{path}/record"), &key).expect(403);
        let role = view["choices"][0]["role"].as_u64().expect("a role");
        let body = json!({ "role": role, "text": texts(&view["choices"][0])[0], "turn": turns });
        server.post(&format!("{path}/moves"), &key, &body).expect(204);
        view = server.until(&id, &key, |view| {
            view["status"] == "over"
                || view["turns"].as_array().is_some_and(|all| all.len() > turns)
                    && !view["choices"][0].is_null()
        });
    }
    server.get(&format!("{path}/record"), "").expect(200);
    server.post(&format!("{path}/undo"), &key, &json!({})).expect(403);
}

#[test]
fn records_are_shown_and_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let record = json!({
        "matchId": "m", "gameName": "tic-tac-toe", "playerNamesFromHost": ["ada", "bob"],
        "moves": [["(MARK 1 1)", "NOOP"], ["noop", "( mark 2 2 )"]],
    });
    let loaded = server.post("/api/records", "", &json!({ "text": record.to_string() })).expect(201).json();
    let id = loaded["matches"][0]["id"].as_str().expect("an id").to_owned();
    let owner = loaded["matches"][0]["owner"].as_str().expect("a key").to_owned();
    let view =
        server.until(&id, &owner, |view| view["turns"].as_array().is_some_and(|turns| turns.len() == 2));
    assert_eq!((&view["status"], &view["roles"][0]["player"]), (&json!("paused"), &json!("ada")));
    let wish = json!({ "role": 0, "seat": person() });
    server.post(&format!("/api/matches/{id}/seats"), &owner, &wish).expect(200);
    let wrong = json!({ "matchId": "m", "gameName": "tic-tac-toe", "moves": [["(mark 9 9)", "noop"]] });
    let loaded = server.post("/api/records", "", &json!({ "text": wrong.to_string() })).expect(201).json();
    let id = loaded["matches"][0]["id"].as_str().expect("an id").to_owned();
    let view = server.until(&id, "", |view| view["status"] == "broken");
    assert!(view["fault"].as_str().is_some_and(|fault| fault.contains("move 1")), "{view}");
    for bad in [
        json!({ "text": "nothing" }),
        json!({ "text": record.to_string().replace("tic-tac-toe", "no-such-game") }),
    ] {
        let told = server.post("/api/records", "", &bad);
        assert!((400..500).contains(&told.status), "{}", told.body);
    }
}

#[test]
fn who_takes_too_long_has_a_move_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let seats = json!([{ "kind": "person" }, { "kind": "person" }]);
    for wrong in [0.0, -1.0, 1e9] {
        let wish = json!({ "game": "tic-tac-toe", "seats": seats, "play_clock": wrong });
        server.post("/api/matches", "", &wish).expect(400);
    }
    let wish = json!({ "game": "tic-tac-toe", "seats": seats, "play_clock": 1.0 });
    let made = server.post("/api/matches", "", &wish).expect(201).json();
    let (owner, keys) = keys(&made);
    let id = made["id"].as_str().expect("an id");
    // Nobody is hurried as long as nobody looks; now somebody does.
    let _events = server.events(id);
    let view =
        server.until(id, &owner, |view| view["turns"].as_array().is_some_and(|turns| !turns.is_empty()));
    assert!(!view["turns"][0]["trouble"][0].as_str().expect("a text").is_empty(), "{view}");
    assert!(view["seconds_left"].as_f64().is_some_and(|left| left <= 1.0), "{view}");
    // A pause stops the clock.
    server.post(&format!("/api/matches/{id}/pause"), &keys[0], &json!({ "paused": true })).expect(204);
    let view = server.get(&format!("/api/matches/{id}"), &owner).expect(200).json();
    assert_eq!((&view["status"], &view["seconds_left"]), (&json!("paused"), &json!(null)));
}

#[test]
fn reasons_are_told_where_everybody_sees_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let ask = |game: &str, sentence: &str| {
        let seats = json!([{ "kind": "person" }, { "kind": "person" }]);
        let made =
            server.post("/api/matches", "", &json!({ "game": game, "seats": seats })).expect(201).json();
        let path = format!("/api/matches/{}/why", made["id"].as_str().expect("an id"));
        server.post(&path, "", &json!({ "step": 0, "sentence": sentence }))
    };
    let told = ask("tic-tac-toe", "(legal x (mark 1 1))").expect(200).json();
    assert!(
        told["holds"] == true && told["text"].as_str().is_some_and(|text| text.contains("line")),
        "{told}"
    );
    let told = ask("tic-tac-toe", "(legal o (mark 1 1))").expect(200).json();
    assert_eq!(told["holds"], false);
    ask("tic-tac-toe", "(((").expect(400);
    // What is hidden is not told in this way either.
    ask("kuhn-poker", "(true ?x)").expect(403);
}
