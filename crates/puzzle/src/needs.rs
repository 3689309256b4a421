//! What a goal needs, condition by condition, and which moves may bring each of them about.

use circuit::{Circuit, Edge, Gate, GateId};

/// A condition without which the goal is not reached.
#[derive(Debug)]
pub(crate) struct Need {
    pub(crate) edge: Edge,
    /// The moves that its facts depend on, as bits.
    pub(crate) moves: Vec<u64>,
}

/// The needs of the highest goal.
#[derive(Debug)]
pub(crate) struct Needs {
    pub(crate) all: Vec<Need>,
    /// The gates of the conditions, in order of evaluation.
    cone: Vec<(GateId, Gate)>,
    values: Vec<bool>,
}

impl Needs {
    /// The needs of the goal with a value: all that must be true together, apart from the game
    /// being over.
    pub(crate) fn new(circuit: &Circuit, value: u8) -> Self {
        let role = &circuit.roles[0];
        let goal = role.goals.iter().find(|goal| goal.value == value).map_or(Edge::FALSE, |goal| goal.edge);
        let mut open = vec![goal];
        let mut edges = Vec::new();
        while let Some(edge) = open.pop() {
            match circuit.gates.get(edge.gate()) {
                _ if edge == circuit.terminal => {}
                Gate::And(left, right) if !edge.is_inverted() => open.extend([left, right]),
                Gate::False => {}
                _ => edges.push(edge),
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let words = role.moves.len().div_ceil(64);
        let all: Vec<Need> = edges
            .into_iter()
            .map(|edge| {
                let mut moves = vec![0; words];
                for fact in circuit.support(edge) {
                    for number in does(circuit, circuit.next[fact as usize]) {
                        moves[number as usize / 64] |= 1 << (number % 64);
                    }
                }
                Need { edge, moves }
            })
            .collect();
        let gate = |id| (id, circuit.gates.get(id));
        let cone = circuit.gates.cone(all.iter().map(|need| need.edge)).into_iter().map(gate).collect();
        Self { all, cone, values: vec![false; circuit.gates.len()] }
    }

    /// The needs that are not met in a state.
    pub(crate) fn unmet(&mut self, state: &[u64]) -> impl Iterator<Item = &Need> {
        let values = &mut self.values;
        let read = |values: &[bool], edge: Edge| values[edge.gate().0 as usize] != edge.is_inverted();
        for &(id, gate) in &self.cone {
            values[id.0 as usize] = match gate {
                Gate::False | Gate::Does(..) => false,
                Gate::Base(number) => state[number as usize / 64] >> (number % 64) & 1 != 0,
                Gate::And(left, right) => read(values, left) && read(values, right),
                Gate::Xor(left, right) => read(values, left) != read(values, right),
            };
        }
        let values = &self.values;
        self.all.iter().filter(move |need| !read(values, need.edge))
    }
}

/// The moves that an edge depends on.
fn does(circuit: &Circuit, edge: Edge) -> Vec<u32> {
    let made = |gate| if let Gate::Does(_, number) = gate { Some(number) } else { None };
    circuit.inputs(edge).into_iter().filter_map(made).collect()
}
