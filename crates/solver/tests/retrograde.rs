//! Games that come back to positions, solved in one pass, against values and moves worked out round by round.

mod sheets;

use std::sync::Arc;

use game::RoleId;
use machine::batch::BatchMachine;
use machine::{Limits as MachineLimits, Target, Wanted};
use solver::{Limits, NodeId, Reduction, Shape, Solution, SolverError, StateGraph, Worth};

use crate::sheets::{BACK_AND_FORTH, drawn};

const WIDE: Limits<'static> = Limits { bytes: 1 << 28, is_over: &|| false };

fn machine(rules: &str) -> Arc<BatchMachine> {
    let made = machine::from_text(rules, Wanted::Batch(Target::detect()), &MachineLimits::generous());
    Arc::clone(made.expect("small").lanes().expect("a circuit in lanes"))
}

fn graph(batch: &BatchMachine, reduction: Reduction) -> StateGraph {
    StateGraph::explore(batch, reduction, &WIDE).expect("small")
}

/// What a role is sure of in every state: all states again and again until nothing changes.
fn plain(graph: &StateGraph, role: RoleId) -> Vec<Worth> {
    let nodes = || (0..graph.len() as u32).map(NodeId);
    let mut values = vec![0.0f32; graph.len()];
    let mut steps = vec![f32::INFINITY; graph.len()];
    let settle = |numbers: &mut Vec<f32>, next: &dyn Fn(&[f32], NodeId) -> f32| {
        loop {
            let now: Vec<f32> = nodes().map(|node| next(numbers, node)).collect();
            if now == *numbers {
                break;
            }
            *numbers = now;
        }
    };
    settle(&mut values, &|values, node| {
        let behind = graph.successors(node).iter().map(|&next| values[next as usize]);
        match graph.shape(node) {
            Shape::Over(goals) => f32::from(goals[usize::from(role.0)].0),
            Shape::One(chooser) if chooser == role => behind.fold(0.0, f32::max),
            _ => behind.fold(f32::INFINITY, f32::min),
        }
    });
    settle(&mut steps, &|steps, node| {
        let value = values[node.0 as usize];
        let same = graph.successors(node).iter().filter(|&&next| values[next as usize] == value);
        let behind = same.map(|&next| steps[next as usize] + 1.0);
        match graph.shape(node) {
            Shape::Over(_) => 0.0,
            // Who gets something hurries, who gets nothing holds out.
            Shape::One(chooser) if (chooser == role) == (value > 0.0) => behind.fold(f32::INFINITY, f32::min),
            _ => behind.fold(0.0, f32::max),
        }
    });
    values.into_iter().zip(steps).map(|(value, steps)| Worth { value, steps }).collect()
}

#[test]
fn games_by_lot_have_their_values_and_lengths() {
    let mut came_back = 0;
    for seed in 0..60 {
        for roles in [2, 3] {
            let rules = drawn(seed, true, roles);
            let batch = machine(&rules);
            let solution = Solution::new(graph(&batch, Reduction::default()), &WIDE).expect("in time");
            came_back += usize::from(solution.comes_back());
            for role in (0..roles as u16).map(RoleId) {
                let plain = plain(solution.graph(), role);
                let solved = (0..plain.len() as u32).map(|node| solution.worth(NodeId(node), role));
                assert_eq!(solved.collect::<Vec<Worth>>(), plain, "seed {seed}, role {role:?}: {rules}");
            }
        }
    }
    assert!(came_back > 60, "{came_back}");
}

#[test]
fn roles_that_exchange_their_places_are_worth_the_same() {
    let batch = machine(BACK_AND_FORTH);
    let (all, fewer) = (graph(&batch, Reduction::default()), graph(&batch, Reduction::ALL));
    assert!(fewer.exchanges_roles() && fewer.len() < all.len(), "{} and {}", fewer.len(), all.len());
    let solution = Solution::new(fewer, &WIDE).expect("in time");
    assert!(solution.comes_back());
    for role in [RoleId(0), RoleId(1)] {
        for (node, worth) in (0..).map(NodeId).zip(plain(&all, role)) {
            let met = solution.graph().find(&all.state(node)).expect("met");
            assert_eq!(solution.worth(met, role), worth, "{:?}", all.state(node));
        }
    }
}

/// Where nobody can bring the end about, holding out has no end.
#[test]
fn what_has_no_end_is_held_out_for_ever() {
    let rules = "(role a) (role b) (init (at 0)) (init (control a))
        (<= (legal ?r stay) (true (control ?r))) (<= (legal ?r give) (true (control ?r)))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
        (<= (next (at 0)) (does a stay)) (<= (next (at 0)) (does b stay))
        (<= terminal (not (true (at 0))))
        (<= (goal a 100) (true (control a))) (<= (goal a 0) (true (control b)))
        (<= (goal b 100) (true (control b))) (<= (goal b 0) (true (control a)))";
    let solution = Solution::new(graph(&machine(rules), Reduction::default()), &WIDE).expect("in time");
    assert!(solution.comes_back());
    for role in [RoleId(0), RoleId(1)] {
        assert_eq!(solution.worth(NodeId(0), role), Worth { value: 0.0, steps: f32::INFINITY });
    }
}

#[test]
fn what_does_not_fit_is_told_before_it_is_begun() {
    let graph = graph(&machine(BACK_AND_FORTH), Reduction::default());
    let narrow = Limits { bytes: graph.bytes() + 100, is_over: &|| false };
    assert!(matches!(Solution::new(graph, &narrow), Err(SolverError::OutOfMemory { .. })));
}
