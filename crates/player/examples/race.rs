//! What the race of settings chooses before the first move of games, by the time of the processor.
//!
//! `cargo run --release -p player --example race -- AGENT SECONDS GAME..`
//!
//! SECONDS are those of the start clock; the race has half of them at most, and a quarter more if somebody is on the way to be
//! chosen. Only the player's own work counts.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use player::{Clock, Limit, Machines, Player, Setup};

/// What a move has after the start clock.
const MOVE: Duration = Duration::from_millis(100);

/// Processor time of the whole process.
fn worked() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [agent, seconds, games @ ..] = &arguments[..] else {
        return Err("AGENT SECONDS GAME.. are wanted".into());
    };
    let start = Duration::from_secs_f64(seconds.parse()?);
    for name in games {
        let rules = gdl::normal::read(bundled::find(name)?.rules);
        let clock: Clock = Arc::new(worked);
        let machines = Machines::build(rules, Duration::from_secs(60), 1 << 30, Arc::clone(&clock));
        // The last machine is the best, and all of building is done before anybody thinks.
        machines.last();
        let agent = agent.parse()?;
        let setup = Setup { machines, role: 0, agent, seed: 1, ponder: false, clock: Arc::clone(&clock) };
        let mut player = Player::new(setup)?;
        player.prepare(Some(clock() + start))?;
        let decision = player.choose(Limit::until(clock() + MOVE))?;
        println!("{name}: {}", decision.tuning.as_deref().unwrap_or("no race"));
    }
    Ok(())
}
