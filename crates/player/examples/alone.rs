//! Matches of games for one, by the time of the processor.
//!
//! `cargo run --release -p player --example alone -- AGENT START PLAY MATCHES RULES.kif..`
//!
//! START and PLAY are the clocks in seconds, and the machine is there when the first one begins. Only the player's own work
//! counts: so other work on the computer takes nothing from it. A move that comes too late is made by lot.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use game::{Describe, Dice, Expansion, Game, GoalReading, RoleId};
use machine::reference::Reference;
use player::{AgentSpec, Clock, Limit, Machines, Player, PlayerError, Setup};

/// Processor time of the whole process.
fn worked() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [agent, start, play, matches, sheets @ ..] = &arguments[..] else {
        return Err("AGENT START PLAY MATCHES RULES.kif.. are wanted".into());
    };
    let agent: AgentSpec = agent.parse()?;
    let (start, play) = (Duration::from_secs_f64(start.parse()?), Duration::from_secs_f64(play.parse()?));
    let matches: u64 = matches.parse()?;
    for sheet in sheets {
        let rules = gdl::normal::read(&std::fs::read_to_string(sheet)?);
        let clock: Clock = Arc::new(worked);
        let machines = Machines::build(rules.clone(), Duration::from_secs(60), 1 << 30, clock);
        // The last machine is the best, and all of building is done before anybody thinks.
        machines.last();
        let referee = Reference::new(&rules, Default::default())?;
        let mut scores = Vec::new();
        for seed in 1..=matches {
            scores.push(play_match(&referee, &machines, &agent, seed, (start, play))?);
        }
        let mean = scores.iter().map(|&score| f64::from(score)).sum::<f64>() / matches as f64;
        println!("{mean:>6.1}  {sheet}  {scores:?}");
    }
    Ok(())
}

/// Plays a match; its score.
fn play_match(
    referee: &Reference,
    machines: &Arc<Machines>,
    agent: &AgentSpec,
    seed: u64,
    (start, play): (Duration, Duration),
) -> Result<u8, Box<dyn Error>> {
    let begin = worked();
    let clock: Clock = Arc::new(move || worked().saturating_sub(begin));
    let (machines, agent) = (Arc::clone(machines), agent.clone());
    let setup = Setup { machines, role: 0, agent, seed, ponder: false, clock: Arc::clone(&clock) };
    let mut player = Player::new(setup)?;
    player.prepare(Some(clock() + start))?;
    let mut dice = Dice::new(seed);
    let (mut workspace, mut state) = (referee.workspace(), referee.initial());
    let (mut expansion, mut goals): (Expansion, Vec<GoalReading>) = Default::default();
    loop {
        referee.expand(&mut workspace, &state, &mut expansion)?;
        if expansion.is_terminal() {
            referee.goals(&mut workspace, &state, &mut goals)?;
            return Ok(goals.first().copied().unwrap_or_default().value().0);
        }
        let legal = expansion.legal(RoleId(0));
        let chosen = match player.choose(Limit::until(clock() + play)) {
            Ok(decision) => legal.iter().find(|&&id| referee.move_text(id) == decision.text),
            Err(PlayerError::TooLate) => None,
            Err(error) => return Err(error.into()),
        };
        let drawn = || legal.get(dice.below(legal.len().max(1)));
        let &id = chosen.or_else(drawn).ok_or("there is no legal move")?;
        let text = referee.move_text(id);
        state = referee.apply(&mut workspace, &state, &[id])?;
        player.advance(&[text])?;
    }
}
