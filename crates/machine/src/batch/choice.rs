//! The logic of choosing moves in every lane: one choice for all roles that move in turn, one for
//! each of the others.

use ::circuit::{Circuit, Edge, Gate, Gates};

use super::layout::Layout;
use super::plan::Plan;
use super::select::Selection;
use super::step::Style;
use crate::exclusive::{Literal, group};
use crate::program::import;

/// What the lanes do.
pub(super) struct Choice {
    pub(super) legal: Vec<Vec<Edge>>,
    pub(super) does: Vec<Vec<Edge>>,
    /// What `does` comes down to in lanes that do not move.
    pub(super) nothing: Vec<Vec<Edge>>,
    /// For each role, the lanes in which someone else is to choose for it.
    pub(super) open: Vec<Edge>,
    /// How many choices there are: one for all roles in turn, one for each of the others.
    pub(super) choices: u32,
    pub(super) moved: Edge,
    pub(super) stuck: Edge,
    pub(super) conflict: Edge,
}

/// A sweep in the making.
pub(super) struct Builder<'a> {
    pub(super) gates: Gates,
    pub(super) layout: &'a Layout,
    pub(super) circuit: &'a Circuit,
    pub(super) first_random: u32,
    pub(super) drawn: u32,
    pub(super) style: Style,
}

