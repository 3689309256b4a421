//! Selection beyond mean and bonus: each formula against the next choice of a real search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use game::{Describe, Game, RoleId};
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;

use super::Search;
use super::tests::support::{after, circuit, circuit_of};
use super::tree::{Status, UNIT};
use crate::{Backup, Budget, Objective, Parameters, Rave, Selection, Stop, Td, Untried};

/// Two choices in a row between `a` and `b`; both `a` is best, both `b` is worst.
const TWICE: &str = "
    (role you) (init (step 0)) (succ 0 1) (succ 1 2)
    (legal you a) (legal you b)
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (next (made ?n ?move)) (true (step ?n)) (does you ?move))
    (<= (next (made ?n ?move)) (true (made ?n ?move)))
    (<= terminal (true (step 2)))
    (<= (goal you 100) (true (made 0 a)) (true (made 1 a)))
    (<= (goal you 60) (true (made 0 a)) (true (made 1 b)))
    (<= (goal you 30) (true (made 0 b)) (true (made 1 a)))
    (<= (goal you 0) (true (made 0 b)) (true (made 1 b)))";

type Plain = Search<CircuitMachine>;

fn plain() -> Parameters {
    Parameters {
        backup: Backup::Path,
        prove: false,
        discount: 1.0,
        batch: 1,
        fill: false,
        ..Parameters::default()
    }
}

fn begin(game: &Arc<CircuitMachine>, parameters: Parameters) -> Plain {
    Search::new(Arc::clone(game), game.initial(), parameters, 5)
}

fn run(search: &mut Plain, simulations: u64) {
    search.run(&Budget::simulations(simulations)).expect("it can be searched");
}

/// Of each move of the first role at the root: visits, and the mean.
fn root_moves(search: &Plain) -> Vec<(u32, f64)> {
    let tree = search.trees[0].read();
    let Status::Open { block, .. } = tree.node(tree.root()).status() else { panic!("it is open") };
    let known = |edge: Option<super::tree::Edge<'_>>| {
        edge.map_or((0, 0.0), |edge| {
            let (_, ended) = edge.visits();
            (ended, edge.worth(0) as f64 / UNIT / f64::from(ended.max(1)))
        })
    };
    tree.edges(block, 0).iter().map(known).collect()
}

/// Searches, works out which move of the root should be next by a score of place, visits and mean, and
/// compares that with which one is.
fn the_next_is_best_by(parameters: Parameters, score: impl Fn(&Plain, usize, u32, f64, f64) -> f64) {
    let game = circuit("tic-tac-toe");
    let mut search = begin(&game, parameters);
    run(&mut search, 30);
    for _ in 0..60 {
        let before = root_moves(&search);
        let all: u32 = before.iter().map(|(visits, _)| visits).sum();
        // The visit that is about to choose is counted.
        let bonus = 40.0 * f64::from(all + 1).ln().sqrt();
        let of = |place: usize| score(&search, place, before[place].0, before[place].1, bonus);
        let scores: Vec<f64> = (0..before.len()).map(of).collect();
        let best =
            (0..before.len()).max_by(|&one, &other| scores[one].total_cmp(&scores[other])).expect("moves");
        run(&mut search, 1);
        let after = root_moves(&search);
        let chosen = (0..before.len()).find(|&place| after[place].0 > before[place].0).expect("a visit");
        assert!(
            chosen == best || (scores[chosen] - scores[best]).abs() < 1e-3,
            "{chosen} of {before:?} is not {best}: {scores:?}",
        );
    }
}

fn rave_of(search: &Plain, place: usize) -> (u32, f64) {
    let tree = search.trees[0].read();
    let Status::Open { block, .. } = tree.node(tree.root()).status() else { panic!("it is open") };
    let id = tree.edges(block, 0).id(place);
    let rave = search.rave[0].read();
    let paths = super::paths::Paths::default();
    let table = rave.used_in(&tree, tree.root(), &paths, None).expect("a table");
    table.of(RoleId(0), id).map_or((0, 0.0), |value| (value.visits, value.mean()))
}

