//! Finds propositions that never change and moves that are never legal.
//!
//! The circuit is run from its initial state with three values, the third for "may be either". A
//! move that may be legal may be done, a fact whose next value differs from what is known of it may
//! be either. What is left with one value when nothing changes any more has it in every reachable
//! state.

use ground::{Budget, GroundError, Progress, Stage};

use crate::rewrite::{Replacement, Use, live_gates, rewrite};
use crate::{Circuit, Edge, Gate};

const NEVER: u8 = 1;
const ALWAYS: u8 = 2;
const EITHER: u8 = 3;

/// What the pass found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Constants {
    pub always: Vec<String>,
    pub never: usize,
    pub never_legal: usize,
}

/// Removes facts that are never true and moves that are never legal; reads facts that are always
/// true as constants.
pub(crate) fn fold(circuit: &Circuit, budget: &Budget<'_>) -> Result<(Circuit, Constants), GroundError> {
    let values = reachable_values(circuit, budget)?;
    let mut replacement = Replacement::none(circuit);
    let mut found = Constants::default();
    for (base, &value) in values.bases.iter().enumerate() {
        match value {
            NEVER => {
                found.never += 1;
                replacement.bases[base] = Use::Constant(false);
                replacement.listed[base] = false;
            }
            ALWAYS => {
                found.always.push(circuit.bases[base].clone());
                replacement.bases[base] = Use::Constant(true);
            }
            _ => {}
        }
    }
    for (kept, possible) in replacement.moves.iter_mut().zip(&values.moves) {
        for (kept, &possible) in kept.iter_mut().zip(possible) {
            *kept = possible;
            found.never_legal += usize::from(!possible);
        }
    }
    Ok((rewrite(circuit, &replacement), found))
}

struct Values {
    bases: Vec<u8>,
    moves: Vec<Vec<bool>>,
}

fn reachable_values(circuit: &Circuit, budget: &Budget<'_>) -> Result<Values, GroundError> {
    let live = live_gates(circuit);
    let gates: Vec<(u32, Gate)> =
        circuit.gates.iter().filter(|(id, _)| live[id.0 as usize]).map(|(id, gate)| (id.0, gate)).collect();
    let mut bases: Vec<u8> =
        circuit.initial.iter().map(|&value| if value { ALWAYS } else { NEVER }).collect();
    let mut moves: Vec<Vec<bool>> = circuit.roles.iter().map(|role| vec![false; role.moves.len()]).collect();
    let mut values = vec![NEVER; circuit.gates.len()];
    loop {
        budget.check(&Progress {
            stage: Stage::Simplify,
            items: gates.len(),
            bytes: circuit.gates.bytes(),
        })?;
        for &(id, gate) in &gates {
            values[id as usize] = match gate {
                Gate::False => NEVER,
                Gate::Base(number) => bases[number as usize],
                Gate::Does(role, number) => match moves[role as usize][number as usize] {
                    true => EITHER,
                    false => NEVER,
                },
                Gate::And(left, right) => and(read(&values, left), read(&values, right)),
                Gate::Xor(left, right) => xor(read(&values, left), read(&values, right)),
            };
        }
        let mut changed = false;
        for (base, &edge) in bases.iter_mut().zip(&circuit.next) {
            let joined = *base | read(&values, edge);
            changed |= joined != *base;
            *base = joined;
        }
        for (possible, role) in moves.iter_mut().zip(&circuit.roles) {
            for (possible, &edge) in possible.iter_mut().zip(&role.legal) {
                if !*possible && read(&values, edge) != NEVER {
                    *possible = true;
                    changed = true;
                }
            }
        }
        if !changed {
            return Ok(Values { bases, moves });
        }
    }
}

/// Values are sets of truth values: bit 0 for false, bit 1 for true.
fn read(values: &[u8], edge: Edge) -> u8 {
    let value = values[edge.gate().0 as usize];
    if edge.is_inverted() { (value & 1) << 1 | value >> 1 } else { value }
}

fn and(left: u8, right: u8) -> u8 {
    (left | right) & 1 | left & right & 2
}

fn xor(left: u8, right: u8) -> u8 {
    match (left, right) {
        (EITHER, _) | (_, EITHER) => EITHER,
        (left, right) if left == right => NEVER,
        _ => ALWAYS,
    }
}
