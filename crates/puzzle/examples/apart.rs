//! Puzzles of several parts, with and without solving the parts apart, at equal time.
//!
//! ```text
//! cargo run --release -p puzzle --example apart -- SECONDS RULES.kif..
//! ```
//!
//! Time is that of the processor, of one thread. Prints a row of a table for each sheet.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use puzzle::method::METHODS;
use puzzle::{Clock, Options, Portfolio, Space};

fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().unwrap().parse().unwrap();
    println!(
        "| puzzle | parts | with: score | moves | found by | at | without: score | moves | found by | at |"
    );
    println!("| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | --- | ---: |");
    for path in arguments {
        let rules = gdl::normal::read(&std::fs::read_to_string(&path).unwrap());
        let budget = ground::Budget::unlimited();
        let circuit = machine::build::circuit(&rules, circuit::Effort::Thorough, &budget).unwrap().circuit;
        let parts = circuit.parts();
        let sizes: Vec<String> = parts.facts.iter().map(|facts| facts.len().to_string()).collect();
        let machine = Arc::new(CircuitMachine::new(circuit));
        let space = Arc::new(Space::new(Arc::new(BatchMachine::new(machine))).unwrap());
        let options = Options { threads: 1, bytes: 1 << 30, seed: 1 };
        let run = |names: Vec<String>| {
            let portfolio = Portfolio::named(&space, options, &names).unwrap();
            let begin = cpu_time();
            let clock: Clock = Arc::new(move || cpu_time() - begin);
            portfolio.work(Duration::from_secs_f64(seconds), &clock, &AtomicBool::new(false));
            portfolio.best().map_or("| – | – | – | –".to_owned(), |found| {
                let (score, moves) = (found.plan.score.0, found.plan.moves.len());
                format!("| {score} | {moves} | {} | {:.2} s", found.method, found.time.as_secs_f64())
            })
        };
        let usual = || METHODS.iter().filter(|entry| entry.share > 0.0).map(|entry| entry.name.to_owned());
        let with = run(usual().collect());
        let without = run(usual().filter(|name| name != "apart").collect());
        let name = path.trim_end_matches("/rules.kif").rsplit('/').next().unwrap_or_default();
        println!("| {} | {} {with} {without} |", name.trim_end_matches(".kif"), sizes.join("+"));
    }
}
