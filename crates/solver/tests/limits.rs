//! Time and memory are looked at within a state, not only between states.

use std::sync::Arc;

use machine::batch::BatchMachine;
use machine::{Limits as MachineLimits, Target, Wanted};
use solver::{Limits, Reduction, Solution, SolverError, StateGraph};

fn machine(rules: &str) -> Arc<BatchMachine> {
    let made = machine::from_text(rules, Wanted::Batch(Target::detect()), &MachineLimits::generous());
    Arc::clone(made.expect("small").lanes().expect("a circuit in lanes"))
}

/// Two roles name a number each, at once: as many joint moves in one state as there are states behind it.
fn crowded(numbers: usize) -> String {
    let numbers: String = (0..numbers).map(|number| format!("(number {number}) ")).collect();
    format!(
        "(role a) (role b) {numbers} (init begin)
        (<= (legal ?r (say ?n)) (role ?r) (number ?n) (true begin))
        (<= (next (said ?r ?n)) (does ?r (say ?n)))
        (<= terminal (not (true begin))) (goal a 50) (goal b 50)"
    )
}

#[test]
fn limits_are_kept_within_a_state() {
    let batch = machine(&crowded(256));
    let narrow = Limits { bytes: 1 << 20, is_over: &|| false };
    let states = match StateGraph::explore(&batch, Reduction::default(), &narrow) {
        Err(SolverError::OutOfMemory { states, .. }) => states,
        other => panic!("{:?}", other.map(|graph| graph.len())),
    };
    assert!(states < 40_000, "{states}");
    let asked = std::cell::Cell::new(0);
    let is_over = || {
        asked.set(asked.get() + 1);
        asked.get() > 2
    };
    let short = Limits { bytes: 1 << 30, is_over: &is_over };
    let states = match StateGraph::explore(&batch, Reduction::default(), &short) {
        Err(SolverError::OutOfTime(states)) => states,
        other => panic!("{:?}", other.map(|graph| graph.len())),
    };
    assert!(states < 60_000, "{states}");
    let wide = Limits { bytes: 1 << 30, is_over: &|| false };
    // Also when all states were met and what they are worth is worked out.
    let graph = StateGraph::explore(&batch, Reduction::default(), &wide).expect("fits");
    assert_eq!((graph.len(), graph.moves()), (65_537, 65_536));
    let over = Limits { bytes: 1 << 30, is_over: &|| true };
    assert!(matches!(Solution::new(graph, &over), Err(SolverError::OutOfTime(65_537))));
}
