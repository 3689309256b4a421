//! How near a state is to the goals, read off the goal rules.
//!
//! Imagine that every fact of the state were wrong with a certain probability, independently of the
//! others: how much would one expect to score? Each fact that the goal still lacks makes it less
//! likely by the same factor, counts become distributions, alternatives add up. The idea of degrees
//! of truth for goals is that of Schiffel and Thielscher (Fluxplayer, 2007); probabilities in place
//! of t-norms make counting networks work as well.

use circuit::{Circuit, Edge, Gate};

/// The probability that a fact is wrong.
const DOUBT: f64 = 0.2;
/// States that are judged together.
const TOGETHER: usize = 8;

/// The goals of a game as arithmetic.
#[derive(Debug)]
pub(crate) struct SoftGoals {
    /// In order of evaluation; arguments are places in this list.
    operations: Vec<Operation>,
    /// Value, place and inversion of each goal above 0.
    goals: Vec<(f64, u32, bool)>,
    /// For each operation and state, how likely it is true, and false: both, as differences from 1
    /// would be lost in rounding.
    values: Vec<[[f64; TOGETHER]; 2]>,
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Constant(bool),
    Fact(u32),
    And(u32, bool, u32, bool),
    Xor(u32, bool, u32, bool),
}

impl SoftGoals {
    /// The goals of the first role, as if the game were over: goals are read at the end only.
    pub(crate) fn new(circuit: &Circuit) -> Self {
        let mut places = vec![None; circuit.gates.len()];
        let terminal = circuit.terminal;
        let mut operations = Vec::new();
        let wanted: Vec<(u8, Edge)> = circuit.roles[0]
            .goals
            .iter()
            .filter(|goal| goal.value > 0)
            .map(|goal| (goal.value, goal.edge))
            .collect();
        let mut needed = vec![false; circuit.gates.len()];
        wanted.iter().for_each(|(_, edge)| needed[edge.gate().0 as usize] = true);
        for index in (0..needed.len()).rev() {
            let id = circuit::GateId(index as u32);
            if needed[index]
                && (terminal.is_constant() || id != terminal.gate())
                && let Gate::And(left, right) | Gate::Xor(left, right) = circuit.gates.get(id)
            {
                needed[left.gate().0 as usize] = true;
                needed[right.gate().0 as usize] = true;
            }
        }
        for (id, gate) in circuit.gates.iter().filter(|(id, _)| needed[id.0 as usize]) {
            let place = |edge: Edge| places[edge.gate().0 as usize].unwrap_or(0);
            let operation = if !terminal.is_constant() && id == terminal.gate() {
                Operation::Constant(!terminal.is_inverted())
            } else {
                match gate {
                    Gate::False | Gate::Does(..) => Operation::Constant(false),
                    Gate::Base(number) => Operation::Fact(number),
                    Gate::And(left, right) => {
                        Operation::And(place(left), left.is_inverted(), place(right), right.is_inverted())
                    }
                    Gate::Xor(left, right) => {
                        Operation::Xor(place(left), left.is_inverted(), place(right), right.is_inverted())
                    }
                }
            };
            places[id.0 as usize] = Some(operations.len() as u32);
            operations.push(operation);
        }
        let goals = wanted
            .iter()
            .map(|&(value, edge)| {
                (f64::from(value), places[edge.gate().0 as usize].unwrap_or(0), edge.is_inverted())
            })
            .collect();
        let values = vec![[[0.0; TOGETHER]; 2]; operations.len()];
        Self { operations, goals, values }
    }

    /// The logarithm of the expected score of each state, given as rows of words.
    pub(crate) fn judge<'a>(&mut self, states: impl Iterator<Item = &'a [u64]>, out: &mut Vec<f64>) {
        out.clear();
        let mut group: Vec<&[u64]> = Vec::with_capacity(TOGETHER);
        let mut states = states.peekable();
        while let Some(state) = states.next() {
            group.push(state);
            if group.len() == TOGETHER || states.peek().is_none() {
                self.judge_group(&group);
                for lane in 0..group.len() {
                    let chance = |&(value, place, inverted): &(f64, u32, bool)| {
                        value * self.values[place as usize][usize::from(inverted)][lane]
                    };
                    let expected: f64 = self.goals.iter().map(chance).sum();
                    out.push(expected.max(f64::MIN_POSITIVE).ln());
                }
                group.clear();
            }
        }
    }

    fn judge_group(&mut self, states: &[&[u64]]) {
        for (index, operation) in self.operations.iter().enumerate() {
            let pair = |place: u32, inverted: bool| {
                let [yes, no] = &self.values[place as usize];
                if inverted { (no, yes) } else { (yes, no) }
            };
            let mut result = [[0.0; TOGETHER]; 2];
            match *operation {
                Operation::Constant(value) => result[usize::from(!value)] = [1.0; TOGETHER],
                Operation::Fact(number) => {
                    for (lane, state) in states.iter().enumerate() {
                        let holds = state[number as usize / 64] >> (number % 64) & 1 != 0;
                        result[usize::from(!holds)][lane] = 1.0 - DOUBT;
                        result[usize::from(holds)][lane] = DOUBT;
                    }
                }
                Operation::And(left, left_inverted, right, right_inverted) => {
                    let (a, not_a) = pair(left, left_inverted);
                    let (b, not_b) = pair(right, right_inverted);
                    for lane in 0..TOGETHER {
                        result[0][lane] = a[lane] * b[lane];
                        result[1][lane] = not_a[lane] + a[lane] * not_b[lane];
                    }
                }
                Operation::Xor(left, left_inverted, right, right_inverted) => {
                    let (a, not_a) = pair(left, left_inverted);
                    let (b, not_b) = pair(right, right_inverted);
                    for lane in 0..TOGETHER {
                        result[0][lane] = a[lane] * not_b[lane] + not_a[lane] * b[lane];
                        result[1][lane] = a[lane] * b[lane] + not_a[lane] * not_b[lane];
                    }
                }
            }
            self.values[index] = result;
        }
    }
}