#[test]
fn rave_is_mixed_as_published() {
    let parameters = Parameters { rave: Rave::Schedule, rave_k: 50.0, ..plain() };
    the_next_is_best_by(parameters, |search, place, visits, mean, bonus| {
        let all: u32 = root_moves(search).iter().map(|(visits, _)| visits).sum();
        let beta = (50.0 / (3.0 * f64::from(all) + 50.0)).sqrt();
        beta * rave_of(search, place).1 + (1.0 - beta) * mean + bonus / f64::from(visits.max(1)).sqrt()
    });
    let parameters = Parameters { rave: Rave::Error, rave_bias: 0.01, rave_reference: 10, ..plain() };
    the_next_is_best_by(parameters, |search, place, visits, mean, bonus| {
        let (made, value) = rave_of(search, place);
        let (own, all) = (f64::from(visits), f64::from(made));
        let beta = all / (all + own + 0.01 * all * own);
        beta * value + (1.0 - beta) * mean + bonus / own.max(1.0).sqrt()
    });
}

#[test]
fn rave_counts_moves_made_at_any_time() {
    let game = circuit_of(TWICE);
    let mut search = begin(&game, Parameters { rave: Rave::Schedule, ..plain() });
    // The tree has both moves and what follows, so that nothing is left to chance.
    run(&mut search, 400);
    let (a, b) = (rave_of(&search, 0), rave_of(&search, 1));
    let own = root_moves(&search);
    assert!(a.0 > own[0].0 && b.0 > own[1].0, "also when it is made later: {a:?} {b:?} {own:?}");
    assert!(a.0 + b.0 > 400 && a.0 <= 400, "{a:?} {b:?}");
    // With `b` in it a game brings 60, 30 or 0.
    assert!(a.1 > 60.0 && b.1 <= 60.0, "{a:?} {b:?}");
}

#[test]
fn rave_counts_only_where_it_correlates() {
    // Nothing correlates as much as this, so plain UCT is left.
    let parameters = Parameters { rave: Rave::Schedule, rave_k: 1e6, rave_correlation: 1.0, ..plain() };
    the_next_is_best_by(parameters, |_, _, visits, mean, bonus| {
        mean + bonus / f64::from(visits.max(1)).sqrt()
    });
    let parameters = Parameters { rave: Rave::Schedule, rave_k: 50.0, rave_margin: 5.0, ..plain() };
    the_next_is_best_by(parameters, |search, place, visits, mean, bonus| {
        let moves = root_moves(search);
        let all: f64 = moves.iter().map(|(visits, _)| f64::from(*visits)).sum();
        let usual = moves.iter().map(|(visits, mean)| f64::from(*visits) * mean).sum::<f64>() / all;
        let rave = rave_of(search, place).1;
        let beta = if (rave - usual).abs() <= 5.0 { (50.0 / (3.0 * all + 50.0)).sqrt() } else { 0.0 };
        beta * rave + (1.0 - beta) * mean + bonus / f64::from(visits.max(1)).sqrt()
    });
}

#[test]
fn nothing_is_explored_where_a_move_suffices() {
    // Every mean is above this: the best one is tried again and again.
    let parameters = Parameters { sufficiency: 1.0, ..plain() };
    the_next_is_best_by(parameters, |_, _, _, mean, _| mean);
}

#[test]
fn untried_moves_may_have_to_wait() {
    let game = circuit("tic-tac-toe");
    let tried = |untried, simulations| {
        let mut search = begin(&game, Parameters { untried, exploration: 5.0, ..plain() });
        run(&mut search, simulations);
        root_moves(&search).iter().filter(|(visits, _)| *visits > 0).count()
    };
    assert_eq!(tried(Untried::First, 9), 9);
    assert!(tried(Untried::Urgency, 9) < 9, "a good move is tried again before others are tried");
    assert!(tried(Untried::Valued, 9) < 9);
}

