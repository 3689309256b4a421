//! Many connections, long messages and many matches from one place: others are served all the same.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv6Addr, TcpStream};
use std::time::{Duration, Instant};

use server::{Caller, Limits, SessionOptions};

use crate::support::{HOST, STRANGER, options, posted, rules, serve_on_one_thread, serve_with, start};

/// Whether nothing has come back on a connection yet, and it is open.
fn is_waiting(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).expect("the network works");
    let outcome = stream.read(&mut [0]);
    stream.set_nonblocking(false).expect("the network works");
    matches!(outcome, Err(error) if error.kind() == ErrorKind::WouldBlock)
}

#[test]
fn one_address_does_not_get_all_seats() {
    let player = serve_with(options("random"), Limits::default());
    for number in 0..8 {
        player.say_from(STRANGER, &start(&format!("m{number}"), "x", "tic-tac-toe", 600, 600));
    }
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 3, 5)), "ready");
    assert!(player.say("(PLAY m NIL)").starts_with("(mark "));
}

#[test]
fn one_network_of_ipv6_does_not_get_all_seats() {
    let player = serve_with(options("random"), Limits::default());
    let begin = |network: u16, host: u16| {
        let from = Caller::At(Ipv6Addr::new(0x2001, 0xdb8, 0, network, 0, 0, 0, host).into());
        let start = start(&format!("m{host}"), "x", "tic-tac-toe", 600, 600);
        player.runtime.block_on(player.sessions.answer(from, start, Instant::now())).expect("it can be read")
    };
    assert_eq!([1, 2, 3, 4].map(|host| begin(1, host)), ["ready", "ready", "ready", "busy"]);
    assert_eq!(begin(2, 5), "ready");
}

#[test]
fn long_messages_are_read_aside() {
    let player = serve_on_one_thread(options("random"), Limits::default());
    let mut stream = player.connect(STRANGER);
    let message = format!("(PREVIEW ({}) 5)", "(a (b c) d) ".repeat(1_000_000));
    stream.write_all(posted(&message).as_bytes()).unwrap();
    // It is in the hands of the system; the player has it when it can say so.
    std::thread::sleep(Duration::from_millis(50));
    assert!(player.say("(INFO)").contains("available"));
    assert!(is_waiting(&mut stream), "the short message came later and was answered first");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.ends_with("ready"), "{answer}");
}

#[test]
fn slow_connections_make_way() {
    for from in [HOST, STRANGER] {
        let limits = Limits { connections: 40, arrival: Duration::from_secs(60), ..Limits::default() };
        let player = serve_with(options("random"), limits);
        assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 3, 5)), "ready");
        let mut slow: Vec<TcpStream> = (0..100).map(|_| player.connect(from)).collect();
        for (number, stream) in slow.iter_mut().enumerate() {
            let text = ["POST / HTTP/1.0\r\nContent-Le", "POST / HTTP/1.0\r\nContent-Length: 50\r\n\r\n(PL"];
            // The first of them may have had to go.
            let _ = stream.write_all(text[number % 2].as_bytes());
        }
        assert!(player.say("(PLAY m NIL)").starts_with("(mark "));
        let waiting = slow.iter_mut().filter_map(|stream| is_waiting(stream).then_some(())).count();
        assert!((1..=40).contains(&waiting), "{waiting} are still there");
    }
}

#[test]
fn long_messages_on_their_way_keep_nobody_out() {
    let limits =
        Limits { message: 1 << 20, messages: 4 << 20, arrival: Duration::from_secs(60), ..Limits::default() };
    let player = serve_with(options("random"), limits);
    let mut slow: Vec<TcpStream> = (0..8).map(|_| player.connect(STRANGER)).collect();
    for stream in &mut slow {
        stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 1000000\r\n\r\n(START").unwrap();
    }
    let message = format!("(PREVIEW ({}) 5)", "(a b c) ".repeat(100_000));
    assert_eq!(player.say(&message), "ready");
    assert!(slow.iter_mut().all(is_waiting), "the others are still on their way");
}

#[test]
fn rules_that_would_take_all_memory_are_refused() {
    let options = SessionOptions { memory: 16 << 20, ..options("random") };
    let player = serve_with(options, Limits::default());
    let rules = format!("{} {}", rules("tic-tac-toe"), "(junk a b) ".repeat(100_000));
    assert_eq!(player.say(&format!("(START m x ({rules}) 9 9)")), "busy");
    assert_eq!(player.counter("matches_started"), 0);
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 9, 9)), "ready");
}

#[test]
fn a_silent_match_is_given_up_although_nobody_needs_its_place() {
    let longest_silence = Duration::from_millis(300);
    let player = serve_with(SessionOptions { longest_silence, ..options("random") }, Limits::default());
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 500, 500)), "ready");
    player.expect_no_workers();
    assert_eq!(player.say("(PLAY m NIL)"), "busy");
    assert_eq!(player.counter("matches_given_up"), 1);
}

#[test]
fn after_the_first_play_the_play_clock_tells_how_long_a_host_is_silent() {
    let options = SessionOptions { matches: 1, ..options("random") };
    let player = serve_with(options, Limits::default());
    assert_eq!(player.say(&start("m", "x", "tic-tac-toe", 500, 0)), "ready");
    assert!(player.say("(PLAY m NIL)").starts_with("(mark "));
    assert_eq!(player.say_from(STRANGER, &start("n", "x", "tic-tac-toe", 9, 9)), "busy");
    std::thread::sleep(Duration::from_millis(10_100));
    assert_eq!(player.say_from(STRANGER, &start("n", "x", "tic-tac-toe", 9, 9)), "ready");
}
