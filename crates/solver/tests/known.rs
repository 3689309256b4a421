//! Games whose values are known.

use std::collections::HashMap;
use std::sync::Arc;

use game::{Describe, Dice, Expansion, Game, Goal, RoleId};
use machine::batch::BatchMachine;
use machine::reference::Reference;
use machine::{Limits as MachineLimits, Target, Wanted};
use solver::{Limits, Met, NodeId, Reduction, Solution, Solved, SolverError, StateGraph};

fn machine(rules: &str) -> Arc<BatchMachine> {
    let made = machine::from_text(rules, Wanted::Batch(Target::detect()), &MachineLimits::generous());
    Arc::clone(made.expect("small").lanes().expect("a circuit in lanes"))
}

fn bundled(name: &str) -> Arc<BatchMachine> {
    machine(bundled::find(name).expect("there").rules)
}

const WIDE: Limits<'static> = Limits { bytes: 1 << 30, is_over: &|| false };

fn solve(batch: &BatchMachine) -> Solution {
    reduced(batch, Reduction::default())
}

fn reduced(batch: &BatchMachine, reduction: Reduction) -> Solution {
    let graph = StateGraph::explore(batch, reduction, &WIDE).expect("small");
    Solution::new(graph, &WIDE).expect("in time")
}

/// What the roles are sure of at the beginning, and the length of a line of best play.
fn values(name: &str) -> (Vec<f32>, usize) {
    let batch = bundled(name);
    let solution = solve(&batch);
    let roles = 0..solution.graph().roles() as u16;
    let values = roles.map(|role| solution.worth(NodeId(0), RoleId(role)).value).collect();
    (values, solution.line(&batch, &batch.initial(), &mut Dice::new(1)).expect("no fault").len())
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let solution = solve(&bundled("tic-tac-toe"));
    // 5,478 positions, of which 958 are final, as counted by many.
    assert_eq!((solution.graph().len(), solution.graph().over()), (5_478, 958));
    assert_eq!((solution.graph().depth(), solution.comes_back()), (9, false));
    assert_eq!(values("tic-tac-toe"), (vec![50.0, 50.0], 9));
}

#[test]
fn heaps_have_their_winner() {
    // 1, 3, 5 and 7 add up to nothing in binary without carrying, so the second player wins; 3, 4 and 5 do not, and
    // the first one wins, whether the last stone wins or loses.
    assert_eq!(values("nim").0, [0.0, 100.0]);
    assert_eq!(values("nim-misere").0, [100.0, 0.0]);
    // Who begins chomp wins; that takes an argument, not a search.
    assert_eq!(values("chomp").0, [100.0, 0.0]);
}

#[test]
fn games_of_one_step_have_their_equilibrium() {
    for name in ["matching-pennies", "rock-paper-scissors"] {
        let (values, length) = values(name);
        assert!(values.iter().all(|value| (value - 50.0).abs() < 1e-3), "{name}: {values:?}");
        assert!(length > 0, "{name}");
    }
}

/// A role that is sure of something gets it, whatever the others do.
#[test]
fn lines_end_as_they_should() {
    for name in ["tic-tac-toe-misere", "chomp", "wythoff", "nim-misere"] {
        let batch = bundled(name);
        let solution = reduced(&batch, Reduction::ALL);
        let line = solution.line(&batch, &batch.initial(), &mut Dice::new(1)).expect("no fault");
        let end = line.last().expect("a step").next.clone();
        let look = solution.look(&batch, &end).expect("no fault").expect("met");
        for (role, goal) in (0..).map(RoleId).zip(look.goals.expect("over")) {
            assert!(f32::from(goal.0) >= solution.worth(NodeId(0), role).value, "{name}");
        }
        let sure = (0..2).map(|role| solution.worth(NodeId(0), RoleId(role)));
        if let Some(winner) = sure.into_iter().find(|worth| worth.value == 100.0) {
            assert_eq!(winner.steps as usize, line.len(), "{name}: the loser holds out as long as it can");
        }
    }
}

