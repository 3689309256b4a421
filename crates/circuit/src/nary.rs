//! Gates of many inputs, shaped so that similar sets share logic.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{Edge, Gate, Gates};

/// Builds gates, where it may knowing that every role does exactly one thing.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub gates: Gates,
    /// The inputs of each role that does exactly one of them, in ascending order.
    inputs: Vec<Vec<Edge>>,
    /// What is known to be an "or" of inputs, taken apart.
    input_sets: FxHashMap<Edge, Rc<[Edge]>>,
    /// How many bytes those take.
    set_bytes: usize,
}

impl Builder {
    pub(crate) fn new(gates: Gates, inputs: Vec<Vec<Edge>>) -> Self {
        Builder { gates, inputs, ..Builder::default() }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.gates.bytes() + self.set_bytes
    }

    fn input_role(&self, edge: Edge) -> Option<usize> {
        if edge.is_inverted() {
            return None;
        }
        match self.gates.get(edge.gate()) {
            Gate::Does(role, _) => Some(role as usize),
            _ => None,
        }
    }

    pub(crate) fn is_input(&self, edge: Edge) -> bool {
        matches!(self.gates.get(edge.gate()), Gate::Does(..))
    }

    /// All of them.
    pub(crate) fn and_all(&mut self, edges: &mut Vec<Edge>) -> Edge {
        edges.sort_unstable();
        edges.dedup();
        if edges.first() == Some(&Edge::FALSE) || edges.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Edge::FALSE;
        }
        if edges.first() == Some(&Edge::TRUE) {
            edges.remove(0);
        }
        self.trie(edges)
    }

    /// Splits on the bits of the ids rather than in the middle: sets that differ in a few members
    /// then differ in a few gates.
    fn trie(&mut self, edges: &[Edge]) -> Edge {
        match edges {
            [] => Edge::TRUE,
            [edge] => *edge,
            [first, .., last] => {
                let bit = 31 - (first.code() ^ last.code()).leading_zeros();
                let place = edges.partition_point(|edge| edge.code() >> bit & 1 == 0);
                let left = self.trie(&edges[..place]);
                let right = self.trie(&edges[place..]);
                self.gates.and(left, right)
            }
        }
    }

    /// At least one of them.
    pub(crate) fn or_all(&mut self, edges: &mut Vec<Edge>) -> Edge {
        if edges.iter().any(|edge| self.input_sets.contains_key(edge)) {
            let mut apart = Vec::new();
            for edge in edges.iter() {
                match self.input_sets.get(edge) {
                    Some(set) => apart.extend_from_slice(set),
                    None => apart.push(*edge),
                }
            }
            *edges = apart;
        }
        edges.sort_unstable();
        edges.dedup();
        let only_inputs = edges.len() > 1 && edges.iter().all(|&edge| self.input_role(edge).is_some());
        let set: Option<Rc<[Edge]>> = only_inputs.then(|| edges[..].into());
        self.complement(edges);
        for edge in edges.iter_mut() {
            *edge = !*edge;
        }
        let result = !self.and_all(edges);
        if let Some(set) = set
            && !result.is_constant()
        {
            self.set_bytes += set.len() * 4 + 32;
            self.input_sets.insert(result, set);
        }
        result
    }

    /// More than half of what a role can do is none of the rest: frame axioms ("nobody moved
    /// there") become short.
    fn complement(&mut self, edges: &mut Vec<Edge>) {
        let mut counts = vec![0usize; self.inputs.len()];
        for &edge in edges.iter() {
            if let Some(count) = self.input_role(edge).and_then(|role| counts.get_mut(role)) {
                *count += 1;
            }
        }
        for (role, count) in counts.into_iter().enumerate() {
            if count * 2 <= self.inputs[role].len() {
                continue;
            }
            let (inside, mut others): (Vec<Edge>, Vec<Edge>) =
                edges.iter().partition(|&&edge| self.input_role(edge) == Some(role));
            // Both lists ascend: one walk along them finds what is missing.
            let mut inside = inside.into_iter().peekable();
            let mut rest: Vec<Edge> = self.inputs[role]
                .iter()
                .filter(|&&input| inside.next_if_eq(&input).is_none())
                .map(|&input| !input)
                .collect();
            others.push(self.and_all(&mut rest));
            *edges = others;
        }
    }
}
