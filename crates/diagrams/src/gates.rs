//! The gates of a circuit as diagrams, made when they are asked for.

use std::sync::Arc;

use circuit::{Circuit, Edge, Gate, GateId};

use crate::{Set, Trouble};

/// Alternatives within alternatives are looked at one by one down to this depth.
const DEEPEST: usize = 4;
/// Gates that ask for so few facts have small diagrams.
const FEW_FACTS: usize = 12;

/// The gates as diagrams.
pub(crate) struct Gates {
    circuit: Arc<Circuit>,
    yes: Set,
    no: Set,
    /// For each fact what it is before a move; a fact that does not matter is false.
    facts: Vec<Set>,
    /// For each gate its diagram, if it was made. Of those that depend on moves, for the last joint move.
    values: Vec<Option<Set>>,
    /// Whether each gate depends on the moves made.
    moved: Vec<bool>,
    /// Gates that have few facts below them.
    few: Vec<bool>,
}

impl Gates {
    pub(crate) fn new(circuit: Arc<Circuit>, facts: Vec<Set>, yes: Set, no: Set) -> Self {
        let mut moved = vec![false; circuit.gates.len()];
        let mut below: Vec<Option<Vec<u32>>> = Vec::with_capacity(circuit.gates.len());
        for (GateId(index), gate) in circuit.gates.iter() {
            let (is_moved, support) = match gate {
                Gate::Does(..) => (true, None),
                Gate::False => (false, Some(Vec::new())),
                Gate::Base(number) => (false, Some(vec![number])),
                Gate::And(left, right) | Gate::Xor(left, right) => {
                    let (left, right) = (left.gate().0 as usize, right.gate().0 as usize);
                    let together = match (&below[left], &below[right]) {
                        (Some(left), Some(right)) => united(left, right),
                        _ => None,
                    };
                    (moved[left] || moved[right], together)
                }
            };
            moved[index as usize] = is_moved;
            below.push(support);
        }
        let few = below.iter().map(Option::is_some).collect();
        let values = vec![None; circuit.gates.len()];
        Self { circuit, yes, no, facts, values, moved, few }
    }

    /// The states in which an edge is true. It must not depend on moves.
    pub(crate) fn edge(&mut self, edge: Edge, is_over: &dyn Fn() -> bool) -> Result<Set, Trouble> {
        self.fill(&[edge], None, is_over)?;
        self.read(edge)
    }

