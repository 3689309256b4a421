//! How large a circuit is, part by part.

use crate::rewrite::mark_cone;
use crate::{Circuit, Edge, Gate};

/// The gates of two inputs that each part needs beyond the parts before it. What only percepts need is not
/// counted: playouts do without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartSizes {
    /// For legal moves and the end of the game.
    pub legal_and_terminal: usize,
    /// For the next state.
    pub next: usize,
    /// For goals.
    pub goal: usize,
}

impl PartSizes {
    /// All parts.
    pub fn total(&self) -> usize {
        self.legal_and_terminal + self.next + self.goal
    }
}

impl Circuit {
    /// All edges that mean something.
    pub fn outputs(&self) -> impl Iterator<Item = Edge> + '_ {
        let legal = self.roles.iter().flat_map(|role| role.legal.iter().copied());
        let goals = self.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge));
        let percepts = self.roles.iter().flat_map(|role| role.percepts.iter().map(|percept| percept.edge));
        let state = legal.chain(std::iter::once(self.terminal));
        state.chain(self.next.iter().copied()).chain(goals).chain(percepts)
    }

    /// The size of each part.
    pub fn sizes(&self) -> PartSizes {
        let mut marked = vec![false; self.gates.len()];
        let mut counted = 0;
        let mut more = |edges: &mut dyn Iterator<Item = Edge>| {
            for edge in edges {
                marked[edge.gate().0 as usize] = true;
            }
            mark_cone(&self.gates, &mut marked);
            let count = self
                .gates
                .iter()
                .filter(|(id, gate)| marked[id.0 as usize] && matches!(gate, Gate::And(..) | Gate::Xor(..)))
                .count();
            let added = count - counted;
            counted = count;
            added
        };
        let legal = self.roles.iter().flat_map(|role| role.legal.iter().copied());
        let legal_and_terminal = more(&mut legal.chain(std::iter::once(self.terminal)));
        let next = more(&mut self.next.iter().copied());
        let goal = more(&mut self.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge)));
        PartSizes { legal_and_terminal, next, goal }
    }
}
