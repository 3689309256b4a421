//! Small games, compared with what is known of them.

use std::sync::Arc;

use circuit::{Effort, build};
use engine::{Budget, MakeError, Seat, Settings};
use game::{Describe, Expansion, Game, MoveId, RoleId};
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use solver::{Limits, Reduction, Solution, Solved, StateGraph};

use crate::{Forest, Halves, Open, Sure, sure};

/// Two heaps of five and four: whoever is on turn takes one, two or three of each. Who takes the last of a heap wins it, and a heap that
/// is won counts so much; both are played to their end.
fn heaps(first: u8, second: u8) -> String {
    format!(
        "(role left) (role right) (opponent left right) (opponent right left)
        (init (heap one 5)) (init (heap two 4)) (init (control left))
        (less 0 1 1) (less 0 2 2) (less 0 3 3) (less 1 2 1) (less 1 3 2) (less 1 4 3) (less 2 3 1) (less 2 4 2)
        (less 2 5 3) (less 3 4 1) (less 3 5 2) (less 4 5 1)
        (<= (free ?h ?k) (true (heap ?h ?n)) (less ?m ?n ?k))
        (<= (free ?h none) (true (heap ?h 0)))
        (<= (legal ?r (take ?k ?l)) (true (control ?r)) (free one ?k) (free two ?l))
        (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
        (<= (taken one ?k) (does ?r (take ?k ?l)))
        (<= (taken two ?l) (does ?r (take ?k ?l)))
        (<= (next (heap ?h ?m)) (true (heap ?h ?n)) (taken ?h ?k) (less ?m ?n ?k))
        (<= (next (heap ?h 0)) (true (heap ?h 0)))
        (<= (next (won one ?r)) (does ?r (take ?k ?l)) (true (heap one ?n)) (less 0 ?n ?k))
        (<= (next (won two ?r)) (does ?r (take ?k ?l)) (true (heap two ?n)) (less 0 ?n ?l))
        (<= (next (won ?h ?r)) (true (won ?h ?r)))
        (<= (next (control ?r)) (true (control ?o)) (opponent ?r ?o))
        (<= terminal (true (heap one 0)) (true (heap two 0)))
        (<= (goal ?r 100) (true (won one ?r)) (true (won two ?r)))
        (<= (goal ?r {first}) (true (won one ?r)) (opponent ?r ?o) (true (won two ?o)))
        (<= (goal ?r {second}) (true (won two ?r)) (opponent ?r ?o) (true (won one ?o)))
        (<= (goal ?r 0) (opponent ?r ?o) (true (won one ?o)) (true (won two ?o)))"
    )
}

fn machine(rules: &str) -> Arc<CircuitMachine> {
    let budget = ground::Budget::unlimited();
    let mut ground = ground::ground(&gdl::normal::read(rules), &budget).expect("small");
    let (circuit, _) = build(&mut ground, Effort::Thorough, &budget).expect("small");
    Arc::new(CircuitMachine::new(Arc::new(circuit)))
}

fn forest(whole: &Arc<CircuitMachine>) -> Forest {
    let halves = Arc::new(Halves::new(whole).expect("can be taken apart"));
    Forest::new(halves, whole.initial(), 0, 64 << 20, 1)
}

fn solve(whole: &Arc<CircuitMachine>) -> (BatchMachine, Solution) {
    let batch = BatchMachine::new(Arc::clone(whole));
    let limits = Limits { bytes: 1 << 30, is_over: &|| false };
    let graph = StateGraph::explore(&batch, Reduction::default(), &limits).expect("small");
    let solution = Solution::new(graph, &limits).expect("small");
    (batch, solution)
}

#[test]
fn every_move_is_as_good_as_the_best_of_the_whole_game() {
    for (first, second) in [(60, 40), (50, 50)] {
        let whole = machine(&heaps(first, second));
        let (batch, solution) = solve(&whole);
        let mut forest = forest(&whole);
        let (mut workspace, mut state) = (whole.workspace(), whole.initial());
        let mut expansion = Expansion::new();
        let mut turn = 0;
        loop {
            whole.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            if expansion.is_terminal() {
                break;
            }
            forest.run(&Budget::simulations(6_000)).expect("no fault");
            let look = solution.look(&batch, &state).expect("no fault").expect("a state of the game");
            let mut joint = Vec::new();
            for role in [RoleId(0), RoleId(1)] {
                let choices = forest.choices(role).expect("no fault");
                assert_eq!(choices.len(), expansion.legal(role).len());
                let best = choices[0];
                let candidates = look.candidates(role);
                let most = candidates.iter().map(|one| one.worth.value).fold(0.0, f32::max);
                let own = candidates.iter().find(|one| one.id == best.id).expect("legal").worth.value;
                assert_eq!(own, most, "step {turn}");
                assert_eq!(own, look.worths[usize::from(role.0)].value);
                assert!((best.value - f64::from(own)).abs() < 15.0, "step {turn}: {} for {own}", best.value);
                joint.push(best.id);
            }
            forest.advance(&joint).expect("no fault");
            state = whole.apply(&mut workspace, &state, &joint).expect("no fault");
            turn += 1;
        }
        assert!(turn > 1);
    }
}

#[test]
fn moves_of_the_whole_game_are_legal_wherever_it_goes() {
    for name in ["twin-tic-tac-toe", "twin-breakthrough", "twin-lights"] {
        let whole = machine(bundled::find(name).expect("a bundled game").rules);
        let mut forest = forest(&whole);
        let (mut workspace, mut state) = (whole.workspace(), whole.initial());
        let mut expansion = Expansion::new();
        let mut dice = game::Dice::new(3);
        let mut simulated = 0;
        loop {
            whole.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            for role in whole.role_ids() {
                let mut ids: Vec<MoveId> =
                    forest.choices(role).expect("no fault").iter().map(|choice| choice.id).collect();
                ids.sort_by_key(|id| id.0);
                let mut legal = expansion.legal(role).to_vec();
                legal.sort_by_key(|id| id.0);
                assert_eq!(ids, legal, "{name}");
            }
            if expansion.is_terminal() {
                break;
            }
            forest.run(&Budget::simulations(100)).expect("no fault");
            assert!(forest.totals()[0] >= simulated, "{name}");
            simulated = forest.totals()[0];
            // Moves that the trees would hardly make.
            let joint = expansion.by_role().map(|legal| legal[dice.below(legal.len())]);
            let joint: Vec<MoveId> = joint.collect();
            forest.advance(&joint).expect("no fault");
            state = whole.apply(&mut workspace, &state, &joint).expect("no fault");
        }
        assert!(simulated > 0, "{name}");
    }
}

/// Each role has a track of its own; who is home first wins, and both at once are a draw.
fn race(left: u8, right: u8) -> String {
    format!(
        "(role left) (role right) (opponent left right) (opponent right left)
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (at left 0)) (init (at right 0))
        (<= (legal ?r go) (role ?r)) (<= (legal ?r stay) (role ?r))
        (<= (next (at ?r ?y)) (true (at ?r ?x)) (succ ?x ?y) (does ?r go))
        (<= (next (at ?r ?x)) (true (at ?r ?x)) (does ?r stay))
        (<= (home left) (true (at left {left}))) (<= (home right) (true (at right {right})))
        (<= terminal (home ?r))
        (<= (goal ?r 100) (home ?r) (opponent ?r ?o) (not (home ?o)))
        (<= (goal ?r 50) (home ?r) (opponent ?r ?o) (home ?o))
        (<= (goal ?r 50) (role ?r) (not (home left)) (not (home right)))
        (<= (goal ?r 0) (opponent ?r ?o) (home ?o) (not (home ?r)))"
    )
}