/// What is taken for one state is worth the same: values of random positions, solved both ways.
#[test]
fn reductions_change_no_value() {
    // In nim and chomp, as in goofspiel, a state is as good as the same with the roles in each other's places; in tic-tac-toe
    // that is never met, as it has as many crosses as noughts or one more.
    for (name, states, fewer) in [
        ("tic-tac-toe", 5_478, 765),
        ("tic-tac-toe-misere", 5_478, 765),
        ("chomp", 250, 126),
        ("nim", 752, 384),
        ("nim-misere", 232, 120),
        ("goofspiel", 2_861, 1_454),
        ("prisoners-dilemma", 791, 451),
        ("rock-paper-scissors", 48, 30),
        // Who wants the same and who wants different pennies are not alike.
        ("matching-pennies", 21, 21),
    ] {
        let batch = bundled(name);
        let (full, merged) = (solve(&batch), reduced(&batch, Reduction::ALL));
        assert_eq!((full.graph().len(), merged.graph().len()), (states, fewer), "{name}");
        let (mut workspace, mut expansion, mut dice) = (batch.workspace(), Expansion::new(), Dice::new(5));
        let (mut state, mut compared) = (batch.initial(), 0);
        while compared < 100 {
            let (one, two) = (full.graph().find(&state), merged.graph().find(&state));
            for role in 0..2 {
                let worth =
                    |solution: &Solution, met: Option<Met>| solution.worth(met.expect("met"), RoleId(role));
                let (one, two) = (worth(&full, one), worth(&merged, two));
                // Mixed strategies are worked out in another order.
                let near = |one: f32, two: f32| (one - two).abs() < 1e-2;
                let same = near(one.value, two.value) && (near(one.steps, two.steps) || name == "goofspiel");
                assert!(same, "{name}: {one:?} and {two:?} in {:?}", batch.facts(&state));
            }
            compared += 1;
            batch.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            state = if expansion.is_terminal() {
                batch.initial()
            } else {
                let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
                batch.apply(&mut workspace, &state, &joint).expect("legal")
            };
        }
    }
}

/// The value of a position by the plainest of searches, on the reference reasoner.
fn plain<G: Game>(
    game: &G,
    state: &G::State,
    role: RoleId,
    known: &mut HashMap<(G::State, RoleId), Goal>,
) -> Goal {
    if let Some(&goal) = known.get(&(state.clone(), role)) {
        return goal;
    }
    let (mut workspace, mut expansion, mut goals) = (game.workspace(), Expansion::new(), Vec::new());
    game.expand(&mut workspace, state, &mut expansion).expect("no fault");
    if expansion.is_terminal() {
        game.goals(&mut workspace, state, &mut goals).expect("no fault");
        return goals[usize::from(role.0)].value();
    }
    let chooses = expansion.legal(role).len() > 1;
    let values = expansion.joint_moves().map(|joint| {
        let next = game.apply(&mut workspace, state, &joint).expect("legal");
        plain(game, &next, role, known)
    });
    let best = if chooses { values.max() } else { values.min() };
    let best = best.expect("a move");
    known.insert((state.clone(), role), best);
    best
}

#[test]
fn every_state_has_the_value_of_the_plainest_search() {
    for name in ["tic-tac-toe", "chomp", "nim-misere"] {
        let batch = bundled(name);
        let solution = solve(&batch);
        let rules = gdl::normal::read(bundled::find(name).expect("there").rules);
        let reference = Reference::new(&rules, Default::default()).expect("plays");
        // States late in the game, mostly: the plainest search is slow.
        let mut known = HashMap::new();
        let late = (0..solution.graph().len() as u32).map(NodeId).rev().step_by(3).take(12);
        for node in late {
            let facts = batch.facts(&solution.graph().state(node));
            let state = reference.state_of(&facts.iter().map(String::as_str).collect::<Vec<_>>());
            let state = state.expect("the same facts");
            for role in [RoleId(0), RoleId(1)] {
                let value = plain(&reference, &state, role, &mut known);
                assert_eq!(f32::from(value.0), solution.worth(node, role).value, "{name}: {facts:?}");
            }
        }
    }
}

