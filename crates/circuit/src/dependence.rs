//! What depends on what: facts that no move can influence, facts that nothing asks about, and the
//! facts that each fact's future depends on.

use crate::{Circuit, Edge, Gate, GateId};

impl Circuit {
    /// For each fact, whether it runs by itself: what becomes of it depends on no move, only on
    /// facts of the same kind. Step counters do.
    pub fn autonomous(&self) -> Vec<bool> {
        let mut autonomous = vec![true; self.bases.len()];
        let mut moved = vec![false; self.gates.len()];
        loop {
            for (id, gate) in self.gates.iter() {
                let of = |edge: Edge| moved[edge.gate().0 as usize];
                moved[id.0 as usize] = match gate {
                    Gate::False => false,
                    Gate::Base(number) => !autonomous[number as usize],
                    Gate::Does(..) => true,
                    Gate::And(left, right) | Gate::Xor(left, right) => of(left) || of(right),
                };
            }
            let mut settled = true;
            for (base, next) in self.next.iter().enumerate() {
                if autonomous[base] && moved[next.gate().0 as usize] {
                    autonomous[base] = false;
                    settled = false;
                }
            }
            if settled {
                return autonomous;
            }
        }
    }

    /// For each fact, whether anything that is asked of the game may ever depend on it: legal moves,
    /// the end, goals.
    pub fn relevant(&self) -> Vec<bool> {
        let mut relevant = vec![false; self.bases.len()];
        let mut seen = vec![false; self.gates.len()];
        let roles = self.roles.iter();
        let outputs =
            roles.flat_map(|role| role.legal.iter().copied().chain(role.goals.iter().map(|goal| goal.edge)));
        let mut open: Vec<GateId> = outputs.chain([self.terminal]).map(Edge::gate).collect();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            match self.gates.get(id) {
                Gate::False | Gate::Does(..) => {}
                Gate::Base(number) => {
                    relevant[number as usize] = true;
                    open.push(self.next[number as usize].gate());
                }
                Gate::And(left, right) | Gate::Xor(left, right) => open.extend([left.gate(), right.gate()]),
            }
        }
        relevant
    }

    /// The facts that an edge depends on, ascending.
    pub fn support(&self, edge: Edge) -> Vec<u32> {
        let fact = |gate| if let Gate::Base(number) = gate { Some(number) } else { None };
        let mut facts: Vec<u32> = self.inputs(edge).into_iter().filter_map(fact).collect();
        facts.sort_unstable();
        facts
    }

    /// The facts and moves that an edge depends on, each once.
    pub fn inputs(&self, edge: Edge) -> Vec<Gate> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![edge.gate()];
        let mut found = Vec::new();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.gates.get(id) {
                Gate::False => {}
                input @ (Gate::Base(_) | Gate::Does(..)) => found.push(input),
                Gate::And(left, right) | Gate::Xor(left, right) => open.extend([left.gate(), right.gate()]),
            }
        }
        found
    }
}
