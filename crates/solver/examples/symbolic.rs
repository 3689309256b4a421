//! Games solved by sets of states beside their state graphs.
//!
//! ```text
//! cargo run --profile test -p solver --example symbolic -- MEGABYTES SECONDS GAME..
//! ```
//!
//! Prints a row of a table for each bundled game or rule sheet: states, nodes of the diagram of all states and of all diagrams at
//! the most, seconds of the processor to solve it, what the roles are sure of and in how many moves; then the same by the state
//! graph without symmetries, and in how many of 100 random positions the two differ. Each has so many megabytes and seconds.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::{Duration, Instant};

use game::{Dice, Expansion, Game};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;
use machine::{Target, Wanted};
use solver::{Limits, Reduction, Solution, Solved, StateGraph, Symbolic, Worth};

/// Positions to compare.
const POSITIONS: usize = 100;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let bytes = arguments.next().unwrap().parse::<usize>().unwrap() << 20;
    let seconds = Duration::from_secs(arguments.next().unwrap().parse().unwrap());
    println!(
        "| game | states | nodes of all states | nodes at the most | seconds | sure of | in moves | states of the graph | seconds | MB | differences |"
    );
    println!("| --- |{}", " ---: |".repeat(10));
    for name in arguments {
        let rules = match bundled::find(&name) {
            Ok(game) => game.rules.to_owned(),
            Err(_) => std::fs::read_to_string(&name).unwrap(),
        };
        let name = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".kif");
        let limits = machine::Limits { time: Duration::MAX, ..machine::Limits::generous() };
        match machine::from_text(&rules, Wanted::Batch(Target::detect()), &limits) {
            Ok(machine) => machine.lanes().iter().for_each(|batch| row(name, batch, bytes, seconds)),
            Err(error) => println!("| {name} | {error} |"),
        }
    }
}

/// Something, and the seconds of the processor that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let now = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    };
    let begin = now();
    let done = work();
    (done, now() - begin)
}

fn row(name: &str, batch: &BatchMachine, bytes: usize, most: Duration) {
    let begin = Instant::now();
    let is_over = || begin.elapsed() >= most;
    let limits = Limits { bytes, is_over: &is_over };
    let (sets, seconds) = timed(|| Symbolic::solve(batch.machine(), &limits, &|_| {}));
    match &sets {
        Ok(sets) => {
            let worths = sets.worths(&batch.initial()).unwrap().unwrap();
            let list = |of: &dyn Fn(&Worth) -> f32| {
                worths.iter().map(|worth| of(worth).to_string()).collect::<Vec<_>>().join(", ")
            };
            print!(
                "| {name} | {} | {} | {} | {seconds:.2} | {} | {} |",
                sets.states().map_or_else(|| "> 2^128".to_owned(), |states| states.to_string()),
                sets.nodes(),
                sets.most_nodes(),
                list(&|worth| worth.value),
                if sets.knows_steps() { list(&|worth| worth.steps) } else { "?".to_owned() },
            );
        }
        Err(error) => print!("| {name} | {error} | | | {seconds:.2} | | |"),
    }
    let begin = Instant::now();
    let is_over = || begin.elapsed() >= most;
    let limits = Limits { bytes, is_over: &is_over };
    let reduction = Reduction { idle: true, ..Reduction::default() };
    let (graph, seconds) = timed(|| {
        StateGraph::explore(batch, reduction, &limits).and_then(|graph| Solution::new(graph, &limits))
    });
    let Ok(graph) = graph.inspect_err(|error| println!(" {error} | {seconds:.2} | | |")) else { return };
    let megabytes = graph.graph().bytes() / 1_000_000;
    let differences = sets.map_or_else(|_| String::new(), |sets| differing(batch, &sets, &graph).to_string());
    println!(" {} | {seconds:.2} | {megabytes} | {differences} |", graph.graph().len());
}

/// In how many random positions the two do not agree on what is sure and, where that is something, how soon.
fn differing(batch: &BatchMachine, one: &Symbolic, other: &Solution) -> usize {
    let same = |one: &Worth, other: &Worth| {
        one.value == other.value && (one.value == 0.0 || one.steps == other.steps)
    };
    let differ = |state: &CircuitState| {
        let (one, other) = (one.worths(state).unwrap().unwrap(), other.worths(state).unwrap().unwrap());
        !one.iter().zip(&other).all(|(one, other)| same(one, other))
    };
    let (mut workspace, mut expansion, mut dice) = (batch.workspace(), Expansion::new(), Dice::new(5));
    let (mut state, mut count, mut length) = (batch.initial(), 0, 0);
    for _ in 0..POSITIONS {
        count += usize::from(differ(&state));
        batch.expand(&mut workspace, &state, &mut expansion).unwrap();
        length += 1;
        // Play that comes back has no end.
        state = if expansion.is_terminal() || length % POSITIONS == 60 {
            batch.initial()
        } else {
            let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            batch.apply(&mut workspace, &state, &joint).unwrap()
        };
    }
    count
}