#[test]
fn a_part_is_won_in_vain_after_another_is_lost() {
    for (left, right, wanted) in [(2, 4, 100.0), (3, 3, 50.0), (4, 2, 0.0)] {
        let whole = machine(&race(left, right));
        let mut forest = forest(&whole);
        forest.run(&Budget::simulations(8_000)).expect("no fault");
        for (role, wanted) in [(RoleId(0), wanted), (RoleId(1), 100.0 - wanted)] {
            let best = forest.choices(role).expect("no fault")[0];
            assert!((best.value - wanted).abs() < 12.0, "{left} to {right}: {} for {wanted}", best.value);
        }
    }
}

#[test]
fn games_of_one_part_are_left_to_others() {
    let whole = machine(bundled::find("tic-tac-toe").expect("a bundled game").rules);
    assert!(Halves::new(&whole).is_err());
}

#[test]
fn what_is_sure_in_the_parts_is_sure_in_the_whole() {
    for (first, second) in [(60, 40), (50, 50), (90, 10), (20, 20), (0, 0)] {
        let whole = machine(&heaps(first, second));
        let (_, solution) = solve(&whole);
        let halves = Halves::new(&whole).expect("can be taken apart");
        let (all, states) = sure(&halves, 10_000, &|| false).expect("small");
        assert!(states < solution.graph().len(), "{states}");
        for (role, sure) in (0..).map(RoleId).zip(all) {
            let value = solution.worth(solver::NodeId(0), role).value;
            assert_eq!((f32::from(sure.least), f32::from(sure.most)), (value, value), "{first} and {second}");
        }
    }
}

