//! How fast moves are found without any machine, by what a player has for games that no machine comes to an end with.
//!
//! `cargo run --release -p player --example rescued -- SECONDS GAME..`
//!
//! A GAME is a bundled one or a file of rules. Each role's player has no memory for a machine and plays the first legal move that it
//! finds; the reference reasoner says when the game is over, whether the moves are legal, and is not counted. So many seconds of the processor a
//! game: joint moves a second.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Describe, Expansion, Game, RoleId};
use machine::reference::Reference;
use player::{Clock, Limit, Machines, Player, Room, Setup};

/// Time for a move, by the clock.
const TURN: Duration = Duration::from_secs(4);

/// Processor time of the whole process.
fn worked() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, games @ ..] = &arguments[..] else { return Err("SECONDS GAME.. are wanted".into()) };
    let time = Duration::try_from_secs_f64(seconds.parse()?)?;
    for name in games {
        let text = match bundled::find(name) {
            Ok(game) => game.rules.to_owned(),
            Err(_) => std::fs::read_to_string(name)?,
        };
        let (mut steps, mut spent) = (0u32, Duration::ZERO);
        let outcome = loop {
            if spent >= time {
                break Ok(());
            }
            if let Err(error) = play(&text, time, &mut steps, &mut spent) {
                break Err(error);
            }
        };
        let speed = f64::from(steps) / spent.as_secs_f64().max(1e-9);
        match outcome {
            Ok(()) => println!("{name}: {speed:.0} joint moves a second"),
            Err(error) => println!("{name}: {error} after {steps} joint moves"),
        }
    }
    Ok(())
}

/// A match, or as much of it as there is time for.
fn play(text: &str, time: Duration, steps: &mut u32, spent: &mut Duration) -> Result<(), Box<dyn Error>> {
    let rules = gdl::normal::read(text);
    let truth = Reference::new(&rules, Default::default())?;
    let begun = Instant::now();
    let clock: Clock = Arc::new(move || begun.elapsed());
    let room = Room { circuit: 0, reference: 0 };
    let machines = Machines::build_within(rules, Duration::ZERO, room, Arc::clone(&clock));
    let player = |role| {
        let (agent, clock) = ("legal".parse()?, Arc::clone(&clock));
        let setup = Setup { machines: Arc::clone(&machines), role, agent, seed: 1, ponder: false, clock };
        Ok(Player::new(setup)?)
    };
    let mut players = (0..truth.role_count()).map(player).collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let (mut workspace, mut state) = (truth.workspace(), truth.initial());
    let mut expansion = Expansion::new();
    while *spent < time {
        truth.expand(&mut workspace, &state, &mut expansion)?;
        if expansion.is_terminal() {
            break;
        }
        let before = worked();
        let until = Limit { until: Some(clock() + TURN), simulations: None };
        let joint = players.iter_mut().map(|player| Ok(player.choose(until)?.spelling));
        let joint = joint.collect::<Result<Vec<String>, Box<dyn Error>>>()?;
        let ids = (0..).map(RoleId).zip(&joint).map(|(role, text)| truth.find_move(role, text));
        let ids: Vec<_> = ids.collect::<Option<_>>().ok_or("a move is not known")?;
        if !ids.iter().zip(expansion.by_role()).all(|(id, legal)| legal.contains(id)) {
            return Err("a move is not legal".into());
        }
        players.iter_mut().try_for_each(|player| player.advance(&joint).map(|_| ()))?;
        *spent += worked() - before;
        *steps += 1;
        state = truth.apply(&mut workspace, &state, &ids)?;
    }
    Ok(())
}
