//! Rule sheets that no machine finishes: matches of them end when they are told to, and are played as far as
//! that can be.

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

use server::{Limits, SessionOptions};

use crate::support::{HOST, Served, options, posted, serve, serve_with, start};

/// How many numbers there are: a half to the eighth power of ways to go.
const NUMBERS: usize = 60;

/// Facts and a rule for a head with ways of eight steps from an even number to an odd one. There are none, as
/// every step is between numbers of a kind, and to find that out all have to be gone.
fn maze(head: &str, condition: &str) -> String {
    let mut text = String::new();
    for number in 0..NUMBERS {
        let kind = if number % 2 == 0 { "even" } else { "odd" };
        let _ = write!(text, "({kind} {number})");
        for next in (number % 2..NUMBERS).step_by(2) {
            let _ = write!(text, "(step {number} {next})");
        }
    }
    let steps = "(step ?a ?b) (step ?b ?c) (step ?c ?d) (step ?d ?e) (step ?e ?f) (step ?f ?g) (step ?g ?h)";
    let head = head.replace("WAY", "(way ?a ?b ?c ?d ?e ?f ?g ?h)");
    format!("{text} (<= {head} {condition} (even ?a) {steps} (odd ?h))")
}

/// A game whose legal moves are never all found. Without a condition not even building ends.
fn exploding(name: &str, condition: &str) -> String {
    let maze = maze("(legal you WAY)", condition);
    format!(
        "(role you) (init ({name} 1)) (init (at 1)) (<= (next (at 2)) (true (at 1)))
         (<= terminal (true (at 2))) (goal you 50) {maze}"
    )
}

/// Sends a START without waiting for the answer, until the match is known.
fn begin(player: &Served, id: &str, rules: &str) -> TcpStream {
    let mut stream = player.connect(HOST);
    stream.write_all(posted(&format!("(START {id} you ({rules}) 300 10)")).as_bytes()).expect("a connection");
    while !player.sessions.status().matches.iter().any(|status| status.match_id == id) {
        std::thread::sleep(Duration::from_millis(1));
    }
    stream
}

#[test]
fn abort_ends_a_build_that_is_under_way() {
    let player = serve("random");
    for number in 0..20 {
        let (id, name) = (format!("m{number}"), format!("fact{number}"));
        let stream = begin(&player, &id, &exploding(&name, ""));
        if number % 2 == 0 {
            // Long enough that something is being built.
            std::thread::sleep(Duration::from_millis(30));
        }
        assert_eq!(player.say(&format!("(ABORT {id})")), "aborted");
        drop(stream);
    }
    player.expect_no_workers();
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 10, 10)), "ready");
    assert!(player.say("(PLAY m NIL)").starts_with("(mark "));
}

#[test]
fn abort_ends_an_evaluation_that_is_under_way() {
    let player = serve("mc");
    for number in 0..3 {
        let rules = exploding(&format!("fact{number}"), "(true (at ?x))");
        assert_eq!(player.say(&format!("(START m{number} you ({rules}) 2 1)")), "ready");
        player.say(&format!("(PLAY m{number} NIL)"));
        player.say(&format!("(PLAY m{number} (wait))"));
    }
    for number in 0..3 {
        assert_eq!(player.say(&format!("(ABORT m{number})")), "aborted");
    }
    player.expect_no_workers();
}

#[test]
fn abort_of_one_match_leaves_the_others_of_its_game() {
    let player = serve_with(SessionOptions { matches: 2, ..options("random") }, Limits::default());
    assert_eq!(player.say(&start("a", "x", "tic-tac-toe", 3, 5)), "ready");
    assert_eq!(player.say(&start("b", "o", "tic-tac-toe", 3, 5)), "ready");
    assert_eq!(player.say("(ABORT a)"), "aborted");
    assert_eq!(player.say("(PLAY b NIL)"), "noop");
    assert_eq!(player.say("(STOP b NIL)"), "done");
    player.expect_no_workers();
}

#[test]
fn a_move_that_is_a_plain_fact_is_found_although_the_rest_explodes() {
    let player = serve("mc");
    for (id, condition) in [("static", ""), ("dynamic", "(true (at ?x))")] {
        let rules = format!("{} (legal you stay)", exploding(id, condition));
        assert_eq!(player.say(&format!("(START {id} you ({rules}) 2 2)")), "ready");
        assert_eq!(player.say(&format!("(PLAY {id} NIL)")), "stay", "{id}");
        assert_eq!(player.say(&format!("(ABORT {id})")), "aborted");
    }
    player.expect_no_workers();
}

#[test]
fn a_move_that_is_cheap_to_derive_is_found_although_the_rest_explodes() {
    let player = serve("mc");
    // What is legal depends on the turn, and what comes next does not need the maze.
    let turns = "(role you) (role other) (init (turn you)) (other you other) (other other you)
        (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
        (<= (legal ?p (say ?w)) (true (turn ?p)) (word ?w) (not (true (said ?w)))) (word yes) (word no)
        (<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
        (<= (next (said ?w)) (does ?p (say ?w))) (<= (next (said ?w)) (true (said ?w)))
        (<= terminal (true (said yes)) (true (said no))) (<= (goal ?p 50) (role ?p))";
    for (id, rule) in [
        ("legal", maze("(legal you WAY)", "(true (turn you))")),
        ("terminal", maze("terminal", "(true (turn ?x))")),
        ("next", maze("(next (found WAY))", "(true (turn ?x))")),
    ] {
        assert_eq!(player.say(&format!("(START {id} you ({turns} {rule}) 3 2)")), "ready");
        let first = player.say(&format!("(PLAY {id} NIL)"));
        assert!(first == "(say yes)" || first == "(say no)", "{id}: {first}");
        assert_eq!(player.say(&format!("(PLAY {id} ({first} wait))")), "wait", "{id}");
        assert_eq!(player.say(&format!("(ABORT {id})")), "aborted");
    }
    player.expect_no_workers();
}
