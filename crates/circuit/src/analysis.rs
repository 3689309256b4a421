//! What can be read off a circuit: facts that never change once they are true, or once they are
//! false.

use crate::{Circuit, Edge, Gate};

/// How many gates are looked at for one fact.
const MAX_LOOKED_AT: usize = 1_000;
/// How far from the fact they may lie.
const MAX_DEPTH: usize = 200;

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

/// Facts that stay as they are once they have a certain value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latches {
    /// Numbers of the facts that stay true once they are.
    pub stays_true: Vec<u32>,
    /// Numbers of the facts that stay false once they are.
    pub stays_false: Vec<u32>,
}

impl Circuit {
    /// The latches that can be read off the gates.
    pub fn latches(&self) -> Latches {
        let mut latches = Latches::default();
        let mut cofactor = Cofactor::new(self);
        for (base, &next) in self.next.iter().enumerate() {
            let base = base as u32;
            if cofactor.fix(base, true).value(next, 0) == Some(true) {
                latches.stays_true.push(base);
            }
            if cofactor.fix(base, false).value(next, 0) == Some(false) {
                latches.stays_false.push(base);
            }
        }
        latches
    }
}

/// The circuit with one fact fixed and nothing else known.
struct Cofactor<'a> {
    circuit: &'a Circuit,
    base: u32,
    fixed: bool,
    /// What was found out about each gate, and in which round.
    known: Vec<(u32, Option<bool>)>,
    round: u32,
    looked_at: usize,
}

impl<'a> Cofactor<'a> {
    fn new(circuit: &'a Circuit) -> Self {
        let known = vec![(0, None); circuit.gates.len()];
        Cofactor { circuit, base: 0, fixed: false, known, round: 0, looked_at: 0 }
    }

    /// Starts over with a fact fixed.
    fn fix(&mut self, base: u32, fixed: bool) -> &mut Self {
        self.base = base;
        self.fixed = fixed;
        self.round += 1;
        self.looked_at = 0;
        self
    }

    fn value(&mut self, edge: Edge, depth: usize) -> Option<bool> {
        let gate = edge.gate();
        let value = match self.circuit.gates.get(gate) {
            Gate::False => Some(false),
            Gate::Base(number) if number == self.base => Some(self.fixed),
            Gate::Base(_) | Gate::Does(..) | Gate::Xor(..) => None,
            Gate::And(left, right) => match self.known[gate.0 as usize] {
                (round, known) if round == self.round => known,
                _ if self.looked_at >= MAX_LOOKED_AT || depth > MAX_DEPTH => None,
                _ => {
                    self.looked_at += 1;
                    let value = match self.value(left, depth + 1) {
                        Some(false) => Some(false),
                        first => match (first, self.value(right, depth + 1)) {
                            (_, Some(false)) => Some(false),
                            (Some(true), Some(true)) => Some(true),
                            _ => None,
                        },
                    };
                    self.known[gate.0 as usize] = (self.round, value);
                    value
                }
            },
        };
        value.map(|value| value != edge.is_inverted())
    }
}