const CIRCLE: &str = "(role you) (role other) (init (at 0)) (init (control you))
    (<= (legal ?r step) (true (control ?r))) (<= (legal ?r stay) (true (control ?r)))
    (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
    (<= (next (control other)) (true (control you))) (<= (next (control you)) (true (control other)))
    (after 0 1) (after 1 2) (after 2 0)
    (<= (next (at ?y)) (does ?r step) (true (at ?x)) (after ?x ?y))
    (<= (next (at ?x)) (does ?r stay) (true (at ?x)))
    (<= terminal (true (at 2)) (true (control you)))
    (goal you 30) (goal other 70)";

#[test]
fn play_without_end_is_worth_nothing() {
    let solution = solve(&machine(CIRCLE));
    assert!(solution.comes_back());
    // The other can bring the end about, as it can step from 1 and stay at 2. You cannot: it can do the opposite.
    let worths: Vec<f32> = (0..2).map(|role| solution.worth(NodeId(0), RoleId(role)).value).collect();
    assert_eq!(worths, [0.0, 70.0]);
    // From 1 with the other to move, it steps and all is over.
    let at = |node: NodeId| {
        let state = solution.graph().state(node);
        machine(CIRCLE).facts(&state)
    };
    let near = (0..solution.graph().len() as u32)
        .map(NodeId)
        .find(|&node| at(node) == ["(at 1)", "(control other)"]);
    let worth = solution.worth(near.expect("reached"), RoleId(1));
    assert_eq!((worth.value, worth.steps), (70.0, 1.0));
}

#[test]
fn limits_are_kept_and_told() {
    let batch = bundled("connect-four");
    let small = Limits { bytes: 1 << 20, is_over: &|| false };
    assert!(matches!(
        StateGraph::explore(&batch, Reduction::ALL, &small),
        Err(SolverError::OutOfMemory { .. })
    ));
    let late = Limits { bytes: 1 << 30, is_over: &|| true };
    assert!(matches!(StateGraph::explore(&batch, Reduction::ALL, &late), Err(SolverError::OutOfTime(_))));
    let hidden = bundled("kuhn-poker");
    assert_eq!(
        StateGraph::explore(&hidden, Reduction::ALL, &WIDE).err(),
        Some(SolverError::HiddenInformation)
    );
}

/// Connect four on a board 5 wide and 4 high is a draw (Tromp's table of small boards).
#[test]
#[ignore = "takes a minute"]
fn small_connect_four_is_a_draw() {
    let batch = bundled("connect-four-small");
    let solution = reduced(&batch, Reduction::ALL);
    println!("{} states, {} symmetries", solution.graph().len(), solution.graph().symmetries());
    assert_eq!(solution.graph().symmetries(), 2);
    let worths: Vec<f32> = (0..2).map(|role| solution.worth(NodeId(0), RoleId(role)).value).collect();
    assert_eq!(worths, [50.0, 50.0]);
}

/// Small boards of others, where they are at hand: solved with and without symmetries to the same values.
#[test]
#[ignore = "takes minutes"]
fn small_boards_of_others_have_one_value() {
    let Some(folder) = std::env::var_os("LUDENS_CORPUS").map(std::path::PathBuf::from) else {
        println!("skipped: there is no corpus");
        return;
    };
    for name in ["checkersTiny", "checkersSmall"] {
        let Ok(rules) = std::fs::read_to_string(folder.join(format!("games/{name}.kif"))) else {
            println!("skipped: there is no {name}");
            continue;
        };
        let batch = machine(&rules);
        let values = |reduction| {
            let graph = StateGraph::explore(&batch, reduction, &WIDE)?;
            let states = graph.len();
            let solution = Solution::new(graph, &WIDE)?;
            let values = (0..2).map(|role| solution.worth(NodeId(0), RoleId(role)).value);
            Ok::<_, SolverError>((states, values.collect::<Vec<f32>>()))
        };
        match (values(Reduction::ALL), values(Reduction::default())) {
            (Ok((fewer, one)), Ok((states, other))) => {
                println!("{name}: {fewer} of {states} states, values {one:?}");
                assert_eq!(one, other, "{name}");
            }
            (one, _) => println!("{name} does not fit: {one:?}"),
        }
    }
}
