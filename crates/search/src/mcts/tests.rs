//! What can be seen only from inside.

#[path = "../../tests/support/mod.rs"]
mod support;

use game::{Describe, Game, RoleId};

use super::Search;
use super::tree::{Bounds, Status};
use crate::{Budget, Parameters, Stop};
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
            let mut held = tree.node(tree.root()).hold(false);
            let values: Vec<f64> = (0..2).map(|role| held.node().mean(role)).collect();
            // All that can be counted, but for one bit that says that it is held.
            held.begin_visits((1 << 31) - 600);
            held.end_visits((1 << 31) - 600);
            values.iter().enumerate().for_each(|(role, &value)| held.set_mean(role, value));
        }
        let before = search.advice(RoleId(0)).expect("there are moves").values;
        assert_eq!(search.run(&Budget::simulations(2_000)), Ok(Stop::Simulations));
        let after = search.advice(RoleId(0)).expect("there are moves").values;
        assert!(before.iter().zip(&after).all(|(before, after)| (before - after).abs() < 0.01));
        let tree = search.trees[0].read();
        let (begun, ended) = tree.node(tree.root()).visits();
        assert!(begun == ended && begun < 1 << 30, "{begun} {ended}");
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
    search.trees[0].get_mut().prune(0.0);
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
