//! MiNI-Player's method as a whole: what counts as a maximum, what is followed, what the tables find.

mod support;

use std::sync::Arc;
use std::time::Duration;

use game::{Game, Goal};
use machine::circuit::CircuitMachine;
use puzzle::method::Method;
use puzzle::method::mini::{Ended, Limit, Mini, MiniOptions, MiniPlayer, Strategy, Transpositions};
use puzzle::{Board, Clock, Search};
use support::{LAMPS, bundled};

/// Time counted in readings: the method reads it once for each simulation.
fn counting() -> Clock {
    let readings = std::sync::atomic::AtomicU64::new(0);
    Arc::new(move || Duration::from_nanos(readings.fetch_add(1, std::sync::atomic::Ordering::Relaxed)))
}

/// The method on a sheet after so many simulations, and what it found.
fn after(rules: &str, simulations: u64, options: MiniOptions) -> (Mini<CircuitMachine>, Board) {
    let (space, _) = support::space(rules);
    let mut mini = Mini::new(Arc::clone(space.machine()), space.start().clone(), options).expect("moves");
    let (board, stop) = (Board::new(Goal(101)), Default::default());
    let search = Search { clock: counting(), stop: &stop, board: &board };
    mini.work(Duration::from_nanos(simulations), &search);
    (mini, board)
}

#[test]
fn a_line_that_scores_nothing_is_no_maximum() {
    // One of four to the ninth lines scores anything.
    let (_, board) = after(&bundled("untwisty-corridor"), 20, MiniOptions::default());
    assert_eq!(board.best(), None);
}

#[test]
fn both_tables_tell_all_states_apart() {
    for puzzle in ["eight-puzzle", "hunter"] {
        let options = MiniOptions { strategies: vec![Strategy::Random], ..MiniOptions::default() };
        let (mini, _) = after(&bundled(puzzle), 1500, options);
        let found = [Transpositions::Zobrist, Transpositions::FiveLevels].map(|kind| mini.exercise(kind));
        assert_eq!(found[0], found[1], "{puzzle}");
    }
}

#[test]
fn a_line_is_where_it_was_played_although_memory_is_short() {
    let mut found = 0;
    for seed in 1..20 {
        // Room for the root and no more.
        let options = MiniOptions { most_bytes: 1, seed, ..MiniOptions::default() };
        let (mut mini, board) = after(LAMPS, 600, options);
        let Some(best) = board.best().filter(|found| found.plan.score > Goal(0)) else { continue };
        found += 1;
        // Without its first move the line leads to other states: those the rules say.
        let (space, _) = support::space(LAMPS);
        let (machine, mut expansion) = (space.machine(), game::Expansion::new());
        let (mut workspace, mut state) = (machine.workspace(), machine.initial());
        for &id in &best.plan.moves[1..] {
            state = machine.apply(&mut workspace, &state, &[id]).expect("a state");
            machine.expand(&mut workspace, &state, &mut expansion).expect("moves");
            assert!(mini.advance(id, false), "seed {seed}");
            assert_eq!(
                mini.end().is_some(),
                expansion.is_terminal(),
                "seed {seed}: a line in the wrong place"
            );
            if expansion.is_terminal() {
                break;
            }
        }
    }
    assert!(found > 5, "{found} lines");
}

/// A player on a sheet, with as many trees as there are threads.
fn player(
    rules: &str,
    options: &MiniOptions,
    threads: usize,
) -> (MiniPlayer<CircuitMachine>, Arc<CircuitMachine>) {
    let (space, _) = support::space(rules);
    let machine = Arc::clone(space.machine());
    let player = MiniPlayer::new(&machine, &machine.initial(), options, threads, space.ceiling());
    (player.expect("moves"), machine)
}

fn think(player: &mut MiniPlayer<CircuitMachine>, simulations: u64) -> Ended {
    let limit = Limit { until: None, simulations: Some(simulations) };
    player.work(limit, &counting(), &Default::default())
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let (mut player, _) = player(&bundled("untwisty-corridor"), &MiniOptions::default(), 1);
    assert_eq!(think(&mut player, 300), Ended::Simulations);
    let (nodes, visits) = (player.nodes(), |player: &MiniPlayer<CircuitMachine>| {
        player.candidates().iter().map(|candidate| candidate.tally.visits).sum::<u32>()
    });
    let most = player.candidates().into_iter().max_by_key(|candidate| candidate.tally.visits);
    let most = most.expect("a move");
    assert!(player.advance(most.id));
    assert_eq!(player.nodes(), nodes, "nothing is thrown away while there is room");
    assert!(visits(&player) >= most.tally.visits - 1, "what was seen below the move is still known");
    assert_eq!(player.board().best(), None);
}

