//! From a leaf back up to the root.

use std::hash::Hash;

use super::descend::{Leaf, Paths};
use super::prove;
use super::tree::{Bounds, NodeId, Status, Tree, UNIT};
use crate::Backup;

/// What backing up needs to know.
pub(crate) struct BackUp<'a, State> {
    pub(crate) tree: &'a Tree<State>,
    pub(crate) backup: Backup,
    pub(crate) discount: f64,
    pub(crate) prove: bool,
    pub(crate) squares: bool,
    pub(crate) nature: Option<usize>,
    pub(crate) alone: bool,
}

impl<State: Eq + Hash> BackUp<'_, State> {
    /// Ends the visits of a way down whose leaf is worth `values` (0 to 100) to the roles.
    /// `values` is left as what the root gets of it.
    pub(crate) fn result(&self, leaf: &Leaf, paths: &Paths, values: &mut [f64]) {
        let tree = self.tree;
        let node = tree.node(leaf.node);
        for (role, &value) in values.iter().enumerate() {
            node.add_to_sum(role, (value * UNIT) as i64, self.alone);
        }
        node.end_visit(self.alone);
        let mut child = leaf.node;
        for step in paths.steps(leaf).iter().rev() {
            values.iter_mut().for_each(|value| *value *= self.discount);
            let node = tree.node(step.node);
            let Status::Open { mover, .. } = node.status() else { continue };
            let numbers = paths.edges(step);
            match mover {
                Some(role) => self.through_one(step.node, child, numbers[0], usize::from(role), values),
                None => {
                    for (role, &number) in numbers.iter().enumerate() {
                        let edge = tree.edge(number);
                        edge.end_visit(self.alone);
                        edge.add_worth(role, (values[role] * UNIT) as i64, self.alone);
                        if self.squares {
                            edge.add_square((values[role] * values[role]) as u64, self.alone);
                        }
                        node.add_to_sum(role, (values[role] * UNIT) as i64, self.alone);
                    }
                }
            }
            node.end_visit(self.alone);
            child = step.node;
        }
    }

    /// Through a node where one role chose.
    fn through_one(&self, id: NodeId, child: NodeId, number: u32, role: usize, values: &[f64]) {
        let tree = self.tree;
        let node = tree.node(id);
        let edge = tree.edge(number);
        let ended = edge.end_visit(self.alone);
        if self.squares {
            edge.add_square((values[role] * values[role]) as u64, self.alone);
        }
        match self.backup {
            Backup::Path => {
                for (role, &value) in values.iter().enumerate() {
                    let value = (value * UNIT) as i64;
                    edge.add_worth(role, value, self.alone);
                    node.add_to_sum(role, value, self.alone);
                }
            }
            Backup::Graph => {
                for role in 0..values.len() {
                    let worth = self.discount * mean(tree, child, role, self.prove) * f64::from(ended);
                    let change = edge.set_worth(role, worth as i64, self.alone);
                    node.add_to_sum(role, change, self.alone);
                }
            }
        }
    }

    /// Proves what follows from the goals of a leaf where the game is over.
    pub(crate) fn game_over(&self, leaf: &Leaf, paths: &Paths, goals: impl Iterator<Item = u8>) {
        let node = self.tree.node(leaf.node);
        node.set_status(Status::Over);
        let mut news = false;
        for (role, goal) in goals.enumerate() {
            news |= node.narrow(role, Bounds::exact(goal));
        }
        if news {
            self.spread_proof(leaf, paths);
        }
    }

    /// Carries what is newly proven of a leaf up as far as it is news.
    pub(crate) fn spread_proof(&self, leaf: &Leaf, paths: &Paths) {
        if !self.prove {
            return;
        }
        for step in paths.steps(leaf).iter().rev() {
            if !prove::improve(self.tree, step.node, self.nature, self.discount) {
                return;
            }
        }
    }
}

/// The mean of a role's goals in a node, in [`UNIT`]s, as far as proofs allow it.
fn mean<State: Eq + Hash>(tree: &Tree<State>, id: NodeId, role: usize, prove: bool) -> f64 {
    let node = tree.node(id);
    let mean = node.sum(role) as f64 / f64::from(node.visits().1.max(1));
    let bounds = node.bounds(role);
    // An exact value has its mean set, discounted by its distance.
    if !prove || bounds.is_exact() {
        return mean;
    }
    mean.clamp(f64::from(bounds.lower) * UNIT, f64::from(bounds.upper) * UNIT)
}