#[test]
fn the_wheel_takes_wins_and_all_else_by_mean() {
    let game = circuit("tic-tac-toe");
    let noop = "noop";
    let threat = [["(mark 1 1)", noop], [noop, "(mark 3 1)"], ["(mark 1 2)", noop], [noop, "(mark 3 3)"]];
    let state = after(&*game, &threat.each_ref().map(|joint| &joint[..]));
    let mut search =
        Search::new(Arc::clone(&game), state, Parameters { selection: Selection::Roulette, ..plain() }, 1);
    run(&mut search, 200);
    let advice = search.advice(RoleId(0)).expect("there are moves");
    let win = advice.candidates.iter().find(|one| game.move_text(one.id) == "(mark 1 3)").expect("a move");
    assert!(win.visits > 190, "{advice:?}");
    let mut search = begin(&game, Parameters { selection: Selection::Roulette, ..plain() });
    run(&mut search, 900);
    for (visits, mean) in root_moves(&search) {
        // What brought nothing has no place on the wheel.
        let expected = if mean > 0.0 { 40..400 } else { 1..2 };
        assert!(expected.contains(&visits), "{:?}", root_moves(&search));
    }
}

#[test]
fn temporal_differences_count_beside_the_mean() {
    for td in [Td::Single, Td::Merged, Td::Weighted] {
        let parameters = Parameters { td, td_weight: 0.5, ..plain() };
        let part = if td == Td::Weighted { 1.0 } else { 0.5 };
        the_next_is_best_by(parameters, |search, place, visits, mean, bonus| {
            let tree = search.trees[0].read();
            let Status::Open { block, .. } = tree.node(tree.root()).status() else { panic!("it is open") };
            let edge = tree.edges(block, 0).get(place).expect("it was tried");
            let known = edge.difference(0, 2).expect("it was learnt");
            assert_eq!(known.count, visits);
            (1.0 - part) * mean + part * f64::from(known.value) + bonus / f64::from(visits).sqrt()
        });
    }
    // Without loss on the way rewards are the mean.
    let game = circuit_of(TWICE);
    let mut search = begin(&game, Parameters { td: Td::Weighted, td_discount: 1.0, ..plain() });
    run(&mut search, 50);
    let tree = search.trees[0].read();
    let Status::Open { block, .. } = tree.node(tree.root()).status() else { panic!("it is open") };
    for (edge, (_, mean)) in tree.edges(block, 0).iter().flatten().zip(root_moves(&search)) {
        let known = edge.difference(0, 1).expect("it was learnt");
        assert!((f64::from(known.value) - mean).abs() < 0.01, "{known:?} is not {mean}");
    }
}

#[test]
fn a_heuristic_is_backed_up_as_minimax_does() {
    // The goals of states that are not terminal are none; ends are worth what they are.
    let game = circuit_of(TWICE);
    let mut search = begin(&game, Parameters { implicit: 0.4, exploration: 100.0, ..plain() });
    run(&mut search, 60);
    let tree = search.trees[0].read();
    let Status::Open { block, .. } = tree.node(tree.root()).status() else { panic!("it is open") };
    let values: Vec<f32> =
        tree.edges(block, 0).iter().flatten().map(|edge| edge.heuristic(0).expect("it was judged")).collect();
    assert_eq!(values, [100.0, 30.0], "the best that can follow, not the mean");
}

#[test]
fn every_move_is_judged_however_it_is_reached() {
    // Positions are reached in several ways, and some are proven before a move leads there.
    let game = circuit("tic-tac-toe");
    let batch = Arc::new(BatchMachine::new(game));
    let parameters = Parameters { implicit: 0.4, ..Parameters::default() };
    let mut search = Search::new(Arc::clone(&batch), batch.initial(), parameters, 1);
    search.run(&Budget::simulations(3_000)).expect("it can be searched");
    let tree = search.trees[0].read();
    let (mut open, mut moves) = (vec![tree.root()], 0);
    let mut met = std::collections::HashSet::new();
    while let Some(id) = open.pop() {
        let Status::Open { block, mover: Some(mover) } = tree.node(id).status() else { continue };
        for edge in tree.edges(block, usize::from(mover)).iter().flatten() {
            moves += 1;
            assert!((0..2).all(|role| edge.heuristic(role).is_some()), "{:?}", edge.visits());
            open.extend(tree.follow(edge.link()).filter(|child| met.insert(child.0)));
        }
    }
    assert!(moves > 1_000, "{moves}");
}

