//! What is proven, by whom it is known, and what is played then.

mod support;

use std::sync::Arc;

use game::{Describe, Game, RoleId};
use machine::circuit::CircuitMachine;
use search::mcts::{Advice, Bounds, Search};
use search::{Backup, Budget, Parameters, Stop};
use support::{after, circuit, circuit_of};

const LEFT: RoleId = RoleId(0);
const RIGHT: RoleId = RoleId(1);

fn parameters() -> Parameters {
    Parameters { discount: 0.999, ..Parameters::default() }
}

fn searched(game: &Arc<CircuitMachine>, parameters: Parameters, simulations: u64) -> Search<CircuitMachine> {
    let mut search = Search::new(Arc::clone(game), game.initial(), parameters, 3);
    search.run(&Budget::simulations(simulations)).expect("it can be searched");
    search
}

fn advice(search: &Search<CircuitMachine>, role: RoleId) -> Advice {
    search.advice(role).expect("there are moves")
}

fn best(search: &Search<CircuitMachine>, role: RoleId) -> String {
    search.game().move_text(advice(search, role).best().id)
}

/// Left and right choose at once among `moves`; `goals` says who gets what for which pair.
fn at_once(moves: &[&str], goals: &[(&str, &str, u8, u8)]) -> String {
    let mut rules = String::from("(role left) (role right) (init (stage start))\n");
    for role in ["left", "right"] {
        for name in moves {
            rules += &format!("(<= (legal {role} {name}) (true (stage start)))\n");
        }
    }
    rules += "(<= (next (chosen ?a ?b)) (does left ?a) (does right ?b))\n";
    rules += "(<= terminal (true (chosen ?a ?b)))\n";
    for (a, b, left, right) in goals {
        rules += &format!("(<= (goal left {left}) (true (chosen {a} {b})))\n");
        rules += &format!("(<= (goal right {right}) (true (chosen {a} {b})))\n");
    }
    rules
}

#[test]
fn who_is_lost_against_the_best_reply_goes_on_thinking() {
    // Left wins at once with a. After b, right can win if it goes up twenty times, unless it began with a too.
    let mut rules = String::from(
        "(role left) (role right) (init (step 0))
         (<= (legal left a) (true (step 0))) (<= (legal left b) (true (step 0)))
         (<= (legal right a) (true (step 0))) (<= (legal right b) (true (step 0)))
         (<= (legal left wait) (not (true (step 0))))
         (<= (legal right up) (not (true (step 0)))) (<= (legal right down) (not (true (step 0))))
         (<= (next over) (does left a)) (<= (next hopeless) (does right a)) (<= (next hopeless) (true hopeless))
         (<= (next (down ?step)) (true (step ?step)) (does right down)) (<= (next (down ?step)) (true (down ?step)))
         (<= lost (true (down ?step))) (<= lost (true over)) (<= lost (true hopeless))
         (<= terminal (true over)) (<= terminal (true (step 20)))
         (<= (goal left 100) lost) (<= (goal right 0) lost)
         (<= (goal left 0) (not lost)) (<= (goal right 100) (not lost))\n",
    );
    for step in 0..20 {
        rules += &format!("(<= (next (step {})) (true (step {step})))\n", step + 1);
    }
    let game = circuit_of(&rules);
    let search = searched(&game, parameters(), 400);
    let right = advice(&search, RIGHT);
    assert_eq!(right.bounds, [Bounds::exact(100), Bounds::exact(0)]);
    assert_eq!(right.candidates.iter().map(|candidate| candidate.visits).sum::<u32>(), 400);
}

