//! Video games are played, watched and looked at again.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Server;

const RULES: &str = "BasicGame square_size=10
    SpriteSet
        coin > Resource
        avatar > MovingAvatar
    InteractionSet
        avatar wall > stepBack
        coin avatar > killSprite scoreChange=1
    TerminationSet
        SpriteCounter stype=coin win=True
    LevelMapping
        o > coin
";
const LEVEL: &str = "wwwwww\nwA  ow\nwwwwww\n";

fn path(made: &Value, rest: &str) -> String {
    format!("/api/videos/{}{rest}", made["id"].as_str().expect("an id"))
}

/// The latest frame, once it is as wanted.
fn until(server: &Server, made: &Value, wanted: impl Fn(&Value) -> bool) -> Value {
    let begin = Instant::now();
    loop {
        let frame = server.get(&path(made, "/frames/99999"), "").expect(200).json();
        if wanted(&frame) {
            return frame;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "this never comes: {frame}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The left sides of the avatar.
fn avatar(frame: &Value) -> i64 {
    let layers = frame["layers"].as_array().expect("layers");
    let layer = layers.iter().find(|layer| layer["shape"] == "avatar").expect("an avatar");
    layer["places"][0].as_i64().expect("a place")
}

#[test]
fn a_person_plays_step_by_step_and_it_is_all_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let wish =
        json!({ "rules": RULES, "level_text": LEVEL, "players": ["person"], "seed": 3, "paused": true });
    let made = server.post("/api/videos", "", &wish).expect(201).json();
    let owner = made["owner"].as_str().expect("a key");
    let view = server.get(&path(&made, ""), owner).expect(200).json();
    assert_eq!((&view["width"], &view["owned"]), (&json!(60), &json!(true)));
    assert_eq!(view["players"], json!([{ "name": "you", "person": true }]));
    assert_eq!(server.get(&path(&made, ""), "").expect(200).json()["owned"], false);
    // It waits.
    let first = until(&server, &made, |_| true);
    assert_eq!((&first["last"], &first["paused"], avatar(&first)), (&json!(0), &json!(true), 10));
    let keys = |down: bool| json!({ "player": 0, "keys": [{ "key": "right", "down": down }] });
    let steps = |steps: usize| json!({ "steps": steps });
    server.post(&path(&made, "/keys"), "", &keys(true)).expect(403);
    server.post(&path(&made, "/pace"), "", &steps(1)).expect(403);
    server
        .post(&path(&made, "/keys"), owner, &json!({ "player": 0, "keys": [{ "key": "hop", "down": true }] }))
        .expect(400);
    server.post(&path(&made, "/keys"), owner, &keys(true)).expect(204);
    server.post(&path(&made, "/pace"), owner, &steps(2)).expect(204);
    let held = until(&server, &made, |frame| frame["last"] == 2);
    assert_eq!(avatar(&held), 30, "a key that is held goes on");
    server.post(&path(&made, "/keys"), owner, &keys(false)).expect(204);
    server.post(&path(&made, "/pace"), owner, &steps(1)).expect(204);
    assert_eq!(avatar(&until(&server, &made, |frame| frame["last"] == 3)), 30);
    server.post(&path(&made, "/keys"), owner, &keys(true)).expect(204);
    server.post(&path(&made, "/pace"), owner, &json!({ "paused": false, "speed": 60.0 })).expect(204);
    server.post(&path(&made, "/keys"), owner, &keys(true)).expect(204);
    let end = until(&server, &made, |frame| frame["over"] == true);
    assert_eq!((&end["scores"], &end["outcomes"]), (&json!([1.0]), &json!(["won"])));
    // Any moment of it is seen again.
    let earlier = server.get(&path(&made, "/frames/1"), "").expect(200).json();
    assert_eq!((&earlier["tick"], avatar(&earlier), &earlier["scores"]), (&json!(1), 20, &json!([0.0])));
    // And so it is from its record.
    let record = server.get(&path(&made, "/record"), "").expect(200).json();
    assert_eq!(
        record["actions"][0].as_str().map(|actions| actions.starts_with("rr.")),
        Some(true),
        "{record}"
    );
    let again = json!({ "record": record.to_string() });
    let again = server.post("/api/videos", "", &again).expect(201).json();
    let seen = until(&server, &again, |_| true);
    assert_eq!(
        (&seen["last"], &seen["over"], &seen["outcomes"]),
        (&end["last"], &json!(true), &json!(["won"]))
    );
    server.send("DELETE", &path(&made, ""), &[("X-Ludens-Keys", owner)], None).expect(204);
    server.get(&path(&made, ""), owner).expect(404);
}

#[test]
fn watchers_are_told_of_every_tick() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let wish = json!({ "game": "lantern", "level": 1, "players": ["random"], "seed": 1, "speed": 30.0 });
    let made = server.post("/api/videos", "", &wish).expect(201).json();
    let versions = |line: String| {
        let change: Value = serde_json::from_str(line.strip_prefix("data: ")?).expect("JSON");
        change["version"].as_u64()
    };
    let told: Vec<u64> = server.lines(&path(&made, "/events")).filter_map(versions).take(6).collect();
    assert!(told.windows(2).all(|pair| pair[0] < pair[1]), "{told:?}");
    let frame = until(&server, &made, |frame| frame["last"].as_u64() >= Some(4));
    assert!(!frame["layers"].as_array().expect("layers").is_empty());
}

#[test]
fn what_cannot_be_played_is_told_and_places_are_few() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::with(|options| {
        options.database = folder.path().join("web.db");
        options.matches = 2;
    });
    let wrong = |wish: Value, status: u16, part: &str| {
        let told = server.post("/api/videos", "", &wish).expect(status);
        assert!(told.body.contains(part), "{}", told.body);
    };
    wrong(json!({ "game": "lanten", "players": ["olets"] }), 404, "did you mean `lantern`?");
    wrong(json!({ "game": "lantern", "level": 9, "players": ["olets"] }), 400, "levels 0 to 4");
    wrong(json!({ "game": "lantern", "players": ["olet"] }), 400, "did you mean `olets`?");
    wrong(json!({ "game": "lantern", "players": [] }), 400, "for 1");
    wrong(json!({ "game": "lantern", "players": ["olets"], "speed": 1e9 }), 400, "1 to 60");
    wrong(json!({ "rules": RULES, "players": ["olets"] }), 400, "with a level");
    wrong(
        json!({ "rules": RULES.replace("Resource", "Resorce"), "level_text": LEVEL, "players": ["olets"] }),
        400,
        "line 3",
    );
    wrong(json!({ "rules": RULES, "level_text": "", "players": ["olets"] }), 400, "level");
    wrong(json!({ "record": "{}" }), 400, "no record");
    let paused = json!({ "game": "lantern", "players": ["person"], "paused": true });
    server.post("/api/videos", "", &paused).expect(201);
    server.post("/api/videos", "", &paused).expect(201);
    // Both were just begun, so somebody wants them.
    wrong(paused, 429, "2 video games");
}
