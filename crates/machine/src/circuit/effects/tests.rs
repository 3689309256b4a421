//! What moves change, looked up, against what the rules say.

use std::sync::Arc;

use game::{Dice, Expansion, Game, MoveId};
use verify::{PlayoutLimits, walk};

use super::super::{CircuitMachine, Evaluation};
use crate::{Target, samples};

#[test]
fn looked_up_and_computed_walk_together() {
    let mut looked_up = 0;
    for (name, circuit) in samples::all() {
        let whole =
            CircuitMachine::with_evaluation(Arc::clone(&circuit), Target::Portable, Evaluation::Whole);
        let effects = CircuitMachine::with_evaluation(circuit, Target::Portable, Evaluation::Effects);
        looked_up += usize::from(effects.has_effects());
        let report = walk(&whole, &effects, 40, 7, PlayoutLimits { steps: 300 });
        assert!(report.is_ok(), "{name}: {report:?}");
    }
    assert!(looked_up >= 3, "{looked_up}");
}

/// Every legal move of states of many playouts.
#[test]
fn every_move_changes_what_the_rules_say() {
    for (name, circuit) in samples::all() {
        let whole =
            CircuitMachine::with_evaluation(Arc::clone(&circuit), Target::Portable, Evaluation::Whole);
        let effects = CircuitMachine::with_evaluation(circuit, Target::Portable, Evaluation::Effects);
        let (mut plain, mut workspace) = (whole.workspace(), effects.workspace());
        let mut expansion = Expansion::new();
        let mut dice = Dice::new(5);
        let mut state = whole.initial();
        for _ in 0..200 {
            whole.expand(&mut plain, &state, &mut expansion).unwrap();
            if expansion.is_terminal() || expansion.stuck_role().is_some() {
                state = whole.initial();
                continue;
            }
            let mut joint: Vec<MoveId> =
                expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
            for (role, legal) in expansion.by_role().enumerate() {
                let chosen = joint[role];
                for &id in legal {
                    joint[role] = id;
                    let expected = whole.apply(&mut plain, &state, &joint).unwrap();
                    let found = effects.apply(&mut workspace, &state, &joint).unwrap();
                    assert_eq!(found, expected, "{name}: {joint:?}");
                }
                joint[role] = chosen;
            }
            state = whole.apply(&mut plain, &state, &joint).unwrap();
        }
    }
}

/// A counter that counts whatever is done moves one fact, not all of its places.
#[test]
fn a_counter_is_a_fact_that_moves() {
    let machine =
        CircuitMachine::with_evaluation(samples::tic_tac_toe(), Target::Portable, Evaluation::Effects);
    let effects = machine.programs(0).effects.as_ref().expect("one role alone chooses");
    let mut expansion = Expansion::new();
    let state = machine.initial();
    machine.expand(&mut machine.workspace(), &state, &mut expansion).unwrap();
    let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[0]).collect();
    let work = effects.work(&joint, state.words());
    // A mark and whose turn it is: constants, once it is known whose turn it was.
    assert_eq!((work.shifted, work.values, work.writes), (0, 0, 0), "{work:?}");
}
