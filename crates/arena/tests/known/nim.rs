//! Nim is known completely: a position is lost for the player to move exactly if the nim sum of the
//! heaps is 0 (Bouton 1901), and the right moves are those that make it 0.

use game::Game;

use crate::position::{goals, machine, rules};
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
    let machine = machine(&rules("nim", &sheet(&[3, 3, 3, 3])));
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
