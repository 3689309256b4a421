//! What a search thinks of moves: what its trees know, brought into one advice.

use std::hash::Hash;

use game::{MoveId, RoleId, Simulator};

use super::advice::{self, Advice, Candidate};
use super::prove::Prover;
use super::search::Search;
use super::tree::{Bounds, Edge, Node, NodeId, Status, Tree, UNIT, joint_number};
use crate::{Final, Objective, Parameters};

impl<G: Simulator> Search<G> {
    /// What the search thinks of a role's moves; `None` if the game is over or nothing was done.
    pub fn advice(&self, role: RoleId) -> Option<Advice> {
        let role = usize::from(role.0);
        let guards: Vec<_> = self.trees.iter().map(|tree| tree.read()).collect();
        let all: Option<Vec<Vec<Candidate>>> =
            guards.iter().map(|tree| self.candidates(tree, tree.root(), role)).collect();
        let mut candidates = advice::merge(&all?, self.parameters.merge);
        if let Some(hopes) = &self.hopes {
            candidates.iter_mut().for_each(|candidate| candidate.hope = hopes.of(role, candidate.id));
        }
        let mut judged = candidates.clone();
        if self.parameters.final_move == Final::Effective {
            self.judge_by_quality(&guards, role, &mut judged);
        }
        let chosen = advice::choose(&judged, self.parameters.final_move, self.parameters.exploration);
        let chosen = self.mix(&guards, role, &mut candidates, chosen);
        let arbitration = self.arbitrations[0].lock().filter(|arbitration| arbitration.role == role);
        let chosen = arbitration.map_or(chosen, |arbitration| arbitration.verdict(&candidates, chosen));
        let roots = guards.iter().map(|tree| tree.node(tree.root()));
        let visits = |root: &Node<'_>| f64::from(root.visits().1.max(1));
        let all_visits: f64 = roots.clone().map(|root| visits(&root)).sum();
        let value =
            |role| roots.clone().map(|root| root.mean(role) * visits(&root)).sum::<f64>() / all_visits;
        let bounds =
            |role| roots.clone().map(|root| root.bounds(role)).fold(Bounds::UNKNOWN, Bounds::intersect);
        let roles = 0..self.game.role_count();
        Some(Advice {
            role: RoleId(role as u16),
            chosen,
            candidates,
            values: roles.clone().map(value).collect(),
            bounds: roles.map(bounds).collect(),
            line: self.line(&guards[0]),
            nodes: guards.iter().map(|tree| tree.len()).sum(),
            bytes: guards.iter().map(|tree| tree.bytes()).sum(),
            depth: self.totals.depth,
        })
    }

    /// What is thought of a role's moves in an open node.
    pub(super) fn candidates(
        &self,
        tree: &Tree<G::State>,
        id: NodeId,
        role: usize,
    ) -> Option<Vec<Candidate>> {
        let Status::Open { block, mover } = tree.node(id).status() else { return None };
        let Parameters { discount, prove, .. } = self.parameters;
        let prover = Prover { tree, chance: self.chance, discount, alone: false };
        let decides = mover == u16::try_from(role).ok();
        let edges = tree.edges(block, role);
        let candidate = |(place, (edge, bounds)): (usize, (Option<Edge<'_>>, Bounds))| {
            let visits = edge.map_or(0, |edge| edge.visits().1);
            let known = edge.filter(|&edge| decides && prove && prover.is_proven_behind(edge));
            // What was found out since the last visit counts.
            let value = known.map(|edge| discount * prover.value_behind(edge, role));
            let seen = |edge: Edge<'_>| edge.worth(role) as f64 / UNIT / f64::from(visits.max(1));
            Candidate {
                id: edges.id(place),
                visits,
                value: value.or(edge.map(seen)).unwrap_or(0.0),
                to_others: known.map_or(0.0, |edge| discount * prover.value_behind_to_others(edge, role)),
                hope: 0.0,
                likelihood: None,
                bounds,
            }
        };
        // What is proven is said of a role's own goal.
        let bounds = match self.parameters.objective {
            Objective::Own => prover.of_moves(id, role),
            Objective::OwnThenOthers | Objective::Difference => vec![Bounds::UNKNOWN; edges.len()],
        };
        Some(edges.iter().zip(bounds).enumerate().map(candidate).collect())
    }

    /// What each role thinks best, step by step as far as the tree goes, and as its positions are those of the game.
    fn line(&self, tree: &Tree<G::State>) -> Vec<Vec<MoveId>> {
        let mut line: Vec<Vec<MoveId>> = Vec::new();
        let mut id = tree.root();
        let mut workspace = tree.merges().then(|| self.game.workspace());
        while let Status::Open { block, .. } = tree.node(id).status() {
            let best = |role: usize| {
                let known = self.candidates(tree, id, role).unwrap_or_default();
                advice::choose(&known, self.parameters.final_move, self.parameters.exploration)
            };
            let places: Vec<usize> = (0..tree.roles()).map(best).collect();
            let moves = places.iter().enumerate();
            let joint: Vec<MoveId> = moves.map(|(role, &place)| tree.edges(block, role).id(place)).collect();
            let mut leads_to = |child: NodeId| match (&mut workspace, tree.state(id)) {
                (Some(workspace), Some(state)) => {
                    self.game.apply(workspace, state, &joint).ok().as_ref() == tree.state(child)
                }
                _ => true,
            };
            let child = child_at(tree, id, &places).filter(|&child| leads_to(child));
            line.push(joint);
            match child {
                Some(child) if line.len() < 100 => id = child,
                _ => break,
            }
        }
        line
    }
}

/// Where a joint move leads, given the places of all roles' moves.
pub(super) fn child_at<State: Eq + Hash>(tree: &Tree<State>, id: NodeId, places: &[usize]) -> Option<NodeId> {
    let Status::Open { block, mover } = tree.node(id).status() else { return None };
    let block = tree.block(block);
    let link = match mover.map(usize::from) {
        Some(mover) => block.edges(mover).get(places[mover])?.link(),
        None => {
            let moves = places.iter().enumerate().map(|(role, &place)| (place, block.edges(role).len()));
            tree.joint_link(&block, joint_number(moves)?)?.link()
        }
    };
    tree.follow(link)
}