#[test]
fn new_results_count_more() {
    let game = circuit_of(TWICE);
    let mean = |recency| {
        let mut search = begin(&game, Parameters { recency, ..plain() });
        run(&mut search, 300);
        root_moves(&search)[0].1
    };
    // Behind `a` the search soon makes `a` again: what came late is nearer to 100.
    assert!(mean(10) > mean(0) + 0.5, "{} {}", mean(10), mean(0));
    let apart = (mean(1_000_000) - mean(0)).abs();
    assert!(apart < 0.001, "as long as the limit is not reached all count the same");
}

#[test]
fn the_rest_of_a_turn_goes_to_one_of_two_close_moves() {
    let game = circuit("tic-tac-toe");
    let mut search = begin(&game, Parameters { arbitration: 0.5, arbitration_margin: 100.0, ..plain() });
    run(&mut search, 200);
    let test = search.arbitrations[0].lock().expect("it has begun");
    let visits = root_moves(&search);
    assert!(visits[test.tested].0 >= 100, "{visits:?}");
    let chosen = search.advice(RoleId(0)).expect("there are moves").chosen;
    assert_eq!(chosen, {
        let advice = search.advice(RoleId(0)).expect("there are moves");
        test.verdict(&advice.candidates, advice.chosen)
    });
    let best = search.advice(RoleId(0)).expect("there are moves").best().id;
    let noop = game.find_move(RoleId(1), "noop").expect("a move");
    search.advance(&[best, noop]).expect("it can be played");
    assert!(search.arbitrations[0].lock().is_none());
}

#[test]
fn arbitration_waits_for_the_end_of_the_turn() {
    let game = circuit("connect-four-small");
    let mut search = begin(&game, Parameters { arbitration: 0.2, arbitration_margin: 100.0, ..plain() });
    // Players ask for advice before they think, without a clock.
    search.run(&Budget::simulations(0)).expect("it can be searched");
    // A tenth of a second passes with every look at this clock, and the turn begins at 100 s.
    let looks = AtomicU64::new(1000);
    let clock = || Duration::from_millis(100 * looks.fetch_add(1, Ordering::Relaxed));
    let turn_ends = Some(Duration::from_secs(110));
    let until = |seconds| Budget { turn_ends, ..Budget::until(&clock, Duration::from_secs(seconds)) };
    search.run(&until(107)).expect("it can be searched");
    assert_eq!(*search.arbitrations[0].lock(), None, "three of ten seconds are left");
    search.run(&until(110)).expect("it can be searched");
    assert!(search.arbitrations[0].lock().is_some());
}

#[test]
fn what_the_other_gets_may_count() {
    // One move brings both 60, the other 50 and the other role nothing.
    let rules = "
        (role one) (role two) (init open)
        (<= (legal one share) (true open)) (<= (legal one keep) (true open))
        (legal two noop) (<= (legal one noop) (not (true open)))
        (<= (next shared) (does one share)) (<= (next kept) (does one keep))
        (<= terminal (true shared)) (<= terminal (true kept))
        (<= (goal ?role 60) (role ?role) (true shared))
        (<= (goal one 50) (true kept)) (<= (goal two 0) (true kept))";
    let game = circuit_of(rules);
    let best = |objective| {
        let mut search = begin(&game, Parameters { objective, prove: true, ..plain() });
        run(&mut search, 50);
        game.move_text(search.advice(RoleId(0)).expect("there are moves").best().id)
    };
    assert_eq!(best(Objective::Own), "share");
    assert_eq!(best(Objective::OwnThenOthers), "share");
    assert_eq!(best(Objective::Difference), "keep");
}

