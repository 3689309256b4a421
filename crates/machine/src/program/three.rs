//! Mapping to operations with three inputs of any truth table, as AVX-512 has them.
//!
//! Cuts of at most three leaves are enumerated for every gate and the cheapest by area flow is
//! kept: the usual way of mapping to look-up tables (Mishchenko and others, "Combinational and
//! sequential mapping with priority cuts", 2007).

use circuit::{Edge, Gate, GateId};

use super::network::Network;
use super::schedule::{Logic, Program, Value};
use super::two::finish;

/// How many cuts a gate keeps.
const KEPT: usize = 6;

/// A set of gates that determines another, and how.
#[derive(Clone, Copy, Debug)]
struct Cut {
    size: u8,
    table: u8,
    /// Ascending.
    leaves: [u32; 3],
    cost: f32,
}

impl Cut {
    fn trivial(gate: u32, cost: f32) -> Self {
        Cut { size: 1, table: 0xf0, leaves: [gate, 0, 0], cost }
    }

    fn leaves(&self) -> &[u32] {
        &self.leaves[..self.size as usize]
    }
}

/// Maps a network to operations with up to three inputs.
pub(crate) fn map_three(network: &Network<'_>) -> Program {
    let gates = network.gates;
    let cone = network.cone();
    let mut fanout = vec![0f32; gates.len()];
    for &id in &cone {
        if let Some((left, right, _)) = arguments(gates.get(id)) {
            fanout[left.gate().0 as usize] += 1.0;
            fanout[right.gate().0 as usize] += 1.0;
        }
    }
    network.outputs.iter().for_each(|(edge, _)| fanout[edge.gate().0 as usize] += 1.0);
    let best = choose_cuts(network, &cone, &fanout);

    let mut needed = vec![false; gates.len()];
    network.outputs.iter().for_each(|(edge, _)| needed[edge.gate().0 as usize] = true);
    for &id in cone.iter().rev().filter(|id| arguments(gates.get(**id)).is_some()) {
        if needed[id.0 as usize] {
            best[id.0 as usize].leaves().iter().for_each(|&leaf| needed[leaf as usize] = true);
        }
    }
    // A gate wanted only inverted is computed inverted: the tables of its users absorb it.
    let mut wanted = vec![0u8; gates.len()];
    for (edge, _) in &network.outputs {
        wanted[edge.gate().0 as usize] |= if edge.is_inverted() { 2 } else { 1 };
    }
    let is_inverted = |gate: u32| wanted[gate as usize] == 2 && arguments(gates.get(GateId(gate))).is_some();

    let mut sources = Vec::new();
    let mut values: Vec<Value> = vec![0; gates.len()];
    for &id in cone.iter().filter(|id| needed[id.0 as usize]) {
        let gate = gates.get(id);
        if arguments(gate).is_none() {
            values[id.0 as usize] = sources.len() as Value;
            sources.push((network.input)(gate));
        }
    }
    let mut operations = Vec::new();
    for &id in cone.iter().filter(|id| needed[id.0 as usize]) {
        if arguments(gates.get(id)).is_none() {
            continue;
        }
        let cut = best[id.0 as usize];
        let mut table = if is_inverted(id.0) { !cut.table } else { cut.table };
        let mut inputs = [0; 3];
        for (position, &leaf) in cut.leaves().iter().enumerate() {
            inputs[position] = values[leaf as usize];
            if is_inverted(leaf) {
                table = flip(table, position);
            }
        }
        values[id.0 as usize] = (sources.len() + operations.len()) as Value;
        operations.push(Logic::new(table, &inputs[..cut.size as usize]));
    }
    let kept = |id: GateId| (values[id.0 as usize], is_inverted(id.0));
    let outputs = finish(network, sources.len(), &mut operations, kept);
    Program::new(sources, &operations, &outputs)
}

fn arguments(gate: Gate) -> Option<(Edge, Edge, bool)> {
    match gate {
        Gate::And(left, right) => Some((left, right, true)),
        Gate::Xor(left, right) => Some((left, right, false)),
        _ => None,
    }
}

