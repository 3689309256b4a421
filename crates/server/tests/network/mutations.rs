//! Ten thousand damaged messages over real sockets: every one is answered or refused, and the next good
//! message has the right answer.

use std::time::Duration;

use game::Dice;
use server::{Limits, SessionOptions};

use crate::support::{options, serve_with, start};

const LETTERS: &[u8] = b"()() ;\n\tabcdefghijkABCPLAYSTOPinfo0123456789.-?%\0";

/// Changes, removes, repeats or cuts a few letters.
fn damaged(message: &str, dice: &mut Dice) -> String {
    let mut bytes = message.as_bytes().to_vec();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len() + 1);
        let end = (at + 1 + dice.below(12)).min(bytes.len());
        match dice.below(5) {
            0 => bytes.insert(at, LETTERS[dice.below(LETTERS.len())]),
            1 if at < end => drop(bytes.drain(at..end)),
            2 if at < end => bytes[at] = LETTERS[dice.below(LETTERS.len())],
            3 if at < end => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            4 if dice.below(20) == 0 => bytes.truncate(at),
            _ => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn ten_thousand_damaged_messages() {
    let options = SessionOptions { matches: 8, matches_per_address: 8, ..options("random") };
    let player = serve_with(options, Limits::default());
    let countdown = "(role you) (init (left 9)) (legal you wait) (legal you (go 1))
        (<= (next (left 0)) (does you (go 1))) (<= (next (left 9)) (does you wait))
        (<= terminal (true (left 0))) (<= (goal you 100) terminal)";
    let messages = [
        "(INFO)".to_owned(),
        format!("(PREVIEW ({countdown}) 0)"),
        format!("(START m.1 you ({countdown}) 0 0)"),
        "(PLAY m.1 NIL)".to_owned(),
        "(PLAY m.1 ((go 1)))".to_owned(),
        "(PLAY m.1 (wait))".to_owned(),
        "(STOP m.1 (wait))".to_owned(),
        "(ABORT m.1)".to_owned(),
    ];
    let mut dice = Dice::new(7);
    let mut refused = 0;
    for number in 0..10_000 {
        let text = damaged(&messages[dice.below(messages.len())], &mut dice);
        let (head, body) = player.post(&text);
        assert!(!body.is_empty(), "{text}: {head}");
        if head.contains(" 400 ") {
            refused += 1;
        } else {
            assert!(head.contains(" 200 "), "{text}: {head}");
        }
        if number % 500 == 0 {
            for id in player.sessions.status().matches {
                assert_eq!(player.say(&format!("(ABORT {})", id.match_id)), "aborted");
            }
            assert_eq!(player.say(&start("good", "x", "tic-tac-toe", 5, 5)), "ready");
            assert!(player.say("(PLAY good NIL)").starts_with("(mark "));
            assert_eq!(player.say("(STOP good NIL)"), "done");
        }
    }
    assert!(refused > 500, "{refused}");
    for status in player.sessions.status().matches {
        player.say(&format!("(ABORT {})", status.match_id));
    }
    player.expect_no_workers();
}

#[test]
fn damaged_messages_over_sockets() {
    let limits = Limits { arrival: Duration::from_millis(100), ..Limits::default() };
    let player = serve_with(options("random"), limits);
    let mut dice = Dice::new(8);
    let message = start("m", "x", "tic-tac-toe", 0, 0);
    for _ in 0..300 {
        let request = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{message}", message.len());
        let head = damaged(&request[..60], &mut dice);
        let answer = player.raw(format!("{head}{}", &request[60..]).as_bytes());
        assert!(answer.is_empty() || answer.starts_with("HTTP/1."), "{answer}");
    }
    assert!(!player.say("(ABORT m)").is_empty());
    assert_eq!(player.say(&start("good", "x", "tic-tac-toe", 5, 5)), "ready");
    assert!(player.say("(PLAY good NIL)").starts_with("(mark "));
    assert_eq!(player.say("(STOP good NIL)"), "done");
    for status in player.sessions.status().matches {
        player.say(&format!("(ABORT {})", status.match_id));
    }
    player.expect_no_workers();
}
