//! Games solved by sets of states against their state graphs.
#![cfg(feature = "bdd")]

mod sheets;

use std::sync::Arc;

use game::{Describe, Dice, Expansion, Game, RoleId};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;
use machine::{Limits as MachineLimits, Target, Wanted};
use solver::{Limits, Reduction, Solution, Solved, SolverError, StateGraph, Symbolic, Worth};

use crate::sheets::{BACK_AND_FORTH, drawn};

fn machine(rules: &str) -> Arc<BatchMachine> {
    let made = machine::from_text(rules, Wanted::Batch(Target::detect()), &MachineLimits::generous());
    Arc::clone(made.expect("small").lanes().expect("a circuit in lanes"))
}

fn bundled(name: &str) -> Arc<BatchMachine> {
    machine(bundled::find(name).expect("there").rules)
}

const WIDE: Limits<'static> = Limits { bytes: 1 << 28, is_over: &|| false };

fn symbolic(batch: &BatchMachine) -> Symbolic {
    Symbolic::solve(batch.machine(), &WIDE, &|_| {}).expect("small")
}

/// All states, but for what decides nothing: sets of states know no more.
fn graph(batch: &BatchMachine) -> Solution {
    let reduction = Reduction { idle: true, ..Reduction::default() };
    let graph = StateGraph::explore(batch, reduction, &WIDE).expect("small");
    Solution::new(graph, &WIDE).expect("in time")
}

/// States of random playouts.
fn states(batch: &BatchMachine, count: usize) -> Vec<CircuitState> {
    let (mut workspace, mut expansion, mut dice) = (batch.workspace(), Expansion::new(), Dice::new(7));
    let (mut state, mut states, mut length) = (batch.initial(), Vec::new(), 0);
    while states.len() < count {
        states.push(state.clone());
        batch.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        length += 1;
        // Play that comes back has no end.
        state = if expansion.is_terminal() || length % 60 == 0 {
            batch.initial()
        } else {
            let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            batch.apply(&mut workspace, &state, &joint).expect("legal")
        };
    }
    states
}

fn worths(solved: &dyn Solved, state: &CircuitState) -> Vec<Worth> {
    solved.worths(state).expect("no fault").expect("met")
}

/// Everything that both tell is the same. The values at the beginning.
fn compared(name: &str, batch: &BatchMachine, positions: usize) -> Vec<f32> {
    let (sets, all) = (symbolic(batch), graph(batch));
    let graph = all.graph();
    assert_eq!(sets.states(), Some(graph.len() as u128), "{name}");
    assert_eq!(sets.ends(), Some(graph.over() as u128), "{name}");
    assert_eq!(sets.depth(), graph.depth() as usize, "{name}");
    assert_eq!(sets.comes_back(), all.comes_back(), "{name}");
    assert!(!sets.at_once() && sets.knows_steps(), "{name}");
    for state in states(batch, positions) {
        let (one, other) = (worths(&sets, &state), worths(&all, &state));
        for (role, (one, other)) in (0..).zip(one.iter().zip(&other)) {
            let facts = batch.facts(&state);
            assert_eq!(one.value, other.value, "{name}, role {role}: {facts:?}");
            assert_eq!(f32::from(sets.most(&state, RoleId(role))), other.value, "{name}: {facts:?}");
            // How long a role holds out that gets nothing is not asked of sets of states.
            assert!(
                one.value == 0.0 || one.steps == other.steps,
                "{name}, {role}: {one:?} {other:?} {facts:?}"
            );
        }
    }
    worths(&sets, &batch.initial()).iter().map(|worth| worth.value).collect()
}

#[test]
fn tic_tac_toe_has_its_states() {
    let batch = bundled("tic-tac-toe");
    let sets = symbolic(&batch);
    // As counted by many.
    assert_eq!((sets.states(), sets.ends(), sets.depth()), (Some(5_478), Some(958), 9));
    assert_eq!(sets.line(&batch, &batch.initial(), &mut Dice::new(1)).expect("no fault").len(), 9);
}

#[test]
fn sets_of_states_tell_what_the_graph_tells() {
    for (name, values) in [
        ("tic-tac-toe", [50.0, 50.0]),
        ("tic-tac-toe-misere", [50.0, 50.0]),
        ("nim", [0.0, 100.0]),
        ("nim-misere", [100.0, 0.0]),
        ("chomp", [100.0, 0.0]),
        ("wythoff", [100.0, 0.0]),
    ] {
        assert_eq!(compared(name, &bundled(name), 100), values, "{name}");
    }
}

#[test]
fn a_line_ends_with_what_is_sure() {
    for name in ["tic-tac-toe-misere", "nim", "chomp", "wythoff"] {
        let batch = bundled(name);
        let sets = symbolic(&batch);
        let line = sets.line(&batch, &batch.initial(), &mut Dice::new(1)).expect("no fault");
        let end = sets.look(&batch, &line.last().expect("a step").next).expect("no fault").expect("met");
        let begin = worths(&sets, &batch.initial());
        for (worth, goal) in begin.iter().zip(end.goals.expect("over")) {
            assert!(f32::from(goal.0) >= worth.value, "{name}");
            assert!(worth.value < 100.0 || worth.steps as usize == line.len(), "{name}");
        }
    }
}

#[test]
fn games_by_lot_have_the_values_of_their_graph() {
    for seed in 0..25 {
        for (comes_back, roles) in [(false, 2), (true, 2), (true, 3)] {
            let rules = drawn(seed, comes_back, roles);
            compared(&rules, &machine(&rules), 40);
        }
    }
}

#[test]
fn play_that_comes_back_is_solved() {
    let batch = machine(BACK_AND_FORTH);
    compared("back and forth", &batch, 100);
    assert!(symbolic(&batch).comes_back());
}

/// Where roles move at once, what mixing moves gains lies between what is sure without and what cannot be kept from one.
#[test]
fn moves_at_once_are_bounded() {
    for name in ["rock-paper-scissors", "matching-pennies", "goofspiel", "prisoners-dilemma"] {
        let batch = bundled(name);
        let (sets, all) = (symbolic(&batch), graph(&batch));
        assert!(sets.at_once(), "{name}");
        assert_eq!(sets.states(), Some(all.graph().len() as u128), "{name}");
        for state in states(&batch, 100) {
            let (one, other) = (worths(&sets, &state), worths(&all, &state));
            for (role, (one, other)) in (0..).zip(one.iter().zip(&other)) {
                let most = f32::from(sets.most(&state, RoleId(role)));
                let near = 1e-2;
                assert!(one.value <= other.value + near, "{name}: {one:?} {other:?}");
                assert!(other.value <= most + near, "{name}: {other:?} {most}");
            }
        }
    }
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let solve = |name, limits: &Limits<'_>| {
        Symbolic::solve(bundled(name).machine(), limits, &|_| {}).map(|sets| sets.states())
    };
    assert_eq!(solve("kuhn-poker", &WIDE), Err(SolverError::HiddenInformation));
    let dice = machine(&drawn(1, false, 2).replace("r0", "random"));
    assert_eq!(Symbolic::solve(dice.machine(), &WIDE, &|_| {}).err(), Some(SolverError::Dice));
    let late = Limits { bytes: 1 << 28, is_over: &|| true };
    assert!(matches!(solve("tic-tac-toe", &late), Err(SolverError::OutOfTime(_))));
    let narrow = Limits { bytes: 1 << 20, is_over: &|| false };
    let error = solve("connect-four", &narrow).expect_err("it does not fit");
    assert!(matches!(error, SolverError::OutOfMemory { .. }), "{error}");
    assert!(error.to_string().contains("--memory"), "{error}");
}