/// The cheapest cut of every gate.
fn choose_cuts(network: &Network<'_>, cone: &[GateId], fanout: &[f32]) -> Vec<Cut> {
    let gates = network.gates;
    let stretching = Stretching::new();
    let mut flow = vec![0f32; gates.len()];
    let mut best = vec![Cut::trivial(0, 0.0); gates.len()];
    // The cuts of gate `i` are `cuts[starts[i]..ends[i]]`.
    let mut cuts: Vec<Cut> = Vec::new();
    let mut spans = vec![(0u32, 0u32); gates.len()];
    let mut found: Vec<Cut> = Vec::new();
    for &id in cone {
        let Some((left, right, is_and)) = arguments(gates.get(id)) else { continue };
        let of = |edge: Edge| {
            let gate = edge.gate().0;
            let (start, end) = spans[gate as usize];
            let trivial = Cut::trivial(gate, flow[gate as usize]);
            cuts[start as usize..end as usize].iter().copied().chain(std::iter::once(trivial))
        };
        found.clear();
        for first in of(left) {
            for second in of(right) {
                let Some((size, leaves)) = merge(&first, &second) else { continue };
                if found.iter().any(|cut| cut.size == size && cut.leaves == leaves) {
                    continue;
                }
                let invert = |table: u8, edge: Edge| if edge.is_inverted() { !table } else { table };
                let a = invert(stretching.stretch(&first, &leaves), left);
                let b = invert(stretching.stretch(&second, &leaves), right);
                let table = if is_and { a & b } else { a ^ b };
                let cost = leaves[..size as usize].iter().map(|&leaf| flow[leaf as usize]).sum::<f32>() + 1.0;
                found.push(Cut { size, table, leaves, cost });
            }
        }
        found.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.size.cmp(&b.size)));
        found.truncate(KEPT);
        best[id.0 as usize] = found[0];
        flow[id.0 as usize] = found[0].cost / fanout[id.0 as usize].max(1.0);
        spans[id.0 as usize] = (cuts.len() as u32, (cuts.len() + found.len()) as u32);
        cuts.extend_from_slice(&found);
    }
    best
}

/// The union of two cuts' leaves, if there are at most three.
fn merge(first: &Cut, second: &Cut) -> Option<(u8, [u32; 3])> {
    let (a, b) = (first.leaves(), second.leaves());
    let (mut i, mut j, mut size) = (0, 0, 0);
    let mut leaves = [0; 3];
    while i < a.len() || j < b.len() {
        if size == 3 {
            return None;
        }
        let next = match (a.get(i), b.get(j)) {
            (Some(&x), Some(&y)) if x == y => {
                i += 1;
                j += 1;
                x
            }
            (Some(&x), Some(&y)) if x < y => {
                i += 1;
                x
            }
            (Some(&x), None) => {
                i += 1;
                x
            }
            (_, Some(&y)) => {
                j += 1;
                y
            }
            (None, None) => break,
        };
        leaves[size] = next;
        size += 1;
    }
    Some((size as u8, leaves))
}

/// Truth tables with one input inverted.
fn flip(table: u8, position: usize) -> u8 {
    match position {
        0 => table.rotate_left(4),
        1 => (table & 0xcc) >> 2 | (table & 0x33) << 2,
        _ => (table & 0xaa) >> 1 | (table & 0x55) << 1,
    }
}

/// Truth tables over a cut's leaves, seen as tables over more leaves.
struct Stretching(Vec<[u8; 256]>);

impl Stretching {
    fn new() -> Self {
        let row = |places: usize| {
            std::array::from_fn(|table| {
                (0..8).fold(0u8, |stretched, index| {
                    // Where input `position` of the old table is found among the new inputs.
                    let old = (0..3).fold(0, |old, position| {
                        let place = places >> (2 * position) & 3;
                        old | ((index >> (2 - place.min(2))) & 1) << (2 - position)
                    });
                    stretched | ((table >> old & 1) as u8) << index
                })
            })
        };
        Self((0..64).map(row).collect())
    }

    fn stretch(&self, cut: &Cut, leaves: &[u32; 3]) -> u8 {
        let mut places = 0;
        for (position, leaf) in cut.leaves().iter().enumerate() {
            let place = leaves.iter().position(|other| other == leaf).unwrap_or(0);
            places |= place << (2 * position);
        }
        self.0[places][cut.table as usize]
    }
}
