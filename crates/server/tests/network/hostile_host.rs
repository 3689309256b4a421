//! Every line of trouble that a host can make for a player.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use machine::reference::Reference;
use player::{MachineKind, Machines};
use protocol::Manner;
use server::{GameText, Limits, SessionOptions};

use crate::slow::{Gate, Pace, Slow};
use crate::support::{Served, options, parts, rules, serve, serve_with, start};

/// Whether a reply is a mark, to a host to whom the case of letters matters.
fn is_mark(reply: &str) -> bool {
    reply.starts_with("(mark ") && protocol::reply_move(reply).is_some()
}

#[test]
fn a_match_as_the_reference_host_plays_it() {
    let player = serve("random");
    let message = Manner::Spaced.apply(&start("local.m.1", "x", "tic-tac-toe", 3, 2));
    let (head, body) = player.post(&message);
    assert!(head.starts_with("HTTP/1.0 200") || head.starts_with("HTTP/1.1 200"), "{head}");
    let head = head.to_lowercase();
    assert!(head.contains("content-length: 5") && !head.contains("chunked"), "{head}");
    assert!(head.contains("access-control-allow-origin: *"), "{head}");
    assert_eq!(body, "ready");
    let first = player.say("( PLAY local.m.1 NIL )");
    assert!(is_mark(&first), "{first}");
    let wait = player.say(&format!("( PLAY local.m.1 ( {first} noop ) )"));
    assert_eq!(wait, "noop");
    assert_eq!(player.say("( STOP local.m.1 ( noop noop ) )"), "done");
    assert_eq!(player.say("(PLAY local.m.1 NIL)"), "busy");
    player.expect_no_workers();
}

#[test]
fn a_host_that_shouts() {
    let player = serve("random");
    let message = Manner::UpperCase.apply(&start("m1", "o", "tic-tac-toe", 3, 2));
    // No Host header either.
    let request = format!(
        "POST / HTTP/1.0\r\nSender: Gamecontroller\r\nContent-Length: {}\r\n\r\n{message}",
        message.len()
    );
    assert_eq!(parts(&player.raw(request.as_bytes())).1, "ready");
    assert_eq!(player.say("(PLAY M1 NIL)"), "NOOP");
    let reply = player.say("(PLAY M1 ((MARK 2 2) NOOP))");
    assert!(reply.starts_with("(MARK ") && !reply.contains("2 2"), "{reply}");
    assert_eq!(player.say("(ABORT M1)"), "aborted");
}

#[test]
fn messages_in_the_address_and_browsers() {
    let player = serve("random");
    let get = |path: &str| parts(&player.raw(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes()));
    assert!(get("/%28INFO%29").1.contains("(status available)"));
    assert!(get("/(ping)").1.contains("(name tester)"));
    assert_eq!(get("/%28PLAY+nothing+NIL%29").1, "busy");
    let options = player.raw(b"OPTIONS / HTTP/1.1\r\nHost: x\r\nOrigin: http://a\r\n\r\n").to_lowercase();
    assert!(options.contains("access-control-allow-methods: post, get, options"), "{options}");
    assert!(options.contains("access-control-allow-headers: content-type"), "{options}");
    assert!(get("/").1.contains("<title>Ludens player</title>"));
    assert!(get("/metrics").1.contains("# TYPE ludens_moves_total counter"));
    let status: serde_json::Value = serde_json::from_str(&get("/status").1).unwrap();
    assert_eq!(status["name"], "tester");
    assert!(player.raw(b"DELETE / HTTP/1.0\r\n\r\n").contains("405"));
}

#[test]
fn wrong_ids_and_roles() {
    let player = serve("random");
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 3, 2)), "ready");
    for message in ["(PLAY M NIL)", "(PLAY other NIL)", "(STOP other NIL)", "(ABORT other)"] {
        assert_eq!(player.say(message), "busy", "{message}");
    }
    assert_eq!(player.say(&start("m2", "nobody", "tic-tac-toe", 3, 2)), "busy");
    assert_eq!(player.say("(START m3 x ((this is) (no game)) 3 2)"), "busy");
    assert_eq!(player.say("(START m4 x () 3 2)"), "busy");
    assert!(is_mark(&player.say("(PLAY m NIL)")));
    assert_eq!(player.sessions.status().matches.len(), 1);
    assert_eq!(player.counter("starts_refused"), 3);
}