#[test]
fn a_move_that_wins_against_every_reply_is_proven() {
    let goals = [("a", "a", 100, 0), ("a", "b", 0, 100), ("b", "a", 100, 0), ("b", "b", 100, 0)];
    let game = circuit_of(&at_once(&["a", "b"], &goals));
    for backup in [Backup::Path, Backup::Graph] {
        let search = searched(&game, Parameters { backup, ..parameters() }, 200);
        let left = advice(&search, LEFT);
        assert_eq!(best(&search, LEFT), "b");
        assert_eq!(left.best().bounds, Bounds::exact(100));
        assert!(left.is_proven());
        // Nor can the other role hope for what the first will not let happen.
        assert_eq!(left.bounds, [Bounds::exact(100), Bounds::exact(0)]);
    }
}

#[test]
fn the_search_ends_when_every_role_knows_what_to_do() {
    let goals = [("a", "a", 50, 0), ("a", "b", 50, 0), ("b", "a", 100, 0), ("b", "b", 100, 0)];
    let search = searched(&circuit_of(&at_once(&["a", "b"], &goals)), parameters(), 200);
    assert!(search.totals().simulations < 200, "{:?}", search.totals());
    assert_eq!(best(&search, LEFT), "b");
}

#[test]
fn what_depends_on_the_reply_is_not_proven() {
    // Matching pennies: nobody is sure of anything.
    let goals = [("a", "a", 100, 0), ("a", "b", 0, 100), ("b", "a", 0, 100), ("b", "b", 100, 0)];
    let search = searched(&circuit_of(&at_once(&["a", "b"], &goals)), parameters(), 300);
    for role in [LEFT, RIGHT] {
        let advice = advice(&search, role);
        assert!(!advice.is_proven());
        assert!(advice.bounds.iter().all(|&bounds| bounds == Bounds::UNKNOWN), "{advice:?}");
    }
    assert_eq!(search.totals().simulations, 300);
}

#[test]
fn a_role_is_sure_of_the_best_of_its_worst_outcomes() {
    let goals = [("a", "a", 40, 60), ("a", "b", 70, 30), ("b", "a", 20, 80), ("b", "b", 100, 0)];
    let search = searched(&circuit_of(&at_once(&["a", "b"], &goals)), parameters(), 300);
    let left = advice(&search, LEFT);
    assert_eq!(left.bounds, [Bounds { lower: 40, upper: 100 }, Bounds { lower: 60, upper: 80 }]);
    let of_moves: Vec<Bounds> = left.candidates.iter().map(|candidate| candidate.bounds).collect();
    assert_eq!(of_moves, [Bounds { lower: 40, upper: 70 }, Bounds { lower: 20, upper: 100 }]);
}

/// Chance moves first, to one of two places; then left chooses and gets what the place gives.
const CHANCE: &str = "
(role left) (role random) (init start)
(<= (legal random heads) (true start)) (<= (legal random tails) (true start))
(<= (legal left wait) (true start)) (<= (legal random wait) (not (true start)))
(<= (legal left safe) (not (true start))) (<= (legal left risky) (not (true start)))
(<= (next (side ?side)) (does random ?side) (true start))
(<= (next (side ?side)) (true (side ?side)))
(<= (next (chosen ?how)) (does left ?how) (not (true start)))
(<= terminal (true (chosen ?how)))
(<= (goal left 60) (true (chosen safe)))
(<= (goal left 100) (true (chosen risky)) (true (side heads)))
(<= (goal left 30) (true (chosen risky)) (true (side tails)))
(goal random 0)
";

#[test]
fn chance_is_neither_for_nor_against() {
    let search = searched(&circuit_of(CHANCE), parameters(), 400);
    let known = advice(&search, LEFT);
    assert_eq!(known.bounds[0], Bounds { lower: 60, upper: 100 });
    // Both sides are equally likely: 100 or 60, less what waiting for it costs.
    assert!((known.values[0] - 80.0).abs() < 5.0, "{:?}", known.values);
}

#[test]
fn what_chance_cannot_change_is_worth_what_it_is() {
    let rules = CHANCE.replace("(goal left 100)", "(goal left 60)");
    let mut search = Search::new(circuit_of(&rules), circuit_of(&rules).initial(), parameters(), 3);
    assert_eq!(search.run(&Budget::simulations(1_000)), Ok(Stop::Proven));
    let known = advice(&search, LEFT);
    assert_eq!(known.bounds[0], Bounds::exact(60));
    assert!((known.values[0] - 60.0 * 0.999 * 0.999).abs() < 1e-3, "{:?}", known.values);
}

