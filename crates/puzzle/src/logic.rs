//! Three-valued logic: what follows where not all facts are known.

use circuit::{Circuit, Edge, Gate, GateId};

/// May be true and may be false in all states.
pub(crate) const UNKNOWN: [u64; 2] = [u64::MAX; 2];

/// The gates that some edges depend on, for 64 states at once in which not all facts are known.
pub(crate) struct Logic {
    pub(crate) cone: Vec<(GateId, Gate)>,
    /// For each gate in which states it may be false, and true.
    values: Vec<[u64; 2]>,
}

impl Logic {
    pub(crate) fn new(circuit: &Circuit, outputs: impl Iterator<Item = Edge>) -> Self {
        let gate = |id| (id, circuit.gates.get(id));
        let cone = circuit.gates.cone(outputs).into_iter().map(gate).collect();
        // The constant is there whether it is asked for or not.
        let mut values = vec![[0; 2]; circuit.gates.len()];
        values[Edge::FALSE.gate().0 as usize] = [u64::MAX, 0];
        Self { cone, values }
    }

    /// The states in which an edge may have a value.
    pub(crate) fn possible(&self, edge: Edge, value: bool) -> u64 {
        self.values[edge.gate().0 as usize][usize::from(value != edge.is_inverted())]
    }

    /// Evaluates everything for a move; `fact` gives the states in which a fact may be false, and true.
    pub(crate) fn evaluate(&mut self, made: Option<u32>, fact: impl Fn(u32) -> [u64; 2]) {
        for index in 0..self.cone.len() {
            let (id, gate) = self.cone[index];
            self.values[id.0 as usize] = match gate {
                Gate::False => [u64::MAX, 0],
                Gate::Does(_, number) if Some(number) == made => [0, u64::MAX],
                Gate::Does(..) => [u64::MAX, 0],
                Gate::Base(number) => fact(number),
                Gate::And(left, right) => {
                    let no = self.possible(left, false) | self.possible(right, false);
                    [no, self.possible(left, true) & self.possible(right, true)]
                }
                Gate::Xor(left, right) => {
                    let [a, b] =
                        [left, right].map(|edge| [false, true].map(|value| self.possible(edge, value)));
                    [a[0] & b[0] | a[1] & b[1], a[0] & b[1] | a[1] & b[0]]
                }
            };
        }
    }
}
