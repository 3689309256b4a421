//! States of games with and without what need not be told apart, and whether values stay the same.
//!
//! ```text
//! cargo run --release -p solver --example reductions -- GAME..
//! ```
//!
//! Prints a row of a table for each bundled game or rule sheet: states as they are, without facts that decide nothing,
//! with images under symmetries taken for one, and with those in which roles have exchanged their places; then in how many of
//! 100 random positions any role's value differs between the four.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use game::{Dice, Expansion, Game, RoleId};
use machine::batch::BatchMachine;
use machine::{Target, Wanted};
use solver::{Limits, Reduction, Solution, StateGraph};

/// Bytes a graph may take.
const BYTES: usize = 3 << 30;
/// Positions to compare.
const POSITIONS: usize = 100;

fn main() {
    println!(
        "| game | states | without idle facts | and symmetries | and exchange of roles | symmetries | with exchange | nodes saved | by exchange | differences | values |"
    );
    println!("| --- |{} --- |", " ---: |".repeat(9));
    for name in std::env::args().skip(1) {
        let rules = match bundled::find(&name) {
            Ok(game) => game.rules.to_owned(),
            Err(_) => std::fs::read_to_string(&name).unwrap(),
        };
        let name = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".kif");
        let limits = machine::Limits { time: std::time::Duration::MAX, ..machine::Limits::generous() };
        let machine = match machine::from_text(&rules, Wanted::Batch(Target::detect()), &limits) {
            Ok(machine) => machine,
            Err(error) => {
                println!("| {name} | {error} |");
                continue;
            }
        };
        let Some(batch) = machine.lanes() else { continue };
        row(name, batch);
    }
}

fn solve(batch: &BatchMachine, reduction: Reduction) -> Result<Solution, solver::SolverError> {
    let limits = Limits { bytes: BYTES, is_over: &|| false };
    StateGraph::explore(batch, reduction, &limits).and_then(|graph| Solution::new(graph, &limits))
}

fn row(name: &str, batch: &BatchMachine) {
    let idle = Reduction { idle: true, ..Reduction::default() };
    let kept = Reduction { exchange: false, ..Reduction::ALL };
    let solved = [Reduction::default(), idle, kept, Reduction::ALL].map(|reduction| solve(batch, reduction));
    let [Ok(full), Ok(idle), Ok(kept), Ok(all)] = solved else {
        let known = solved[3]
            .as_ref()
            .map_or_else(ToString::to_string, |all| format!("{} states", all.graph().len()));
        println!("| {name} | does not fit; with everything: {known} |");
        return;
    };
    let mut differences = 0;
    let (mut workspace, mut expansion, mut dice) = (batch.workspace(), Expansion::new(), Dice::new(1));
    let mut state = batch.initial();
    for _ in 0..POSITIONS {
        let worth = |solution: &Solution, role| {
            solution.graph().find(&state).map(|met| solution.worth(met, RoleId(role)).value)
        };
        let roles = 0..batch.role_count() as u16;
        differences += usize::from(roles.into_iter().any(|role| {
            let value = worth(&full, role);
            [&idle, &kept, &all].iter().any(|other| {
                let other = worth(other, role);
                // Mixed strategies are worked out in other orders.
                value.zip(other).is_none_or(|(one, two)| (one - two).abs() > 0.01)
            })
        }));
        batch.expand(&mut workspace, &state, &mut expansion).unwrap();
        state = if expansion.is_terminal() {
            batch.initial()
        } else {
            let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            batch.apply(&mut workspace, &state, &joint).unwrap()
        };
    }
    let solutions = [&full, &idle, &kept, &all];
    let sizes = solutions.map(|solution| solution.graph().len());
    let saved = |from: usize, to: usize| 100.0 * (1.0 - sizes[to] as f64 / sizes[from] as f64);
    let values: Vec<String> = (0..batch.role_count() as u16)
        .map(|role| format!("{:.1}", full.worth(solver::NodeId(0), RoleId(role)).value))
        .collect();
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | {:.1}% | {:.1}% | {differences} | {} |",
        sizes[0],
        sizes[1],
        sizes[2],
        sizes[3],
        kept.graph().symmetries(),
        all.graph().symmetries(),
        saved(0, 3),
        saved(2, 3),
        values.join(", ")
    );
}