/// Left chooses between a short and a long way to the same goal; right only watches.
fn corridor(goal: u8) -> String {
    let mut rules = String::from(
        "(role left) (role right) (init (at crossing)) (legal right watch)
        (<= (legal left short) (true (at crossing))) (<= (legal left long) (true (at crossing)))
        (<= (legal left on) (not (true (at crossing))))
        (<= (next (in short 1)) (does left short)) (<= (next (in long 1)) (does left long))
        (<= (next (in ?way ?next)) (true (in ?way ?here)) (step ?here ?next))
        (<= terminal (true (in short 3))) (<= terminal (true (in long 6)))\n",
    );
    (1..6).for_each(|here| rules += &format!("(step {here} {})\n", here + 1));
    rules + &format!("(goal left {goal}) (goal right {})\n", 100 - goal)
}

#[test]
fn wins_come_soon_and_losses_late() {
    let wins = searched(&circuit_of(&corridor(100)), parameters(), 400);
    assert_eq!(best(&wins, LEFT), "short");
    let value = |search: &Search<_>| advice(search, LEFT).best().value;
    assert!((value(&wins) - 100.0 * 0.999f64.powi(3)).abs() < 1e-3, "{}", value(&wins));
    let losses = searched(&circuit_of(&corridor(0)), parameters(), 400);
    assert!(advice(&losses, LEFT).is_proven());
    assert_eq!(best(&losses, LEFT), "long");
}

#[test]
fn proofs_of_three_roles_agree_with_the_end_of_the_game() {
    let game = circuit("three-player-tic-tac-toe");
    let mut search = Search::new(Arc::clone(&game), game.initial(), parameters(), 5);
    let mut foreseen: Option<Vec<Bounds>> = None;
    while let Some(advice) = {
        search.run(&Budget::simulations(3_000)).expect("it can be searched");
        search.advice(LEFT)
    } {
        if advice.bounds.iter().all(|bounds| bounds.is_exact()) {
            let known = foreseen.get_or_insert_with(|| advice.bounds.clone());
            assert_eq!(*known, advice.bounds, "what is proven stays so if all play by it");
        }
        let joint: Vec<_> =
            game.role_ids().map(|role| search.advice(role).expect("there are moves").best().id).collect();
        search.advance(&joint).expect("it can be played");
    }
    let mut goals = Vec::new();
    game.goals(&mut game.workspace(), &search.state(), &mut goals).expect("it has goals");
    let foreseen = foreseen.expect("near the end all is known");
    for (goal, bounds) in goals.iter().zip(foreseen) {
        assert_eq!(Bounds::exact(goal.value().0), bounds);
    }
}

#[test]
fn threads_agree_on_what_is_proven() {
    let game = circuit("tic-tac-toe");
    let state = after(&*game, &[&["(mark 1 1)", "noop"], &["noop", "(mark 2 1)"]]);
    for seed in 0..20 {
        let parameters = Parameters { threads: 3, ..parameters() };
        let mut search = Search::new(Arc::clone(&game), state.clone(), parameters, seed);
        assert_eq!(search.run(&Budget::simulations(200_000)), Ok(Stop::Proven));
        let advice = advice(&search, LEFT);
        assert_eq!(advice.bounds[0], Bounds::exact(100));
        for candidate in &advice.candidates {
            let (value, bounds) = (candidate.value, candidate.bounds);
            // What is proven is worth its goal, less what waiting for at most nine moves costs.
            let least = f64::from(bounds.lower) * 0.999f64.powi(9) - 1e-3;
            assert!(value >= least && value <= f64::from(bounds.upper) + 1e-3, "{candidate:?}");
        }
    }
}
