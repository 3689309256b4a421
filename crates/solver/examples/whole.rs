//! Games solved outright by their state graph: how large it is, what roles are sure of, and what that takes.
//!
//! ```text
//! cargo run --release -p solver --example whole -- MIB plain|reduced GAME..
//! ```
//!
//! Prints a row of a table for each bundled game or rule sheet, with all states as they are or with those taken for one that
//! need not be told apart. Seconds are of the processor: to meet all states, and to work out what they are worth.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::Duration;

use game::RoleId;
use machine::{Target, Wanted};
use solver::{Limits, NodeId, Reduction, Solution, SolverError, StateGraph};

/// Processor time of the whole process.
fn worked() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap(), now.tv_nsec.try_into().unwrap())
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let bytes = arguments.next().unwrap().parse::<usize>().unwrap() << 20;
    let reduction = match arguments.next().as_deref() {
        Some("reduced") => Reduction::ALL,
        _ => Reduction { idle: true, ..Reduction::default() },
    };
    println!(
        "| game | states | final | joint moves | depth | symmetries | comes back | sure of | in moves | meeting s | solving s | graph MB |"
    );
    println!("| --- |{} --- | --- | --- |{}", " ---: |".repeat(5), " ---: |".repeat(3));
    for name in arguments {
        let rules = match bundled::find(&name) {
            Ok(game) => game.rules.to_owned(),
            Err(_) => std::fs::read_to_string(&name).unwrap(),
        };
        let name = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".kif");
        if let Err(error) = row(name, &rules, reduction, bytes) {
            println!("| {name} | {error} |");
        }
    }
}

fn row(name: &str, rules: &str, reduction: Reduction, bytes: usize) -> Result<(), SolverError> {
    let made =
        machine::from_text(rules, Wanted::Batch(Target::detect()), &machine::Limits::generous()).unwrap();
    let Some(batch) = made.lanes() else { return Ok(()) };
    let limits = Limits { bytes, is_over: &|| false };
    let begun = worked();
    let graph = StateGraph::explore(batch, reduction, &limits)?;
    let met = worked();
    let solution = Solution::new(graph, &limits)?;
    let solved = worked();
    let graph = solution.graph();
    let list = |of: &dyn Fn(RoleId) -> f32| {
        let roles = (0..graph.roles() as u16).map(RoleId).filter(|&role| graph.chance() != Some(role));
        roles.map(|role| of(role).to_string()).collect::<Vec<String>>().join(", ")
    };
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1} | {:.1} | {} |",
        graph.len(),
        graph.over(),
        graph.moves(),
        graph.depth(),
        graph.symmetries(),
        if solution.comes_back() { "yes" } else { "no" },
        list(&|role| solution.worth(NodeId(0), role).value),
        list(&|role| solution.worth(NodeId(0), role).steps),
        (met - begun).as_secs_f64(),
        (solved - met).as_secs_f64(),
        graph.bytes() / 1_000_000
    );
    Ok(())
}
