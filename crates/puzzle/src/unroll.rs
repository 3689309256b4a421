//! The circuit of a game laid out in time: one copy of its gates for each step, with the state at
//! the beginning put in. What is decided by that folds away, as do step counters.

use circuit::{Circuit, Edge, Gate, Gates};

/// A game unrolled step by step.
#[derive(Debug)]
pub(crate) struct Unrolled {
    /// The gates of all steps. Input `does(0, n)` is move `n % moves` at step `n / moves`.
    pub(crate) gates: Gates,
    steps: Vec<Step>,
    /// The facts after the last step.
    facts: Vec<Edge>,
    moves: usize,
    /// Scratch: where each gate of the circuit is in the copy being made.
    places: Vec<Edge>,
}

/// One point in time.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The game is over.
    pub(crate) terminal: Edge,
    /// The goals, ascending.
    pub(crate) goals: Vec<(u8, Edge)>,
    /// The moves that may be legal: number, that it is made, that it is legal.
    pub(crate) moves: Vec<(u32, Edge, Edge)>,
}

impl Unrolled {
    /// The time before the first move.
    pub(crate) fn new(circuit: &Circuit, start: impl Fn(usize) -> bool) -> Self {
        let constant = |value: bool| if value { Edge::TRUE } else { Edge::FALSE };
        let facts = (0..circuit.bases.len()).map(|base| constant(start(base))).collect();
        let mut unrolled = Self {
            gates: Gates::new(),
            steps: Vec::new(),
            facts,
            moves: circuit.roles[0].moves.len(),
            places: vec![Edge::FALSE; circuit.gates.len()],
        };
        unrolled.look(circuit);
        unrolled
    }

    /// The points in time so far, one more than the moves.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Adds one move.
    pub(crate) fn advance(&mut self, circuit: &Circuit) {
        let time = self.steps.len() - 1;
        let mut does = vec![Edge::FALSE; self.moves];
        for &(number, made, _) in &self.steps[time].moves {
            does[number as usize] = made;
        }
        self.copy(circuit, |number| does[number as usize]);
        self.facts = circuit.next.iter().map(|&edge| self.place(edge)).collect();
        self.look(circuit);
    }

    /// Notes what is true of the facts after the last step.
    fn look(&mut self, circuit: &Circuit) {
        self.copy(circuit, |_| Edge::FALSE);
        let role = &circuit.roles[0];
        let legal: Vec<(u32, Edge)> = (0..)
            .zip(role.legal.iter().map(|&edge| self.place(edge)))
            .filter(|&(_, edge)| edge != Edge::FALSE)
            .collect();
        let terminal = self.place(circuit.terminal);
        let goals = role.goals.iter().map(|goal| (goal.value, self.place(goal.edge))).collect();
        let first = (self.steps.len() * self.moves) as u32;
        // A single possible move is made.
        let single = legal.len() == 1;
        let moves = legal
            .into_iter()
            .map(|(number, legal)| {
                let made = if single { Edge::TRUE } else { self.gates.does(0, first + number) };
                (number, made, legal)
            })
            .collect();
        self.steps.push(Step { terminal, goals, moves });
    }

    fn copy(&mut self, circuit: &Circuit, does: impl Fn(u32) -> Edge) {
        for (id, gate) in circuit.gates.iter() {
            self.places[id.0 as usize] = match gate {
                Gate::False => Edge::FALSE,
                Gate::Base(number) => self.facts[number as usize],
                Gate::Does(_, number) => does(number),
                Gate::And(left, right) => {
                    let (left, right) = (self.place(left), self.place(right));
                    self.gates.and(left, right)
                }
                Gate::Xor(left, right) => {
                    let (left, right) = (self.place(left), self.place(right));
                    self.gates.xor(left, right)
                }
            };
        }
    }

    fn place(&self, edge: Edge) -> Edge {
        let place = self.places[edge.gate().0 as usize];
        if edge.is_inverted() { !place } else { place }
    }
}
