//! Plays one-player games under real clocks and says what was scored.
//!
//! `cargo run --release -p player --example puzzles -- AGENT START PLAY RUNS RULES.kif..`
//!
//! START and PLAY are the clocks in seconds. A tenth of a second of each is kept for the way a
//! message would take.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Describe, Expansion, Game, GoalReading, RoleId};
use gdl::normal::NormalRules;
use machine::reference::Reference;
use player::{AgentSpec, Clock, Limit, Machines, Player, Setup};

const MARGIN: Duration = Duration::from_millis(100);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [agent, start, play, runs, sheets @ ..] = &arguments[..] else {
        return Err("AGENT START PLAY RUNS RULES.kif.. are wanted".into());
    };
    let agent: AgentSpec = agent.parse()?;
    let (start, play) = (Duration::from_secs_f64(start.parse()?), Duration::from_secs_f64(play.parse()?));
    let runs: u64 = runs.parse()?;
    let mut sum = 0.0;
    for sheet in sheets {
        let text = std::fs::read_to_string(sheet)?;
        let rules = gdl::normal::read(&text);
        let mut scores = Vec::new();
        for seed in 1..=runs {
            scores.push(run(&rules, &agent, seed, start, play)?);
        }
        let mean = scores.iter().map(|&score| f64::from(score)).sum::<f64>() / runs as f64;
        sum += mean;
        println!("{mean:>6.1}  {sheet}  {scores:?}");
    }
    println!("{:>6.1}  on average", sum / sheets.len() as f64);
    Ok(())
}

/// Plays a game once and says what the reference reasoner gives for it.
fn run(
    rules: &NormalRules,
    agent: &AgentSpec,
    seed: u64,
    start: Duration,
    play: Duration,
) -> Result<u8, Box<dyn Error>> {
    let begin = Instant::now();
    let clock: Clock = Arc::new(move || begin.elapsed());
    let machines = Machines::build(rules.clone(), start, 2 << 30, Arc::clone(&clock));
    let setup =
        Setup { machines, role: 0, agent: agent.clone(), seed, ponder: false, clock: Arc::clone(&clock) };
    let mut player = Player::new(setup)?;
    player.prepare(Some(start.saturating_sub(MARGIN)))?;
    let referee = Reference::new(rules, Default::default())?;
    let mut workspace = referee.workspace();
    let mut state = referee.initial();
    let mut expansion = Expansion::new();
    loop {
        referee.expand(&mut workspace, &state, &mut expansion)?;
        if expansion.is_terminal() {
            break;
        }
        let decision = player.choose(Limit::until(clock() + play.saturating_sub(MARGIN)))?;
        let legal = expansion.legal(RoleId(0)).iter().find(|&&id| referee.move_text(id) == decision.text);
        let id = *legal.ok_or_else(|| format!("{} is not legal", decision.text))?;
        state = referee.apply(&mut workspace, &state, &[id])?;
        player.advance(&[decision.text])?;
    }
    let mut readings: Vec<GoalReading> = Vec::new();
    referee.goals(&mut workspace, &state, &mut readings)?;
    Ok(readings.first().copied().unwrap_or_default().value().0)
}
