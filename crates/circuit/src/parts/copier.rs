//! Gates of the whole game as gates of a part.

use crate::{Circuit, Edge, Gate, Gates};

/// Copies gates into those of a part. Facts of other parts are never asked for where it matters: they are false.
pub(super) struct Copier<'a> {
    circuit: &'a Circuit,
    pub(super) gates: Gates,
    /// The number of each fact in the part.
    facts: Vec<Option<u32>>,
    /// The number of each move of each role in the part.
    moves: Vec<Vec<Option<u32>>>,
    images: Vec<Option<Edge>>,
}

impl<'a> Copier<'a> {
    pub(super) fn new(circuit: &'a Circuit, kept: &[u32]) -> Self {
        let mut facts = vec![None; circuit.bases.len()];
        (0..).zip(kept).for_each(|(number, &fact)| facts[fact as usize] = Some(number));
        Self {
            circuit,
            gates: Gates::new(),
            facts,
            moves: vec![Vec::new(); circuit.roles.len()],
            images: vec![None; circuit.gates.len()],
        }
    }

    /// From now on these moves of a role may be copied.
    pub(super) fn name_moves(&mut self, role: usize, numbers: &[u32]) {
        let mut moves = vec![None; self.circuit.roles[role].moves.len()];
        (0..).zip(numbers).for_each(|(number, &id)| moves[id as usize] = Some(number));
        self.moves[role] = moves;
    }

    fn number(&self, role: u16, number: u32) -> Option<u32> {
        self.moves[usize::from(role)].get(number as usize).copied().flatten()
    }

    pub(super) fn edge(&mut self, edge: Edge) -> Edge {
        // In the order of ids, which is one of evaluation: recursion might go deep.
        for id in self.circuit.gates.cone(std::iter::once(edge)) {
            if self.images[id.0 as usize].is_some() {
                continue;
            }
            let image = |images: &[Option<Edge>], edge: Edge| {
                let image = images[edge.gate().0 as usize].unwrap_or(Edge::FALSE);
                if edge.is_inverted() { !image } else { image }
            };
            let copy = match self.circuit.gates.get(id) {
                Gate::False => Edge::FALSE,
                Gate::Base(fact) => match self.facts[fact as usize] {
                    Some(number) => self.gates.base(number),
                    None => Edge::FALSE,
                },
                Gate::Does(role, number) => match self.number(role, number) {
                    Some(number) => self.gates.does(role, number),
                    None => Edge::FALSE,
                },
                Gate::And(left, right) => {
                    let (left, right) = (image(&self.images, left), image(&self.images, right));
                    self.gates.and(left, right)
                }
                Gate::Xor(left, right) => {
                    let (left, right) = (image(&self.images, left), image(&self.images, right));
                    self.gates.xor(left, right)
                }
            };
            self.images[id.0 as usize] = Some(copy);
        }
        let image = self.images[edge.gate().0 as usize].unwrap_or(Edge::FALSE);
        if edge.is_inverted() { !image } else { image }
    }

    /// All of some edges, or any.
    pub(super) fn together(&mut self, edges: &[Edge], all: bool) -> Edge {
        let first = if all { Edge::TRUE } else { Edge::FALSE };
        edges
            .iter()
            .fold(first, |sum, &edge| if all { self.gates.and(sum, edge) } else { self.gates.or(sum, edge) })
    }
}
