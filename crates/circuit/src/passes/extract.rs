//! Shares what conjunctions have in common: the pair of inputs that most of them have becomes a gate
//! of its own, again and again.
//!
//! Trees of "and" are first taken apart into sets of inputs; inversions are free, so the same holds
//! for "or". Wide sets keep their upper tree: pairs are counted within blocks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use ground::{Budget, GroundError, Progress, Stage};
use rustc_hash::FxHashMap;

use crate::rewrite::{Replacement, live_gates, rewrite};
use crate::{Circuit, Edge, Gate, GateId, Gates};

/// The widest set in which pairs are counted.
const MAX_WIDTH: usize = 32;
/// More pairs than this are not counted.
const MAX_PAIRS: usize = 30_000_000;

/// Rebuilds the circuit with common pairs shared; the same circuit if it is too large for that.
pub(crate) fn extract(circuit: &Circuit, budget: &Budget<'_>) -> Result<Circuit, GroundError> {
    let mut work = Extraction::new(circuit);
    let pairs: usize = work.sets.iter().map(|set| set.len() * set.len() / 2).sum();
    if pairs > MAX_PAIRS {
        return Ok(circuit.clone());
    }
    work.count_pairs();
    work.run(budget)?;
    Ok(rewrite(&work.rebuild(circuit), &Replacement::none(circuit)))
}

type Pair = (Edge, Edge);

struct Extraction {
    /// The inputs of each conjunction, in ascending order.
    sets: Vec<Vec<Edge>>,
    /// The conjunction that each gate is the root of, plus one.
    set_of: Vec<u32>,
    /// The conjunctions that each input may be in.
    uses: Vec<Vec<u32>>,
    counts: FxHashMap<Pair, u32>,
    queue: BinaryHeap<(u32, Reverse<Pair>)>,
    /// Pairs that became gates, numbered after the gates of the circuit.
    made: Vec<Pair>,
    gates: usize,
}

impl Extraction {
    fn new(circuit: &Circuit) -> Self {
        let gates = &circuit.gates;
        let live = live_gates(circuit);
        let absorbed = absorbed(circuit, &live);
        let mut sets = Vec::new();
        let mut set_of = vec![0; gates.len()];
        // Inputs of trees that are part of a larger one.
        let mut parts: FxHashMap<u32, Vec<Edge>> = FxHashMap::default();
        for (id, gate) in gates.iter() {
            let Gate::And(left, right) = gate else { continue };
            if !live[id.0 as usize] {
                continue;
            }
            let mut pieces: Vec<Vec<Edge>> = [left, right]
                .into_iter()
                .map(|edge| {
                    parts.remove(&edge.gate().0).filter(|_| !edge.is_inverted()).unwrap_or_else(|| vec![edge])
                })
                .collect();
            // A part that would make the set too wide becomes a set of its own.
            for (piece, edge) in pieces.iter_mut().zip([left, right]) {
                if piece.len() > MAX_WIDTH / 2 {
                    set_of[edge.gate().0 as usize] = sets.len() as u32 + 1;
                    sets.push(std::mem::replace(piece, vec![edge]));
                }
            }
            let mut set = pieces.concat();
            set.sort_unstable();
            set.dedup();
            if absorbed[id.0 as usize] {
                parts.insert(id.0, set);
            } else {
                set_of[id.0 as usize] = sets.len() as u32 + 1;
                sets.push(set);
            }
        }
        let mut uses = vec![Vec::new(); gates.len() * 2];
        for (number, set) in sets.iter().enumerate() {
            for edge in set {
                uses[edge.code() as usize].push(number as u32);
            }
        }
        Extraction {
            sets,
            set_of,
            uses,
            counts: FxHashMap::default(),
            queue: BinaryHeap::new(),
            made: Vec::new(),
            gates: gates.len(),
        }
    }

    fn count_pairs(&mut self) {
        for set in &self.sets {
            for (place, &left) in set.iter().enumerate() {
                for &right in &set[place + 1..] {
                    *self.counts.entry((left, right)).or_default() += 1;
                }
            }
        }
        self.counts.retain(|_, count| *count > 1);
        self.queue = self.counts.iter().map(|(&pair, &count)| (count, Reverse(pair))).collect();
    }

    fn run(&mut self, budget: &Budget<'_>) -> Result<(), GroundError> {
        let mut steps = 0usize;
        while let Some((count, Reverse(pair))) = self.queue.pop() {
            let current = self.counts.get(&pair).copied().unwrap_or(0);
            if current < 2 {
                continue;
            }
            if current != count {
                self.queue.push((current, Reverse(pair)));
                continue;
            }
            self.counts.remove(&pair);
            self.replace(pair);
            steps += 1;
            if steps.is_multiple_of(4096) {
                let bytes = self.counts.capacity() * 24 + self.queue.capacity() * 16;
                budget.check(&Progress { stage: Stage::Simplify, items: self.made.len(), bytes })?;
            }
        }
        Ok(())
    }