#[test]
fn twin_tic_tac_toe_is_a_draw() {
    let whole = machine(bundled::find("twin-tic-tac-toe").expect("a bundled game").rules);
    let halves = Halves::new(&whole).expect("can be taken apart");
    let (all, _) = sure(&halves, 100_000, &|| false).expect("small");
    assert_eq!(all, [Sure { least: 50, most: 50 }; 2]);
    assert_eq!(sure(&halves, 100, &|| false), Err(Open::Exhausted));
    assert_eq!(sure(&halves, 100_000, &|| true), Err(Open::Exhausted));
    // It ends with one of its parts, so when they end matters.
    let whole = machine(bundled::find("twin-breakthrough").expect("a bundled game").rules);
    let halves = Halves::new(&whole).expect("can be taken apart");
    assert!(matches!(sure(&halves, 100_000, &|| false), Err(Open::Refused(_))));
}

#[test]
fn a_part_that_may_go_on_is_not_over() {
    let over = |name: &str| {
        let halves = Halves::new(&machine(bundled::find(name).expect("a bundled game").rules));
        halves.expect("can be taken apart").parts.iter().map(|half| half.going.is_some()).collect::<Vec<_>>()
    };
    assert_eq!(over("twin-tic-tac-toe"), [true, true]);
    // Lamps that are out are lit again by the next press, and random walks hardly ever put all out.
    assert_eq!(over("twin-lights"), [false, false]);
}

/// What seems over when a game is taken apart is looked at again in every position of a match.
#[test]
fn a_part_that_goes_on_late_is_searched_with_the_rest() {
    let sheet = include_str!("../tests/late.kif");
    let kept = sheet.replace("(opponent ?o ?r) (true (won one ?o)))", "(true (won one ?r)))");
    for (rules, gives) in [(kept.as_str(), false), (sheet, true)] {
        let limits = machine::Limits::generous();
        let machine = machine::from_text(rules, machine::Wanted::Batch(machine::Target::detect()), &limits)
            .expect("small");
        let whole = Arc::clone(machine.lanes().expect("it has lanes").machine());
        let halves = Halves::new(&whole).expect("can be taken apart");
        assert!(halves.parts.iter().all(|half| half.going.is_some()), "both seem to be over sometime");
        let row = crate::row("nobody");
        let settings = Settings::new(row.parameters.clone());
        let clock: engine::Clock = Arc::new(|| std::time::Duration::ZERO);
        let make = |history: &[Vec<String>]| {
            let seat = Seat {
                machine: &machine,
                history,
                settings: &settings,
                seed: 1,
                clock: &clock,
                helpers: None,
            };
            (row.make)(&seat)
        };
        let mut engine = make(&[]).expect("nothing speaks against it yet");
        let (mut workspace, mut state, mut expansion) =
            (whole.workspace(), whole.initial(), Expansion::new());
        let mut history: Vec<Vec<String>> = Vec::new();
        let mut stood = None;
        loop {
            whole.expand(&mut workspace, &state, &mut expansion).expect("no fault");
            if expansion.is_terminal() {
                break;
            }
            let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[0]).collect();
            state = whole.apply(&mut workspace, &state, &joint).expect("no fault");
            history.push(joint.iter().map(|&id| whole.move_text(id)).collect());
            if stood.is_none() && !engine.advance(&history[history.len() - 1]).expect("no fault") {
                stood = Some(history.len());
                // Nor does it play the rest of the match when it is made anew.
                assert!(matches!(make(&history), Err(MakeError::Refused(_))));
                assert!(make(&history[..history.len() - 1]).is_ok());
            }
        }
        assert_eq!(history.len(), 30);
        if gives {
            // The small heap is over after three steps at the most; it shows a few steps before the clock strikes.
            assert!(stood.is_some_and(|steps| (9..=21).contains(&steps)), "{stood:?}");
        } else {
            assert_eq!(stood, None);
        }
    }
}
