//! Games whose values are known.

use std::sync::Arc;

use engine::{Budget, Stop};
use game::{Describe, Game, RoleId};
use hidden::{Belief, BeliefTree, Endgame, Equilibrium, GameTree, Growth, Own, Sampling, Step, Views};
use machine::{ErasedGame, Limits, Target, Wanted};

fn game(name: &str) -> Arc<ErasedGame> {
    let rules = bundled::find(name).expect("a bundled game").rules;
    let machine = machine::from_text(rules, Wanted::Circuit(Target::detect()), &Limits::generous());
    machine.expect("a machine").erased()
}

/// A game played so many rounds, and how well it then is.
fn learned(game: &ErasedGame, rounds: u64) -> (GameTree<ErasedGame>, Equilibrium) {
    let mut tree = GameTree::new(game, 1_000_000);
    assert_eq!(tree.grow_fully(game, &mut game.workspace()), Ok(Growth::Complete));
    let mut equilibrium = Equilibrium::new(&tree);
    (0..rounds).for_each(|_| equilibrium.learn(&tree));
    (tree, equilibrium)
}

#[test]
fn kuhn_poker_costs_the_first_player_a_chip_in_eighteen() {
    let game = game("kuhn-poker");
    let (tree, equilibrium) = learned(&game, 500);
    // Six cards and histories for each of two players, in which they decide.
    assert_eq!(tree.sets().len(), 12);
    let values = tree.values(&equilibrium);
    // A chip is a quarter of all.
    let chips = (values[0] - 0.5) * 4.0;
    assert!((chips + 1.0 / 18.0).abs() < 0.001, "{chips}");
    assert!((values[0] + values[1] - 1.0).abs() < 1e-9);
    let exploitability = 4.0 * tree.exploitability(&equilibrium);
    assert!((0.0..0.01).contains(&exploitability), "{exploitability}");
}

#[test]
fn leduc_poker_is_worth_what_is_known() {
    let game = game("leduc-poker");
    let (tree, equilibrium) = learned(&game, 400);
    // Three ranks; with two suits that can be told apart there would be 936.
    assert_eq!(tree.sets().len(), 288);
    let chips = (tree.values(&equilibrium)[0] - 0.5) * 100.0 / 3.0;
    assert!((chips + 0.0856).abs() < 0.005, "{chips}");
    let exploitability = tree.exploitability(&equilibrium) * 100.0 / 3.0;
    assert!((0.0..0.01).contains(&exploitability), "{exploitability}");
}

#[test]
fn a_hundred_rounds_are_worth_what_they_are_worth_elsewhere() {
    // What OpenSpiel's CFR+ comes to: what a role plays counts in its average in every round.
    for (name, chips, expected) in [("kuhn-poker", 4.0, 0.00119), ("leduc-poker", 100.0 / 3.0, 0.01342)] {
        let (tree, equilibrium) = learned(&game(name), 100);
        let exploitability = chips * tree.exploitability(&equilibrium);
        assert!((exploitability - expected).abs() < 0.01 * expected, "{name}: {exploitability}");
    }
}

#[test]
fn play_that_has_not_learned_can_be_exploited() {
    let game = game("kuhn-poker");
    let (tree, equilibrium) = learned(&game, 0);
    let exploitability = 4.0 * tree.exploitability(&equilibrium);
    // Both betting and passing by a coin: known to be 0.4583.
    assert!((exploitability - 0.458_333).abs() < 1e-5, "{exploitability}");
}

#[test]
fn a_banker_who_gives_nothing_away_loses_least() {
    let game = game("banker-and-thief");
    let (tree, equilibrium) = learned(&game, 2_000);
    assert!(tree.exploitability(&equilibrium) < 0.001);
    // An even division leaves the thief one in two for 55. One bar in the bank with the broken alarm gives that bank
    // away and costs 50.
    let thief = tree.values(&equilibrium)[1];
    assert!((thief - 0.275).abs() < 0.001, "{thief}");
}

#[test]
fn games_that_are_too_large_are_told_so() {
    let game = game("blind-tic-tac-toe");
    let mut tree = GameTree::new(&*game, 10_000);
    assert_eq!(tree.grow_fully(&*game, &mut game.workspace()), Ok(Growth::TooLarge));
    assert!(tree.len() <= 10_001);
}

