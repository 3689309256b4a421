//! Values found depth first against those of the state graph.

use std::sync::Arc;
use std::time::Duration;

use game::{Describe, Dice, Expansion, Game, Goal, MoveId, RoleId};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;
use machine::{Limits as MachineLimits, Target, Wanted};
use solver::{
    DepthFirst, Ending, Inquiry, Limits, NodeId, Reduction, Solution, Solved, SolverError, StateGraph,
};

fn bundled(name: &str) -> Arc<BatchMachine> {
    machine(bundled::find(name).expect("there").rules)
}

/// Whoever is on turn stays where he is or leaves, and nobody has to leave.
const SHUTTLE: &str = "
    (role x) (role o) (other x o) (other o x)
    (init (control x))
    (<= (legal ?p stay) (true (control ?p)))
    (<= (legal ?p leave) (true (control ?p)))
    (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
    (<= (next (control ?p)) (other ?p ?q) (true (control ?q)))
    (<= (next (left ?p)) (does ?p leave))
    (<= (goal ?p 0) (true (left ?p)))
    (<= (goal ?p 100) (other ?p ?q) (true (left ?q)))
    (<= terminal (true (left ?p)))";

fn machine(rules: &str) -> Arc<BatchMachine> {
    let made = machine::from_text(rules, Wanted::Batch(Target::detect()), &MachineLimits::generous());
    Arc::clone(made.expect("small").lanes().expect("a circuit in lanes"))
}

/// So few bytes that most of what was known is forgotten.
const NARROW: Limits<'static> = Limits { bytes: 1 << 14, is_over: &|| false };
const WIDE: Limits<'static> = Limits { bytes: 1 << 30, is_over: &|| false };

/// States of random playouts.
fn states(batch: &BatchMachine, count: usize) -> Vec<CircuitState> {
    let (mut workspace, mut expansion, mut dice) = (batch.workspace(), Expansion::new(), Dice::new(3));
    let mut state = batch.initial();
    let mut states = Vec::new();
    while states.len() < count {
        states.push(state.clone());
        batch.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        state = match expansion.is_terminal() {
            true => batch.initial(),
            false => {
                let joint: Vec<MoveId> =
                    expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
                batch.apply(&mut workspace, &state, &joint).expect("no fault")
            }
        };
    }
    states
}

#[test]
fn values_are_those_of_the_state_graph() {
    for name in ["tic-tac-toe", "tic-tac-toe-misere", "nim", "nim-misere", "chomp", "wythoff"] {
        let batch = bundled(name);
        let graph = StateGraph::explore(&batch, Reduction::default(), &WIDE).expect("small");
        let sum = graph.constant_sum();
        let solution = Solution::new(graph, &WIDE).expect("in time");
        for (role, reduction) in [(0, Reduction::ALL), (1, Reduction::ALL), (0, Reduction::default())] {
            let role = RoleId(role);
            let mut search = DepthFirst::new(batch.machine(), role, reduction, NARROW).expect("in turn");
            for state in states(&batch, 40) {
                let node = solution.graph().find(&state).expect("all are there");
                let verdict = search.solve(&state, &|| false).expect("no fault");
                let expected = Goal(solution.worth(node, role).value as u8);
                assert_eq!(verdict.value, expected, "{name}, {role:?}, {reduction:?}: {state:?}");
                assert!(sum.is_none() || verdict.sum.is_none() || verdict.sum == sum, "{name}");
            }
        }
    }
}

#[test]
fn a_line_of_best_play_ends_with_the_value() {
    for name in ["tic-tac-toe", "nim", "chomp"] {
        let batch = bundled(name);
        let mut search =
            DepthFirst::new(batch.machine(), RoleId(0), Reduction::ALL, NARROW).expect("in turn");
        let value = search.solve(&batch.initial(), &|| false).expect("no fault").value;
        let line = search.line(&batch.initial(), value, &|| false).expect("no fault");
        let mut workspace = batch.workspace();
        let mut state = batch.initial();
        for joint in &line {
            state = batch.apply(&mut workspace, &state, joint).expect("no fault");
        }
        let mut goals = Vec::new();
        assert!(batch.machine().is_terminal(&mut batch.machine().workspace(), &state), "{name}");
        batch.goals(&mut workspace, &state, &mut goals).expect("no fault");
        assert_eq!(goals[0].value(), value, "{name}");
    }
}

#[test]
fn what_is_sure_takes_as_many_moves_as_in_the_state_graph() {
    for name in ["tic-tac-toe", "tic-tac-toe-misere", "nim", "nim-misere", "chomp", "wythoff"] {
        let batch = bundled(name);
        let graph = StateGraph::explore(&batch, Reduction::default(), &WIDE).expect("small");
        let solution = Solution::new(graph, &WIDE).expect("in time");
        for role in [RoleId(0), RoleId(1)] {
            let mut search = DepthFirst::new(batch.machine(), role, Reduction::ALL, NARROW).expect("in turn");
            for state in states(&batch, 25) {
                let worth = solution.worth(solution.graph().find(&state).expect("all are there"), role);
                let value = Goal(worth.value as u8);
                let distance = search.distance(&state, value, NARROW.bytes, &|| false).expect("no fault");
                let expected = Some(worth.steps as u32).filter(|_| worth.value > 0.0);
                assert_eq!(distance, expected, "{name}, {role:?}: {:?}", batch.facts(&state));
            }
        }
    }
}

#[test]
fn positions_are_answered_as_they_are_asked_for() {
    for name in ["tic-tac-toe", "nim", "chomp"] {
        let batch = bundled(name);
        let graph = StateGraph::explore(&batch, Reduction::default(), &WIDE).expect("small");
        let solution = Solution::new(graph, &WIDE).expect("in time");
        let clock = || Duration::ZERO;
        let inquiry =
            Inquiry::new(batch.machine(), Reduction::ALL, NARROW.bytes, &clock, Duration::from_secs(1));
        assert!(!inquiry.knows_steps() && solution.knows_steps());
        for state in states(&batch, 25) {
            let values = |solved: &dyn Solved| {
                let worths = solved.worths(&state).expect("no fault").expect("met");
                worths.into_iter().map(|worth| worth.value).collect::<Vec<f32>>()
            };
            assert_eq!(values(&inquiry), values(&solution), "{name}: {:?}", batch.facts(&state));
        }
        // Both play at best to the end.
        let line = inquiry.line(&batch, &batch.initial(), &mut Dice::new(1)).expect("no fault");
        let end = inquiry.look(&batch, &line.last().expect("a step").next).expect("no fault").expect("met");
        let goals: Vec<f32> = end.goals.expect("over").into_iter().map(|goal| f32::from(goal.0)).collect();
        let sure = [RoleId(0), RoleId(1)].map(|role| solution.worth(NodeId(0), role).value);
        assert_eq!(goals, sure, "{name}");
    }
    let late = Inquiry::new(
        bundled("connect-four").machine(),
        Reduction::ALL,
        NARROW.bytes,
        &|| Duration::ZERO,
        Duration::ZERO,
    );
    let initial = bundled("connect-four").initial();
    assert!(matches!(late.worths(&initial), Err(SolverError::OutOfTime(_))));
}

#[test]
fn small_connect_four_is_a_draw() {
    // 5 wide and 4 high (Tromp).
    let batch = bundled("connect-four-small");
    let limits = Limits { bytes: 1 << 24, ..WIDE };
    let mut search = DepthFirst::new(batch.machine(), RoleId(0), Reduction::ALL, limits).expect("in turn");
    let verdict = search.solve(&batch.initial(), &|| false).expect("no fault");
    assert_eq!((verdict.value, verdict.sum, search.symmetries()), (Goal(50), Some(100), 2));
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let solve = |name| {
        let batch = bundled(name);
        let mut search = DepthFirst::new(batch.machine(), RoleId(0), Reduction::ALL, NARROW)?;
        search.solve(&batch.initial(), &|| false)
    };
    assert_eq!(solve("goofspiel"), Err(SolverError::NotInTurn));
    assert_eq!(solve("pursuit"), Err(SolverError::NotInTurn));
    let batch = machine(SHUTTLE);
    let mut search = DepthFirst::new(batch.machine(), RoleId(0), Reduction::ALL, NARROW).expect("in turn");
    assert_eq!(search.solve(&batch.initial(), &|| false), Err(SolverError::ComesBack));
}

#[test]
fn what_is_left_of_a_game_is_foretold_and_solved() {
    for name in ["tic-tac-toe", "nim", "chomp", "wythoff"] {
        let batch = bundled(name);
        let graph = StateGraph::explore(&batch, Reduction::default(), &WIDE).expect("small");
        let solution = Solution::new(graph, &WIDE).expect("in time");
        let worth = |state: &CircuitState, role| {
            let node = solution.graph().find(state).expect("all are there");
            Goal(solution.worth(node, role).value as u8)
        };
        for role in [RoleId(0), RoleId(1)] {
            let mut ending = Ending::new(batch.machine(), role, 1 << 16, 5).expect("for two");
            let (mut on_turn, mut workspace, mut expansion) = (0, batch.workspace(), Expansion::new());
            for state in states(&batch, 60) {
                ending.begin(state.clone());
                assert!(ending.foretell(&|| false).expect("in turn").is_finite());
                let solved = ending.solve(&|| false).expect("small").expect("one loses what the other wins");
                assert_eq!(solved.value, worth(&state, role), "{name}: {state:?}");
                batch.expand(&mut workspace, &state, &mut expansion).expect("no fault");
                if expansion.is_terminal() || expansion.legal(role).len() < 2 {
                    continue;
                }
                on_turn += 1;
                assert!(!solved.moves.is_empty());
                let all = expansion.legal(role).to_vec();
                let forced = expansion.legal(RoleId(1 - role.0))[0];
                for id in all {
                    let joint = if role.0 == 0 { [id, forced] } else { [forced, id] };
                    let next = batch.apply(&mut workspace, &state, &joint).expect("legal");
                    let is_good = worth(&next, role) >= solved.value;
                    assert_eq!(ending.keeps(id, solved.value, &|| false), Ok(is_good), "{name}: {state:?}");
                    assert!(is_good || !solved.moves.contains(&id), "{name}: {state:?}");
                }
            }
            assert!(on_turn > 5, "{name}: {on_turn}");
        }
    }
}

#[test]
fn games_that_do_not_end_one_way_are_not_foretold() {
    assert!(Ending::new(bundled("three-player-tic-tac-toe").machine(), RoleId(0), 1 << 16, 1).is_none());
    let mut ending = Ending::new(bundled("goofspiel").machine(), RoleId(0), 1 << 16, 1).expect("for two");
    assert_eq!(ending.foretell(&|| false), Err(SolverError::NotInTurn));
    // Nothing can be said in no time.
    let mut ending = Ending::new(bundled("othello").machine(), RoleId(0), 1 << 16, 1).expect("for two");
    assert_eq!(ending.foretell(&|| true), Ok(f64::INFINITY));
}
