//! Nim is known completely: a position is lost for the player to move exactly if the nim sum of the
//! heaps is 0 (Bouton 1901), and the right moves are those that make it 0.

use game::{Describe, Dice};

use crate::agent::Seat;
use crate::position::{goals, machine};
use crate::solver::Solver;

/// The bundled rules with other heaps.
pub(crate) fn sheet(heaps: &[u8; 4]) -> String {
    let original = bundled::find("nim").expect("bundled").rules;
    let mut text = original.to_owned();
    for ((name, from), to) in ["a", "b", "c", "d"].into_iter().zip([1, 3, 5, 7]).zip(heaps) {
        let (old, new) = (format!("(size {name} {from})"), format!("(size {name} {to})"));
        assert!(text.contains(&old), "{old} is in the rules");
        text = text.replace(&old, &new);
    }
    text
}

/// The moves that make the nim sum 0.
pub(crate) fn right_moves(heaps: &[u8; 4]) -> Vec<String> {
    let sum = heaps.iter().fold(0, |sum, &heap| sum ^ heap);
    let mut moves: Vec<String> = ["a", "b", "c", "d"]
        .into_iter()
        .zip(heaps)
        .filter(|&(_, &heap)| heap ^ sum < heap)
        .map(|(name, &heap)| format!("(take {name} {})", heap - (heap ^ sum)))
        .collect();
    moves.sort();
    moves
}

/// All heaps up to a size, the largest first, some stones at least two to choose from.
pub(crate) fn all_heaps(most: u8) -> Vec<[u8; 4]> {
    let mut all = Vec::new();
    for one in 0..=most {
        for two in 0..=one {
            for three in 0..=two {
                for four in 0..=three {
                    if one + two + three + four > 1 {
                        all.push([one, two, three, four]);
                    }
                }
            }
        }
    }
    all
}

#[test]
fn the_solver_knows_nim() {
    // One machine has all positions with no more stones than at its start.
    let machine = machine(&gdl::normal::read(&sheet(&[3, 3, 3, 3])));
    let mut solver = Solver::new(&machine, &goals(&machine), 1_000_000);
    for heaps in all_heaps(3) {
        let fact = |(name, size): (&str, &u8)| format!("(heap {name} {size})");
        let mut facts: Vec<String> = ["a", "b", "c", "d"].into_iter().zip(&heaps).map(fact).collect();
        facts.push("(control first)".to_owned());
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let state = machine.state_of(&facts).expect("a state of nim");
        let solution = solver.solve(&state).expect("solved");
        let won = heaps.iter().fold(0, |sum, heap| sum ^ heap) != 0;
        assert_eq!(solution.value, if won { 100 } else { 0 }, "{heaps:?}");
        if won {
            let mut right: Vec<String> = solution.right.iter().map(|&id| machine.move_text(id)).collect();
            right.sort();
            assert_eq!(right, right_moves(&heaps), "{heaps:?}");
        }
    }
}

/// Simulations that prove any position with heaps up to 7.
const SIMULATIONS: u64 = 200_000;

#[test]
fn every_first_move_is_right() {
    for heaps in all_heaps(3).into_iter().chain(LARGE) {
        let right = right_moves(&heaps);
        if right.is_empty() {
            continue;
        }
        let seat = Seat::new(gdl::normal::read(&sheet(&heaps)));
        let decision = seat.decide("ludens", 0, &[], SIMULATIONS);
        assert!(right.contains(&decision.text), "{heaps:?}: {} in place of {right:?}", decision.text);
        assert!(decision.proven, "{heaps:?} after {} simulations", decision.simulations);
    }
}

/// Four heaps up to the largest, with a nim sum other than 0.
const LARGE: [[u8; 4]; 5] = [[2, 3, 5, 7], [7, 5, 4, 1], [7, 6, 5, 3], [7, 7, 6, 5], [7, 7, 7, 6]];

/// Takes stones off a heap.
fn take(heaps: &mut [u8; 4], text: &str) {
    let heap = ["a", "b", "c", "d"].iter().position(|name| text.starts_with(&format!("(take {name} ")));
    let stones: Option<u8> = text.trim_end_matches(')').rsplit(' ').next().and_then(|word| word.parse().ok());
    heaps[heap.expect("a heap")] -= stones.expect("a number");
}

/// A match against an adversary that begins with a given move and then draws. Whoever plays right wins
/// every position that it meets, and a move that is only lucky is found out.
fn play_through(seat: &Seat, mut heaps: [u8; 4], own: usize, first: Option<String>, dice: &mut Dice) {
    let (mut moves, mut turn, mut first): (Vec<Vec<String>>, _, _) = (Vec::new(), 0, first);
    while heaps.iter().any(|&heap| heap > 0) {
        let text = if turn == own {
            let right = right_moves(&heaps);
            let decision = seat.decide("ludens", own, &moves, SIMULATIONS);
            assert!(right.contains(&decision.text), "{heaps:?}: {} in place of {right:?}", decision.text);
            assert!(decision.proven, "{heaps:?} after {} simulations", decision.simulations);
            decision.text
        } else {
            first.take().unwrap_or_else(|| {
                let all = all_moves(&heaps);
                all[dice.below(all.len())].clone()
            })
        };
        take(&mut heaps, &text);
        let mut joint = vec!["noop".to_owned(); 2];
        joint[turn] = text;
        moves.push(joint);
        turn = 1 - turn;
    }
    assert_eq!(turn, 1 - own, "whoever takes the last stone wins");
}

/// Every legal move.
fn all_moves(heaps: &[u8; 4]) -> Vec<String> {
    let of_heap = |(name, &heap): (&'static str, &u8)| (1..=heap).map(move |n| format!("(take {name} {n})"));
    ["a", "b", "c", "d"].into_iter().zip(heaps).flat_map(of_heap).collect()
}

#[test]
fn whole_matches_are_played_right() {
    let mut dice = Dice::new(1);
    // The bundled heaps are lost for who begins, so every first move can be punished to the end.
    let heaps = [1, 3, 5, 7];
    assert!(right_moves(&heaps).is_empty());
    let seat = Seat::new(gdl::normal::read(&sheet(&heaps)));
    for first in all_moves(&heaps) {
        play_through(&seat, heaps, 1, Some(first), &mut dice);
    }
    for heaps in LARGE {
        let seat = Seat::new(gdl::normal::read(&sheet(&heaps)));
        play_through(&seat, heaps, 0, None, &mut dice);
    }
}