/// What each move of the only role that decides is worth, after some steps.
fn worth(game: &Arc<ErasedGame>, steps: &[(&str, &[&str])]) -> Vec<(String, f64)> {
    let role = RoleId(0);
    let mut belief = Belief::new(Arc::clone(game), role, 1000, 1);
    for (own, told) in steps {
        let told = told.iter().map(|text| game.find_percept(role, text).expect("a percept")).collect();
        let step = Step { own: Own::Made(game.find_move(role, own).expect("a move")), told: Some(told) };
        assert_eq!(belief.advance(step), Ok(true));
    }
    assert!(belief.is_exact());
    let positions: Vec<_> = belief.particles().iter().map(|each| (each.state.clone(), each.weight)).collect();
    let mut tree = BeliefTree::new(role, 10_000_000);
    let moves = tree.moves(&**game, &mut game.workspace(), &positions, &mut || true).expect("small");
    moves.into_iter().map(|(id, worth)| (game.move_text(id), worth)).collect()
}

#[test]
fn who_switches_wins_twice_in_three() {
    let game = game("monty-hall");
    for door in ["(choose 1)", "(choose 3)"] {
        let moves = worth(&game, &[("noop", &[]), (door, &[]), ("noop", &["(opened 2)"])]);
        let of = |name: &str| moves.iter().find(|(text, _)| text == name).map(|(_, worth)| *worth);
        assert!((of("switch").expect("legal") - 2.0 / 3.0).abs() < 1e-9, "{moves:?}");
        assert!((of("stay").expect("legal") - 1.0 / 3.0).abs() < 1e-9, "{moves:?}");
    }
}

#[test]
fn four_questions_find_one_of_sixteen_numbers() {
    let game = game("number-guessing");
    let moves = worth(&game, &[("noop", &[])]);
    let best = moves.iter().map(|(_, worth)| *worth).fold(0.0, f64::max);
    assert!((best - 0.8).abs() < 1e-9, "{best}");
    let asks: Vec<&str> =
        moves.iter().filter(|(_, worth)| (worth - best).abs() < 1e-9).map(|(text, _)| &text[..]).collect();
    assert_eq!(asks, ["(less 9)"], "halves");
}

#[test]
fn nine_codes_take_twenty_one_guesses() {
    let game = game("mastermind-small");
    let moves = worth(&game, &[("noop", &[])]);
    let best = moves.iter().map(|(_, worth)| *worth).fold(0.0, f64::max);
    // The first guess is worth 100, and each further one 20 less.
    let guesses = (120.0 - 100.0 * best) / 20.0;
    assert!((guesses - 21.0 / 9.0).abs() < 1e-9, "{guesses}");
}

#[test]
fn the_best_move_is_found_without_following_all_others() {
    for (name, best) in [("number-guessing", 0.8), ("mastermind-small", 1.2 - 0.2 * 21.0 / 9.0)] {
        let game = game(name);
        let role = RoleId(0);
        let mut belief = Belief::new(Arc::clone(&game), role, 1000, 1);
        let step =
            Step { own: Own::Made(game.find_move(role, "noop").expect("a move")), told: Some(Vec::new()) };
        assert_eq!(belief.advance(step), Ok(true));
        let particles = belief.particles().iter();
        let positions: Vec<_> = particles.map(|each| (each.state.clone(), each.weight)).collect();
        let mut tree = BeliefTree::new(role, 10_000_000);
        let found = tree.best(&*game, &mut game.workspace(), &positions, &mut || true);
        let (id, worth) = found.expect("small").expect("it goes on");
        assert!((worth - best).abs() < 1e-9, "{name}: {worth}");
        let followed = tree.len();
        let moves = tree.moves(&*game, &mut game.workspace(), &positions, &mut || true).expect("small");
        assert!(moves.contains(&(id, worth)), "{name}: {moves:?}");
        assert!(moves.iter().all(|(_, other)| *other <= worth + 1e-9), "{name}: {moves:?}");
        assert!(followed < tree.len(), "{name}: {followed} of {}", tree.len());
    }
}

