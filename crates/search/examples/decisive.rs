//! What it costs to look for moves that decide in playouts, game by game: operations of a sweep, playouts
//! and steps in a second of processor time, and what playouts then say of the beginning.
//!
//! ```text
//! cargo run --release -p search --example decisive -- connect-four breakthrough
//! ```

#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Decisive, Game, Job, Outcomes, PlayOptions, Simulator};
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;

const GAMES: [&str; 8] =
    ["connect-four", "breakthrough", "pentago", "hex", "othello", "checkers", "amazons", "skirmish"];

/// Time on the processor, if the system tells it; else the time of day.
fn processor_time(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let named: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> =
        if named.is_empty() { GAMES.to_vec() } else { named.iter().map(String::as_str).collect() };
    println!("| game | looks for | made in ms | operations | playouts/s | steps/s | length | first role |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for name in names {
        let game = bundled::find(name)?;
        let rules = gdl::normal::read(game.rules);
        let build = machine::build::circuit(&rules, circuit::Effort::Thorough, &ground::Budget::unlimited())?;
        let batch = BatchMachine::new(Arc::new(CircuitMachine::new(build.circuit)));
        let mut workspace = batch.workspace();
        let initial = batch.initial();
        for decisive in [Decisive::None, Decisive::Wins, Decisive::WinsAndStops] {
            let options = PlayOptions { decisive, ..PlayOptions::default() };
            let before = processor_time(start);
            let cost = batch.decisive_cost(decisive);
            let made = (processor_time(start) - before).as_millis();
            let Some(cost) = cost.filter(|_| batch.supports(&options)) else {
                println!("| {name} | {decisive:?} | {made} | not in lanes | | | | |");
                continue;
            };
            let (mut playouts, mut steps, mut goals) = (0u64, 0u64, 0u64);
            let mut outcomes = Outcomes::default();
            let begun = processor_time(start);
            let mut spent = Duration::ZERO;
            let mut seed = 0;
            while spent < Duration::from_millis(1500) {
                seed += 1;
                let options = PlayOptions { seed, ..options };
                batch.play(&mut workspace, &[Job::new(&initial, 4096)], &options, &mut outcomes)?;
                playouts += outcomes.len() as u64;
                for playout in 0..outcomes.len() {
                    steps += u64::from(outcomes.length(playout));
                    goals += u64::from(outcomes.goals(playout)[0].0);
                }
                spent = processor_time(start) - begun;
            }
            let second = |count: u64| count as f64 / spent.as_secs_f64();
            println!(
                "| {name} | {decisive:?} | {made} | {} | {:.0} | {:.0} | {:.1} | {:.1} |",
                cost.operations,
                second(playouts),
                second(steps),
                steps as f64 / playouts as f64,
                goals as f64 / playouts as f64,
            );
        }
    }
    Ok(())
}
