//! Games in which not everybody sees everything, over real sockets: what a spy on the wire finds out.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use machine::reference::Reference;
use protocol::{Manner, News, Request};
use referee::{Clocks, Match, MatchRecord, Nobody, PerceptForm, Rulebook, Settings};
use server::{Opponent, conduct};

use crate::support::{rules, runtime, serve, start};

/// The bodies of all requests that went by.
type Heard = Arc<Mutex<Vec<String>>>;

/// Passes everything on to a player and keeps what the host says.
fn spy(player: SocketAddr) -> (String, Heard) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound").to_string();
    let heard = Heard::default();
    let kept = Arc::clone(&heard);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let kept = Arc::clone(&kept);
            std::thread::spawn(move || {
                let request = read_request(&mut stream);
                let text = String::from_utf8_lossy(&request).into_owned();
                let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_owned();
                kept.lock().expect("no panic").push(body);
                let Ok(mut other) = TcpStream::connect(player) else { return };
                let _ = other.write_all(&request);
                let mut answer = Vec::new();
                let _ = other.read_to_end(&mut answer);
                let _ = stream.write_all(&answer);
            });
        }
    });
    (address, heard)
}

fn read_request(stream: &mut TcpStream) -> Vec<u8> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 65536]);
    loop {
        let read = stream.read(&mut buffer).unwrap_or(0);
        bytes.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        let length = text.split_once("\r\n\r\n").map(|(head, body)| {
            let length = head.split("content-length:").nth(1).and_then(|rest| rest.lines().next());
            (length.and_then(|length| length.trim().parse::<usize>().ok()).unwrap_or(0), body.len())
        });
        if read == 0 || length.is_some_and(|(wanted, there)| there >= wanted) {
            return bytes;
        }
    }
}

/// Plays a match over the wire, and gives what was said to each player.
fn play(game: &str, agents: [&str; 2], form: PerceptForm, seed: u64) -> (MatchRecord, Vec<Vec<String>>) {
    let sheet = gdl::parse(&gdl::SourceFile::new(game, rules(game))).sheet;
    let machine = Reference::new(&gdl::normal::normalize(&sheet), Default::default()).expect("playable");
    let book = Rulebook::new(&sheet, None);
    let clock = Duration::from_secs(2);
    let settings = Settings {
        match_id: "m.1".to_owned(),
        clocks: Clocks { preview: Duration::ZERO, start: clock, play: clock },
        percept_form: form,
        seed,
        ..Settings::default()
    };
    let players = agents.map(serve);
    let spies: Vec<(String, Heard)> = players.iter().map(|player| spy(player.address)).collect();
    let mut opponents: Vec<Option<Opponent>> = spies
        .iter()
        .map(|(address, _)| Some(Opponent::Remote(address.parse().expect("an address"))))
        .collect();
    let roles = sheet.roles().len();
    // Chance is the last role of these games, and the host's.
    opponents.truncate(roles);
    opponents.resize_with(roles, || None);
    let current = Match::new(&machine, &book, settings, 0).expect("sound");
    let report = runtime().block_on(conduct(current, &opponents, Manner::Plain, &mut Nobody));
    let heard = spies.iter().map(|(_, heard)| heard.lock().expect("no panic").clone()).collect();
    (report.record, heard)
}

/// Everything but the rules that was said to a player is what its role sees.
fn check(record: &MatchRecord, role: usize, messages: &[String], form: PerceptForm) {
    let mut turns = 0;
    for message in messages.iter().filter(|message| !message.starts_with("(START")) {
        let (Request::Play { news, .. } | Request::Stop { news, .. }) =
            Request::parse(message).expect("a request")
        else {
            panic!("{message}");
        };
        if turns > 0 {
            let (moves, told) = (&record.moves[turns - 1], &record.percepts[turns - 1]);
            let percepts = match (&news, form) {
                (News::Seen { turn, last_move, percepts }, PerceptForm::Turn) => {
                    assert_eq!((*turn, last_move.as_ref()), (turns as u64, moves.get(role)));
                    percepts.clone()
                }
                (News::Moves(percepts), PerceptForm::List) => percepts.clone(),
                (News::First, PerceptForm::List) => Vec::new(),
                other => panic!("{message}: {other:?}"),
            };
            assert_eq!(percepts, told[role], "{message}");
            let others = (0..moves.len()).filter(|other| *other != role);
            for secret in others.flat_map(|other| told[other].iter().chain([&moves[other]])) {
                let is_own = percepts.iter().any(|own| own.contains(secret)) || moves[role].contains(secret);
                assert!(is_own || !message.contains(secret), "role {role} is told `{secret}`: {message}");
            }
        }
        turns += 1;
    }
    // Each turn, and the end.
    assert_eq!(turns, record.moves.len() + 1);
}

