//! The machine for single states.

use std::sync::Arc;

use game::{Describe, Game};
use verify::{PlayoutLimits, perft, walk};

use super::*;
use crate::samples;

#[test]
fn counts_are_the_known_ones() {
    for target in Target::ALL {
        let count = |circuit: Arc<Circuit>, depth: u32| {
            let machine = CircuitMachine::with_target(circuit, target);
            perft(&machine, &mut machine.workspace(), &machine.initial(), depth).unwrap()
        };
        assert_eq!(count(samples::tic_tac_toe(), 5), 15_120);
        assert_eq!(count(samples::connect_four(7, 6), 5), 16_807);
        assert_eq!(count(samples::breakthrough(8), 3), 11_132);
    }
}

#[test]
fn compiled_and_interpreted_walk_together() {
    for (name, circuit) in samples::all() {
        let one = CircuitMachine::with_target(Arc::clone(&circuit), Target::Portable);
        let two = CircuitMachine::new(circuit);
        let report = walk(&one, &two, 20, 3, PlayoutLimits { steps: 300 });
        assert!(report.is_ok(), "{name}: {report:?}");
    }
}

#[test]
fn facts_and_moves_have_names() {
    let machine = CircuitMachine::new(samples::tic_tac_toe());
    let initial = machine.initial();
    let facts = machine.facts(&initial);
    assert_eq!(facts.len(), 10);
    assert_eq!(facts[0], "(cell 1 1 blank)");
    let names: Vec<&str> = facts.iter().map(String::as_str).collect();
    assert_eq!(machine.state_of(&names), Some(initial));
    assert_eq!(machine.state_of(&["(cell 4 4 blank)"]), None);
    let mark = machine.find_move(RoleId(1), " (MARK 2  3)").unwrap();
    assert_eq!(machine.move_text(mark), "(mark 2 3)");
    assert_eq!(machine.move_numbers().split(mark).0, RoleId(1));
    assert_eq!(machine.find_move(RoleId(0), "(mark 9 9)"), None);
}
