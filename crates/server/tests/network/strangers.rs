//! What somebody else on the network can do to the matches of a host: nothing.

use server::{Limits, SessionOptions};

use crate::support::{HOST, STRANGER, options, parts, posted, serve, serve_with, start};

#[test]
fn only_who_started_a_match_may_speak_of_it() {
    let player = serve("random");
    let begin = start("m", "x", "tic-tac-toe", 3, 5);
    assert_eq!(player.say(&begin), "ready");
    for message in ["(PLAY m NIL)", "(STOP m NIL)", "(ABORT m)", "(PLAY m ((mark 1 1) noop))"] {
        assert_eq!(player.say_from(STRANGER, message), "busy", "{message}");
    }
    let first = player.say("(PLAY m NIL)");
    assert!(first.starts_with("(mark "), "{first}");
    // The same name, with the same game and another one, is a match of its own.
    for game in [begin, start("m", "red", "connect-four", 3, 5)] {
        assert_eq!(player.say_from(STRANGER, &game), "ready");
    }
    assert!(player.say_from(STRANGER, "(PLAY m NIL)").contains("drop"));
    assert_eq!(player.say_from(STRANGER, "(ABORT m)"), "aborted");
    assert_eq!(player.say(&format!("(PLAY m ({first} noop))")), "noop");
    assert_eq!(player.say("(STOP m NIL)"), "done");
    assert_eq!(player.counter("unknown_matches"), 4);
}

#[test]
fn matches_are_shown_to_who_started_them() {
    let player = serve("random");
    assert_eq!(player.say(&start("private.7", "x", "tic-tac-toe", 3, 5)), "ready");
    let get = |from, path: &str| {
        parts(&player.raw_from(from, format!("GET {path} HTTP/1.0\r\nOrigin: http://a\r\n\r\n").as_bytes()))
    };
    for path in ["/status", "/metrics", "/"] {
        for from in [HOST, STRANGER] {
            let (head, _) = get(from, path);
            assert!(!head.to_lowercase().contains("access-control"), "{path}: {head}");
        }
        let (_, body) = get(STRANGER, path);
        assert!(!body.contains("private.7"), "{path}: {body}");
    }
    let (_, body) = get(HOST, "/status");
    assert!(body.contains("private.7"), "{body}");
    let (_, body) = get(STRANGER, "/status");
    assert!(body.contains("\"playing\":1"), "how many there are is no secret: {body}");
}

#[test]
fn a_token_opens_all_matches() {
    let options = SessionOptions { token: Some("sesame".to_owned()), ..options("random") };
    let player = serve_with(options, Limits::default());
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 3, 5)), "ready");
    let with = |header: &str, message: &str| {
        let request = posted(message).replacen("Sender:", &format!("Authorization: {header}\r\nSender:"), 1);
        parts(&player.raw_from(STRANGER, request.as_bytes())).1
    };
    for wrong in ["Bearer sesam", "Bearer", "Bearer ", "sesame", "Bearer Sesame", "Basic sesame"] {
        assert_eq!(with(wrong, "(ABORT m)"), "busy", "{wrong}");
    }
    let get =
        |path: &str| parts(&player.raw_from(STRANGER, format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes()));
    assert!(get("/status?token=sesame").1.contains("\"match_id\":\"m\""));
    assert!(!get("/status?token=sesam").1.contains("\"match_id\""));
    assert!(get("/?token=sesame").1.contains("<title>Ludens player</title>"));
    assert!(with("Bearer sesame", "(PLAY m NIL)").starts_with("(mark "));
    assert_eq!(with("Bearer sesame", "(ABORT m)"), "aborted");
}

#[test]
fn without_a_token_none_is_the_right_one() {
    let player = serve("random");
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 3, 5)), "ready");
    let request = posted("(ABORT m)").replacen("Sender:", "Authorization: Bearer \r\nSender:", 1);
    assert_eq!(parts(&player.raw_from(STRANGER, request.as_bytes())).1, "busy");
    assert_eq!(player.say("(ABORT m)"), "aborted");
}