#[test]
fn percepts_of_one_role_never_reach_the_other() {
    let mut secrets = 0;
    for (game, agents, form) in [
        ("kuhn-poker", ["ludens", "equilibrium"], PerceptForm::Turn),
        ("kuhn-poker", ["random", "ludens"], PerceptForm::List),
        ("banker-and-thief", ["ludens", "legal"], PerceptForm::Turn),
        ("kriegspiel-tic-tac-toe", ["random", "random"], PerceptForm::Turn),
        ("kriegspiel-tic-tac-toe", ["random", "random"], PerceptForm::List),
        ("leduc-poker", ["random", "random"], PerceptForm::Turn),
        ("leduc-poker", ["random", "random"], PerceptForm::List),
        ("battleships-in-fog", ["random", "random"], PerceptForm::Turn),
        ("battleships-in-fog", ["random", "random"], PerceptForm::List),
    ] {
        let (record, heard) = play(game, agents, form, 11);
        assert!(record.is_completed && record.is_clean(), "{game}: {record:?}");
        for (role, messages) in heard.iter().enumerate() {
            check(&record, role, messages, form);
        }
        secrets += record.percepts.iter().filter(|told| told[0] != told[1]).count();
    }
    assert!(secrets > 4, "these games hide something");
}

#[test]
fn a_player_goes_by_what_it_is_told_and_survives_turns_it_missed() {
    let player = serve("random");
    assert_eq!(player.say(&start("m.1", "x", "kriegspiel-tic-tac-toe", 2, 1)), "ready");
    let first = player.say("(PLAY m.1 0 NIL NIL)");
    assert!(first.starts_with("(mark "), "{first}");
    assert_eq!(player.say("(PLAY m.1 0 NIL NIL)"), first, "asked again");
    // The turn of the other was never told of.
    let second = player.say("(PLAY m.1 2 noop ((turn x)))");
    assert!(second.starts_with("(mark ") && second != first, "{second} after {first}");
    assert_eq!(player.say("(PLAY m.1 2 noop ((turn x)))"), second, "asked again");
    assert_eq!(player.counter("skipped_plays"), 1);
    assert_eq!(player.counter("repeated_plays"), 2);
    // The cell was taken: it is still its turn, and another cell.
    let third = player.say(&format!("(PLAY m.1 3 {second} ((TURN X)))"));
    assert!(third.starts_with("(mark ") && third != second && third != first, "{third}");
    // The host has made another move in its name.
    let other = ["(mark 1 1)", "(mark 1 2)", "(mark 1 3)", "(mark 2 1)"];
    let other = other.iter().find(|other| ![&first, &second, &third].contains(&&other.to_string()));
    let fourth = player.say(&format!("(PLAY m.1 4 {} ((turn o)))", other.expect("one is left")));
    assert_eq!(fourth, "noop");
    assert_eq!(player.counter("replaced_moves"), 1);
    // What cannot be does not stop it.
    let fifth = player.say("(PLAY m.1 5 noop ((turn nobody) gibberish))");
    assert!(fifth.starts_with("(mark ") || fifth == "noop", "{fifth}");
    assert_eq!(player.say("(STOP m.1 6 noop ())"), "done");
    player.expect_no_workers();
}

#[test]
fn an_older_host_sends_what_is_seen_in_the_place_of_moves() {
    let player = serve("random");
    assert_eq!(player.say(&start("m.1", "x", "kriegspiel-tic-tac-toe", 2, 1)), "ready");
    let first = player.say("(PLAY m.1 NIL)");
    assert!(first.starts_with("(mark "), "{first}");
    assert_eq!(player.say("(PLAY m.1 ((turn o)))"), "noop");
    let second = player.say("(PLAY m.1 ((turn x)))");
    assert!(second.starts_with("(mark ") && second != first, "{second} after {first}");
    assert_eq!(player.say("(STOP m.1 ((turn o)))"), "done");
    // A role that sees nothing in a turn is sent an empty list.
    assert_eq!(player.say(&start("m.2", "candidate", "monty-hall", 2, 1)), "ready");
    assert_eq!(player.say("(PLAY m.2 NIL)"), "noop");
    assert!(player.say("(PLAY m.2 ())").starts_with("(choose "));
    assert_eq!(player.say("(PLAY m.2 NIL)"), "noop");
    let last = player.say("(PLAY m.2 ((opened 2)))");
    assert!(["stay", "switch"].contains(&&last[..]), "{last}");
    assert_eq!(player.say("(STOP m.2 ())"), "done");
    player.expect_no_workers();
}
