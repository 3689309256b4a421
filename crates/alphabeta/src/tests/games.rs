//! Searches of rule sheets: the same as trying everything, by hand, and right where the answer is known.

use std::sync::Arc;

use engine::{Budget, Stop};
use game::{Describe, Dice, Expansion, Game, MoveId, RoleId, Simulator};
use machine::batch::BatchMachine;
use machine::{Limits, Target, Wanted};

use super::graph::Graph;
use super::plain::compare;
use super::{look_through, search, small};
use crate::evaluators::Even;
use crate::value::Discount;
use crate::{Advice, Judge, Options, Proven, Search};

pub(crate) fn lanes(rules: &str) -> Arc<BatchMachine> {
    let machine = machine::from_text(rules, Wanted::Batch(Target::detect()), &Limits::generous());
    Arc::clone(machine.expect("a machine").lanes().expect("lanes"))
}

pub(crate) fn bundled(name: &str) -> Arc<BatchMachine> {
    lanes(bundled::find(name).expect("a bundled game").rules)
}

/// A position of random play so many steps from the start, unless the game is over before.
fn random_position<G: Game>(game: &G, steps: usize, dice: &mut Dice) -> Option<G::State> {
    let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
    let mut state = game.initial();
    for _ in 0..=steps {
        game.expand(&mut workspace, &state, &mut expansion).expect("a state");
        if expansion.is_terminal() {
            return None;
        }
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        state = game.apply(&mut workspace, &state, &joint).expect("a state");
    }
    game.expand(&mut workspace, &state, &mut expansion).expect("a state");
    (!expansion.is_terminal()).then_some(state)
}

#[test]
fn rule_sheets_give_the_same_values_at_every_depth() {
    let options = Options { same_depth: true, discount: Discount(0.999), ..small() };
    for (name, depths) in [
        ("tic-tac-toe", 5),
        ("connect-four-small", 5),
        ("nim", 4),
        ("breakthrough-5x5", 3),
        ("bidding-tic-tac-toe", 2),
        ("three-player-tic-tac-toe", 4),
        ("eight-puzzle", 5),
        ("goofspiel", 2),
    ] {
        let game = bundled(name);
        let mut dice = Dice::new(3);
        for steps in [0, 2, 4] {
            if let Some(state) = random_position(&*game, steps, &mut dice) {
                compare(&game, &state, depths, options);
                compare(&game, &state, depths, Options { bundle: 1, sort: false, ..options });
            }
        }
    }
}

#[test]
fn three_roles_by_hand() {
    // The first chooses between two positions. In the first of them the second chooses, then the third; in the other one
    // both choose at once. All they want is that the first gets little.
    let game = Graph::by_hand(
        3,
        &[
            (&[2, 1, 1], &[1, 2], &[]),
            (&[1, 2, 1], &[3, 4], &[]),
            (&[1, 2, 2], &[5, 6, 7, 8], &[]),
            (&[1, 1, 2], &[6, 9], &[]),
            (&[], &[], &[60, 100, 0]),
            (&[], &[], &[50, 0, 0]),
            (&[], &[], &[90, 0, 0]),
            (&[], &[], &[70, 0, 0]),
            (&[], &[], &[80, 0, 0]),
            (&[], &[], &[40, 0, 100]),
        ],
    );
    // min(min(90, 40), 60) = 40 against min(50, 90, 70, 80) = 50.
    let first = Search::new(&game, game.initial(), RoleId(0), Judge::Ready(Arc::new(Even)), small(), 1);
    let advice = solved(first);
    assert_eq!(advice.best, 1);
    assert_eq!(advice.candidates.iter().map(|one| one.proven.most.0).collect::<Vec<_>>(), [40, 50]);
    assert_eq!(advice.candidates[1].proven, Proven::exactly(game::Goal(50)));
    // The second is sure of nothing.
    let second = Search::new(&game, game.initial(), RoleId(1), Judge::Ready(Arc::new(Even)), small(), 1);
    assert_eq!(solved(second).candidates[0].proven, Proven::exactly(game::Goal(0)));
}

fn solved<G: Simulator>(mut search: Search<G>) -> Advice {
    look_through(&mut search);
    let advice = search.advice().expect("no fault").expect("not over");
    assert!(advice.is_proven() && advice.is_finished, "{advice:?}");
    advice
}

