//! Matches between two agents in games of two roles, roles exchanged, at equal times of the processor.
//!
//! `cargo run --release -p player --example duel -- ONE OTHER MILLISECONDS MATCHES GAME..`
//!
//! A GAME is a bundled one or a file of rules. One player thinks at a time, on one thread, and only its own work counts: so other
//! work on the computer takes nothing from either. Before the first move there are ten times as many milliseconds.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use game::{Describe, Expansion, Game, GoalReading, RoleId};
use machine::reference::Reference;
use player::{Clock, Limit, Machines, Player, Setup};

/// Processor time of the whole process.
fn worked() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [one, other, milliseconds, matches, games @ ..] = &arguments[..] else {
        return Err("ONE OTHER MILLISECONDS MATCHES GAME.. are wanted".into());
    };
    let time = Duration::from_millis(milliseconds.parse()?);
    let matches: u64 = matches.parse()?;
    println!("{one} against {other}, {milliseconds} ms a move");
    for name in games {
        let text = match bundled::find(name) {
            Ok(game) => game.rules.to_owned(),
            Err(_) => std::fs::read_to_string(name)?,
        };
        let (mut wins, mut draws, mut losses, mut sums) = (0, 0, 0, [0u32; 2]);
        for number in 0..matches {
            let swapped = number % 2 == 1;
            let agents = if swapped { [other, one] } else { [one, other] };
            let mut goals = play(&text, agents.map(String::as_str), number, time)?;
            if swapped {
                goals.reverse();
            }
            let [own, others] = goals[..] else { return Err(format!("{name} is not for two").into()) };
            match own.cmp(&others) {
                std::cmp::Ordering::Greater => wins += 1,
                std::cmp::Ordering::Equal => draws += 1,
                std::cmp::Ordering::Less => losses += 1,
            }
            sums = [sums[0] + u32::from(own), sums[1] + u32::from(others)];
        }
        let mean = |sum: u32| f64::from(sum) / matches as f64;
        println!(
            "{name}: {wins} won, {draws} drawn, {losses} lost; goals {:.1} to {:.1}",
            mean(sums[0]),
            mean(sums[1])
        );
    }
    Ok(())
}

/// Plays a match; the goals.
fn play(text: &str, agents: [&str; 2], seed: u64, time: Duration) -> Result<Vec<u8>, Box<dyn Error>> {
    let rules = gdl::normal::read(text);
    let begin = worked();
    let clock: Clock = Arc::new(move || worked().saturating_sub(begin));
    let machines = Machines::build(rules.clone(), Duration::from_secs(60), 1 << 30, Arc::clone(&clock));
    // All of building is done before anybody thinks.
    while machines.last().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut players = Vec::new();
    for (role, agent) in agents.iter().enumerate() {
        let setup = Setup {
            machines: Arc::clone(&machines),
            role,
            agent: agent.parse()?,
            seed: seed * 2 + role as u64,
            ponder: false,
            clock: Arc::clone(&clock),
        };
        players.push(Player::new(setup)?);
    }
    let referee = Reference::new(&rules, Default::default())?;
    let (mut workspace, mut state) = (referee.workspace(), referee.initial());
    let (mut expansion, mut goals): (Expansion, Vec<GoalReading>) = Default::default();
    let mut turn = 0;
    loop {
        referee.expand(&mut workspace, &state, &mut expansion)?;
        if expansion.is_terminal() {
            referee.goals(&mut workspace, &state, &mut goals)?;
            return Ok(goals.iter().map(|goal| goal.value().0).collect());
        }
        let mut joint = Vec::new();
        for player in &mut players {
            let length = if turn == 0 { time * 10 } else { time };
            joint.push(player.choose(Limit::until(clock() + length))?.text);
        }
        let mut ids = Vec::new();
        for (role, text) in joint.iter().enumerate() {
            let role = RoleId(role as u16);
            let id = referee.find_move(role, text).filter(|id| expansion.legal(role).contains(id));
            ids.push(id.ok_or_else(|| format!("`{text}` is not legal"))?);
        }
        state = referee.apply(&mut workspace, &state, &ids)?;
        for player in &mut players {
            player.advance(&joint)?;
        }
        turn += 1;
    }
}
