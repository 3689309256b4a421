//! Legal moves, goals and the end depend on the state alone. Where a sheet breaks that rule and
//! reads `does` there, nobody does anything: the moves are not chosen yet.

use crate::rewrite::mark_cone;
use crate::{Circuit, Edge, Gate};

/// Whether the outputs of a state or what is true at the beginning read moves.
pub(crate) fn reads_moves(circuit: &Circuit, beginning: &[Edge]) -> bool {
    let cone = cone(circuit, beginning);
    circuit.gates.iter().any(|(id, gate)| cone[id.0 as usize] && matches!(gate, Gate::Does(..)))
}

/// The gates that the outputs of a state and some more edges depend on.
fn cone(circuit: &Circuit, more: &[Edge]) -> Vec<bool> {
    let legal = circuit.roles.iter().flat_map(|role| role.legal.iter().copied());
    let goals = circuit.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge));
    let mut cone = vec![false; circuit.gates.len()];
    for edge in legal.chain(goals).chain([circuit.terminal]).chain(more.iter().copied()) {
        cone[edge.gate().0 as usize] = true;
    }
    mark_cone(&circuit.gates, &mut cone);
    cone
}

/// Replaces what the outputs of a state read of moves; circuits that read none stay as they are.
pub(crate) fn detach(circuit: &mut Circuit) {
    if !reads_moves(circuit, &[]) {
        return;
    }
    let cone = cone(circuit, &[]);
    let originals: Vec<Gate> = circuit.gates.iter().map(|(_, gate)| gate).collect();
    let mut copies = vec![Edge::FALSE; originals.len()];
    let read = |copies: &[Edge], edge: Edge| {
        let copy = copies[edge.gate().0 as usize];
        if edge.is_inverted() { !copy } else { copy }
    };
    for (index, &gate) in originals.iter().enumerate() {
        if !cone[index] {
            continue;
        }
        copies[index] = match gate {
            Gate::False | Gate::Does(..) => Edge::FALSE,
            Gate::Base(number) => circuit.gates.base(number),
            Gate::And(left, right) => circuit.gates.and(read(&copies, left), read(&copies, right)),
            Gate::Xor(left, right) => circuit.gates.xor(read(&copies, left), read(&copies, right)),
        };
    }
    circuit.terminal = read(&copies, circuit.terminal);
    for role in &mut circuit.roles {
        role.legal.iter_mut().for_each(|edge| *edge = read(&copies, *edge));
        role.goals.iter_mut().for_each(|goal| goal.edge = read(&copies, goal.edge));
    }
}
