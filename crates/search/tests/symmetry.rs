//! Positions that are alike are one node: the same is proven, of fewer nodes. Of what makes them alike each part counts by itself.

mod support;

use std::sync::Arc;

use game::{Dice, Expansion, Game, Merging, MoveId, RoleId, Simulator};
use machine::batch::BatchMachine;
use machine::circuit::CircuitState;
use search::mcts::{Advice, Bounds, Search};
use search::{Alike, Budget, Parameters};

/// States of random playouts in which the game is not over.
fn states(game: &BatchMachine, count: usize) -> Vec<CircuitState> {
    let (mut workspace, mut expansion, mut dice) = (game.workspace(), Expansion::new(), Dice::new(7));
    let mut state = game.initial();
    let mut states = Vec::new();
    while states.len() < count {
        game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
        if expansion.is_terminal() {
            state = game.initial();
            continue;
        }
        states.push(state.clone());
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        state = game.apply(&mut workspace, &state, &joint).expect("no fault");
    }
    states
}

/// Searches until all is proven, or for so many simulations.
fn search(game: &Arc<BatchMachine>, state: &CircuitState, alike: Alike) -> Search<BatchMachine> {
    let parameters = Parameters { alike, ..Parameters::default() };
    let mut search = Search::new(Arc::clone(game), state.clone(), parameters, 1);
    search.run(&Budget::simulations(20_000)).expect("no fault");
    search
}

fn advice(search: &Search<BatchMachine>) -> Advice {
    search.advice(RoleId(0)).expect("there are moves")
}

fn exact(bounds: &[Bounds]) -> Option<Vec<u8>> {
    bounds.iter().map(|bounds| (bounds.lower == bounds.upper).then_some(bounds.lower)).collect()
}

#[test]
fn the_same_is_proven_with_fewer_nodes() {
    // Whether states differ in facts that decide nothing alone: in others whose turn it is is told twice, which saves nothing.
    for (name, least, idles) in [
        ("tic-tac-toe", 70, false),
        ("tic-tac-toe-misere", 70, false),
        ("connect-four-small", 40, false),
        ("kayles", 90, true),
        ("coin-pairs", 90, true),
    ] {
        let game = Arc::new(BatchMachine::new(support::circuit(name)));
        assert!(game.likeness(Merging::Images).is_some(), "{name}");
        let (mut compared, mut nodes) = (0, [0; 3]);
        for state in states(&game, 100) {
            let found =
                [Alike::Off, Alike::Idle, Alike::Both].map(|alike| advice(&search(&game, &state, alike)));
            if let [Some(apart), Some(idle), Some(both)] =
                found.each_ref().map(|advice| exact(&advice.bounds))
            {
                assert_eq!(apart, idle, "{name}: {state:?}");
                assert_eq!(apart, both, "{name}: {state:?}");
                compared += 1;
            }
            nodes.iter_mut().zip(&found).for_each(|(nodes, advice)| *nodes += advice.nodes);
        }
        println!("{name}: {compared} compared, nodes {nodes:?}");
        assert!(compared >= least, "{name}: {compared}");
        assert!(!idles || nodes[1] < nodes[0], "{name}: {nodes:?}");
        assert!(nodes[2] < nodes[1], "{name}: {nodes:?}");
    }
}

/// Whatever is played, the root stands for the very position, its moves are legal and so are the moves of the line.
#[test]
fn the_root_is_the_position_itself() {
    for name in ["tic-tac-toe", "connect-four-small", "pursuit"] {
        let game = Arc::new(BatchMachine::new(support::circuit(name)));
        let (mut workspace, mut expansion, mut dice) = (game.workspace(), Expansion::new(), Dice::new(2));
        for _ in 0..6 {
            let mut state = game.initial();
            let mut search = search(&game, &state, Alike::Both);
            loop {
                game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
                if expansion.is_terminal() {
                    break;
                }
                search.run(&Budget::simulations(300)).expect("no fault");
                assert_eq!(search.state(), state, "{name}");
                for (role, legal) in (0..).map(RoleId).zip(expansion.by_role()) {
                    let advice = search.advice(role).expect("there are moves");
                    let ids: Vec<MoveId> = advice.candidates.iter().map(|candidate| candidate.id).collect();
                    assert_eq!(ids, legal, "{name}");
                    let (mut there, mut looked) = (state.clone(), Expansion::new());
                    for joint in &advice.line {
                        game.expand(&mut workspace, &there, &mut looked).expect("no fault");
                        let is_legal =
                            joint.iter().zip(looked.by_role()).all(|(id, legal)| legal.contains(id));
                        assert!(is_legal && !looked.is_terminal(), "{name}: {:?}", advice.line);
                        there = game.apply(&mut workspace, &there, joint).expect("no fault");
                    }
                }
                let joint: Vec<MoveId> =
                    expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
                state = game.apply(&mut workspace, &state, &joint).expect("no fault");
                search.advance(&joint).expect("no fault");
            }
        }
    }
}

/// A root that is only like a node that is known begins with what is known there of the images of its moves.
#[test]
fn what_is_known_of_images_is_taken_over() {
    let game = Arc::new(BatchMachine::new(support::circuit("tic-tac-toe")));
    let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
    let initial = game.initial();
    game.expand(&mut workspace, &initial, &mut expansion).expect("no fault");
    let mut all: Vec<(u64, Vec<(u32, i64)>)> = Vec::new();
    let joints: Vec<Vec<MoveId>> = expansion.joint_moves().collect();
    assert_eq!(joints.len(), 9);
    for joint in joints {
        let parameters = Parameters { alike: Alike::Both, prove: false, ..Parameters::default() };
        let mut search = Search::new(Arc::clone(&game), initial.clone(), parameters, 1);
        search.run(&Budget::simulations(4_000)).expect("no fault");
        search.advance(&joint).expect("no fault");
        let next = game.apply(&mut workspace, &initial, &joint).expect("legal");
        assert_eq!(search.state(), next);
        let advice = search.advice(RoleId(1)).expect("there are moves");
        // What is known of each move is what is known of the position it leads to, under any of its names.
        let likeness = game.likeness(Merging::Images).expect("the board has symmetries");
        let mut seen: Vec<(u64, u32, i64)> = Vec::new();
        let wait = {
            game.expand(&mut workspace, &next, &mut expansion).expect("no fault");
            expansion.legal(RoleId(0))[0]
        };
        for candidate in &advice.candidates {
            let there = game.apply(&mut workspace, &next, &[wait, candidate.id]).expect("legal");
            seen.push((likeness.hash(&there), candidate.visits, (candidate.value * 1e3) as i64));
        }
        seen.sort_unstable();
        assert!(seen.iter().map(|&(_, visits, _)| visits).sum::<u32>() > 100, "{seen:?}");
        all.push((likeness.hash(&next), seen.iter().map(|&(_, visits, value)| (visits, value)).collect()));
    }
    // Corners, sides and the middle: the same search, so the same is known, whichever of them was played.
    for (one, known) in &all {
        assert!(all.iter().all(|(two, other)| one != two || known == other));
    }
    let mut kinds: Vec<u64> = all.iter().map(|(kind, _)| *kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds.len(), 3);
}
