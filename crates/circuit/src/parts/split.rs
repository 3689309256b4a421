//! The facts of each part.

use super::operands::{Operands, Say, highest_goal, says};
use crate::{Circuit, Edge, Gate};

/// Facts by part.
#[derive(Debug)]
pub(super) struct Split {
    pub(super) shared: Vec<u32>,
    pub(super) facts: Vec<Vec<u32>>,
    /// The part of each fact; `None` if it is shared or decides nothing.
    pub(super) part_of: Vec<Option<u32>>,
}

/// Facts belong together if the future of one depends on the other, if a condition of a move asks for both, or if an alternative
/// of a highest goal does: a line of four in connect four. The end may ask for all parts at once, as a full board does.
pub(super) fn split(circuit: &Circuit) -> Split {
    let (relevant, autonomous) = (circuit.relevant(), circuit.autonomous());
    let is_own = |fact: u32| relevant[fact as usize] && !autonomous[fact as usize];
    // Gates that depend on a fact of some part.
    let part_of: Vec<Option<u32>> =
        (0..circuit.bases.len() as u32).map(|fact| is_own(fact).then_some(0)).collect();
    let says = says(circuit, &part_of);
    let has_say = |edge: Edge| says[edge.gate().0 as usize] != Say::Nobody;
    let mut roots: Vec<Edge> = Vec::new();
    for role in &circuit.roles {
        roots.extend(role.legal.iter().flat_map(|&legal| Operands::conditions(circuit, legal)));
        let goal = highest_goal(role).into_iter();
        roots.extend(goal.flat_map(|edge| Operands::alternatives(circuit, edge, &has_say)));
    }
    let own = (0..circuit.bases.len() as u32).filter(|&fact| is_own(fact));
    roots.extend(own.clone().map(|fact| circuit.next[fact as usize]));
    // All that a root depends on belongs together, so every gate below one belongs to what it is made of.
    let mut sets = Sets((0..circuit.gates.len() as u32).collect());
    let mut places = vec![None; circuit.bases.len()];
    for (id, gate) in circuit.gates.iter() {
        if let Gate::Base(fact) = gate {
            places[fact as usize] = Some(id.0);
        }
    }
    for id in circuit.gates.cone(roots.iter().copied()) {
        if let Gate::And(left, right) | Gate::Xor(left, right) = circuit.gates.get(id) {
            let own = [left, right].into_iter().filter(|&edge| has_say(edge));
            own.for_each(|edge| sets.join(id.0, edge.gate().0));
        }
    }
    for fact in own.clone() {
        let next = circuit.next[fact as usize];
        if let (Some(place), true) = (places[fact as usize], has_say(next)) {
            sets.join(place, next.gate().0);
        }
    }
    let mut facts: Vec<Vec<u32>> = Vec::new();
    let mut part_of = vec![None; circuit.bases.len()];
    let mut numbers = rustc_hash::FxHashMap::default();
    for fact in own {
        // A fact that matters is read somewhere.
        let Some(place) = places[fact as usize] else { continue };
        let part = *numbers.entry(sets.root(place)).or_insert_with(|| {
            facts.push(Vec::new());
            facts.len() as u32 - 1
        });
        facts[part as usize].push(fact);
        part_of[fact as usize] = Some(part);
    }
    let is_shared = |&fact: &u32| relevant[fact as usize] && autonomous[fact as usize];
    let shared = (0..circuit.bases.len() as u32).filter(is_shared).collect();
    Split { shared, facts, part_of }
}

impl Split {
    /// The same facts in fewer parts: `part` has the new part of each.
    pub(super) fn merged(self, part: &[usize]) -> Self {
        let count = part.iter().max().map_or(0, |last| last + 1);
        let mut facts = vec![Vec::new(); count];
        self.facts.into_iter().zip(part).for_each(|(own, &part)| facts[part].extend(own));
        facts.iter_mut().for_each(|facts| facts.sort_unstable());
        let part_of = self.part_of.into_iter().map(|old| old.map(|old| part[old as usize] as u32)).collect();
        Self { facts, part_of, ..self }
    }
}

/// Sets of things that belong together.
pub(super) struct Sets(pub(super) Vec<u32>);

impl Sets {
    pub(super) fn root(&mut self, mut gate: u32) -> u32 {
        while self.0[gate as usize] != gate {
            self.0[gate as usize] = self.0[self.0[gate as usize] as usize];
            gate = self.0[gate as usize];
        }
        gate
    }

    pub(super) fn join(&mut self, one: u32, two: u32) {
        let (one, two) = (self.root(one), self.root(two));
        self.0[one.max(two) as usize] = one.min(two);
    }
}