#[test]
fn repeated_skipped_and_replaced_plays() {
    let player = serve("random");
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 3, 2)), "ready");
    let first = player.say("(PLAY m NIL)");
    assert_eq!(player.say("(PLAY m NIL)"), first, "a repeated PLAY has the same answer");
    // The host plays something else in our name.
    let instead = if first.contains("2 2") { "(mark 1 1)" } else { "(mark 2 2)" };
    let message = format!("(PLAY m ({instead} noop))");
    assert_eq!(player.say(&message), "noop");
    assert_eq!(player.say(&message), "noop");
    assert_eq!(player.counter("replaced_moves"), 1);
    assert_eq!(player.counter("repeated_plays"), 2);
    assert!(is_mark(&player.say("(PLAY m (noop (mark 3 3)))")));
    // A whole turn is never told of: x marked something, then o marked 1 3.
    let reply = player.say("(PLAY m (noop (mark 1 3)))");
    assert!(is_mark(&reply) && !reply.contains("1 3") && !reply.contains("3 3"), "{reply}");
    assert_eq!(player.counter("skipped_plays"), 1);
    // Moves that cannot be, too few, too many: the answer is still a move.
    for nonsense in ["((dance) (sing))", "(noop)", "(a b c d)", "3 noop ((seen it))", ""] {
        let reply = player.say(&format!("(PLAY m {nonsense})"));
        assert!(is_mark(&reply), "{nonsense}: {reply}");
    }
    assert_eq!(player.say("(STOP m ((mark 1 1) noop))"), "done");
}

#[test]
fn two_starts_with_one_id() {
    let player = serve("random");
    let message = start("m", "x", "tic-tac-toe", 3, 2);
    assert_eq!(player.say(&message), "ready");
    assert_eq!(player.say(&message), "ready");
    assert_eq!(player.counter("matches_started"), 1);
    let first = player.say("(PLAY m NIL)");
    player.say(&format!("(PLAY m ({first} noop))"));
    // The host begins anew, with another game.
    assert_eq!(player.say(&start("m", "red", "connect-four", 3, 2)), "ready");
    let reply = player.say("(PLAY m NIL)");
    assert!(reply.contains("drop"), "{reply}");
    assert_eq!(player.sessions.status().matches.len(), 1);
}

#[test]
fn matches_that_never_stop_make_room() {
    let player = serve_with(SessionOptions { matches: 2, ..options("random") }, Limits::default());
    for id in ["a", "b"] {
        assert_eq!(player.say(&start(id, "x", "tic-tac-toe", 1, 1)), "ready");
    }
    assert!(player.say("(INFO)").contains("(status busy)"));
    // Both may still be played.
    assert_eq!(player.say(&start("c", "x", "tic-tac-toe", 1, 1)), "busy");
    std::thread::sleep(Duration::from_millis(12_500));
    assert!(is_mark(&player.say("(PLAY b NIL)")));
    assert_eq!(player.say(&start("c", "x", "tic-tac-toe", 1, 1)), "ready");
    assert_eq!(player.say("(PLAY a NIL)"), "busy", "the silent one made room");
    assert!(is_mark(&player.say("(PLAY c NIL)")));
}

#[test]
fn long_clocks_do_not_keep_a_place() {
    let player = serve_with(SessionOptions { matches: 1, ..options("random") }, Limits::default());
    for (number, clocks) in [(3, 1_000_000), (1_000_000, 3), (601, 601)].into_iter().enumerate() {
        let reply = player.say(&start(&format!("m{number}"), "x", "tic-tac-toe", clocks.0, clocks.1));
        assert_eq!(reply, "busy", "{clocks:?}");
    }
    assert!(player.say("(START m x ((role x)) 1e300 inf)") == "busy");
    assert!(player.say("(INFO)").contains("(status available)"));
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 600, 600)), "ready");
    assert_eq!(player.counter("starts_refused"), 4);
}

#[test]
fn a_silent_match_is_given_up_whatever_its_clocks() {
    let longest_silence = Duration::from_millis(300);
    let options = SessionOptions { matches: 1, longest_silence, ..options("random") };
    let player = serve_with(options, Limits::default());
    assert_eq!(player.say(&start("a", "x", "tic-tac-toe", 500, 500)), "ready");
    std::thread::sleep(2 * longest_silence);
    assert_eq!(player.say(&start("b", "x", "tic-tac-toe", 500, 500)), "ready", "the place is free");
    assert_eq!(player.say("(PLAY a NIL)"), "busy");
    assert_eq!(player.counter("matches_given_up"), 1);
}