    /// What edges are after a joint move, by the facts before it.
    pub(crate) fn edges_after(
        &mut self,
        edges: &[Edge],
        joint: &[u32],
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<Set>, Trouble> {
        self.fill(edges, Some(joint), is_over)?;
        let sets = edges.iter().map(|&edge| self.read(edge)).collect();
        for (value, &moved) in self.values.iter_mut().zip(&self.moved) {
            if moved {
                *value = None;
            }
        }
        sets
    }

    /// The states of a set in which an edge is true. Where that is one of many things (a line somewhere on a board), the
    /// diagram of all of them together may be far larger than what they leave of the set.
    pub(crate) fn within(
        &mut self,
        set: &Set,
        edge: Edge,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Set, Trouble> {
        self.within_from(set, edge, 0, is_over)
    }

    fn within_from(
        &mut self,
        set: &Set,
        edge: Edge,
        depth: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Set, Trouble> {
        let index = edge.gate().0 as usize;
        let is_and = matches!(self.circuit.gates.get(edge.gate()), Gate::And(..));
        if set.is_empty() || !is_and || depth == DEEPEST || self.few[index] || self.values[index].is_some() {
            return set.and(&self.edge(edge, is_over)?);
        }
        let mut rest = set.clone();
        if edge.is_inverted() {
            // What is left when no alternative was true.
            for part in self.operands(!edge) {
                let found = self.within_from(&rest, !part, depth + 1, is_over)?;
                rest = rest.without(&found)?;
            }
            return set.without(&rest);
        }
        for part in self.operands(edge) {
            rest = self.within_from(&rest, part, depth + 1, is_over)?;
        }
        Ok(rest)
    }

    /// What has to be true for an edge from gates of the kind `And`, one within the other, each once.
    fn operands(&self, edge: Edge) -> Vec<Edge> {
        let (mut open, mut found) = (vec![edge], Vec::new());
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(edge) = open.pop() {
            if !seen.insert(edge) {
                continue;
            }
            match self.circuit.gates.get(edge.gate()) {
                Gate::And(left, right) if !edge.is_inverted() && !self.few[edge.gate().0 as usize] => {
                    open.extend([left, right]);
                }
                _ => found.push(edge),
            }
        }
        // Small ones first: they leave less for the others.
        found.sort_by_key(|edge| (!self.few[edge.gate().0 as usize], edge.gate()));
        found
    }

    /// Makes the diagrams that some edges need. With a joint move, gates that it makes constant are not looked behind.
    fn fill(
        &mut self,
        edges: &[Edge],
        joint: Option<&[u32]>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), Trouble> {
        let circuit = Arc::clone(&self.circuit);
        let Some(highest) = edges.iter().map(|edge| edge.gate().0).max() else { return Ok(()) };
        let constant = joint.map_or_else(Vec::new, |joint| self.constants(joint, highest));
        let known = |edge: Edge| {
            let value: Option<bool> = constant.get(edge.gate().0 as usize).copied().flatten();
            value.map(|value| value != edge.is_inverted())
        };
        let mut needed = vec![false; highest as usize + 1];
        edges.iter().for_each(|edge| needed[edge.gate().0 as usize] = true);
        for index in (0..=highest).rev() {
            let here = Edge::new(GateId(index), false);
            if !needed[index as usize] || self.values[index as usize].is_some() || known(here).is_some() {
                continue;
            }
            if let Gate::And(left, right) | Gate::Xor(left, right) = circuit.gates.get(GateId(index)) {
                needed[left.gate().0 as usize] = true;
                needed[right.gate().0 as usize] = true;
            }
        }
        for index in 0..=highest {
            if !needed[index as usize] || self.values[index as usize].is_some() {
                continue;
            }
            if is_over() {
                return Err(Trouble::OutOfTime);
            }
            let value = match (known(Edge::new(GateId(index), false)), circuit.gates.get(GateId(index))) {
                (Some(true), _) => self.yes.clone(),
                (Some(false), _) | (None, Gate::False | Gate::Does(..)) => self.no.clone(),
                (None, Gate::Base(number)) => self.facts[number as usize].clone(),
                (None, Gate::And(left, right)) => self.read(left)?.and(&self.read(right)?)?,
                (None, Gate::Xor(left, right)) => self.read(left)?.differing(&self.read(right)?)?,
            };
            self.values[index as usize] = Some(value);
        }
        Ok(())
    }

    /// The gates that a joint move makes what they are, whatever the state.
    fn constants(&self, joint: &[u32], highest: u32) -> Vec<Option<bool>> {
        let mut constant: Vec<Option<bool>> = vec![None; highest as usize + 1];
        let read = |constant: &[Option<bool>], edge: Edge| match edge.is_constant() {
            true => Some(edge == Edge::TRUE),
            false => constant[edge.gate().0 as usize].map(|value| value != edge.is_inverted()),
        };
        for (GateId(index), gate) in self.circuit.gates.iter().take(highest as usize + 1) {
            if !self.moved[index as usize] {
                continue;
            }
            constant[index as usize] = match gate {
                Gate::Does(role, number) => Some(joint.get(usize::from(role)) == Some(&number)),
                Gate::And(left, right) => match (read(&constant, left), read(&constant, right)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                },
                Gate::Xor(left, right) => match (read(&constant, left), read(&constant, right)) {
                    (Some(left), Some(right)) => Some(left != right),
                    _ => None,
                },
                Gate::False | Gate::Base(_) => None,
            };
        }
        constant
    }

    fn read(&self, edge: Edge) -> Result<Set, Trouble> {
        let value = self.values[edge.gate().0 as usize].as_ref().unwrap_or(&self.no);
        if edge.is_inverted() { value.inverted() } else { Ok(value.clone()) }
    }
}

/// Two ascending lists as one; `None` if it is long.
fn united(left: &[u32], right: &[u32]) -> Option<Vec<u32>> {
    let mut all = [left, right].concat();
    all.sort_unstable();
    all.dedup();
    (all.len() <= FEW_FACTS).then_some(all)
}
