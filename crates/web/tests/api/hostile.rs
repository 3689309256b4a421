//! Visitors who mean no good.

use serde_json::json;

use crate::support::Server;

#[test]
fn strangers_and_other_sites_are_kept_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    server.send("GET", "/api/games", &[("Host", "evil.example")], None).expect(403);
    let wish =
        json!({ "game": "tic-tac-toe", "seats": [{ "kind": "person" }, { "kind": "person" }] }).to_string();
    server.send("POST", "/api/matches", &[("Origin", "http://evil.example")], Some(&wish)).expect(403);
    server.send("POST", "/api/matches", &[("Content-Type", "text/plain")], Some(&wish)).expect(400);
    let page = server.get("/", "").expect(200);
    let head = page.head.to_lowercase();
    assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{head}");
    assert!(!page.body.contains("http://") && !page.body.contains("https://"), "nothing from elsewhere");
    for path in ["/match/x", "/write", "/new/chess", "/matches"] {
        assert_eq!(server.get(path, "").expect(200).body, page.body);
    }
    for path in
        ["/assets/../Cargo.toml", "/assets/none.js", "/etc/passwd", "/api", "/api/", "/api/matches/none/x"]
    {
        server.get(path, "").expect(404);
    }
}

#[test]
fn a_token_is_asked_for_on_a_network() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::with(|options| {
        options.database = folder.path().join("web.db");
        options.token = Some("a-secret-word".to_owned());
        options.loopback = false;
    });
    server.get("/", "").expect(401);
    server.get("/api/games", "").expect(401);
    server.get("/?token=another-word", "").expect(401);
    let welcome = server.get("/?token=a-secret-word", "").expect(303);
    let cookie = welcome.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
    let cookie = cookie.split(';').next().expect("a value");
    server.send("GET", "/api/games", &[("Cookie", cookie)], None).expect(200);
    server.send("GET", "/api/games", &[("Authorization", "Bearer a-secret-word")], None).expect(200);
    let remote = json!({ "game": "tic-tac-toe", "seats": [{ "kind": "person" }, { "kind": "remote", "address": "10.0.0.1:80" }] });
    server.send("POST", "/api/matches", &[("Cookie", cookie)], Some(&remote.to_string())).expect(403);
}

#[test]
fn nonsense_is_refused_and_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let person = json!({ "kind": "person" });
    for wrong in [
        json!({}),
        json!({ "game": "tic-tac-toe" }),
        json!({ "game": "tic-tac-toe", "seats": [] }),
        json!({ "game": "tic-tac-toe", "rules": "(role a)", "seats": [person, person] }),
        json!({ "game": "tic-tac-toe", "seats": [person, { "kind": "agent", "level": "godlike" }] }),
        json!({ "game": "tic-tac-toe", "seats": [person, { "kind": "agent", "agent": "nobody" }] }),
        json!({ "game": "tic-tac-toe", "seats": [person, { "kind": "agent", "agent": "ludens", "seconds": 1e9 }] }),
        json!({ "game": "tic-tac-toe", "seats": [person, { "kind": "remote", "address": "nowhere" }] }),
        json!({ "game": "tic-tac-toe", "seats": [person, { "kind": "spirit" }] }),
        json!({ "game": "tic-tac-toe", "seats": [person, person], "other": 1 }),
    ] {
        let told = server.post("/api/matches", "", &wrong).expect(400).json();
        assert!(told["error"].as_str().is_some_and(|told| !told.is_empty()), "{wrong}");
    }
    server.post("/api/matches", "", &json!({ "game": "no-such-game", "seats": [] })).expect(404);
    server.send("POST", "/api/matches", &[], Some("{")).expect(400);
    let long = json!({ "rules": "a".repeat(2 << 20) }).to_string();
    server.send("POST", "/api/check", &[], Some(&long)).expect(413);
    let seats = json!({ "game": "tic-tac-toe", "seats": [person, person] });
    let made = server.post("/api/matches", "", &seats).expect(201).json();
    let (id, owner) = (made["id"].as_str().expect("an id"), made["owner"].as_str().expect("a key"));
    let path = format!("/api/matches/{id}");
    for role in [2_u64, 1 << 40] {
        server
            .post(&format!("{path}/moves"), owner, &json!({ "role": role, "text": "noop", "turn": 0 }))
            .expect(403);
        server.post(&format!("{path}/hint"), owner, &json!({ "role": role })).expect(400);
        server.post(&format!("{path}/seats"), owner, &json!({ "role": role, "seat": person })).expect(400);
    }
    server.get(&format!("{path}/positions/none"), owner).expect(404);
}

#[test]
fn fifty_watch_and_too_many_matches_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let seats = json!({ "game": "tic-tac-toe", "seats": [{ "kind": "person" }, { "kind": "person" }] });
    let made = server.post("/api/matches", "", &seats).expect(201).json();
    let id = made["id"].as_str().expect("an id").to_owned();
    let mut watchers: Vec<_> = (0..50).map(|_| server.events(&id)).collect();
    for watcher in &mut watchers {
        assert!(watcher.any(|line| line.starts_with("data: ")));
    }
    let key = made["keys"][0]["key"].as_str().expect("a key");
    let body = json!({ "role": 0, "text": "(mark 1 1)", "turn": 0 });
    server.post(&format!("/api/matches/{id}/moves"), key, &body).expect(204);
    for watcher in &mut watchers {
        assert!(watcher.any(|line| line.starts_with("data: ")));
    }
    // One visitor may not begin any number of matches.
    let statuses: Vec<u16> = (0..70).map(|_| server.post("/api/matches", "", &seats).status).collect();
    assert!(statuses.contains(&429) && statuses[0] == 201, "{statuses:?}");
}