#[test]
fn playouts_may_be_cut_early() {
    let game = circuit("connect-four-small");
    let steps = |cutoff| {
        let mut search = begin(&game, Parameters { cutoff, cutoff_steps: 1, ..plain() });
        run(&mut search, 100);
        search.totals().steps
    };
    assert!(steps(true) < steps(false), "{} {}", steps(true), steps(false));
}

/// All that can be switched on, one at a time.
fn switches() -> Vec<(&'static str, Parameters)> {
    let usual = Parameters::default;
    vec![
        ("rave", Parameters { rave: Rave::Schedule, ..usual() }),
        ("rave where it correlates", Parameters { rave: Rave::Schedule, rave_correlation: 0.3, ..usual() }),
        ("grave", Parameters { rave: Rave::Error, rave_reference: 50, untried: Untried::Valued, ..usual() }),
        ("urgency", Parameters { untried: Untried::Urgency, ..usual() }),
        ("sufficiency", Parameters { sufficiency: 80.0, ..usual() }),
        ("recency", Parameters { recency: 50, backup: Backup::Path, ..usual() }),
        ("roulette", Parameters { selection: Selection::Roulette, ..usual() }),
        ("single", Parameters { td: Td::Single, ..usual() }),
        ("weighted", Parameters { td: Td::Weighted, ..usual() }),
        ("merged", Parameters { td: Td::Merged, ..usual() }),
        ("implicit", Parameters { implicit: 0.4, ..usual() }),
        ("prior", Parameters { prior_visits: 10, policy: mast(), ..usual() }),
        ("arbitration", Parameters { arbitration: 0.3, ..usual() }),
        ("cutoff", Parameters { cutoff: true, ..usual() }),
        ("difference", Parameters { objective: Objective::Difference, ..usual() }),
    ]
}

fn mast() -> super::policy::PolicyChoice {
    super::policy::Policies::standard().choice("mast").expect("a policy")
}

#[test]
fn every_switch_sees_a_win_in_lanes_and_with_threads() {
    let game = circuit("tic-tac-toe");
    let noop = "noop";
    let threat = [["(mark 1 1)", noop], [noop, "(mark 3 1)"], ["(mark 1 2)", noop], [noop, "(mark 3 3)"]];
    let state = after(&*game, &threat.each_ref().map(|joint| &joint[..]));
    let batch = Arc::new(BatchMachine::new(Arc::clone(&game)));
    for (name, parameters) in switches() {
        for (threads, prove) in [(1, true), (1, false), (2, false)] {
            let parameters = Parameters { threads, prove, ..parameters.clone() };
            let think = || {
                let mut search = Search::new(Arc::clone(&batch), state.clone(), parameters.clone(), 1);
                search.run(&Budget::simulations(1_000)).expect("it can be searched");
                search.trees.iter_mut().for_each(|tree| tree.get_mut().check());
                search.advice(RoleId(0)).expect("there are moves")
            };
            let advice = think();
            assert_eq!(batch.move_text(advice.best().id), "(mark 1 3)", "{name} {threads}: {advice:?}");
            assert!(threads > 1 || advice == think(), "{name}: the same seed gives the same tree");
        }
    }
}

#[test]
fn every_switch_plays_games_of_all_kinds() {
    for name in ["simultaneous-connect-four", "three-player-tic-tac-toe", "connect-four-small"] {
        let game = circuit(name);
        let batch = Arc::new(BatchMachine::new(Arc::clone(&game)));
        for (switch, parameters) in switches() {
            let parameters = Parameters { memory: 1, ..parameters };
            let mut search = Search::new(Arc::clone(&batch), batch.initial(), parameters, 1);
            for _ in 0..3 {
                let stop = search.run(&Budget::simulations(500)).expect("it can be searched");
                assert_eq!(stop, Stop::Simulations, "{name} {switch}");
                search.trees.iter_mut().for_each(|tree| tree.get_mut().check());
                let best = |role| search.advice(role).expect("there are moves").best().id;
                let joint: Vec<_> = batch.role_ids().map(best).collect();
                search.advance(&joint).expect("it can be played");
            }
        }
    }
}
