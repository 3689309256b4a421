//! Searches in matches: slices, threads, evaluators, odd games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use engine::{Budget, Evaluator, Settings, Stop};
use game::{Expansion, Game, MoveId, RoleId, RuleFault, Simulator};

use super::games::bundled;
use super::graph::Graph;
use super::{look_through, search, small};
use crate::evaluators::{self, Even};
use crate::{Judge, Learner, Options, Search};

fn settings(values: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::new(Options::rows());
    values.iter().for_each(|(name, value)| settings.set(name, value).expect("a value"));
    settings
}

#[test]
fn slices_add_up() {
    let game = bundled("connect-four-small");
    let options = Options { look_ahead: 7, ..small() };
    let whole = {
        let mut search = search(&game, &game.initial(), RoleId(0), options);
        look_through(&mut search);
        search.advice().expect("no fault").expect("not over")
    };
    // A clock that goes on with every look at it, so that every slice is a few positions.
    let looks = AtomicU64::new(0);
    let clock = || Duration::from_micros(looks.fetch_add(1, Ordering::Relaxed));
    let mut search = search(&game, &game.initial(), RoleId(0), options);
    let mut slices = 0;
    loop {
        let until = Duration::from_micros(looks.load(Ordering::Relaxed) + 40);
        slices += 1;
        match search.run(&Budget::until(&clock, until)).expect("no fault") {
            Stop::Time => {}
            stop => break assert_eq!(stop, Stop::Proven),
        }
        assert!(search.advice().expect("no fault").is_some());
    }
    let advice = search.advice().expect("no fault").expect("not over");
    assert!(slices > 20, "{slices}");
    assert_eq!((advice.depth, advice.best), (whole.depth, whole.best));
    assert!(advice.value.zip(whole.value).is_some_and(|(one, other)| (one - other).abs() < 1e-9));
}

#[test]
fn the_same_seed_and_count_give_the_same_advice() {
    let game = bundled("breakthrough-5x5");
    let advice = |seed: u64| {
        let judge = evaluators::chosen(&game, &settings(&[("evaluator", "playouts")]), 3);
        let mut search = Search::new(&game, game.initial(), RoleId(0), judge, small(), seed);
        assert_eq!(search.run(&Budget::simulations(20_000)).expect("no fault"), Stop::Simulations);
        (search.advice().expect("no fault"), search.work())
    };
    assert_eq!(advice(1), advice(1));
    let (_, work) = advice(1);
    assert!((20_000..24_000).contains(&work.positions), "{work:?}");
}

#[test]
fn who_says_stop_is_heard() {
    let game = bundled("breakthrough-5x5");
    let stop = AtomicBool::new(true);
    let budget = Budget { stop: Some(&stop), simulations: None, ..Budget::simulations(0) };
    let mut search = search(&game, &game.initial(), RoleId(0), Options { threads: 3, ..small() });
    assert_eq!(search.run(&budget).expect("no fault"), Stop::Told);
    assert!(search.advice().expect("no fault").is_some());
    assert_eq!(search.run(&Budget::simulations(0)).expect("no fault"), Stop::Simulations);
}

#[test]
fn many_leaves_are_evaluated_in_one_call() {
    let game = bundled("breakthrough-5x5");
    let mut search = search(&game, &game.initial(), RoleId(0), Options { sort: false, ..small() });
    search.run(&Budget::simulations(50_000)).expect("no fault");
    let work = search.work();
    assert!(work.estimates > 25 * work.calls, "{work:?}");
}

#[test]
fn every_evaluator_plays_every_kind_of_game() {
    for name in
        ["tic-tac-toe", "eight-puzzle", "chinese-checkers-six", "goofspiel", "checkers", "prisoners-dilemma"]
    {
        let game = bundled(name);
        for evaluator in evaluators::NAMES {
            let settings = settings(&[("evaluator", evaluator), ("sample_games", "64"), ("memory", "16")]);
            for role in game.role_ids() {
                let judge = evaluators::chosen(&game, &settings, 1);
                let options = Options::read(&settings);
                let mut search = Search::new(&game, game.initial(), role, judge, options, 1);
                search.run(&Budget::simulations(2_000)).expect("no fault");
                assert!(!search.is_learning());
                let advice = search.advice().expect("no fault").expect("not over");
                assert!(advice.depth >= 1, "{name} {evaluator}: {advice:?}");
                let value = advice.value.expect("a value");
                assert!((0.0..=1.0).contains(&value), "{name} {evaluator}: {value}");
                let best = &advice.candidates[advice.best];
                assert!(
                    best.proven.most
                        >= advice.candidates.iter().map(|one| one.proven.least).max().expect("moves")
                );
                assert_eq!(advice.line[0][usize::from(role.0)], best.id);
            }
        }
    }
}

