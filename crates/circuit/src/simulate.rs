//! Plain evaluation of a circuit, one state at a time: slow, simple, and what the rest is checked
//! against.

use crate::{Circuit, Edge, Gate, Gates};

/// The values of all gates, given those of the propositions.
pub fn evaluate(gates: &Gates, mut proposition: impl FnMut(Gate) -> bool) -> Vec<bool> {
    let mut values = Vec::with_capacity(gates.len());
    for (_, gate) in gates.iter() {
        let value = match gate {
            Gate::False => false,
            Gate::Base(_) | Gate::Does(..) => proposition(gate),
            Gate::And(left, right) => read(&values, left) && read(&values, right),
            Gate::Xor(left, right) => read(&values, left) != read(&values, right),
        };
        values.push(value);
    }
    values
}

/// The value at an edge.
pub fn read(values: &[bool], edge: Edge) -> bool {
    values[edge.gate().0 as usize] != edge.is_inverted()
}

impl Circuit {
    /// The values of all gates in a state; `does` has the move of each role, if they move.
    pub fn evaluate(&self, state: &[bool], does: &[u32]) -> Vec<bool> {
        evaluate(&self.gates, |gate| match gate {
            Gate::Base(number) => state[number as usize],
            Gate::Does(role, number) => does.get(role as usize) == Some(&number),
            _ => false,
        })
    }

    /// The state after the moves.
    pub fn successor(&self, state: &[bool], does: &[u32]) -> Vec<bool> {
        let values = self.evaluate(state, does);
        self.next.iter().map(|&edge| read(&values, edge)).collect()
    }
}