#[test]
fn what_is_too_large_is_told_so_and_what_is_stopped_goes_on() {
    let game = game("number-guessing");
    let role = RoleId(0);
    let mut belief = Belief::new(Arc::clone(&game), role, 1000, 1);
    let step = Step { own: Own::Made(game.find_move(role, "noop").expect("a move")), told: Some(Vec::new()) };
    assert_eq!(belief.advance(step), Ok(true));
    let positions: Vec<_> = belief.particles().iter().map(|each| (each.state.clone(), each.weight)).collect();
    let mut small = BeliefTree::new(role, 100);
    assert!(small.best(&*game, &mut game.workspace(), &positions, &mut || true).is_err());
    let mut tree = BeliefTree::new(role, 10_000_000);
    for stop in 1.. {
        let mut left = stop * 50;
        let mut go_on = || {
            left -= 1;
            left > 0
        };
        if let Ok(best) = tree.best(&*game, &mut game.workspace(), &positions, &mut go_on) {
            assert!(stop > 1 && (best.expect("it goes on").1 - 0.8).abs() < 1e-9);
            break;
        }
        assert!(stop < 1_000, "it never ends");
    }
}

#[test]
fn samples_approach_what_is_found_by_laying_out_the_game() {
    let game = game("kuhn-poker");
    let mut workspace = game.workspace();
    let mut exploitability = Vec::new();
    for samples in [2_000, 200_000] {
        let mut views = Views::default();
        let first = views.begin(game.role_count());
        let mut sampling = Sampling::new(1_000, 5);
        for _ in 0..samples {
            let learned = sampling.learn(&*game, &mut workspace, &mut views, &game.initial(), &first);
            assert_eq!(learned, Ok(()));
        }
        assert_eq!((sampling.len(), sampling.samples()), (12, samples));
        let mut tree = GameTree::sharing(&*game, 10_000, views, first);
        assert_eq!(tree.grow_fully(&*game, &mut workspace), Ok(Growth::Complete));
        let learned = Equilibrium::of_samples(&tree, &sampling);
        exploitability.push(4.0 * tree.exploitability(&learned));
    }
    // Play by a coin is at 0.4583.
    let [few, many] = exploitability[..] else { panic!("two of them") };
    assert!(many < 0.03 && many < few && few < 0.4, "{exploitability:?}");
}

/// Both choose at once; who chooses alike gives the first 100 or 50, and the second the rest.
const CHOICE: &str = "(role row) (role column) (init begun)
    (legal row a) (legal row b) (legal column a) (legal column b)
    (<= (next (row ?m)) (does row ?m)) (<= (next (column ?m)) (does column ?m))
    (<= terminal (true (row ?m)))
    (<= (goal row 100) (true (row a)) (true (column a)))
    (<= (goal row 50) (true (row b)) (true (column b)))
    (<= (goal row 0) (true (row ?x)) (true (column ?y)) (distinct ?x ?y))
    (<= (goal column 0) (true (row a)) (true (column a)))
    (<= (goal column 50) (true (row b)) (true (column b)))
    (<= (goal column 100) (true (row ?x)) (true (column ?y)) (distinct ?x ?y))";

fn endgame(rules: &str, most_nodes: usize) -> Endgame<ErasedGame> {
    let machine = machine::from_text(rules, Wanted::Circuit(Target::detect()), &Limits::generous());
    let game = machine.expect("a machine").erased();
    let mut endgame = Endgame::new(Arc::clone(&game), most_nodes);
    endgame.begin(game.initial()).expect("no fault");
    endgame
}

#[test]
fn what_is_left_of_a_game_with_moves_at_once_is_played_by_an_equilibrium() {
    let mut left = endgame(CHOICE, 100);
    assert!(left.is_open() && left.mixture(RoleId(0)).is_none());
    assert_eq!(left.think(&Budget::simulations(1)), Ok(Some(Stop::Proven)));
    for (role, value) in [(RoleId(0), 1.0 / 3.0), (RoleId(1), 2.0 / 3.0)] {
        let mixture = left.mixture(role).expect("it is small");
        assert!((mixture.value - value).abs() < 0.01, "{mixture:?}");
        assert!((mixture.moves[0].1 - 1.0 / 3.0).abs() < 0.03, "{mixture:?}");
    }
    // Too large for what it may have, or not one's loss what the other wins, or one at a time: others play that.
    let mut left = endgame(CHOICE, 3);
    assert_eq!(left.think(&Budget::simulations(1)), Ok(None));
    let mut left = endgame(&CHOICE.replace("(goal column 50)", "(goal column 60)"), 100);
    assert_eq!(left.think(&Budget::simulations(1)), Ok(None));
    assert!(!endgame(bundled::find("tic-tac-toe").expect("bundled").rules, 1_000_000).is_open());
}