#[test]
fn games_that_are_over_or_stuck_are_no_trouble() {
    let over = Graph::by_hand(2, &[(&[], &[], &[100, 0])]);
    let mut finished = search(&over, &over.initial(), RoleId(1), small());
    look_through(&mut finished);
    assert_eq!(finished.advice(), Ok(None));
    let stuck = Graph::by_hand(2, &[(&[1, 0], &[], &[])]);
    let mut at_once = search(&stuck, &stuck.initial(), RoleId(0), small());
    assert_eq!(at_once.run(&Budget::simulations(9)), Err(RuleFault::NoLegalMove(RoleId(1))));
    assert!(at_once.advice().expect("a move").is_some());
    let mut other = search(&stuck, &stuck.initial(), RoleId(1), small());
    assert_eq!(other.advice(), Err(RuleFault::NoLegalMove(RoleId(1))));
    // Stuck later on: that is worth less than a win, and proves nothing.
    let later = Graph::by_hand(2, &[(&[2, 1], &[1, 2], &[]), (&[1, 0], &[], &[]), (&[], &[], &[100, 0])]);
    let mut search = search(&later, &later.initial(), RoleId(0), small());
    look_through(&mut search);
    let advice = search.advice().expect("no fault").expect("not over");
    assert_eq!((advice.best, advice.is_proven()), (1, true));
    assert_eq!(advice.candidates[0].proven, crate::Proven::NOTHING);
}

/// Counts the pieces it works in.
struct Slow(u32);

impl<State> Learner<State> for Slow {
    fn work(&mut self) -> Result<Option<Arc<dyn Evaluator<State>>>, RuleFault> {
        self.0 += 1;
        Ok((self.0 >= 100).then(|| Arc::new(Even) as Arc<dyn Evaluator<State>>))
    }
}

#[test]
fn learning_leaves_time_to_think() {
    let game = bundled("connect-four-small");
    let looks = AtomicU64::new(0);
    let clock = || Duration::from_micros(looks.fetch_add(1, Ordering::Relaxed));
    let judge = Judge::Learning(Box::new(Slow(0)));
    let mut search = Search::new(&game, game.initial(), RoleId(0), judge, small(), 1);
    let mut positions = 0;
    for slice in 1..200u32 {
        let until = Duration::from_micros(looks.load(Ordering::Relaxed) + 20);
        search.run(&Budget::until(&clock, until)).expect("no fault");
        assert!(search.work().positions > positions, "slice {slice}");
        positions = search.work().positions;
        if !search.is_learning() {
            assert!(slice > 5, "{slice}");
            return;
        }
    }
    panic!("it never learnt anything");
}

#[test]
fn what_is_proven_outlives_the_evaluator_and_the_move() {
    let game = bundled("tic-tac-toe");
    let mut search = search(&game, &game.initial(), RoleId(0), small());
    look_through(&mut search);
    let nodes = search.work().nodes;
    search.set_evaluator(Arc::new(Even));
    look_through(&mut search);
    let advice = search.advice().expect("no fault").expect("not over");
    assert_eq!(advice.candidates[advice.best].proven.least.0, 50);
    assert!(search.work().nodes - nodes < nodes / 2, "{} of {nodes}", search.work().nodes - nodes);
    let mut expansion = Expansion::new();
    game.expand(&mut game.workspace(), &game.initial(), &mut expansion).expect("a state");
    let joint: Vec<MoveId> = vec![advice.candidates[advice.best].id, expansion.legal(RoleId(1))[0]];
    search.advance(&joint).expect("no fault");
    let before = search.work().nodes;
    look_through(&mut search);
    assert!(search.work().nodes - before < 1000);
}

#[test]
fn threads_find_the_same_proof() {
    let game = bundled("connect-four-small");
    let mut search = search(&game, &game.initial(), RoleId(0), Options { threads: 3, ..small() });
    for _ in 0..3 {
        search.run(&Budget::simulations(10_000)).expect("no fault");
    }
    assert!(search.advice().expect("no fault").is_some());
    assert!(game.lanes() > 1);
}
