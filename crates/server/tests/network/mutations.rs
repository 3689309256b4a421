//! Ten thousand damaged messages over the wire's desk: every one is answered or refused, and the next
//! good message has the right answer.

use std::time::{Duration, Instant};

use game::Dice;
use server::Limits;

use crate::support::{agent, options, runtime, serve_with, start};

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
    let runtime = runtime();
    let desk = server::Desk::new(server::DeskOptions { matches: 8, ..options(agent("random")) });
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
    runtime.block_on(async {
        for number in 0..10_000 {
            let text = damaged(&messages[dice.below(messages.len())], &mut dice);
            match desk.answer(&text, Instant::now()).await {
                Ok(reply) => assert!(!reply.is_empty(), "{text}"),
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
            if number % 500 == 0 {
                let ask = async |message: &str| desk.answer(message, Instant::now()).await.unwrap();
                for id in desk.status().matches {
                    assert_eq!(ask(&format!("(ABORT {})", id.match_id)).await, "aborted");
                }
                let good = start("good", "x", "tic-tac-toe", 5, 5);
                assert_eq!(ask(&good).await, "ready");
                assert!(ask("(PLAY good NIL)").await.starts_with("(mark "));
                assert_eq!(ask("(STOP good NIL)").await, "done");
            }
        }
    });
    assert!(refused > 500, "{refused}");
}

#[test]
fn damaged_messages_over_sockets() {
    let limits = Limits { arrival: Duration::from_millis(100), ..Limits::default() };
    let player = serve_with(options(agent("random")), limits);
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
    for status in player.desk.status().matches {
        player.say(&format!("(ABORT {})", status.match_id));
    }
    player.expect_no_brains();
}