impl Builder<'_> {
    /// A slot of the block. Slots and random words are told apart by their numbers.
    pub(super) fn slot(&mut self, slot: usize) -> Edge {
        debug_assert!(slot < self.layout.scratch);
        self.gates.base(slot as u32)
    }

    pub(super) fn import(&mut self, edges: &[Edge], state: &[Edge], does: Option<&[Vec<Edge>]>) -> Vec<Edge> {
        import(&mut self.gates, &self.circuit.gates, edges, |_, gate| match (gate, does) {
            (Gate::Base(number), _) => state[number as usize],
            (Gate::Does(role, number), Some(does)) => does[role as usize][number as usize],
            (other, _) => unreachable!("{other:?} is no input here"),
        })
    }

    /// Whether the assumptions of the plan fail: it is the turn of two, or with phases of nobody.
    pub(super) fn doubt(&mut self, state: &[Edge], plan: &Plan) -> Edge {
        let literal = |literal: Literal| {
            let edge = state[literal as usize / 2];
            if literal & 1 != 0 { !edge } else { edge }
        };
        let mut doubt = Edge::FALSE;
        for (first, second) in plan.turns.assumptions() {
            let both = self.gates.and(literal(first), literal(second));
            doubt = self.gates.or(doubt, both);
        }
        if plan.phases() > 1 {
            let turns = plan.turns.roles.iter().map(|turn| literal(turn.1));
            let someone = turns.fold(Edge::FALSE, |someone, turn| self.gates.or(someone, turn));
            doubt = self.gates.or(doubt, !someone);
        }
        doubt
    }

    pub(super) fn choose_moves(&mut self, state: &[Edge], plan: &Plan, waits: Edge) -> Choice {
        let circuit = self.circuit;
        let legal: Vec<Vec<Edge>> =
            circuit.roles.iter().map(|role| self.import(&role.legal, state, None)).collect();
        let mut does: Vec<Vec<Edge>> = legal.iter().map(|moves| vec![Edge::FALSE; moves.len()]).collect();
        let mut stuck = Edge::FALSE;
        let mut conflict = Edge::FALSE;
        let literal = |literal: Literal| {
            let edge = state[literal as usize / 2];
            if literal & 1 != 0 { !edge } else { edge }
        };
        // One choice for all roles in turn, one for each of the others.
        let in_turn = |role: usize| plan.turns.roles.iter().find(|turn| turn.0 == role);
        let mut choices: Vec<Vec<(usize, u32)>> = vec![Vec::new()];
        for (role, moves) in legal.iter().enumerate() {
            let numbers = 0..moves.len() as u32;
            match in_turn(role) {
                Some(&(_, _, idle)) => {
                    choices[0]
                        .extend(numbers.filter(|&number| Some(number) != idle).map(|number| (role, number)));
                    if let Some(idle) = idle {
                        does[role][idle as usize] = moves[idle as usize];
                    }
                }
                None => choices.push(numbers.map(|number| (role, number)).collect()),
            }
        }
        let nothing = does.clone();
        let mut selections = Vec::new();
        let mut open = vec![Edge::FALSE; legal.len()];
        let mut moved = !waits;
        // A role that never has a move chooses among none, and is stuck wherever the game goes on.
        let first = usize::from(plan.turns.roles.is_empty());
        for (index, moves) in choices.into_iter().enumerate().skip(first) {
            let groups = if plan.implied.is_empty() {
                moves.into_iter().map(|one| vec![one]).collect()
            } else {
                group(&moves, &plan.implied, &plan.turns)
            };
            let leaves = groups.iter().map(|group| {
                group.iter().fold(Edge::FALSE, |any, &(role, number)| {
                    self.gates.or(any, legal[role][number as usize])
                })
            });
            let leaves = leaves.collect();
            let selection = self.select(leaves, plan.tries, selections.len());
            let nobody = if index == 0 {
                // Whose turn it is must have a move, everyone else the idle one.
                plan.turns.roles.iter().fold(Edge::FALSE, |nobody, role_in_turn| {
                    let &(role, turn, idle) = role_in_turn;
                    let idle = idle.map_or(Edge::FALSE, |idle| legal[role][idle as usize]);
                    let acts = self.gates.and(literal(turn), !selection.none);
                    if !plan.turns.is_idle_apart(&plan.implied, role_in_turn) {
                        // To be idle must not be a choice among others.
                        let both = self.gates.and(acts, idle);
                        conflict = self.gates.or(conflict, both);
                    }
                    let able = self.gates.or(acts, idle);
                    self.gates.or(nobody, !able)
                })
            } else {
                selection.none
            };
            stuck = self.gates.or(stuck, nobody);
            // A turn in which all are idle needs no draw.
            moved = self.gates.and(moved, selection.accepted);
            selections.push((groups, selection));
        }
        let stuck = self.gates.and(stuck, !waits);
        let moved = self.gates.and(moved, !stuck);
        let choices = selections.len() as u32;
        for (groups, selection) in selections {
            for role in groups.iter().flatten().map(|&(role, _)| role) {
                let chooses = in_turn(role).map_or(Edge::TRUE, |turn| literal(turn.1));
                let chooses = self.gates.and(chooses, !selection.none);
                let chooses = self.gates.and(chooses, !selection.at_random);
                open[role] = self.gates.and(moved, chooses);
            }
            let root = if groups.iter().flatten().any(|&(role, _)| in_turn(role).is_some()) {
                // With all idle there is nothing to choose.
                self.gates.and(moved, !selection.none)
            } else {
                moved
            };
            let root = self.gates.and(root, selection.at_random);
            let Some(tree) = &selection.tree else { continue };
            for (group, chosen) in groups.iter().zip(tree.descend(&mut self.gates, root)) {
                for &(role, number) in group {
                    does[role][number as usize] = if group.len() == 1 {
                        chosen
                    } else {
                        self.gates.and(chosen, legal[role][number as usize])
                    };
                }
            }
        }
        Choice { legal, does, nothing, open, choices, moved, stuck, conflict }
    }

    /// A choice among leaves, as far as it is the sweep's to make.
    fn select(&mut self, leaves: Vec<Edge>, tries: usize, choice: usize) -> Drawn {
        if leaves.is_empty() {
            return Drawn { none: Edge::TRUE, accepted: Edge::TRUE, at_random: Edge::FALSE, tree: None };
        }
        if self.style == Style::Open {
            let none = !leaves.into_iter().fold(Edge::FALSE, |any, leaf| self.gates.or(any, leaf));
            return Drawn { none, accepted: Edge::TRUE, at_random: Edge::FALSE, tree: None };
        }
        let (drawn, first_random) = (&mut self.drawn, self.first_random);
        let mut random = |gates: &mut Gates| {
            *drawn += 1;
            gates.base(first_random + *drawn - 1)
        };
        let tree = Selection::new(&mut self.gates, leaves, tries, &mut random);
        let (none, mut accepted, mut at_random) = (tree.none, tree.accepted, Edge::TRUE);
        if self.style == Style::Mixed {
            at_random = self.slot(self.layout.random + choice);
            accepted = self.gates.or(accepted, !at_random);
        }
        Drawn { none, accepted, at_random, tree: Some(tree) }
    }
}

/// What a choice among leaves came to.
struct Drawn {
    none: Edge,
    accepted: Edge,
    /// The lanes in which it counts.
    at_random: Edge,
    tree: Option<Selection>,
}
