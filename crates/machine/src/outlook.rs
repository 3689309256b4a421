//! Goals that can no longer be reached: what stays as it is rules them out.
//!
//! From a state on, a fact *may* be true if it is true now, or if a step from anything that may be leads there; likewise
//! may be false. What may be is worked out until nothing is added (an abstract interpretation with one value for each fact,
//! after Cousot and Cousot, 1977): legal moves may be made, and only those. A fact that may not change is a latch of this
//! state: a cell that is taken, a piece that is gone. A goal that may not be true is out of reach. This is an induction over
//! steps: the facts that may be hold in the state, and every step leads to such facts again. So it is never wrong.
//!
//! Sixty-four states are looked at side by side, with two words for each gate.

use ::circuit::{Circuit, Edge, Gate, GateId};
use game::{Outlook, Prospect};
use rustc_hash::FxHashMap;

use crate::circuit::CircuitState;

/// States that are looked at side by side.
const LANES: usize = 64;
/// Steps after which nothing is ruled out, if there is still news.
const MOST_ROUNDS: usize = 64;

/// In which lanes something may be false, and in which it may be true.
type May = [u64; 2];

/// A place of the table and whether it is inverted: twice the place, plus one.
type Operand = u32;

#[derive(Clone, Copy, Debug)]
struct Step {
    is_xor: bool,
    left: Operand,
    right: Operand,
}

/// What roles can still get, read off a circuit.
#[derive(Debug)]
pub struct Prospects {
    /// The facts that anything depends on, each with its place and what it is next. What runs by itself has no next: it
    /// may be anything, or counters would be followed to their end.
    facts: Vec<(u32, Operand, Option<Operand>)>,
    /// Moves that are read: their place, and what makes them legal.
    moves: Vec<(usize, Operand)>,
    /// Gates in order of evaluation, those of legal moves first; the first one is at this place.
    first_gate: usize,
    legal_gates: usize,
    steps: Vec<Step>,
    /// For each role its goals, ascending, and whether it has one at every end.
    goals: Vec<(Vec<(u8, Operand)>, bool)>,
}

