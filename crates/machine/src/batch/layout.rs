//! Where things are in a block of lanes.

use ::circuit::{Circuit, Edge, Gate};

/// Where things are in a block, in slots. What the programs need for themselves follows.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) bases: usize,
    /// The moves of all roles.
    pub(super) move_count: usize,
    /// The states from which finished lanes begin anew.
    pub(super) start: usize,
    /// Lanes whose final state is kept for its goals: they do not end again before it is read.
    pub(super) pending: usize,
    /// Lanes in which a role had no legal move.
    pub(super) stuck: usize,
    /// Lanes in which an assumption of the plan failed.
    pub(super) conflict: usize,
    /// The final states, as far as the goals look at them.
    pub(super) kept: usize,
    /// Which base propositions are kept.
    pub(super) kept_bases: Vec<u32>,
    /// For programs that choose and move apart: legal moves, moves done, lanes that move.
    pub(super) legal: usize,
    pub(super) does: usize,
    pub(super) moves: usize,
    /// For each choice, the lanes in which it is made at random (at most one choice a role).
    pub(super) random: usize,
    /// For each role, the lanes in which its choice is open.
    pub(super) open: usize,
    /// Lanes whose moves are recorded, and for each move the lanes that made it.
    pub(super) recording: usize,
    pub(super) played: usize,
    pub(super) goals: usize,
    pub(super) scratch: usize,
}

impl Layout {
    pub(super) fn new(circuit: &Circuit, goals_apart: bool) -> Self {
        let bases = circuit.bases.len();
        let roles = circuit.roles.len();
        let move_count: usize = circuit.roles.iter().map(|role| role.moves.len()).sum();
        let goal_count: usize = circuit.roles.iter().map(|role| role.goals.len()).sum();
        let kept_bases = if goals_apart { goal_support(circuit) } else { Vec::new() };
        let mut end = 0;
        let mut area = |slots: usize| {
            end += slots;
            end - slots
        };
        area(bases);
        Self {
            bases,
            move_count,
            start: area(bases),
            pending: area(1),
            stuck: area(1),
            conflict: area(1),
            kept: area(kept_bases.len()),
            kept_bases,
            legal: area(move_count),
            does: area(move_count),
            moves: area(1),
            random: area(roles),
            open: area(roles),
            recording: area(1),
            played: area(move_count),
            goals: area(goal_count),
            scratch: area(0),
        }
    }
}

/// Whether the goals are to be evaluated apart, once in a while, because they are expensive.
pub(super) fn are_goals_apart(circuit: &Circuit) -> bool {
    let legal = circuit.roles.iter().flat_map(|role| role.legal.iter().copied());
    let step: Vec<Edge> = legal.chain(circuit.next.iter().copied()).chain([circuit.terminal]).collect();
    let goals = circuit.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge));
    let step_size = circuit.gates.cone(step.iter().copied()).len();
    let whole_size = circuit.gates.cone(step.into_iter().chain(goals)).len();
    whole_size - step_size > 64.max(step_size / 16)
}

fn goal_support(circuit: &Circuit) -> Vec<u32> {
    let goals = circuit.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge));
    let base = |gate| match circuit.gates.get(gate) {
        Gate::Base(number) => Some(number),
        _ => None,
    };
    circuit.gates.cone(goals).into_iter().filter_map(base).collect()
}
