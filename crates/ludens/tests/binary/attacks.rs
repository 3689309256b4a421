//! What strangers can do to a player in a process of its own: a match that runs is answered in time all the same, and what
//! they took is given back.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::net::{AddressFamily, SocketType, bind, connect, socket};

use crate::matches::{Player, listening};

/// Where the host is.
const HOST: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// Where strangers are: this computer has many addresses, and each may be another computer's.
fn stranger(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 0, 2 + number)
}

/// A connection from an address to a player.
fn connection(from: Ipv4Addr, port: u16) -> std::io::Result<TcpStream> {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    bind(&socket, &SocketAddr::from((from, 0)))?;
    connect(&socket, &SocketAddr::from((HOST, port)))?;
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    Ok(stream)
}

fn posted(message: &str) -> String {
    format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{message}", message.len())
}

/// Sends bytes, and gives what comes back after the head.
fn exchange(from: Ipv4Addr, port: u16, bytes: &[u8]) -> std::io::Result<String> {
    let mut stream = connection(from, port)?;
    stream.write_all(bytes)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
}

/// The host says something.
#[track_caller]
fn say(port: u16, message: &str) -> String {
    exchange(HOST, port, posted(message).as_bytes()).expect("the host is heard")
}

fn player(agent: &str) -> Player {
    let fixed = ["player", "--port", "0", "--threads", "1", "--memory", "64", "--no-ponder"];
    listening(&[&fixed[..], &["--matches", "8", "--agent", agent]].concat())
}

fn start(id: &str, role: &str, game: &str, start_clock: u64, play_clock: u64, junk: usize) -> String {
    let rules = bundled::find(game).expect("bundled").rules;
    format!("(START {id} {role} ({rules} (junk {junk})) {start_clock} {play_clock})")
}

/// The clock of a match under attack, and what hosts give beyond it.
const CLOCK: Duration = Duration::from_secs(3);
const GRACE: Duration = Duration::from_secs(1);

/// Plays three moves of a match by the clock; each has to be a move, and in time.
fn match_in_time(port: u16, id: &str) {
    assert_eq!(say(port, &start(id, "red", "connect-four", 20, CLOCK.as_secs(), 0)), "ready");
    let mut news = "NIL".to_owned();
    for turn in 0..5 {
        let begin = Instant::now();
        let answer = say(port, &format!("(PLAY {id} {news})"));
        let took = begin.elapsed();
        assert!(took < CLOCK + GRACE, "turn {turn} was answered after {took:?}");
        let is_ours = turn % 2 == 0;
        assert!(
            if is_ours { answer.starts_with("(drop ") } else { answer == "noop" },
            "turn {turn}: {answer}"
        );
        news = if is_ours { format!("({answer} noop)") } else { format!("(noop (drop {}))", 1 + turn) };
    }
    assert_eq!(say(port, &format!("(ABORT {id})")), "aborted");
}

#[test]
fn a_match_is_in_time_while_eight_send_ten_megabytes_each() {
    const MOST: usize = 40;
    let player = player("mc");
    let junk = "(a (b c) d) ".repeat((10 << 20) / 12);
    let messages = [format!("(PREVIEW ({junk}) 5)"), format!("(START s x ({junk}) 5 5)"), format!("({junk}")];
    let (over, sent) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for number in 0..8 {
            let (player, messages, over, sent) = (&player, &messages, &over, &sent);
            scope.spawn(move || {
                for message in messages.iter().cycle().take(MOST) {
                    if over.load(Ordering::Relaxed) {
                        return;
                    }
                    // It may be refused, or take too long: that is the player's business.
                    if exchange(stranger(number), player.port, posted(message).as_bytes()).is_ok() {
                        sent.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        let played = std::panic::catch_unwind(|| match_in_time(player.port, "m"));
        over.store(true, Ordering::Relaxed);
        played.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
    assert!(sent.load(Ordering::Relaxed) >= 8, "{} messages were answered", sent.load(Ordering::Relaxed));
}

#[test]
fn a_match_is_in_time_while_600_connections_are_slow() {
    let player = player("mc");
    let request = posted(&start("s", "x", "tic-tac-toe", 5, 5, 0));
    let over = AtomicBool::new(false);
    let reached = std::thread::scope(|scope| {
        let attack = scope.spawn(|| {
            let mut held: Vec<(TcpStream, usize)> = Vec::new();
            for number in 0..600 {
                let Ok(mut stream) = connection(stranger((number % 4) as u8), player.port) else { continue };
                // Nothing, a part of the head, or a part of the body.
                let said = [0, 12, 80][number % 3];
                let _ = stream.write_all(&request.as_bytes()[..said]);
                held.push((stream, said));
            }
            while !over.load(Ordering::Relaxed) {
                // Letter by letter; those that had to make way are not heard.
                for (stream, said) in &mut held {
                    let _ = stream.write_all(&request.as_bytes()[*said..][..1]);
                    *said += 1;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            held.len()
        });
        let played = std::panic::catch_unwind(|| match_in_time(player.port, "m"));
        over.store(true, Ordering::Relaxed);
        played.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        attack.join().expect("no panic")
    });
    assert!(reached > 500, "{reached} connections");
}

/// Kibibytes and threads of a process.
#[cfg(target_os = "linux")]
fn taken(player: &Player) -> (u64, u64) {
    let status = std::fs::read_to_string(format!("/proc/{}/status", player.id())).expect("it runs");
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("Linux tells it");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    };
    (number("VmRSS:"), number("Threads:"))
}

/// Begins matches and ends them at once; what is taken when all of them are gone.
#[cfg(target_os = "linux")]
fn begin_and_abort(player: &Player, matches: std::ops::Range<usize>) -> (u64, u64) {
    const GAMES: [(&str, &str); 3] = [("connect-four", "red"), ("breakthrough", "white"), ("hex", "red")];
    for number in matches {
        let (game, role) = GAMES[number % GAMES.len()];
        // No two have the same rules, so that none is helped by what another has built.
        let begin = posted(&start(&format!("m{number}"), role, game, 300, 10, number));
        let mut waiting = connection(HOST, player.port).expect("the host is heard");
        waiting.write_all(begin.as_bytes()).expect("the host is heard");
        // Some have only begun to be read, others are being built.
        std::thread::sleep(Duration::from_millis([0, 5, 40, 150][number % 4]));
        let known = Instant::now();
        while say(player.port, &format!("(ABORT m{number})")) != "aborted" {
            assert!(known.elapsed() < Duration::from_secs(60), "match {number} never began");
        }
    }
    let begin = Instant::now();
    loop {
        let metrics = exchange(HOST, player.port, b"GET /metrics HTTP/1.0\r\n\r\n").expect("it answers");
        if metrics.contains("\nludens_workers 0\n") && metrics.contains("\nludens_seats 0\n") {
            break;
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "matches are left:\n{metrics}");
        std::thread::sleep(Duration::from_millis(50));
    }
    taken(player)
}

#[cfg(target_os = "linux")]
#[test]
fn what_matches_took_is_given_back() {
    let player = player("mc");
    let (first, first_threads) = begin_and_abort(&player, 0..12);
    let (last, last_threads) = begin_and_abort(&player, 12..60);
    assert!(last_threads <= first_threads + 2, "{first_threads} threads, then {last_threads}");
    // Four times as many matches, and the system's allocator keeps something of each thread.
    assert!(last < first + (64 << 10), "{first} KiB, then {last} KiB");
}