#[test]
fn no_time_at_all_still_gets_a_legal_move() {
    let player = serve("random");
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 2, 0)), "ready");
    assert!(is_mark(&player.say("(PLAY m NIL)")));
}

#[test]
fn garbage() {
    let player = serve("random");
    for message in ["", "(", "))))", "(((((((((", "hello", "(START)", "\u{0}\u{1}\u{2}", "(PLAY ())", "ü"] {
        let (head, body) = player.post(message);
        assert!(head.contains("400") && !body.is_empty(), "{message:?}: {head} {body}");
    }
    for bytes in
        [&b"\x16\x03\x01\x02\x00"[..], b"\r\n\r\n\r\n", b"GET", b"POST / HTTP/9.9\r\n\r\n", b"\xff\xfe"]
    {
        let mut stream = TcpStream::connect(player.address).unwrap();
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    }
    assert!(player.say("(INFO)").contains("available"));
}

/// A player that thinks for the whole clock.
fn thinking_player() -> Served {
    serve("mc")
}

#[test]
fn info_is_answered_while_thinking() {
    let player = Arc::new(thinking_player());
    assert_eq!(player.say(&start("m", "red", "connect-four", 2, 3)), "ready");
    let thinker = Arc::clone(&player);
    let thinking = std::thread::spawn(move || thinker.say("(PLAY m NIL)"));
    while !player.sessions.status().matches.iter().any(|status| status.phase == "thinking") {
        assert!(!thinking.is_finished());
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(player.say("(INFO)").contains("(name tester)"));
    assert!(!thinking.is_finished(), "INFO does not wait for the move");
    assert!(thinking.join().unwrap().contains("drop"));
}

#[test]
fn slow_bodies_and_idle_connections_do_not_hold_up_others() {
    let limits = Limits { arrival: Duration::from_millis(600), connections: 40, ..Limits::default() };
    let player = serve_with(options("random"), limits);
    let mut idle: Vec<TcpStream> = (0..30).map(|_| TcpStream::connect(player.address).unwrap()).collect();
    for (number, stream) in idle.iter_mut().enumerate() {
        let text = ["POST / HTTP/1.0\r\nContent-Le", "POST / HTTP/1.0\r\nContent-Length: 50\r\n\r\n(PL"];
        stream.write_all(text[number % 2].as_bytes()).unwrap();
    }
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 3, 2)), "ready");
    assert!(is_mark(&player.say("(PLAY m NIL)")));
    // They are thrown out in the end.
    for mut stream in idle {
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1.0 408") || answer.starts_with(b"HTTP/1.1 408")
        );
    }
    assert_eq!(player.say("(STOP m NIL)"), "done");
}

#[test]
fn fifty_megabytes_of_rules() {
    let player = serve("random");
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 3, 2)), "ready");
    let huge = format!("(START big x ({}) 1 1)", "(fact of no use) ".repeat(3_000_000));
    assert!(player.post(&huge).0.contains("413"), "told to be too large");
    // Without a length, and within the bound.
    let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    let piece = "(a b) ".repeat(10_000);
    let chunk = format!("{:x}\r\n{piece}\r\n", piece.len());
    assert!(player.raw(format!("{head}{}0\r\n\r\n", chunk.repeat(400)).as_bytes()).contains("413"));
    let large = format!("(START large x ({} {}) 2 1)", rules("tic-tac-toe"), "(junk a b) ".repeat(200_000));
    let reply = player.say(&large);
    assert!(reply == "ready" || reply == "busy", "{reply}");
    assert!(is_mark(&player.say("(PLAY m NIL)")));
}

#[test]
fn letters_beyond_ascii_shorten_the_message() {
    // The length is counted in characters: the end of the message is not read.
    let player = serve("random");
    let rules = rules("tic-tac-toe").replace("noop", "ничего");
    let message = format!("(START m o ({rules}) 2 1)          ");
    assert_eq!(player.say(&message), "ready", "what is left of the rules can be played");
    assert_eq!(player.sessions.status().matches[0].play_clock, 1.0);
    let message = format!("(START m o ({rules}) 3 2){}", " ".repeat(200));
    assert_eq!(player.say(&message), "ready");
    assert_eq!(player.sessions.status().matches[0].play_clock, 2.0);
    assert_eq!(player.say("(PLAY m NIL)"), "ничего");
}

#[test]
fn a_host_that_closes_its_side_still_gets_the_answer() {
    let player = serve("random");
    let mut stream = TcpStream::connect(player.address).unwrap();
    stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.ends_with("(species computer))"), "{answer}");
}

