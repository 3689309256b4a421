//! Any messages of any hosts: reading never panics, what was read is written and read again the same, and
//! a player answers every one of them.

#![no_main]

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use machine::reference::Reference;
use player::{AgentSpec, MachineKind, Machines};
use protocol::{Info, Manner, Request, reply_is, reply_move, tidy};
use server::{Caller, GameText, SessionOptions, Sessions};

/// Rules that hosts may send, good and bad.
const RULES: [&str; 7] = [
    "(role x) (role y) (init (control x)) (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
     (<= (legal ?p (mark 1)) (true (control ?p))) (<= (legal ?p (mark 2)) (true (control ?p)))
     (<= (next (control y)) (true (control x))) (<= (next (control x)) (true (control y)))
     (<= (next over) (does ?p (mark 2))) (<= terminal (true over)) (goal x 50) (goal y 50)",
    "(role you) (init (left 2)) (legal you wait) (<= (next (left 1)) (true (left 2)))
     (<= (next (left 0)) (true (left 1))) (<= terminal (true (left 0))) (goal you 100)",
    "(role x) terminal (legal x a)",
    "(role x) (role y) (init a) (legal x b)",
    "(init a)",
    "(role x",
    "",
];
const WORDS: [&str; 12] =
    ["wait", "(mark 1)", "(MARK 2)", "noop", "NIL", "()", "(", ")", "x", "y", "you", "(mark 1) wait"];
const MOST_MESSAGES: usize = 8;

fuzz_target!(|bytes: &[u8]| {
    // As a whole,
    let text = String::from_utf8_lossy(bytes);
    read(&text);
    // and as a conversation.
    let mut bytes = Unstructured::new(bytes);
    let Ok(messages) = conversation(&mut bytes) else { return };
    ludens_fuzz::show(|| format!("{messages:#?}"));
    messages.iter().for_each(|(_, message)| read(message));
    converse(&messages);
});

/// Reads a text as all that it may be.
fn read(text: &str) {
    if let Ok(request) = Request::parse(text) {
        let written = request.to_string();
        assert_eq!(Request::parse(&written), Ok(request), "{text:?} {written:?}");
    }
    if let Some(info) = Info::parse(text) {
        let _ = info.to_string();
    }
    let _ = (reply_is(text, protocol::READY), reply_move(text));
    let tidied = tidy(text);
    assert_eq!(tidy(&tidied), tidied, "{text:?}");
    for manner in [Manner::Plain, Manner::Spaced, Manner::UpperCase] {
        let _ = manner.apply(text);
    }
}

/// Two hosts and one who knows the token.
const CALLERS: [Caller; 4] = [
    Caller::At(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1))),
    Caller::At(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1))),
    Caller::At(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2))),
    Caller::Trusted(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 3))),
];

fn conversation(bytes: &mut Unstructured<'_>) -> Result<Vec<(Caller, String)>> {
    let mut messages = Vec::new();
    for _ in 0..bytes.int_in_range(1..=MOST_MESSAGES)? {
        let id = *bytes.choose(&["m1", "m1", "M2"])?;
        let caller = *bytes.choose(&CALLERS)?;
        let message = match bytes.int_in_range(0..=9)? {
            0..=2 => {
                let (role, rules) =
                    (*bytes.choose(&["x", "y", "you", "X", "(p 1)"])?, *bytes.choose(&RULES)?);
                let clock = *bytes.choose(&["1", "1", "0", "0.2", "-1", "x", "99999999999999999999"])?;
                format!("(START {id} {role} ({rules}) {clock} {clock})")
            }
            3..=6 => format!("(PLAY {id} {})", joint(bytes)?),
            7 => format!("(STOP {id} {})", joint(bytes)?),
            8 => {
                (*bytes.choose(&["(INFO)", "(ABORT m1)", "(PREVIEW ((role x)) 1)", "(ABORT M2)"])?).to_owned()
            }
            _ => String::from_utf8_lossy(bytes.arbitrary()?).into_owned(),
        };
        messages.push((caller, message));
    }
    Ok(messages)
}

fn joint(bytes: &mut Unstructured<'_>) -> Result<String> {
    let count = bytes.int_in_range(0..=3)?;
    if count == 0 {
        return Ok("NIL".to_owned());
    }
    let mut moves = Vec::new();
    for _ in 0..count {
        moves.push(*bytes.choose(&WORDS)?);
    }
    Ok(format!("({})", moves.join(" ")))
}

/// A player hears them all and answers each.
fn converse(messages: &[(Caller, String)]) {
    let Ok(agent) = "legal".parse::<AgentSpec>() else { return };
    let sessions = Sessions::new(SessionOptions {
        name: "fuzzed".to_owned(),
        agent,
        machines: Arc::new(reference),
        matches: 1,
        matches_per_address: 1,
        token: Some("a token".to_owned()),
        memory: 16 << 20,
        threads: 1,
        ponder: false,
        thinking: None,
        simulations: None,
        margin: Duration::from_millis(10),
        longest_clock: Duration::from_secs(5),
        longest_silence: Duration::from_secs(6),
        seed: 1,
    });
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() else { return };
    for (caller, message) in messages {
        let reply = runtime.block_on(sessions.answer(*caller, message.clone(), Instant::now()));
        match (Request::parse(message), reply) {
            (Err(expected), reply) => assert_eq!(reply, Err(expected)),
            (Ok(Request::Info), Ok(reply)) => assert!(Info::parse(&reply).is_some(), "{reply}"),
            (Ok(Request::Play { .. }), Ok(reply)) => assert!(!reply.is_empty(), "{message}"),
            (Ok(_), Ok(reply)) => assert!(!reply.is_empty() && !reply.contains(['(', ')']), "{reply}"),
            (Ok(_), Err(error)) => panic!("{message}: {error}"),
        }
    }
}

/// The reference reasoner within bounds, where there is one; building circuits would take most of the time.
fn reference(game: GameText) -> Arc<Machines> {
    let limits = datalog::Limits { bytes: game.room.reference, work: 200_000, stop: None };
    match Reference::new(&game.rules, limits) {
        Ok(reference) => Machines::of(Arc::new(reference), MachineKind::Reference),
        Err(_) => Machines::build_within(game.rules, Duration::ZERO, game.room, game.clock),
    }
}
