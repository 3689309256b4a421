//! What moves change, looked up, against what the rules say.

use std::sync::Arc;

use ::circuit::simulate::read;
use game::{Dice, Expansion, Game, MoveId};
use proptest::prelude::*;
use verify::{PlayoutLimits, walk};

use super::super::incremental::random_circuit;
use super::super::{CircuitMachine, CircuitState, Evaluation};
use super::build::build;
use crate::exclusive::implied;
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

/// A mark and whose turn it is are constants, once it is known whose turn it was.
#[test]
fn a_mark_needs_no_gates() {
    let machine =
        CircuitMachine::with_evaluation(samples::tic_tac_toe(), Target::Portable, Evaluation::Effects);
    let effects = machine.programs(0).effects.as_ref().expect("one role alone chooses");
    let mut expansion = Expansion::new();
    let state = machine.initial();
    machine.expand(&mut machine.workspace(), &state, &mut expansion).unwrap();
    let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[0]).collect();
    let work = effects.work(&joint, state.words());
    assert_eq!((work.shifted, work.values, work.writes), (0, 0, 0), "{work:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any state, reachable or not, and every move that is legal there.
    #[test]
    fn random_gates_are_looked_up_as_they_are_computed(
        seed in any::<u64>(), facts in 2..150usize, gates in 1..300usize
    ) {
        let mut dice = Dice::new(seed);
        let circuit = random_circuit(&mut dice, 1, facts, gates);
        let effects = build(&circuit, None, (0, 0), &implied(&circuit)[0]).expect("there are few gates");
        let mut values = Vec::new();
        for _ in 0..10 {
            let state: Vec<bool> = (0..facts).map(|_| dice.below(2) == 0).collect();
            let before = CircuitState::from_bits(state.iter().copied());
            let now = circuit.evaluate(&state, &[]);
            let legal = circuit.roles[0].legal.iter().zip(0..).filter(|(edge, _)| read(&now, **edge));
            for (_, number) in legal {
                let mut after = before.clone();
                effects.apply(&[MoveId(number)], before.words(), &mut values, after.words_mut());
                let expected = circuit.successor(&state, &[number]);
                prop_assert_eq!(after, CircuitState::from_bits(expected.into_iter()), "move {}", number);
            }
        }
    }
}