#[test]
fn a_tree_by_hand_is_searched_as_figure_three_says() {
    // max(min(0.3, 0.9), min(0.6, 0.7)) = 0.6.
    let leaf = |goal: u8| -> [u8; 2] { [goal, 100 - goal] };
    let leaves = [30, 90, 60, 70].map(leaf);
    let game = Graph::by_hand(
        2,
        &[
            (&[2, 1], &[1, 2], &[]),
            (&[1, 2], &[3, 4], &[]),
            (&[1, 2], &[5, 6], &[]),
            (&[], &[], &leaves[0]),
            (&[], &[], &leaves[1]),
            (&[], &[], &leaves[2]),
            (&[], &[], &leaves[3]),
        ],
    );
    let options = Options { discount: Discount(1.0), bundle: 1, ..small() };
    let advice = solved(search(&game, &game.initial(), RoleId(0), options));
    assert_eq!((advice.best, advice.value), (1, Some(0.6)));
    assert_eq!(advice.line, [[MoveId(1), MoveId(0)], [MoveId(0), MoveId(0)]]);
}

/// The best that a role is sure of in what is left of a game, discounted by its distance.
fn play_out(name: &str, steps: usize, seed: u64) -> Option<(usize, f64)> {
    let game = bundled(name);
    let mut dice = Dice::new(seed);
    let state = random_position(&*game, steps, &mut dice)?;
    let options = Options { discount: Discount(0.999), ..small() };
    let role = RoleId((seed % 2) as u16);
    let exact = super::plain::plain(&*game, &state, role, 60, 0.999, Some((-1.0, 2.0)));
    let judge = Judge::Ready(Arc::new(Even));
    let mut search = Search::new(&game, state.clone(), role, judge, options, seed);
    let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
    let (mut state, mut made) = (state, 0);
    loop {
        game.expand(&mut workspace, &state, &mut expansion).expect("a state");
        if expansion.is_terminal() {
            let mut goals = Vec::new();
            game.goals(&mut workspace, &state, &mut goals).expect("goals");
            let goal = crate::value::worth_of(goals[usize::from(role.0)].value());
            // What was promised, and no later.
            let reached = 0.5 + (goal - 0.5) * 0.999f64.powi(made as i32);
            assert!(reached >= exact - 1e-9, "{name} {steps} {seed}: {reached} for {exact} after {made}");
            return Some((made, goal));
        }
        look_through(&mut search);
        let advice = search.advice().expect("no fault").expect("not over");
        assert!(advice.is_proven() && advice.is_finished);
        let mut joint: Vec<MoveId> =
            expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        joint[usize::from(role.0)] = advice.candidates[advice.best].id;
        state = game.apply(&mut workspace, &state, &joint).expect("a state");
        search.advance(&joint).expect("no fault");
        made += 1;
    }
}

#[test]
fn endgames_are_proven_and_won_as_soon_as_can_be() {
    let (mut won, mut played) = (0, 0);
    for (name, steps) in
        [("tic-tac-toe", 3), ("connect-four-small", 14), ("nim", 3), ("breakthrough-5x5", 22)]
    {
        for seed in 0..12 {
            if let Some((_, goal)) = play_out(name, steps, seed) {
                played += 1;
                won += usize::from(goal == 1.0);
            }
        }
    }
    assert!(played >= 20 && won >= 8, "{won} of {played}");
}

#[test]
fn known_positions_are_answered_rightly_once_they_are_solved() {
    let mut answered = 0;
    for set in bench::ruler::sets().expect("sets") {
        let game = bundled(&set.game);
        for position in set.positions.iter().filter(|position| position.plies <= 8).step_by(2).take(24) {
            let (mut workspace, mut expansion) = (game.workspace(), Expansion::new());
            let mut state = game.initial();
            let mover =
                |expansion: &Expansion| expansion.by_role().position(|moves| moves.len() > 1).unwrap_or(0);
            let mut moves = position.line.iter();
            loop {
                game.expand(&mut workspace, &state, &mut expansion).expect("a state");
                let mut joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[0]).collect();
                if expansion.by_role().any(|legal| legal.len() > 1) {
                    let role = mover(&expansion);
                    let Some(text) = moves.next() else { break };
                    joint[role] = game.find_move(RoleId(role as u16), text).expect("a move");
                }
                state = game.apply(&mut workspace, &state, &joint).expect("a state");
            }
            let role = RoleId(mover(&expansion) as u16);
            let judge = Judge::Ready(Arc::new(Even));
            let mut search = Search::new(&game, state, role, judge, small(), 1);
            let stop = search.run(&Budget::simulations(300_000)).expect("no fault");
            let advice = search.advice().expect("no fault").expect("not over");
            let text = game.move_text(advice.candidates[advice.best].id);
            for candidate in &advice.candidates {
                let value = position.value_of(&game.move_text(candidate.id)).expect("a value");
                let proven = candidate.proven;
                assert!(
                    (proven.least.0..=proven.most.0).contains(&value),
                    "{}: {candidate:?}, {value}",
                    set.game
                );
            }
            if stop == Stop::Proven {
                answered += 1;
                assert_eq!(position.value_of(&text), Some(position.value()), "{}: {position:?}", set.game);
            }
        }
    }
    assert!(answered >= 8, "{answered}");
}