#[test]
fn a_host_that_hangs_up_and_asks_again_gets_its_move() {
    let player = serve("mc");
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 2, 2)), "ready");
    let mut stream = TcpStream::connect(player.address).unwrap();
    stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n(PLAY m NIL)").unwrap();
    while !player.sessions.status().matches[0].view.thinking {
        std::thread::sleep(Duration::from_millis(1));
    }
    drop(stream);
    let reply = player.say("(PLAY m NIL)");
    assert!(is_mark(&reply), "{reply}");
    assert_eq!(player.say("(PLAY m NIL)"), reply);
    assert_eq!(player.say(&format!("(PLAY m ({reply} noop))")), "noop");
    assert_eq!(player.counter("replaced_moves"), 0);
}

/// A player whose machine hangs or panics whenever it is thought with.
fn faulty(panics: bool) -> (Served, Arc<Gate>) {
    let pace = Pace { every: 1, answers: 1000, panics, ..Pace::default() };
    slow(pace, options("mc"))
}

/// A player on a slow machine.
fn slow(pace: Pace, options: SessionOptions) -> (Served, Arc<Gate>) {
    let gate = Gate::new();
    let gate_of_machine = Arc::clone(&gate);
    let machines = move |game: GameText| {
        let reference = Reference::new(&game.rules, Default::default()).expect("playable");
        let slow = Slow::new(Arc::new(reference), pace, Arc::clone(&gate_of_machine));
        Machines::of(Arc::new(slow), MachineKind::Reference)
    };
    let options = SessionOptions { machines: Arc::new(machines), ..options };
    (serve_with(options, Limits::default()), gate)
}

#[test]
fn who_is_to_think_for_a_moment_has_the_whole_clock_to_know_what_is_legal() {
    let pace = Pace { every: 1, answers: 1000, everything: true, ..Pace::default() };
    let thinking = Some(Duration::from_millis(1));
    let (player, gate) = slow(pace, SessionOptions { thinking, ..options("random") });
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 1, 20)), "ready");
    let opening = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        gate.open();
    });
    let reply = player.say("(PLAY m NIL)");
    assert!(is_mark(&reply), "{reply}");
    opening.join().expect("no panic");
}

#[test]
fn an_agent_that_overruns_is_answered_for() {
    let (player, gate) = faulty(false);
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 2, 1)), "ready");
    let reply = player.say("(PLAY m NIL)");
    assert!(is_mark(&reply), "{reply}");
    assert_eq!(player.counter("fallback_moves"), 1);
    // The next turn comes while it still thinks of the last.
    assert_eq!(player.say(&format!("(PLAY m ({reply} noop))")), "noop");
    assert_eq!(player.counter("replaced_moves"), 0, "what was sent counts, not what was thought");
    assert_eq!(player.say("(ABORT m)"), "aborted");
    gate.open();
    player.expect_no_workers();
}

#[test]
fn an_agent_that_panics_is_replaced() {
    let (player, _) = faulty(true);
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 9, 9)), "ready");
    let reply = player.say("(PLAY m NIL)");
    assert!(is_mark(&reply), "{reply}");
    assert_eq!(player.say(&format!("(PLAY m ({reply} noop))")), "noop");
    assert!(is_mark(&player.say(&"(PLAY m (noop (mark 1 1)))".replace("1 1", free(&reply)))));
    assert_eq!(player.counter("agent_faults"), 1);
}

#[test]
fn a_fault_shows_although_no_move_was_asked_for() {
    let (player, _) = faulty(true);
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 2, 9)), "ready");
    assert_eq!(player.say("(ABORT m)"), "aborted");
    player.expect_no_workers();
    let metrics = parts(&player.raw(b"GET /metrics HTTP/1.0\r\n\r\n")).1;
    assert!(metrics.contains("\nludens_agent_faults_total 1\n"), "{metrics}");
    assert!(metrics.contains("\nludens_machine_faults_total 0\n"), "{metrics}");
}

#[test]
fn machines_that_cannot_be_made_are_told_of_at_once() {
    let machines = |_: GameText| panic!("a fault in building");
    let options = SessionOptions { machines: Arc::new(machines), ..options("random") };
    let player = serve_with(options, Limits::default());
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 500, 500)), "busy");
    player.expect_no_workers();
}

/// A cell that was not marked.
fn free(reply: &str) -> &'static str {
    if reply.contains("3 2") { "1 2" } else { "3 2" }
}
