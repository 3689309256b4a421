//! How far the highest goal of a role holds: the approximate goal evaluation of MiNI-Player (Świechowski and
//! Mańdziuk 2014).
//!
//! The goal is a tree of conditions. A fact holds or does not. A conjunction holds as far as its parts do on
//! average, a disjunction as far as the best of its parts.

use circuit::{Circuit, Edge, Gate};
use rustc_hash::FxHashMap;

use super::CircuitState;

/// Goals of more conditions than this are not looked at.
const MOST_TERMS: usize = 20_000;

/// The highest goal of a role as a tree of conditions.
#[derive(Debug)]
pub(super) struct GoalDegree {
    /// In order of evaluation; parts are places in this list. The last one is the goal.
    terms: Vec<Term>,
}

#[derive(Debug)]
enum Term {
    Fact(usize, bool),
    Constant(f64),
    All(Vec<usize>),
    Any(Vec<usize>),
    /// One but not the other.
    Either(usize, usize),
}

impl GoalDegree {
    /// Of a role; `None` if there is no goal that can be reached, or it is too large.
    pub(super) fn new(circuit: &Circuit, role: usize) -> Option<Self> {
        let goals = circuit.roles.get(role)?.goals.iter();
        let goal = goals.filter(|goal| goal.edge != Edge::FALSE).max_by_key(|goal| goal.value)?;
        let mut degree = Self { terms: Vec::new() };
        degree.add(circuit, goal.edge, &mut FxHashMap::default())?;
        Some(degree)
    }

    /// Adds a condition and its parts; its place.
    fn add(&mut self, circuit: &Circuit, edge: Edge, places: &mut FxHashMap<Edge, usize>) -> Option<usize> {
        if let Some(&place) = places.get(&edge) {
            return Some(place);
        }
        // That the game is over is not something to come nearer to.
        let is_end = !circuit.terminal.is_constant() && edge == circuit.terminal;
        let term = match circuit.gates.get(edge.gate()) {
            _ if is_end => Term::Constant(1.0),
            Gate::False | Gate::Does(..) => Term::Constant(if edge.is_inverted() { 1.0 } else { 0.0 }),
            Gate::Base(number) => Term::Fact(number as usize, !edge.is_inverted()),
            Gate::And(..) => {
                let parts = conjuncts(circuit, edge);
                let parts = parts.into_iter().map(|part| self.add(circuit, part, places));
                let parts = parts.collect::<Option<Vec<usize>>>()?;
                if edge.is_inverted() { Term::Any(parts) } else { Term::All(parts) }
            }
            Gate::Xor(left, right) => {
                let left = if edge.is_inverted() { !left } else { left };
                Term::Either(self.add(circuit, left, places)?, self.add(circuit, right, places)?)
            }
        };
        let place = self.terms.len();
        (place < MOST_TERMS).then_some(())?;
        self.terms.push(term);
        places.insert(edge, place);
        Some(place)
    }

    /// How far the goal holds in a state, from 0 to 1.
    pub(super) fn in_state(&self, state: &CircuitState) -> f64 {
        let mut values: Vec<f64> = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let value = match term {
                Term::Fact(number, wanted) => f64::from(u8::from(state.get(*number) == *wanted)),
                Term::Constant(value) => *value,
                Term::All(parts) => {
                    parts.iter().map(|&part| values[part]).sum::<f64>() / parts.len().max(1) as f64
                }
                Term::Any(parts) => parts.iter().map(|&part| values[part]).fold(0.0, f64::max),
                Term::Either(left, right) => (values[*left] - values[*right]).abs(),
            };
            values.push(value);
        }
        values.last().copied().unwrap_or(0.0)
    }
}

/// The parts of a conjunction, those of conjunctions in it among them; of a disjunction, which is one upside down,
/// the parts of that.
fn conjuncts(circuit: &Circuit, edge: Edge) -> Vec<Edge> {
    let (mut parts, mut open) = (Vec::new(), vec![Edge::new(edge.gate(), false)]);
    while let Some(part) = open.pop() {
        match circuit.gates.get(part.gate()) {
            Gate::And(left, right) if !part.is_inverted() => open.extend([left, right]),
            _ => parts.push(if edge.is_inverted() { !part } else { part }),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use circuit::{GoalOutput, RoleMoves};

    use super::*;

    #[test]
    fn a_goal_holds_as_far_as_its_parts_do() {
        let mut circuit =
            Circuit { bases: (0..4).map(|n| format!("(fact {n})")).collect(), ..Default::default() };
        let facts: Vec<Edge> = (0..4).map(|number| circuit.gates.base(number)).collect();
        let either = circuit.gates.or(facts[2], facts[3]);
        let first = circuit.gates.and(facts[0], facts[1]);
        let goal = circuit.gates.and(first, either);
        let mut role = RoleMoves::default();
        role.goals.push(GoalOutput { value: 100, edge: goal });
        // A lower goal does not count.
        role.goals.push(GoalOutput { value: 50, edge: facts[0] });
        circuit.roles.push(role);
        let degree = GoalDegree::new(&circuit, 0).expect("a small goal");
        let of = |facts: &[usize]| {
            let state = CircuitState::from_bits((0..4).map(|fact| facts.contains(&fact)));
            (3.0 * degree.in_state(&state)).round()
        };
        // Two facts and one of two: thirds.
        assert_eq!([of(&[]), of(&[0]), of(&[0, 3]), of(&[2, 3]), of(&[0, 1, 2])], [0.0, 1.0, 2.0, 1.0, 3.0]);
        assert!(GoalDegree::new(&circuit, 1).is_none());
    }
}
