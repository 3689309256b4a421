//! Any messages of any hosts: reading never panics, what was read is written and read again the same, and
//! a player answers every one of them.

#![no_main]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use game::{Expansion, Game, RoleId};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use machine::reference::{Reference, ReferenceState};
use protocol::{Info, Manner, Request, reply_is, reply_move, tidy};
use server::{Desk, DeskOptions, Mind, MindError, MindMaker, Thought};

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
    messages.iter().for_each(|message| read(message));
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

fn conversation(bytes: &mut Unstructured<'_>) -> Result<Vec<String>> {
    let mut messages = Vec::new();
    for _ in 0..bytes.int_in_range(1..=MOST_MESSAGES)? {
        let id = *bytes.choose(&["m1", "m1", "M2"])?;
        messages.push(match bytes.int_in_range(0..=9)? {
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
        });
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
fn converse(messages: &[String]) {
    let maker: MindMaker = Arc::new(|setup| Box::new(First::new(&setup)));
    let desk = Desk::new(DeskOptions {
        name: "fuzzed".to_owned(),
        agent: "first".to_owned(),
        maker,
        matches: 1,
        memory: 16 << 20,
        threads: 1,
        ponder: false,
        margin: Duration::from_millis(10),
        seed: 1,
    });
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() else { return };
    for message in messages {
        let reply = runtime.block_on(desk.answer(message, Instant::now()));
        match (Request::parse(message), reply) {
            (Err(expected), reply) => assert_eq!(reply, Err(expected)),
            (Ok(Request::Info), Ok(reply)) => assert!(Info::parse(&reply).is_some(), "{reply}"),
            (Ok(Request::Play { .. }), Ok(reply)) => assert!(!reply.is_empty(), "{message}"),
            (Ok(_), Ok(reply)) => assert!(!reply.is_empty() && !reply.contains(['(', ')']), "{reply}"),
            (Ok(_), Err(error)) => panic!("{message}: {error}"),
        }
    }
}

/// Plays the first legal move, by the reference reasoner.
struct First {
    game: std::result::Result<(Arc<Reference>, ReferenceState), MindError>,
    role: RoleId,
}

impl First {
    fn new(setup: &server::Setup) -> Self {
        let limits = datalog::Limits { bytes: setup.memory, work: 200_000, stop: None };
        let game = Reference::new(&setup.rules, limits).map_err(|error| MindError::Rules(error.to_string()));
        let game = game.map(|game| {
            let initial = game.initial();
            (Arc::new(game), initial)
        });
        Self { game, role: RoleId(setup.role as u16) }
    }

    fn choose_first(&self) -> std::result::Result<String, MindError> {
        let (game, state) = self.game.as_ref().map_err(Clone::clone)?;
        let mut expansion = Expansion::new();
        let fault = |fault: game::RuleFault| MindError::Rules(fault.to_string());
        game.expand(&mut game.workspace(), state, &mut expansion).map_err(fault)?;
        let legal = if expansion.is_terminal() { &[] } else { expansion.legal(self.role) };
        legal.first().map(|&id| game.move_spelling(id)).ok_or(MindError::NoMove)
    }
}

impl Mind for First {
    fn prepare(&mut self, _: Duration, _: &AtomicBool) -> std::result::Result<(), MindError> {
        self.game.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn fallback(&mut self) -> std::result::Result<String, MindError> {
        self.choose_first()
    }

    fn choose(&mut self, _: Duration, _: &AtomicBool) -> std::result::Result<Thought, MindError> {
        Ok(Thought { reply: self.choose_first()?, ..Thought::default() })
    }

    fn advance(&mut self, joint: &[String]) -> std::result::Result<(), MindError> {
        let (game, state) = self.game.as_mut().map_err(|error| error.clone())?;
        let illegal = || MindError::NotLegal(joint.join(" "));
        if joint.len() != game.role_count() {
            return Err(illegal());
        }
        let mut expansion = Expansion::new();
        let mut workspace = game.workspace();
        let fault = |fault: game::RuleFault| MindError::Rules(fault.to_string());
        game.expand(&mut workspace, state, &mut expansion).map_err(fault)?;
        let find = |(role, text): (usize, &String)| {
            let role = RoleId(role as u16);
            game.find_move(role, text).filter(|id| expansion.legal(role).contains(id))
        };
        let ids: Option<Vec<_>> = joint.iter().enumerate().map(find).collect();
        *state = game.apply(&mut workspace, state, &ids.ok_or_else(illegal)?).map_err(fault)?;
        Ok(())
    }
}
