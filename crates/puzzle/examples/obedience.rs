//! How often playouts of MiNI-Player should do as their strategy says: the highest score of one strategy alone
//! after some simulations, by how often it is obeyed.
//!
//! `cargo run --release -p puzzle --example obedience -- SIMULATIONS RUNS RULES.kif..`

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use game::{Game, Goal};
use machine::circuit::CircuitMachine;
use puzzle::Clock;
use puzzle::method::mini::{Limit, MiniOptions, MiniPlayer, Obedience, Strategy};

/// What is tried: the ends of the paper's range and what is between.
const TRIED: [f64; 6] = [0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [simulations, runs, sheets @ ..] = &arguments[..] else {
        return Err("SIMULATIONS RUNS RULES.kif.. are wanted".into());
    };
    let (simulations, runs): (u64, u64) = (simulations.parse()?, runs.parse()?);
    let mut machines = Vec::new();
    for sheet in sheets {
        let rules = gdl::normal::read(&std::fs::read_to_string(sheet)?);
        let budget = ground::Budget::unlimited();
        let build = machine::build::circuit(&rules, circuit::Effort::Quick, &budget)?;
        machines.push(Arc::new(CircuitMachine::new(build.circuit)));
    }
    let exploration = |depth| Strategy::Exploration { depth, both_ways: true };
    let strategies = [
        exploration(4),
        exploration(8),
        Strategy::Mobility,
        Strategy::History,
        Strategy::Goal,
        Strategy::Symbols,
        Strategy::Score,
    ];
    for strategy in strategies {
        print!("{strategy:?}:");
        for obedience in TRIED {
            let mut sum = 0.0;
            for machine in &machines {
                let scores = (1..=runs).map(|seed| highest(machine, strategy, obedience, simulations, seed));
                sum += scores.map(|goal| f64::from(goal.0)).sum::<f64>() / runs as f64;
            }
            print!("  {obedience} {:.1}", sum / machines.len() as f64);
        }
        println!();
    }
    Ok(())
}

/// The highest score that one strategy finds.
fn highest(
    machine: &Arc<CircuitMachine>,
    strategy: Strategy,
    often: f64,
    simulations: u64,
    seed: u64,
) -> Goal {
    let obedience = Obedience {
        exploration: often,
        mobility: often,
        history: often,
        goal: often,
        symbols: often,
        score: often,
    };
    // Where the strategy has nothing to go by, chance plays.
    let strategies = vec![strategy, Strategy::Random];
    let options = MiniOptions { strategies, obedience, seed, ..MiniOptions::default() };
    let clock: Clock = Arc::new(|| Duration::ZERO);
    let player = MiniPlayer::new(machine, &machine.initial(), &options, 1, Goal(100));
    let Some(mut player) = player else { return Goal(0) };
    let limit = Limit { until: None, simulations: Some(simulations) };
    player.work(limit, &clock, &AtomicBool::new(false));
    player.board().score().unwrap_or_default()
}
