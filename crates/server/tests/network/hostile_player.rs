//! Every line of trouble that players can make for a host.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use machine::reference::Reference;
use protocol::Manner;
use referee::{Clocks, Match, Nobody, Rulebook, Settings};
use server::{MatchReport, Opponent, conduct};

use crate::support::{rules, runtime, serve};

/// How a scripted player behaves.
#[derive(Clone, Copy, Debug)]
enum Manners {
    /// Answers PLAY with these bytes, whatever is asked; START with ready.
    Says(&'static str),
    /// Closes the connection without a word.
    HangsUp,
    /// Takes everything and says nothing.
    Silent,
    /// Sends a head and then a byte now and then.
    Drips,
    /// Something that is not HTTP.
    Babbles,
    /// A reply without end.
    Floods,
}

/// A player with bad manners, on a port of its own.
struct Rude {
    address: String,
    done: Arc<AtomicBool>,
}

impl Drop for Rude {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

fn rude(manners: Manners) -> Rude {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound").to_string();
    let done = Arc::new(AtomicBool::new(false));
    let ended = Arc::clone(&done);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            if ended.load(Ordering::Relaxed) {
                return;
            }
            let ended = Arc::clone(&ended);
            std::thread::spawn(move || stream.map(|stream| misbehave(stream, manners, &ended)));
        }
    });
    Rude { address, done }
}

/// Reads a request of a host.
fn request(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let mut buffer = [0; 65536];
    while let Ok(read) = stream.read(&mut buffer) {
        text.extend_from_slice(&buffer[..read]);
        let so_far = String::from_utf8_lossy(&text);
        let length = so_far
            .to_lowercase()
            .split("content-length: ")
            .nth(1)
            .and_then(|rest| rest.split("\r\n").next().and_then(|number| number.parse::<usize>().ok()));
        let body = so_far.find("\r\n\r\n").map(|at| text.len() - at - 4);
        if read == 0 || body.zip(length).is_some_and(|(body, length)| body >= length) {
            break;
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

fn misbehave(mut stream: TcpStream, manners: Manners, done: &AtomicBool) {
    let text = request(&mut stream);
    let head = |length: usize| format!("HTTP/1.0 200 OK\r\nContent-Length: {length}\r\n\r\n");
    let wait = |stream: &mut TcpStream, bytes: &[u8]| {
        for _ in 0..600 {
            if done.load(Ordering::Relaxed) || stream.write_all(bytes).is_err() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    match manners {
        Manners::Says(reply) => {
            let reply = if text.contains("(PLAY ") { reply } else { "ready" };
            let _ = stream.write_all(format!("{}{reply}", head(reply.len())).as_bytes());
        }
        Manners::HangsUp => {}
        Manners::Silent => wait(&mut stream, b""),
        Manners::Drips => {
            let _ = stream.write_all(head(1000).as_bytes());
            wait(&mut stream, b" ");
        }
        Manners::Babbles => drop(stream.write_all(b"SSH-2.0-OpenSSH_9.9\r\n")),
        Manners::Floods => {
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n");
            let piece = vec![b'('; 1 << 16];
            while !done.load(Ordering::Relaxed) && stream.write_all(&piece).is_ok() {}
        }
    }
}

/// Plays tic-tac-toe between a good player, x, and another.
fn against(address: &str, manner: Manner, scramble: Option<u64>) -> MatchReport {
    let good = serve("random");
    let sheet = gdl::parse(&gdl::SourceFile::new("t", rules("tic-tac-toe"))).sheet;
    let game = Reference::new(&gdl::normal::normalize(&sheet), Default::default()).expect("playable");
    let book = Rulebook::new(&sheet, scramble);
    let clock = Duration::from_millis(200);
    let settings = Settings {
        match_id: "m.1".to_owned(),
        clocks: Clocks { preview: clock, start: 15 * clock, play: clock },
        ..Settings::default()
    };
    let current = Match::new(&game, &book, settings, 0).expect("sound");
    let remote = |text: &str| Some(Opponent::Remote(text.parse().expect("an address")));
    let opponents = [remote(&good.address.to_string()), remote(address)];
    let report = runtime().block_on(conduct(current, &opponents, manner, &mut Nobody));
    assert!(report.record.is_completed && report.fault.is_none(), "{:?}", report.record);
    assert_eq!(report.record.goal_values.len(), 2);
    assert!(report.record.errors.iter().all(|errors| errors[0].is_empty()), "{:?}", report.record.errors);
    assert_eq!(good.say("(PLAY m.1 NIL)"), "busy", "the good player was told of the end");
    good.expect_no_workers();
    report
}

/// Fails unless all of the second role's entries after the start begin so.
#[track_caller]
fn expect_trouble(report: &MatchReport, code: &str) {
    let turns = &report.record.errors[1..];
    assert!(!turns.is_empty() && turns.iter().all(|errors| errors[1].starts_with(code)), "{turns:?}");
}

#[test]
fn illegal_answers() {
    for reply in ["", "(mark 9 9)", "(mark 1", "noop noop", "\u{0}", "(((", "ready", "(mark ?x ?y)"] {
        expect_trouble(&against(&rude(Manners::Says(reply)).address, Manner::Plain, None), "IL");
    }
}

#[test]
fn answers_that_never_come() {
    for manners in [Manners::Silent, Manners::Drips] {
        let report = against(&rude(manners).address, Manner::Spaced, None);
        expect_trouble(&report, "TO");
        assert_eq!(report.record.errors[0][1], "TO");
    }
}

#[test]
fn no_connection_and_no_http() {
    for manners in [Manners::HangsUp, Manners::Babbles, Manners::Floods] {
        expect_trouble(&against(&rude(manners).address, Manner::Plain, None), "CE");
    }
    // Nobody listens at all.
    let unused = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound");
    expect_trouble(&against(&unused.to_string(), Manner::Plain, None), "CE");
}

#[test]
fn two_good_players_in_every_manner() {
    for (manner, scramble) in [
        (Manner::Plain, None),
        (Manner::Spaced, Some(3)),
        (Manner::UpperCase, None),
        (Manner::UpperCase, Some(4)),
    ] {
        let other = serve("random");
        if manner == Manner::UpperCase {
            // Ids are shouted, too.
            let report = against_loud(&other.address.to_string(), scramble);
            assert!(report.record.is_clean(), "{:?}", report.record.errors);
            continue;
        }
        let report = against(&other.address.to_string(), manner, scramble);
        assert!(report.record.is_clean(), "{:?}", report.record.errors);
        assert_eq!(report.record.scrambled, scramble.is_some());
    }
}

/// As `against`, with an id that survives upper case.
fn against_loud(address: &str, scramble: Option<u64>) -> MatchReport {
    let good = serve("random");
    let sheet = gdl::parse(&gdl::SourceFile::new("t", rules("connect-four"))).sheet;
    let game = Reference::new(&gdl::normal::normalize(&sheet), Default::default()).expect("playable");
    let book = Rulebook::new(&sheet, scramble);
    let clock = Duration::from_secs(1);
    let settings = Settings {
        match_id: "M.1".to_owned(),
        clocks: Clocks { preview: Duration::ZERO, start: clock, play: clock },
        ..Settings::default()
    };
    let current = Match::new(&game, &book, settings, 0).expect("sound");
    let remote = |text: &str| Some(Opponent::Remote(text.parse().expect("an address")));
    let opponents = [remote(&good.address.to_string()), remote(address)];
    runtime().block_on(conduct(current, &opponents, Manner::UpperCase, &mut Nobody))
}