    /// Makes a gate of a pair and puts it in the place of the two wherever they are together.
    fn replace(&mut self, (left, right): Pair) {
        let shorter = if self.uses[left.code() as usize].len() <= self.uses[right.code() as usize].len() {
            left
        } else {
            right
        };
        let candidates = self.uses[shorter.code() as usize].clone();
        let gate = Edge::new(GateId((self.gates + self.made.len()) as u32), false);
        let mut fresh: FxHashMap<Edge, u32> = FxHashMap::default();
        let mut users = Vec::new();
        for number in candidates {
            let set = &mut self.sets[number as usize];
            let (Ok(_), Ok(_)) = (set.binary_search(&left), set.binary_search(&right)) else { continue };
            set.retain(|&edge| edge != left && edge != right);
            for &other in set.iter() {
                for gone in [left, right] {
                    let pair = if gone < other { (gone, other) } else { (other, gone) };
                    if let Some(count) = self.counts.get_mut(&pair) {
                        *count -= 1;
                    }
                }
                *fresh.entry(other).or_default() += 1;
            }
            // The new gate has the highest number so far: the set stays in order.
            set.push(gate);
            users.push(number);
        }
        self.made.push((left, right));
        self.uses.push(users);
        self.uses.push(Vec::new());
        let mut fresh: Vec<(Edge, u32)> = fresh.into_iter().filter(|&(_, count)| count > 1).collect();
        fresh.sort_unstable();
        for (other, count) in fresh {
            self.counts.insert((other, gate), count);
            self.queue.push((count, Reverse((other, gate))));
        }
    }

    fn rebuild(&self, circuit: &Circuit) -> Circuit {
        let mut gates = Gates::new();
        let mut copies: Vec<Option<Edge>> = vec![None; self.gates + self.made.len()];
        for (id, gate) in circuit.gates.iter() {
            let copy = match gate {
                Gate::False => Edge::FALSE,
                Gate::Base(number) => gates.base(number),
                Gate::Does(role, number) => gates.does(role, number),
                Gate::Xor(left, right) => {
                    let (left, right) =
                        (self.copy(left, &mut copies, &mut gates), self.copy(right, &mut copies, &mut gates));
                    gates.xor(left, right)
                }
                Gate::And(..) => {
                    let Some(set) = self.set_of[id.0 as usize].checked_sub(1) else { continue };
                    let edges: Vec<Edge> = self.sets[set as usize]
                        .iter()
                        .map(|&edge| self.copy(edge, &mut copies, &mut gates))
                        .collect();
                    balanced(&edges, &mut gates)
                }
            };
            copies[id.0 as usize] = Some(copy);
        }
        let mut result = circuit.clone();
        let mut read = |edge: &mut Edge| *edge = self.copy(*edge, &mut copies, &mut gates);
        read(&mut result.terminal);
        result.next.iter_mut().for_each(&mut read);
        for role in &mut result.roles {
            role.legal.iter_mut().for_each(&mut read);
            role.goals.iter_mut().for_each(|goal| read(&mut goal.edge));
            role.percepts.iter_mut().for_each(|percept| read(&mut percept.edge));
        }
        result.gates = gates;
        result
    }

    /// The copy of an edge; pairs are made when they are first read.
    fn copy(&self, edge: Edge, copies: &mut [Option<Edge>], gates: &mut Gates) -> Edge {
        let index = edge.gate().0 as usize;
        let copy = match copies[index] {
            Some(copy) => copy,
            None => {
                let copy = match index.checked_sub(self.gates).and_then(|made| self.made.get(made)) {
                    Some(&(left, right)) => {
                        let (left, right) = (self.copy(left, copies, gates), self.copy(right, copies, gates));
                        gates.and(left, right)
                    }
                    None => Edge::FALSE,
                };
                copies[index] = Some(copy);
                copy
            }
        };
        if edge.is_inverted() { !copy } else { copy }
    }
}

/// Gates that are read once, by an "and", as they are: parts of a wider conjunction.
fn absorbed(circuit: &Circuit, live: &[bool]) -> Vec<bool> {
    let mut reads = vec![0u32; circuit.gates.len()];
    let mut plain = vec![false; circuit.gates.len()];
    for (_, gate) in circuit.gates.iter().filter(|(id, _)| live[id.0 as usize]) {
        if let Gate::And(left, right) | Gate::Xor(left, right) = gate {
            for edge in [left, right] {
                reads[edge.gate().0 as usize] += 1;
                plain[edge.gate().0 as usize] = !edge.is_inverted() && matches!(gate, Gate::And(..));
            }
        }
    }
    for edge in circuit.outputs() {
        reads[edge.gate().0 as usize] += 2;
    }
    reads.iter().zip(plain).map(|(&reads, plain)| reads == 1 && plain).collect()
}

fn balanced(edges: &[Edge], gates: &mut Gates) -> Edge {
    match edges {
        [] => Edge::TRUE,
        [edge] => *edge,
        _ => {
            let (left, right) = edges.split_at(edges.len() / 2);
            let (left, right) = (balanced(left, gates), balanced(right, gates));
            gates.and(left, right)
        }
    }
}
