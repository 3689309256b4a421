//! How far the highest goal holds: the approximate goal evaluation of MiNI-Player.

use circuit::{Circuit, Edge, Gate};

/// Conditions below this are not looked at.
const MOST_TERMS: usize = 20_000;

/// The highest goal as a tree of conditions. A conjunction holds as far as its parts do on average,
/// a disjunction as far as the best of its parts.
#[derive(Debug)]
pub(super) struct GoalTree {
    /// In order of evaluation; arguments are places in this list. The last one is the goal.
    terms: Vec<Term>,
    values: Vec<f64>,
}

#[derive(Debug)]
enum Term {
    Fact(u32, bool),
    Constant(f64),
    All(Vec<usize>),
    Any(Vec<usize>),
    /// One but not the other.
    Either(usize, usize),
}

impl GoalTree {
    /// The tree of the highest goal that can be; `None` if it is too large.
    pub(super) fn new(circuit: &Circuit) -> Option<Self> {
        let goal = circuit.roles[0].goals.iter().rev().find(|goal| goal.edge != Edge::FALSE)?;
        let mut tree = Self { terms: Vec::new(), values: Vec::new() };
        let mut places = rustc_hash::FxHashMap::default();
        tree.add(circuit, goal.edge, &mut places)?;
        tree.values = vec![0.0; tree.terms.len()];
        Some(tree)
    }

    fn add(
        &mut self,
        circuit: &Circuit,
        edge: Edge,
        places: &mut rustc_hash::FxHashMap<Edge, usize>,
    ) -> Option<usize> {
        if let Some(&place) = places.get(&edge) {
            return Some(place);
        }
        // That the game is over is not something to come nearer to.
        let over = !circuit.terminal.is_constant() && edge == circuit.terminal;
        let term = match circuit.gates.get(edge.gate()) {
            _ if over => Term::Constant(1.0),
            Gate::False | Gate::Does(..) => Term::Constant(if edge.is_inverted() { 1.0 } else { 0.0 }),
            Gate::Base(number) => Term::Fact(number, !edge.is_inverted()),
            Gate::And(..) => {
                // Conjunctions of conjunctions are one; upside down they are disjunctions.
                let mut parts = Vec::new();
                let mut open = vec![Edge::new(edge.gate(), false)];
                while let Some(part) = open.pop() {
                    match circuit.gates.get(part.gate()) {
                        Gate::And(left, right) if !part.is_inverted() => open.extend([left, right]),
                        _ => parts.push(if edge.is_inverted() { !part } else { part }),
                    }
                }
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

    /// How far the goal holds, from 0 to 1, given the facts that are true, ascending.
    pub(super) fn degree(&mut self, facts: &[u32]) -> f64 {
        for (place, term) in self.terms.iter().enumerate() {
            let values = &self.values;
            self.values[place] = match term {
                Term::Fact(number, wanted) => {
                    if facts.binary_search(number).is_ok() == *wanted {
                        1.0
                    } else {
                        0.0
                    }
                }
                Term::Constant(value) => *value,
                Term::All(parts) => {
                    parts.iter().map(|&part| values[part]).sum::<f64>() / parts.len().max(1) as f64
                }
                Term::Any(parts) => parts.iter().map(|&part| values[part]).fold(0.0, f64::max),
                Term::Either(left, right) => (values[*left] - values[*right]).abs(),
            };
        }
        self.values.last().copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_holds_as_far_as_its_parts_do() {
        let mut circuit =
            Circuit { bases: (0..4).map(|n| format!("(fact {n})")).collect(), ..Default::default() };
        let facts: Vec<Edge> = (0..4).map(|number| circuit.gates.base(number)).collect();
        let either = circuit.gates.or(facts[2], facts[3]);
        let first = circuit.gates.and(facts[0], facts[1]);
        let goal = circuit.gates.and(first, either);
        let mut role = circuit::RoleMoves::default();
        role.goals.push(circuit::GoalOutput { value: 100, edge: goal });
        circuit.roles.push(role);
        let mut tree = GoalTree::new(&circuit).expect("a small goal");
        assert_eq!(
            [&[][..], &[0], &[0, 3], &[2, 3], &[0, 1, 2]].map(|facts| (tree.degree(facts) * 3.0).round()),
            [0.0, 1.0, 2.0, 1.0, 3.0]
        );
    }
}
