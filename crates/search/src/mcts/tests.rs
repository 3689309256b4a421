//! What can be seen only from inside.

#[path = "../../tests/support/mod.rs"]
pub(super) mod support;

use game::{Describe, Game, RoleId};

use super::Search;
use super::tree::{Bounds, MOST_VISITS, Status};
use crate::{Backup, Budget, Parallel, Parameters, Stop};
use support::{after, circuit};

#[test]
fn a_search_goes_on_when_visits_can_hardly_be_counted() {
    for threads in [1, 2] {
        let game = circuit("connect-four-small");
        let parameters = Parameters { threads, ..Parameters::default() };
        let mut search = Search::new(game.clone(), game.initial(), parameters, 1);
        assert_eq!(search.run(&Budget::simulations(500)), Ok(Stop::Simulations));
        {
            let tree = search.trees[0].read();
            let mut lock = tree.node(tree.root()).lock(false);
            let values: Vec<f64> = (0..2).map(|role| lock.node().mean(role)).collect();
            // All that can be counted, but for a few.
            lock.begin_visits(MOST_VISITS - 600);
            lock.end_visits(MOST_VISITS - 600);
            values.iter().enumerate().for_each(|(role, &value)| lock.set_mean(role, value));
        }
        let before = search.advice(RoleId(0)).expect("there are moves").values;
        assert_eq!(search.run(&Budget::simulations(2_000)), Ok(Stop::Simulations));
        let after = search.advice(RoleId(0)).expect("there are moves").values;
        assert!(before.iter().zip(&after).all(|(before, after)| (before - after).abs() < 0.01));
        let tree = search.trees[0].read();
        let (begun, ended) = tree.node(tree.root()).visits();
        assert!(begun == ended && begun < MOST_VISITS / 2 + 3_000, "{begun} {ended}");
    }
}

#[test]
fn a_proof_is_found_again_when_its_moves_were_forgotten() {
    let game = circuit("tic-tac-toe");
    let noop = "noop";
    // The first role threatens to win; the second has to answer, and does something else.
    let threat = [["(mark 1 1)", noop], [noop, "(mark 2 1)"], ["(mark 1 2)", noop]];
    let state = after(&*game, &threat.each_ref().map(|joint| &joint[..]));
    let mut search = Search::new(game.clone(), state, Parameters::default(), 1);
    search.run(&Budget::simulations(150)).expect("it can be searched");
    search.trees[0].get_mut().close_all();
    let blunder = ["noop", "(mark 3 3)"];
    let joint: Vec<_> = game
        .role_ids()
        .zip(blunder)
        .map(|(role, text)| game.find_move(role, text).expect("a move"))
        .collect();
    search.advance(&joint).expect("it can be played");
    {
        let tree = search.trees[0].read();
        let root = tree.node(tree.root());
        assert_eq!((root.status(), root.bounds(0)), (Status::Leaf, Bounds::exact(100)), "as it was to be");
    }
    search.run(&Budget::simulations(100)).expect("it can be searched");
    let advice = search.advice(RoleId(0)).expect("there are moves");
    assert_eq!(game.move_text(advice.best().id), "(mark 1 3)");
    assert!(advice.is_proven());
}

/// Plays a match with little memory, looking at the trees after every move; all that was recycled.
fn play_with_little_memory(name: &str, parameters: Parameters, simulations: u64) -> u64 {
    let game = circuit(name);
    let memory = (parameters.memory as usize) << 20;
    let mut search = Search::new(game.clone(), game.initial(), parameters, 1);
    while let Some(advice) = {
        search.run(&Budget::simulations(simulations)).expect("it can be searched");
        search.advice(RoleId(0))
    } {
        assert!(advice.bytes <= memory, "{name}: {} {:?}", advice.bytes, search.parameters());
        search.trees.iter_mut().for_each(|tree| tree.get_mut().check());
        let best = |role| search.advice(role).expect("there are moves").best().id;
        let joint: Vec<_> = game.role_ids().map(best).collect();
        search.advance(&joint).expect("it can be played");
    }
    search.totals().recycled
}

#[test]
fn trees_stay_sound_when_nodes_are_recycled() {
    for name in
        ["connect-four-small", "simultaneous-connect-four", "breakthrough", "three-player-tic-tac-toe"]
    {
        for (threads, parallel, backup) in [
            (1, Parallel::Tree, Backup::Graph),
            (1, Parallel::Tree, Backup::Path),
            (2, Parallel::Tree, Backup::Graph),
            (2, Parallel::Root, Backup::Graph),
        ] {
            let prove = backup == Backup::Graph;
            let parameters =
                Parameters { memory: 1, threads, parallel, backup, prove, ..Parameters::default() };
            let recycled = play_with_little_memory(name, parameters, 6_000);
            assert!(recycled > 2_000, "{name}: {recycled}");
        }
    }
}

#[test]
fn a_full_tree_is_never_worked_on_for_long() {
    for name in ["connect-four", "simultaneous-connect-four"] {
        let game = circuit(name);
        let parameters = Parameters { memory: 2, batch: 64, ..Parameters::default() };
        let mut search = Search::new(game.clone(), game.initial(), parameters, 1);
        search.run(&Budget::simulations(200_000)).expect("it can be searched");
        let upkeep = search.trees[0].read().upkeep();
        assert!(upkeep.recycled > 100_000, "{name}: {upkeep:?} {:?}", search.totals());
        // Of each batch, beyond what its leaves are worth.
        assert!(upkeep.most_steps < 2_000, "{upkeep:?}");
        assert!(upkeep.steps < 20 * 200_000, "{upkeep:?}");
        search.trees[0].get_mut().check();
    }
}

#[test]
fn proofs_are_right_with_little_memory() {
    // The first role wins this game; what is needed for the proof does not fit into memory.
    let game = circuit("tic-tac-toe");
    for threads in [1, 2] {
        let parameters = Parameters { memory: 1, threads, ..Parameters::default() };
        let mut search = Search::new(game.clone(), game.initial(), parameters, 3);
        search.trees[0].get_mut().limit_nodes(2_000);
        let stop = search.run(&Budget::simulations(300_000));
        let advice = search.advice(RoleId(0)).expect("there are moves");
        assert_eq!(stop, Ok(Stop::Proven), "{:?} {advice:?}", search.totals());
        assert_eq!(advice.bounds, [Bounds::exact(50); 2]);
        assert!(search.totals().recycled > 0);
    }
}

#[test]
fn the_same_seed_gives_the_same_tree_when_nodes_are_recycled() {
    let game = circuit("connect-four-small");
    let think = || {
        let parameters = Parameters { memory: 1, ..Parameters::default() };
        let mut search = Search::new(game.clone(), game.initial(), parameters, 7);
        search.run(&Budget::simulations(50_000)).expect("it can be searched");
        (search.advice(RoleId(0)), search.totals())
    };
    let (first, second) = (think(), think());
    assert!(first.1.recycled > 0);
    assert_eq!(first, second);
}
