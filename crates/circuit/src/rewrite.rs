//! Copies a circuit with some propositions replaced: constants fold, equal logic merges, and what
//! nothing depends on is left behind.

use crate::{Circuit, Edge, Gate, Gates, GoalOutput, PerceptOutput, RoleMoves};

/// What becomes of a base proposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// It stays.
    Keep,
    /// Its value is known wherever it is read.
    Constant(bool),
    /// It is read from another one with a smaller number, or from its inverse.
    Same(u32, bool),
}

/// What to replace.
#[derive(Clone, Debug)]
pub(crate) struct Replacement {
    /// For each base, how it is read from now on.
    pub bases: Vec<Use>,
    /// For each base, whether it stays in the list of facts.
    pub listed: Vec<bool>,
    /// For each role and move, whether it stays in the list of moves.
    pub moves: Vec<Vec<bool>>,
}

impl Replacement {
    /// Nothing.
    pub(crate) fn none(circuit: &Circuit) -> Self {
        Replacement {
            bases: vec![Use::Keep; circuit.bases.len()],
            listed: vec![true; circuit.bases.len()],
            moves: circuit.roles.iter().map(|role| vec![true; role.moves.len()]).collect(),
        }
    }
}

/// Applies a replacement.
pub(crate) fn rewrite(circuit: &Circuit, replacement: &Replacement) -> Circuit {
    let live = live_gates(circuit);
    let mut gates = Gates::new();
    // Propositions come first and in order: ids that lie together are gates that trees share.
    let mut numbers = Vec::with_capacity(circuit.bases.len());
    let mut edges: Vec<Edge> = Vec::with_capacity(circuit.bases.len());
    let mut count = 0;
    for (base, &listed) in replacement.listed.iter().enumerate() {
        numbers.push(count);
        edges.push(match replacement.bases[base] {
            Use::Keep => gates.base(count),
            Use::Constant(value) => constant(value),
            Use::Same(other, inverted) => {
                let edge = edges[other as usize];
                if inverted { !edge } else { edge }
            }
        });
        count += u32::from(listed);
    }
    let mut move_edges: Vec<Vec<Edge>> = Vec::new();
    for (role, kept) in replacement.moves.iter().enumerate() {
        let mut place = 0;
        let single = kept.iter().filter(|&&kept| kept).count() == 1;
        let mut list = Vec::with_capacity(kept.len());
        for &kept in kept {
            // A role with one move does it.
            list.push(match (kept, single) {
                (false, _) => Edge::FALSE,
                (true, true) => Edge::TRUE,
                (true, false) => gates.does(role as u16, place),
            });
            place += u32::from(kept);
        }
        move_edges.push(list);
    }

    let mut copies = vec![Edge::FALSE; circuit.gates.len()];
    let read = |copies: &[Edge], edge: Edge| {
        let copy = copies[edge.gate().0 as usize];
        if edge.is_inverted() { !copy } else { copy }
    };
    for (id, gate) in circuit.gates.iter() {
        if !live[id.0 as usize] {
            continue;
        }
        copies[id.0 as usize] = match gate {
            Gate::False => Edge::FALSE,
            Gate::Base(number) => edges[number as usize],
            Gate::Does(role, number) => move_edges[role as usize][number as usize],
            Gate::And(left, right) => gates.and(read(&copies, left), read(&copies, right)),
            Gate::Xor(left, right) => gates.xor(read(&copies, left), read(&copies, right)),
        };
    }

    let kept = |base: &usize| replacement.listed[*base];
    let bases: Vec<usize> = (0..circuit.bases.len()).filter(kept).collect();
    Circuit {
        bases: bases.iter().map(|&base| circuit.bases[base].clone()).collect(),
        initial: bases.iter().map(|&base| circuit.initial[base]).collect(),
        next: bases.iter().map(|&base| read(&copies, circuit.next[base])).collect(),
        terminal: read(&copies, circuit.terminal),
        roles: circuit
            .roles
            .iter()
            .zip(&replacement.moves)
            .map(|(role, kept)| {
                let chosen = || kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(place, _)| place);
                RoleMoves {
                    name: role.name.clone(),
                    moves: chosen().map(|place| role.moves[place].clone()).collect(),
                    legal: chosen().map(|place| read(&copies, role.legal[place])).collect(),
                    goals: role
                        .goals
                        .iter()
                        .map(|goal| GoalOutput { value: goal.value, edge: read(&copies, goal.edge) })
                        .filter(|goal| goal.edge != Edge::FALSE)
                        .collect(),
                    percepts: role
                        .percepts
                        .iter()
                        .map(|percept| PerceptOutput {
                            text: percept.text.clone(),
                            edge: read(&copies, percept.edge),
                        })
                        .filter(|percept| percept.edge != Edge::FALSE)
                        .collect(),
                }
            })
            .collect(),
        gates,
        chance: circuit.chance,
        has_percepts: circuit.has_percepts,
        spellings: circuit.spellings.clone(),
        origin: circuit.origin.as_ref().map(|origin| Box::new(origin.rewritten(replacement))),
    }
}

fn constant(value: bool) -> Edge {
    if value { Edge::TRUE } else { Edge::FALSE }
}

/// The gates that some output depends on.
pub(crate) fn live_gates(circuit: &Circuit) -> Vec<bool> {
    let mut live = vec![false; circuit.gates.len()];
    for edge in circuit.outputs() {
        live[edge.gate().0 as usize] = true;
    }
    mark_cone(&circuit.gates, &mut live);
    live
}

/// Marks everything that marked gates depend on.
pub(crate) fn mark_cone(gates: &Gates, marked: &mut [bool]) {
    for index in (0..gates.len()).rev() {
        if !marked[index] {
            continue;
        }
        if let Gate::And(left, right) | Gate::Xor(left, right) = gates.get(crate::GateId(index as u32)) {
            marked[left.gate().0 as usize] = true;
            marked[right.gate().0 as usize] = true;
        }
    }
}
