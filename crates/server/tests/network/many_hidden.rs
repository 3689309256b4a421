//! Many matches over the wire between players that do not see everything: none is late, none makes a move that is not
//! legal, and what each is told always agrees with something it holds for possible.
//!
//! A dozen are played, a game each, unless `LUDENS_HIDDEN_MATCHES` says how many:
//!
//! ```text
//! LUDENS_HIDDEN_MATCHES=1000 cargo test --release -p server --test network many_matches -- --nocapture
//! ```
//!
//! With `LUDENS_HIDDEN_THINKING=200` players think for so many milliseconds a move, where the clock would let them
//! think for a second: a thousand matches then take an hour on one processor. With `LUDENS_HIDDEN_FIRST=400` those from number 400
//! on are played, so that a run that was ended can be gone on with.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use game::Describe;
use machine::reference::Reference;
use protocol::Manner;
use referee::{Clocks, Match, Nobody, PerceptForm, Rulebook, Settings};
use server::{Limits, Opponent, conduct};

use crate::support::{Served, options, rules, runtime, serve_with};

/// All bundled games in which something is hidden or drawn, those with long matches last.
const GAMES: [&str; 17] = [
    "kuhn-poker",
    "banker-and-thief",
    "battleships-in-fog",
    "monty-hall",
    "kriegspiel-tic-tac-toe",
    "number-guessing",
    "leduc-poker",
    "tiny-hanabi",
    "liars-dice",
    "blind-tic-tac-toe",
    "mastermind-small",
    "mastermind",
    "battleship",
    "dark-hex",
    "spy-against-spy",
    "stratego-small",
    "backgammon",
];

const AGENTS: [&str; 6] = ["ludens", "information-sets", "equilibrium", "determinised", "nested", "random"];

/// Matches that go on at once: one for each processor. With more the clocks would measure how the computer divides itself.
fn at_once() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Clocks of two seconds, of which half is for thinking, as a player keeps no more than half for itself: the rest is for a
/// busy computer.
const CLOCK: Duration = Duration::from_secs(2);
const MARGIN: Duration = Duration::from_secs(1);

/// The number in a variable of the environment.
fn wanted(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// A player for each agent.
fn players() -> Vec<Served> {
    let thinking = wanted("LUDENS_HIDDEN_THINKING").map(Duration::from_millis);
    let player = |agent: &&str| {
        let options = server::SessionOptions {
            matches: 2 * at_once() + 2,
            matches_per_address: 2 * at_once() + 2,
            memory: 64 << 20,
            margin: MARGIN,
            thinking,
            ..options(agent)
        };
        serve_with(options, Limits::default())
    };
    AGENTS.iter().map(player).collect()
}

/// What came of some matches of a game.
#[derive(Default)]
struct Account {
    matches: usize,
    turns: usize,
    faults: Vec<String>,
}

/// Plays a match: which game, who plays and how percepts are sent depends on its number.
fn play(number: usize, players: &[Served]) -> (&'static str, usize, Vec<String>) {
    let game = GAMES[number % GAMES.len()];
    let sheet = gdl::parse(&gdl::SourceFile::new(game, rules(game))).sheet;
    let machine = Reference::new(&gdl::normal::normalize(&sheet), Default::default()).expect("playable");
    let book = Rulebook::new(&sheet, None);
    let round = number / GAMES.len();
    let settings = Settings {
        match_id: format!("hidden.{number}"),
        clocks: Clocks { preview: Duration::ZERO, start: CLOCK, play: CLOCK },
        percept_form: if round.is_multiple_of(2) { PerceptForm::Turn } else { PerceptForm::List },
        seed: number as u64,
        ..Settings::default()
    };
    let seat = |(place, role): (usize, &String)| {
        // Everybody meets everybody else, and nobody itself: a player knows a match by its name alone.
        let shift = if place == 0 { round } else { round + 1 + round / AGENTS.len() % (AGENTS.len() - 1) };
        let player = &players[(number + shift) % players.len()];
        (role != "random").then(|| Opponent::Remote(player.address.to_string().parse().expect("an address")))
    };
    let opponents: Vec<Option<Opponent>> = machine.roles().iter().enumerate().map(seat).collect();
    let current = Match::new(&machine, &book, settings, 0).expect("sound");
    let record = runtime().block_on(conduct(current, &opponents, Manner::Plain, &mut Nobody)).record;
    let mut faults: Vec<String> =
        record.errors.iter().flatten().filter(|text| !text.is_empty()).cloned().collect();
    if !record.is_completed {
        faults.push("it did not come to an end".to_owned());
    }
    (game, record.moves.len(), faults)
}

/// What the players have counted, a line each.
fn counted(players: &[Served]) -> String {
    let counters = [
        "moves",
        "late_moves",
        "inconsistent_steps",
        "fallback_moves",
        "unthought_moves",
        "replaced_moves",
        "skipped_plays",
        "agent_faults",
    ];
    let mut text = format!("agent: {}", counters.join(", "));
    for (agent, player) in AGENTS.iter().zip(players) {
        let counted: Vec<String> = counters.iter().map(|name| player.counter(name).to_string()).collect();
        text += &format!("\n{agent}: {}", counted.join(", "));
    }
    text
}

#[test]
fn many_matches_without_a_late_illegal_or_inconsistent_move() {
    let first = wanted("LUDENS_HIDDEN_FIRST").map_or(0, |number| number as usize);
    let wanted = wanted("LUDENS_HIDDEN_MATCHES").map_or(12, |number| number as usize);
    let players = players();
    let accounts: Mutex<BTreeMap<&str, Account>> = Mutex::default();
    let next = AtomicUsize::new(first);
    std::thread::scope(|scope| {
        for _ in 0..at_once() {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= wanted {
                        return;
                    }
                    let inconsistent = || players.iter().map(|player| player.counter("inconsistent_steps"));
                    let before: u64 = inconsistent().sum();
                    let (game, turns, mut faults) = play(number, &players);
                    if inconsistent().sum::<u64>() > before {
                        // Those of another match that goes on at the same time are told twice.
                        faults.push("an inconsistent step".to_owned());
                    }
                    let mut accounts = accounts.lock().expect("no panic");
                    let account = accounts.entry(game).or_default();
                    account.matches += 1;
                    account.turns += turns;
                    for fault in faults {
                        println!("match {number}, {game}: {fault}");
                        account.faults.push(format!("match {number}: {fault}"));
                    }
                    let faults: usize = accounts.values().map(|account| account.faults.len()).sum();
                    if (number + 1).is_multiple_of(50) {
                        println!("{} matches begun, {faults} faults\n{}", number + 1, counted(&players));
                    }
                }
            });
        }
    });
    let accounts = accounts.into_inner().expect("no panic");
    println!("game: matches, turns, faults");
    for (game, account) in &accounts {
        println!("{game}: {}, {}, {}", account.matches, account.turns, account.faults.len());
    }
    println!("{}", counted(&players));
    let faults: Vec<&String> = accounts.values().flat_map(|account| &account.faults).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(accounts.values().map(|account| account.matches).sum::<usize>(), wanted.saturating_sub(first));
    for (agent, player) in AGENTS.iter().zip(&players) {
        for name in ["late_moves", "inconsistent_steps", "replaced_moves", "skipped_plays", "agent_faults"] {
            assert_eq!(player.counter(name), 0, "{name} of {agent}");
        }
    }
}
