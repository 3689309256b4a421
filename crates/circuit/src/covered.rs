//! Whether a role always gets one of its goals at the end.

use rustc_hash::FxHashMap;

use crate::{Circuit, Edge, Gate, GateId, Gates};

/// So many cases are looked at before giving up.
const MOST_CASES: usize = 2_000;
/// Gates that may lie between what is asked and what is known.
const MOST_GATES: usize = 4_000;

impl Circuit {
    /// Whether a role is known to have one of its goals in every state in which the game is over. Read off the gates: what
    /// several ask for is taken to be true, then false, whatever it depends on.
    pub fn has_goal_at_end(&self, role: usize) -> bool {
        let mut gates = self.gates.clone();
        let goals = self.roles[role].goals.iter().map(|goal| goal.edge);
        let any = goals.fold(!self.terminal, |any, goal| gates.or(any, goal));
        let cone = gates.cone([any].into_iter());
        if cone.len() > MOST_GATES {
            return false;
        }
        // How often each gate is asked for.
        let mut asked: FxHashMap<GateId, u32> = FxHashMap::default();
        for &gate in &cone {
            if let Gate::And(left, right) | Gate::Xor(left, right) = gates.get(gate) {
                [left, right].into_iter().for_each(|edge| *asked.entry(edge.gate()).or_default() += 1);
            }
        }
        let mut cases = Cases { gates: &gates, asked: &asked, taken: FxHashMap::default(), left: MOST_CASES };
        cases.always(any)
    }
}

/// A proof by cases.
struct Cases<'a> {
    gates: &'a Gates,
    asked: &'a FxHashMap<GateId, u32>,
    /// What gates are taken to be.
    taken: FxHashMap<GateId, bool>,
    left: usize,
}

impl Cases<'_> {
    /// Whether an edge is true in all cases.
    fn always(&mut self, edge: Edge) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let mut open = None;
        let value = self.value(edge, &mut FxHashMap::default(), &mut open);
        match (value, open) {
            (Some(value), _) => value,
            (None, None) => false,
            (None, Some(gate)) => {
                let holds = |value: bool| {
                    let mut trail = Vec::new();
                    // What contradicts itself is no case.
                    let holds = !self.take(gate, value, &mut trail) || self.always(edge);
                    for gate in trail {
                        self.taken.remove(&gate);
                    }
                    holds
                };
                [true, false].into_iter().all(holds)
            }
        }
    }

    /// Takes a gate to be true or false, and what it is made of where that follows; whether it agrees with what was taken
    /// before. Lines that are shared in other ways are known then as well.
    fn take(&mut self, gate: GateId, value: bool, trail: &mut Vec<GateId>) -> bool {
        let mut open = vec![(gate, value)];
        while let Some((gate, value)) = open.pop() {
            match self.taken.get(&gate) {
                Some(&known) if known != value => return false,
                Some(_) => continue,
                None => {}
            }
            self.taken.insert(gate, value);
            trail.push(gate);
            match self.gates.get(gate) {
                Gate::False if value => return false,
                Gate::And(left, right) if value => {
                    open.extend([left, right].map(|edge| (edge.gate(), !edge.is_inverted())));
                }
                _ => {}
            }
        }
        true
    }

    /// What an edge is, and a gate that it depends on and that others ask for too.
    fn value(
        &self,
        edge: Edge,
        known: &mut FxHashMap<GateId, Option<bool>>,
        open: &mut Option<GateId>,
    ) -> Option<bool> {
        let gate = edge.gate();
        let turned = |value: bool| value != edge.is_inverted();
        if let Some(&value) = self.taken.get(&gate) {
            return Some(turned(value));
        }
        if let Some(&value) = known.get(&gate) {
            return value.map(turned);
        }
        let value = match self.gates.get(gate) {
            Gate::False => Some(false),
            Gate::Base(_) | Gate::Does(..) => None,
            Gate::And(left, right) => {
                let left = self.value(left, known, open);
                match left {
                    Some(false) => Some(false),
                    _ => match (left, self.value(right, known, open)) {
                        (_, Some(false)) => Some(false),
                        (Some(true), Some(true)) => Some(true),
                        _ => None,
                    },
                }
            }
            Gate::Xor(left, right) => {
                let (left, right) = (self.value(left, known, open), self.value(right, known, open));
                left.zip(right).map(|(left, right)| left != right)
            }
        };
        known.insert(gate, value);
        // The first to be found open is the lowest: what is above it may be asked for as well, and decides more.
        if value.is_none() && self.asked.get(&gate).is_some_and(|&count| count > 1) {
            *open = Some(gate);
        }
        value.map(turned)
    }
}
