//! What can be read off a circuit: facts that never change once they are true, or once they are
//! false.

use rustc_hash::FxHashMap;

use crate::{Circuit, Edge, Gate};

/// How many gates are looked at for one fact.
const MAX_LOOKED_AT: usize = 2_000;

/// What is known about the facts of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// Facts that are true in every state.
    pub always: Vec<String>,
    /// Facts that could not be ruled out before but are never true.
    pub never: usize,
    /// Moves that could not be ruled out before but are never legal.
    pub never_legal: usize,
    /// Facts that are equal or opposite to another one in every state.
    pub mirrored: usize,
    /// Numbers of the facts that stay true once they are.
    pub stays_true: Vec<u32>,
    /// Numbers of the facts that stay false once they are.
    pub stays_false: Vec<u32>,
}

impl Analysis {
    /// Adds the latches of a circuit.
    pub(crate) fn find_latches(&mut self, circuit: &Circuit) {
        for (base, &next) in circuit.next.iter().enumerate() {
            let base = base as u32;
            if Cofactor::new(circuit, base, true).value(next, 0) == Some(true) {
                self.stays_true.push(base);
            }
            if Cofactor::new(circuit, base, false).value(next, 0) == Some(false) {
                self.stays_false.push(base);
            }
        }
    }
}

/// The circuit with one fact fixed and nothing else known.
struct Cofactor<'a> {
    circuit: &'a Circuit,
    base: u32,
    value: bool,
    known: FxHashMap<u32, Option<bool>>,
}

impl<'a> Cofactor<'a> {
    fn new(circuit: &'a Circuit, base: u32, value: bool) -> Self {
        Cofactor { circuit, base, value, known: FxHashMap::default() }
    }

    fn value(&mut self, edge: Edge, depth: usize) -> Option<bool> {
        let gate = edge.gate();
        let value = match self.circuit.gates.get(gate) {
            Gate::False => Some(false),
            Gate::Base(number) if number == self.base => Some(self.value),
            Gate::Base(_) | Gate::Does(..) | Gate::Xor(..) => None,
            Gate::And(left, right) => match self.known.get(&gate.0) {
                Some(&known) => known,
                None if self.known.len() >= MAX_LOOKED_AT || depth > 200 => None,
                None => {
                    let value = match self.value(left, depth + 1) {
                        Some(false) => Some(false),
                        first => match (first, self.value(right, depth + 1)) {
                            (_, Some(false)) => Some(false),
                            (Some(true), Some(true)) => Some(true),
                            _ => None,
                        },
                    };
                    self.known.insert(gate.0, value);
                    value
                }
            },
        };
        value.map(|value| value != edge.is_inverted())
    }
}