impl Prospects {
    /// What can be told of a circuit.
    pub fn new(circuit: &Circuit) -> Self {
        let (relevant, autonomous) = (circuit.relevant(), circuit.autonomous());
        let goals = || circuit.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge));
        let legal = || circuit.roles.iter().flat_map(|role| role.legal.iter().copied());
        let facts = || (0..circuit.bases.len()).filter(|&fact| relevant[fact]);
        let next = || facts().filter(|&fact| !autonomous[fact]).map(|fact| circuit.next[fact]);
        // The first place is the constant's.
        let mut table = Table { circuit, place: [(GateId(0), 0)].into_iter().collect(), count: 1 };
        let all = circuit.gates.cone(legal().chain(next()).chain(goals()));
        let is_leaf = |gate: &GateId| matches!(circuit.gates.get(*gate), Gate::Base(_) | Gate::Does(..));
        all.iter().filter(|gate| is_leaf(gate)).for_each(|&gate| table.add(gate));
        let first_gate = table.count as usize;
        circuit
            .gates
            .cone(legal())
            .into_iter()
            .filter(|gate| !is_leaf(gate))
            .for_each(|gate| table.add(gate));
        let legal_gates = table.count as usize - first_gate;
        all.iter().filter(|gate| !is_leaf(gate)).for_each(|&gate| table.add(gate));
        let mut gates: Vec<(u32, GateId)> = table.place.iter().map(|(&gate, &place)| (place, gate)).collect();
        gates.sort_unstable();
        let step = |&(_, gate): &(u32, GateId)| match circuit.gates.get(gate) {
            Gate::And(left, right) => {
                Some(Step { is_xor: false, left: table.at(left), right: table.at(right) })
            }
            Gate::Xor(left, right) => {
                Some(Step { is_xor: true, left: table.at(left), right: table.at(right) })
            }
            Gate::False | Gate::Base(_) | Gate::Does(..) => None,
        };
        let (mut known, mut moves) = (Vec::new(), Vec::new());
        for &(place, gate) in &gates {
            match circuit.gates.get(gate) {
                Gate::Base(fact) => {
                    let moves = relevant[fact as usize] && !autonomous[fact as usize];
                    known.push((fact, place, moves.then(|| table.at(circuit.next[fact as usize]))));
                }
                Gate::Does(role, number) => {
                    let legal = circuit.roles[usize::from(role)].legal[number as usize];
                    moves.push((place as usize, table.at(legal)));
                }
                Gate::False | Gate::And(..) | Gate::Xor(..) => {}
            }
        }
        let goals_of = |role: usize| {
            let goals = &circuit.roles[role].goals;
            let read: Vec<(u8, Operand)> =
                goals.iter().map(|goal| (goal.value, table.at(goal.edge))).collect();
            (read, circuit.has_goal_at_end(role))
        };
        Self {
            facts: known,
            moves,
            first_gate,
            legal_gates,
            steps: gates.iter().filter_map(step).collect(),
            goals: (0..circuit.roles.len()).map(goals_of).collect(),
        }
    }

    /// What may be in some states and all that follow, gate by gate. Says also in which lanes there was no end of it.
    fn settle(&self, states: &[&CircuitState], may: &mut Vec<May>) -> u64 {
        may.clear();
        may.resize(self.first_gate + self.steps.len(), [u64::MAX; 2]);
        may[0] = [u64::MAX, 0];
        for &(fact, place, _) in self.facts.iter().filter(|(.., next)| next.is_some()) {
            let bit = |state: &CircuitState| state.words()[fact as usize / 64] >> (fact % 64) & 1;
            let holds = (0..).zip(states).fold(0, |all, (lane, state)| all | bit(state) << lane);
            may[place as usize] = [!holds, holds];
        }
        let mut news = u64::MAX;
        for _ in 0..MOST_ROUNDS {
            self.evaluate(0..self.legal_gates, may);
            for &(place, legal) in &self.moves {
                may[place] = [u64::MAX, read(may, legal)[1]];
            }
            self.evaluate(self.legal_gates..self.steps.len(), may);
            news = 0;
            for &(_, place, next) in &self.facts {
                let Some(next) = next.map(|next| read(may, next)) else { continue };
                for (known, next) in may[place as usize].iter_mut().zip(next) {
                    news |= next & !*known;
                    *known |= next;
                }
            }
            // Lanes without a state do not count.
            news &= u64::MAX >> (LANES - states.len());
            if news == 0 {
                break;
            }
        }
        news
    }

    fn evaluate(&self, steps: std::ops::Range<usize>, may: &mut [May]) {
        for number in steps {
            let Step { is_xor, left, right } = self.steps[number];
            let ([no, yes], [not_either, either]) = (read(may, left), read(may, right));
            may[self.first_gate + number] = match is_xor {
                false => [no | not_either, yes & either],
                true => [yes & either | no & not_either, yes & not_either | no & either],
            };
        }
    }

    /// What a role can still get in one lane.
    fn prospect(&self, role: usize, lane: usize, may: &[May]) -> Prospect {
        let (goals, is_covered) = &self.goals[role];
        let (mut lower, mut upper, mut least) = (0, 0, None);
        for &(value, edge) in goals {
            let [no, yes] = read(may, edge).map(|word| word >> lane & 1 != 0);
            if yes {
                upper = value.max(upper);
                least = least.or(Some(value));
            }
            if !no {
                lower = value.max(lower);
            }
        }
        // Without any goal a role has 0.
        if *is_covered {
            lower = least.unwrap_or(0).max(lower);
        }
        Prospect { lower, upper: upper.max(lower) }
    }
}

impl Outlook<CircuitState> for Prospects {
    fn prospects(&self, states: &[&CircuitState], out: &mut Vec<Prospect>) {
        out.clear();
        let mut may = Vec::new();
        for states in states.chunks(LANES) {
            let endless = self.settle(states, &mut may);
            for lane in 0..states.len() {
                let is_known = endless >> lane & 1 == 0;
                let prospect = |role| if is_known { self.prospect(role, lane, &may) } else { Prospect::OPEN };
                out.extend((0..self.goals.len()).map(prospect));
            }
        }
    }
}

/// In which lanes an operand may be false, and in which true.
#[inline]
fn read(may: &[May], operand: Operand) -> May {
    let [no, yes] = may[operand as usize / 2];
    if operand & 1 == 0 { [no, yes] } else { [yes, no] }
}

/// Places of gates.
struct Table<'a> {
    circuit: &'a Circuit,
    place: FxHashMap<GateId, u32>,
    count: u32,
}

impl Table<'_> {
    fn add(&mut self, gate: GateId) {
        if matches!(self.circuit.gates.get(gate), Gate::False) {
            return;
        }
        let count = &mut self.count;
        self.place.entry(gate).or_insert_with(|| {
            *count += 1;
            *count - 1
        });
    }

    fn at(&self, edge: Edge) -> Operand {
        2 * self.place[&edge.gate()] + u32::from(edge.is_inverted())
    }
}
