//! From the leaves back up to the root.

use std::hash::Hash;

use super::paths::{Leaf, Paths, Step, StepId};
use super::prove::Prover;
use super::returns::Returns;
use super::tree::{Block, Bounds, Edge, Edges, Node, NodeLock, Status, Tree, UNIT};
use crate::Backup;

/// What backing up needs to know.
pub(crate) struct BackUp<'a, State> {
    pub(crate) tree: &'a Tree<State>,
    pub(crate) backup: Backup,
    pub(crate) discount: f64,
    pub(crate) prove: bool,
    pub(crate) squares: bool,
    /// Visits after which new results count as much as at that point; 0 counts all the same.
    pub(crate) recency: u32,
    pub(crate) chance: Option<usize>,
    pub(crate) alone: bool,
}

/// How a step was made, and what is known of the node it was made from.
#[derive(Clone, Copy)]
struct StepContext<'a> {
    /// The places of the moves, the mover's or those of all roles.
    places: &'a [u32],
    /// All moves of the node.
    block: Block<'a>,
    /// Those of the mover.
    edges: Option<Edges<'a>>,
    /// The number of the step.
    index: usize,
    mover: Option<u16>,
    /// Whether all is proven of the node.
    known: bool,
}

impl<State: Eq + Hash> BackUp<'_, State> {
    /// Ends the visits of a leaf that is worth `values` (0 to 100) to the roles.
    pub(crate) fn leaf(&self, leaf: &Leaf, values: &[f64]) {
        let node = self.tree.node(leaf.node);
        let mut lock = node.lock(self.alone);
        if self.prove && node.is_proven() {
            return lock.cancel_visits(leaf.visits);
        }
        for (role, &value) in values.iter().enumerate() {
            lock.add_to_sum(role, (value * f64::from(leaf.visits) * UNIT) as i64);
        }
        lock.end_visits(leaf.visits);
    }

    /// Ends the visits of a leaf of which all is known. They bring what it is worth; the leaf learns
    /// nothing from them, so that its numbers never change again and others may rely on them.
    pub(crate) fn known_leaf(&self, leaf: &Leaf, values: &mut [f64]) {
        let node = self.tree.node(leaf.node);
        node.lock(self.alone).cancel_visits(leaf.visits);
        values.iter_mut().enumerate().for_each(|(role, value)| *value = node.mean(role));
    }

    /// Whether what leaves bring is added up along their paths. In a graph a move's worth is that of the
    /// node behind it, unless several roles choose.
    pub(crate) fn needs_returns(&self, paths: &Paths) -> bool {
        self.backup == Backup::Path || self.squares || paths.has_joint_moves()
    }

    /// Ends the visits of all steps, given what the leaves brought to the last of them.
    pub(crate) fn steps(&self, paths: &Paths, returns: &mut Returns) {
        let pass_on = self.needs_returns(paths);
        if !self.alone {
            // Other threads have been here since: what is asked for ahead comes all at once.
            paths.last_first().for_each(|id| self.fetch(paths, id));
        }
        let mut ids = paths.last_first().filter(|&id| paths.step(id).visits > 0).peekable();
        while let Some(id) = ids.next() {
            let node = self.tree.node(paths.step(id).node);
            let mut lock = node.lock(self.alone);
            // While it is locked its moves stay where they are.
            let Status::Open { block, mover } = node.status() else { continue };
            let block = self.tree.block(block);
            let edges = mover.map(|mover| block.edges(usize::from(mover)));
            let mut next = Some(id);
            // Another thread may have proven it since: then it is worth what was proven for good.
            let known = self.prove && node.is_proven();
            // The steps from a node follow each other: it is locked once for all of them.
            while let Some(id) = next {
                let step = paths.step(id);
                let context =
                    StepContext { places: paths.places(step), block, edges, index: id.index(), mover, known };
                self.step(step, context, returns, &mut lock);
                if pass_on {
                    returns.pass_on(id.index(), step, self.discount);
                }
                // A move may lead back to the node itself.
                lock.show_visits();
                next = ids.next_if(|&next| paths.step(next).node == step.node);
            }
        }
    }

    /// Asks for what ending the visits of a step will change.
    #[inline]
    fn fetch(&self, paths: &Paths, id: StepId) {
        let node = self.tree.node(paths.step(id).node);
        node.fetch();
        self.tree.fetch_moves(paths.step(id).node);
    }

    fn step(&self, step: &Step, context: StepContext<'_>, returns: &Returns, lock: &mut NodeLock<'_>) {
        let tree = self.tree;
        let values = returns.of(context.index);
        let add_to_node = |role: usize, change: i64| {
            if !context.known {
                lock.add_to_sum(role, change);
            }
        };
        for (index, &place) in context.places.iter().enumerate() {
            let role = context.mover.map_or(index, usize::from);
            let edges = context.edges.unwrap_or_else(|| context.block.edges(role));
            let Some(edge) = edges.get(place as usize) else { continue };
            let ended = edge.end_visits(step.visits, lock);
            if self.squares {
                let square = returns.squares[context.index * returns.roles + role] as u64;
                edge.add_square(tree.roles(), square, lock);
            }
            let follows = context.mover.is_some() && self.backup == Backup::Graph;
            match (context.mover, edge.link().filter(|_| follows).and_then(|link| tree.follow(Some(link)))) {
                // A move's worth is that of the node behind it, whoever came there.
                (Some(_), Some(child)) => {
                    // What is locked by this thread is not waited for.
                    let alone = self.alone || child == step.node;
                    let child = tree.node(child);
                    // Where all is known the mean was set, once and for all: the goal discounted by its
                    // distance.
                    let is_known = self.prove && child.is_proven();
                    for role in 0..tree.roles() {
                        let mean = self.mean(child, role, alone, is_known);
                        let worth = self.discount * mean * f64::from(ended);
                        add_to_node(role, edge.set_worth(role, worth as i64, lock));
                    }
                }
                (Some(_), None) => {
                    for (role, &value) in values.iter().enumerate() {
                        add_to_node(role, self.add_worth(edge, role, value, (step.visits, ended), lock));
                    }
                }
                (None, _) => {
                    let change = self.add_worth(edge, role, values[role], (step.visits, ended), lock);
                    add_to_node(role, change);
                }
            }
        }
        if context.known { lock.cancel_visits(step.visits) } else { lock.end_visits(step.visits) }
    }

    /// Adds what some visits brought to a move, of which so many have ended by now; by how much its worth
    /// has changed.
    fn add_worth(
        &self,
        edge: Edge<'_>,
        role: usize,
        value: f64,
        (visits, ended): (u32, u32),
        lock: &NodeLock<'_>,
    ) -> i64 {
        if self.recency == 0 {
            edge.add_worth(role, (value * UNIT) as i64, lock);
            return (value * UNIT) as i64;
        }
        let before = ended - visits;
        let mean = edge.worth(role) as f64 / f64::from(before.max(1));
        let brought = value * UNIT / f64::from(visits.max(1));
        let mean = moving_average(mean, before, brought, visits, self.recency);
        edge.set_worth(role, (mean * f64::from(ended)) as i64, lock)
    }

    /// Proves what follows from the goals of a leaf where the game is over.
    pub(crate) fn game_over(&self, leaf: &Leaf, paths: &Paths, goals: impl Iterator<Item = u8>) {
        let node = self.tree.node(leaf.node);
        node.set_status(Status::Over);
        if node.lock(self.alone).narrow_all(goals.map(Bounds::exact)) {
            self.spread_proof(leaf, paths);
        }
    }

    /// Carries what is newly proven of a leaf up as far as it is news.
    pub(crate) fn spread_proof(&self, leaf: &Leaf, paths: &Paths) {
        if !self.prove {
            return;
        }
        let Self { tree, chance, discount, alone, .. } = *self;
        let prover = Prover { tree, chance, discount, alone };
        for id in paths.up(leaf.step) {
            if !prover.improve(paths.step(id).node) {
                return;
            }
        }
    }

    /// The mean of a role's goals in a node, in [`UNIT`]s, as far as proofs allow it.
    #[inline]
    fn mean(&self, node: Node<'_>, role: usize, alone: bool, is_known: bool) -> f64 {
        let (sum, visits) =
            if alone || is_known { (node.sum(role), node.visits().1) } else { node.sum_and_visits(role) };
        let mean = sum as f64 / f64::from(visits.max(1));
        if !self.prove || is_known {
            return mean;
        }
        let bounds = node.bounds(role);
        mean.clamp(f64::from(bounds.lower) * UNIT, f64::from(bounds.upper) * UNIT)
    }
}

/// The moving-average return (Gudmundsson and Björnsson 2011): a mean after some visits, with more of them
/// that brought so much each. From the limit on each counts as much as the last one before it.
fn moving_average(mean: f64, before: u32, brought: f64, visits: u32, limit: u32) -> f64 {
    let counts = (before..before + visits).map(|count| f64::from((count + 1).min(limit)));
    counts.fold(mean, |mean, count| mean + (brought - mean) / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_results_count_more_than_old_ones() {
        // 0, then 100: the mean up to the limit.
        assert_eq!(moving_average(0.0, 1, 100.0, 1, 4), 50.0);
        // After four visits of 40 each further one counts a quarter: 55, then 66.25.
        assert_eq!(moving_average(40.0, 4, 100.0, 1, 4), 55.0);
        assert_eq!(moving_average(40.0, 4, 100.0, 2, 4), 66.25);
        assert_eq!(moving_average(0.0, 0, 30.0, 3, 4), 30.0);
    }
}
