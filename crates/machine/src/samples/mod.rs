//! Games built gate by gate, to test the machines without the way from the rules.
#![allow(clippy::needless_range_loop)] // Roles are numbers here.

mod boards;
mod small;

use std::collections::BTreeMap;
use std::sync::Arc;

use ::circuit::{Circuit, Edge, Gates, GoalOutput, RoleMoves};

pub(crate) use boards::{breakthrough, connect_four, tic_tac_toe};
pub(crate) use small::{guessing, nim, one_move, race, stuck, wide};

/// A circuit in the making: propositions and moves by name.
pub(crate) struct Sketch {
    pub(crate) gates: Gates,
    bases: BTreeMap<String, u32>,
    roles: Vec<(String, BTreeMap<String, u32>)>,
    initial: Vec<bool>,
    next: Vec<Edge>,
    legal: Vec<Vec<Edge>>,
    goals: Vec<Vec<GoalOutput>>,
    terminal: Edge,
}

impl Sketch {
    pub(crate) fn new(bases: Vec<String>, roles: &[(&str, Vec<String>)]) -> Self {
        let number = |mut names: Vec<String>| -> BTreeMap<String, u32> {
            names.sort();
            names.into_iter().zip(0..).collect()
        };
        let bases = number(bases);
        let roles: Vec<_> =
            roles.iter().map(|(name, moves)| ((*name).to_owned(), number(moves.clone()))).collect();
        Self {
            gates: Gates::new(),
            initial: vec![false; bases.len()],
            next: vec![Edge::FALSE; bases.len()],
            legal: roles.iter().map(|(_, moves)| vec![Edge::FALSE; moves.len()]).collect(),
            goals: vec![Vec::new(); roles.len()],
            terminal: Edge::FALSE,
            bases,
            roles,
        }
    }

    pub(crate) fn base(&mut self, name: &str) -> Edge {
        self.gates.base(self.bases[name])
    }

    pub(crate) fn does(&mut self, role: usize, name: &str) -> Edge {
        self.gates.does(role as u16, self.roles[role].1[name])
    }

    pub(crate) fn set_initial(&mut self, name: &str) {
        self.initial[self.bases[name] as usize] = true;
    }

    pub(crate) fn set_next(&mut self, name: &str, edge: Edge) {
        self.next[self.bases[name] as usize] = edge;
    }

    pub(crate) fn set_legal(&mut self, role: usize, name: &str, edge: Edge) {
        self.legal[role][self.roles[role].1[name] as usize] = edge;
    }

    pub(crate) fn set_goal(&mut self, role: usize, value: u8, edge: Edge) {
        self.goals[role].push(GoalOutput { value, edge });
    }

    pub(crate) fn set_terminal(&mut self, edge: Edge) {
        self.terminal = edge;
    }

    pub(crate) fn all(&mut self, edges: &[Edge]) -> Edge {
        edges.iter().fold(Edge::TRUE, |all, &edge| self.gates.and(all, edge))
    }

    pub(crate) fn any(&mut self, edges: &[Edge]) -> Edge {
        edges.iter().fold(Edge::FALSE, |any, &edge| self.gates.or(any, edge))
    }

    pub(crate) fn finish(self) -> Arc<Circuit> {
        let goals = self.goals.into_iter().map(|mut goals| {
            goals.sort_by_key(|goal| goal.value);
            goals
        });
        let roles = self.roles.into_iter().zip(self.legal).zip(goals);
        let roles = roles.map(|(((name, moves), legal), goals)| RoleMoves {
            name,
            moves: moves.into_keys().collect(),
            legal,
            goals,
            percepts: Vec::new(),
        });
        Arc::new(Circuit {
            roles: roles.collect(),
            bases: self.bases.into_keys().collect(),
            gates: self.gates,
            initial: self.initial,
            terminal: self.terminal,
            next: self.next,
            ..Circuit::default()
        })
    }
}

/// Tic-tac-toe with goals that take more gates than the rest: machines evaluate them apart.
pub(crate) fn long_goals() -> Arc<Circuit> {
    let mut circuit = Circuit::clone(&tic_tac_toe());
    let gates = &mut circuit.gates;
    let mut mix = gates.base(0);
    for step in 1..200 {
        let (one, two) = (gates.base(step % 29), gates.base(step * 7 % 29));
        let both = gates.and(mix, one);
        mix = gates.xor(both, two);
    }
    circuit.roles[0].goals = vec![
        GoalOutput { value: 10, edge: mix },
        GoalOutput { value: 70, edge: !mix },
        GoalOutput { value: 90, edge: circuit.roles[0].goals[0].edge },
    ];
    Arc::new(circuit)
}

/// All samples, small ones only.
pub(crate) fn all() -> Vec<(&'static str, Arc<Circuit>)> {
    vec![
        ("tic-tac-toe", tic_tac_toe()),
        ("connect four", connect_four(7, 6)),
        ("breakthrough", breakthrough(6)),
        ("nim", nim(&[3, 4, 5])),
        ("guessing", guessing()),
        ("race", race()),
        ("one move", one_move()),
        ("long goals", long_goals()),
    ]
}