#[test]
fn nothing_found_is_no_line_to_follow() {
    let (mut player, _) = player(&bundled("untwisty-corridor"), &MiniOptions::default(), 1);
    think(&mut player, 50);
    assert_eq!((player.board().best(), player.planned()), (None, None));
    assert!(player.decide().is_some(), "by effective quality");
}

#[test]
fn a_best_line_is_followed_to_its_end_and_given_up_off_it() {
    let (mut player, machine) = player(LAMPS, &MiniOptions::default(), 1);
    assert_eq!(think(&mut player, 100_000), Ended::Solved);
    let plan = player.board().best().expect("solvable").plan;
    let nodes = player.nodes();
    for &id in &plan.moves {
        assert_eq!(player.planned(), Some(id));
        assert_eq!(think(&mut player, 10), Ended::Solved);
        assert!(player.advance(id));
    }
    assert_eq!((player.end(), player.nodes()), (Some(Goal(100)), nodes), "the whole branch was there");
    // Another move than the planned one: the line is given up, and another one is found.
    let mut other =
        MiniPlayer::new(&machine, &machine.initial(), &MiniOptions::default(), 1, Goal(100)).expect("moves");
    think(&mut other, 100_000);
    let plan = other.board().best().expect("solvable").plan;
    let candidates = other.candidates();
    let off =
        candidates.iter().map(|candidate| candidate.id).find(|id| *id != plan.moves[0]).expect("a move");
    assert!(other.advance(off));
    assert_eq!(other.planned(), None);
    assert_eq!(think(&mut other, 100_000), Ended::Solved);
    assert_eq!(other.board().score(), Some(Goal(100)));
}

#[test]
fn every_tree_has_the_best_line() {
    let (mut player, machine) = player(LAMPS, &MiniOptions::default(), 3);
    assert_eq!(think(&mut player, 200_000), Ended::Solved);
    let plan = player.board().best().expect("solvable").plan;
    // One tree that knows nothing but a board: after one simulation the line is in it.
    let mut alone =
        Mini::new(Arc::clone(&machine), machine.initial(), MiniOptions::default()).expect("moves");
    let (board, stop) = (Board::new(Goal(101)), Default::default());
    board.offer(puzzle::Found { plan: plan.clone(), method: "another tree", time: Duration::ZERO });
    let search = Search { clock: counting(), stop: &stop, board: &board };
    alone.work(Duration::from_nanos(2), &search);
    assert!(alone.nodes() > plan.moves.len(), "{} nodes", alone.nodes());
    let best =
        alone.candidates().into_iter().find(|candidate| candidate.id == plan.moves[0]).expect("a move");
    assert_eq!(best.tally.highest, 100.0);
    for &id in &plan.moves {
        assert!(alone.advance(id, true));
    }
    assert_eq!(alone.end(), Some(Goal(100)));
}

#[test]
fn exploration_changes_the_search_and_memory_bounds_it() {
    let nodes = |options: &MiniOptions, simulations| {
        let (mut player, _) = player(&bundled("hunter"), options, 1);
        think(&mut player, simulations);
        let visits = player.candidates().iter().map(|candidate| candidate.tally.visits).collect::<Vec<_>>();
        (player.nodes(), player.bytes(), visits)
    };
    let narrow = nodes(&MiniOptions { exploration: 0.0, ..MiniOptions::default() }, 400);
    let wide = nodes(&MiniOptions { exploration: 1000.0, ..MiniOptions::default() }, 400);
    assert_ne!(narrow.2, wide.2);
    let small = nodes(&MiniOptions { most_bytes: 40_000, ..MiniOptions::default() }, 2_000);
    // Lines that are better than all before are put in all the same.
    assert!(small.1 < 80_000, "{} bytes", small.1);
    assert!(small.0 < nodes(&MiniOptions::default(), 2_000).0);
}

#[test]
fn the_baseline_does_not_remember() {
    let (mut player, _) = player(LAMPS, &MiniOptions::baseline(), 1);
    assert_eq!(think(&mut player, 2_000), Ended::Simulations, "it never knows that it has solved it");
    assert_eq!((player.board().score(), player.planned()), (Some(Goal(100)), None));
    let options = MiniOptions { strategies: vec![Strategy::Random], ..MiniOptions::baseline() };
    let (mini, _) = after(LAMPS, 500, options);
    assert_eq!(mini.exercise(Transpositions::None), mini.nodes());
}
