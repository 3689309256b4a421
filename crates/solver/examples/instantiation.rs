//! Of how many games all states can be had, and how fast they are walked then.
//!
//! ```text
//! cargo run --release -p solver --example instantiation -- MILLISECONDS MIB GAME..
//! ```
//!
//! Each bundled game or rule sheet has 5 s of the processor to become a circuit in lanes, then so many milliseconds and MiB to
//! become its state graph, without symmetries. A line for each: why not, or how many states there are, the time they took, and random
//! steps a second of the processor; then how many games became what, and the geometric mean of steps a second.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::Duration;

use game::Dice;
use machine::{Target, Wanted};
use solver::{Limits, NodeId, Reduction, Shape, StateGraph};

/// Processor time to make a machine, and to walk.
const BUILD: Duration = Duration::from_secs(5);
const WALK: Duration = Duration::from_millis(100);
/// Steps between two looks at the clock.
const STEPS: u32 = 10_000;

/// Processor time of the whole process.
fn worked() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap(), now.tv_nsec.try_into().unwrap())
}

/// Random steps a second.
fn walk(graph: &StateGraph) -> f64 {
    let (mut dice, mut node, mut steps, begun) = (Dice::new(1), NodeId(0), 0u64, worked());
    while worked() - begun < WALK {
        for _ in 0..STEPS {
            node = match graph.shape(node) {
                Shape::Over(_) => NodeId(0),
                _ => {
                    let next = graph.successors(node);
                    steps += 1;
                    NodeId(next[dice.below(next.len())])
                }
            };
        }
    }
    steps as f64 / (worked() - begun).as_secs_f64()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let milliseconds = Duration::from_millis(arguments.next().unwrap().parse().unwrap());
    let bytes: usize = arguments.next().unwrap().parse::<usize>().unwrap() << 20;
    let (mut games, mut built, mut speeds) = (0, 0, Vec::new());
    for name in arguments {
        let rules = match bundled::find(&name) {
            Ok(game) => game.rules.to_owned(),
            Err(_) => std::fs::read_to_string(&name).unwrap(),
        };
        let name = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".kif");
        games += 1;
        let begun = worked();
        let since = move || worked() - begun;
        let limits = machine::Limits { clock: &since, time: BUILD, bytes: 1 << 30, stop: None };
        let made = machine::from_text(&rules, Wanted::Batch(Target::detect()), &limits);
        let Some(batch) = made.as_ref().ok().and_then(|made| made.lanes()) else {
            println!("{name}: no circuit in lanes");
            continue;
        };
        built += 1;
        let begun = worked();
        let limits = Limits { bytes, is_over: &|| worked() - begun > milliseconds };
        match StateGraph::explore(batch, Reduction::default(), &limits) {
            Err(error) => println!("{name}: {error}"),
            Ok(graph) => {
                let (time, speed) = (worked() - begun, walk(&graph));
                println!("{name}: {} states in {:.3} s, {speed:.0} steps/s", graph.len(), time.as_secs_f64());
                speeds.push(speed);
            }
        }
    }
    let mean = (speeds.iter().map(|speed| speed.ln()).sum::<f64>() / speeds.len() as f64).exp();
    println!("{games} games, {built} in lanes, {} as their state graph, {mean:.0} steps/s", speeds.len());
}
