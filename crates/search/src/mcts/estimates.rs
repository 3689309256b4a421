//! What moves are estimated to be worth beside their means: by temporal differences, and by a heuristic that
//! is backed up as minimax does. Both go up each path by itself once the visits of a batch have ended.

use std::hash::Hash;

use game::{RuleFault, Simulator};

use super::batch::{Plan, Worker};
use super::descend::Trail;
use super::objective;
use super::paths::{End, Leaf, Paths, StepId};
use super::tree::{Edge, NodeId, NodeLock, Status, Tree};
use crate::Td;

/// What a move is worth of which nothing is known: a draw.
const START: f64 = 50.0;

/// What backing up estimates needs to know.
pub(crate) struct EstimateBackUp<'a, State> {
    pub(crate) tree: &'a Tree<State>,
    pub(crate) td: Td,
    pub(crate) lambda: f64,
    pub(crate) discount: f64,
    pub(crate) chance: Option<usize>,
    pub(crate) alone: bool,
}

impl<State: Eq + Hash> EstimateBackUp<'_, State> {
    /// Learns the differences between what was expected on the path to a leaf and what came: rewards are
    /// those of its playouts, discounted by their length.
    pub(crate) fn temporal(&self, leaf: &Leaf, paths: &Paths, rewards: &[f64]) {
        if self.td == Td::Off {
            return;
        }
        let steps: Vec<StepId> = paths.up(leaf.step).collect();
        for _ in 0..leaf.visits {
            for (role, &reward) in rewards.iter().enumerate() {
                let expected: Vec<f64> = steps
                    .iter()
                    .map(|&id| {
                        let lock = self.lock(paths, id);
                        let known = self.edge(paths, id, role, &lock).and_then(|edge| edge.difference(role));
                        known.map_or(START, |known| f64::from(known.value))
                    })
                    .collect();
                let errors = errors(self.td, &expected, reward, self.lambda, self.discount);
                for (&id, (expected, error)) in steps.iter().zip(expected.iter().zip(errors)) {
                    let lock = self.lock(paths, id);
                    if let Some(edge) = self.edge(paths, id, role, &lock) {
                        edge.learn_difference(role, *expected, error, &lock);
                    }
                }
            }
        }
    }

    /// Says what a heuristic thinks of a new leaf, and backs that up in `values`.
    pub(crate) fn heuristic(&self, leaf: &Leaf, paths: &Paths, values: &mut [f64]) {
        for id in paths.up(leaf.step) {
            {
                let lock = self.lock(paths, id);
                if self.mover(paths, id).is_none() {
                    return;
                }
                let mut is_new = false;
                for (role, &value) in values.iter().enumerate() {
                    if let Some(edge) = self.edge(paths, id, role, &lock) {
                        is_new |= edge.set_implicit(role, value, &lock);
                    }
                }
                // What changes nothing here changes nothing further up.
                if !is_new {
                    return;
                }
            }
            // A position whose moves were not all tried is worth what was said of it before.
            if self.minimax(paths.step(id).node, values).is_none() {
                return;
            }
        }
    }

    /// What a node is worth by its moves, in `out`: the best one of who decides, the mean of chance's; `None` where
    /// several decide, or moves were not tried.
    fn minimax(&self, id: NodeId, out: &mut [f64]) -> Option<()> {
        let _lock = self.tree.node(id).lock(self.alone);
        let Status::Open { block, mover: Some(mover) } = self.tree.node(id).status() else { return None };
        let mover = usize::from(mover);
        let of = |edge: Edge<'_>, role: usize| edge.implicit(role).map(|known| f64::from(known.value));
        let moves = || self.tree.edges(block, mover).all_tried();
        if self.chance == Some(mover) {
            let count = moves()?.count() as f64;
            for (role, out) in out.iter_mut().enumerate() {
                let sum: Option<f64> = moves()?.map(|edge| of(edge, role)).sum();
                *out = sum? / count;
            }
            return Some(());
        }
        let mut best: Option<(f64, Edge<'_>)> = None;
        for edge in moves()? {
            let value = of(edge, mover)?;
            if best.is_none_or(|(least, _)| value >= least) {
                best = Some((value, edge));
            }
        }
        let (_, edge) = best?;
        for (role, out) in out.iter_mut().enumerate() {
            *out = of(edge, role)?;
        }
        Some(())
    }

    fn lock(&self, paths: &Paths, id: StepId) -> NodeLock<'_> {
        self.tree.node(paths.step(id).node).lock(self.alone)
    }

    /// Who alone decides where a step is made.
    fn mover(&self, paths: &Paths, id: StepId) -> Option<u16> {
        match self.tree.node(paths.step(id).node).status() {
            Status::Open { mover, .. } => mover,
            _ => None,
        }
    }

    /// The move of a step that has what is known of a role: the mover's, or its own.
    fn edge<'a>(&self, paths: &Paths, id: StepId, role: usize, _: &'a NodeLock<'_>) -> Option<Edge<'a>>
    where
        Self: 'a,
    {
        let step = paths.step(id);
        let Status::Open { block, mover } = self.tree.node(step.node).status() else { return None };
        let (owner, index) = match mover {
            Some(mover) => (usize::from(mover), 0),
            None => (role, role),
        };
        self.tree.edges(block, owner).get(*paths.places(step).get(index)? as usize)
    }
}

impl<G: Simulator> Worker<G> {
    /// Asks a heuristic what new leaves are worth, if there is one.
    pub(super) fn judge(&mut self, plan: &Plan<'_, G>, tree: &Tree<G::State>) -> Result<(), RuleFault> {
        self.judged.clear();
        let Some(heuristic) = plan.heuristic else { return Ok(()) };
        let mut reader = self.values.read();
        let (mut open, mut states) = (Vec::new(), Vec::new());
        for (place, leaf) in self.trail.leaves.iter().enumerate().filter(|(_, leaf)| leaf.is_played()) {
            let value = reader.next(leaf);
            if leaf.end != End::New {
                continue;
            }
            match (value.final_goals(), tree.state(leaf.node)) {
                (Some(goals), _) => self.judged.push((place, goals.into_iter().map(f64::from).collect())),
                (None, Some(state)) => {
                    open.push(place);
                    states.push(state);
                }
                (None, None) => {}
            }
        }
        let values = heuristic.judge(plan.game, &mut self.workspace, &states)?;
        self.judged.extend(open.into_iter().zip(values.chunks(tree.roles()).map(<[f64]>::to_vec)));
        Ok(())
    }

    /// Backs up what is estimated beside the means, if anything is.
    pub(super) fn back_up_estimates(&self, plan: &Plan<'_, G>, tree: &Tree<G::State>) {
        let parameters = plan.parameters;
        let back_up = EstimateBackUp {
            tree,
            td: parameters.td,
            lambda: parameters.td_lambda,
            discount: parameters.td_discount,
            chance: plan.chance,
            alone: plan.alone,
        };
        let Trail { paths, leaves, .. } = &self.trail;
        for (place, values) in &self.judged {
            let mut values = values.clone();
            objective::apply(parameters.objective, plan.chance, &mut values);
            back_up.heuristic(&leaves[*place], paths, &mut values);
        }
        if parameters.td == Td::Off {
            return;
        }
        let mut values = vec![0.0; tree.roles()];
        let mut reader = self.values.read();
        for leaf in leaves {
            match leaf.end {
                End::New | End::Again => {
                    reader.next(leaf).mean(&self.td_discounts, &mut values);
                    objective::apply(parameters.objective, plan.chance, &mut values);
                }
                End::Proven => {
                    let node = tree.node(leaf.node);
                    values.iter_mut().enumerate().for_each(|(role, value)| *value = node.mean(role));
                }
                End::Unlisted | End::Waiting | End::Nowhere => continue,
            }
            back_up.temporal(leaf, paths, &values);
        }
    }
}

/// By how much what was expected of each step was wrong, from the last step up. The reward is what came
/// after the last one.
/// - `Single`: the error of the last step alone goes up, less with every step.
/// - `Weighted`: the reward itself goes up, less with every step.
/// - `Merged`: as single, and each step is also compared with what is expected of the next.
fn errors(how: Td, expected: &[f64], reward: f64, lambda: f64, discount: f64) -> Vec<f64> {
    let mut error = 0.0;
    let mut reward = reward;
    let mut errors = Vec::with_capacity(expected.len());
    for (index, &here) in expected.iter().enumerate() {
        error = match (how, index) {
            (Td::Off, _) => 0.0,
            (Td::Weighted, _) | (_, 0) => reward - here,
            (Td::Single, _) => lambda * discount * error,
            (Td::Merged, _) => lambda * discount * error + (discount * expected[index - 1] - here),
        };
        reward *= discount;
        errors.push(error);
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPECTED: [f64; 3] = [60.0, 50.0, 40.0];

    fn of(how: Td, lambda: f64, discount: f64) -> Vec<f64> {
        errors(how, &EXPECTED, 80.0, lambda, discount)
    }

    #[test]
    fn errors_are_those_of_the_formulas() {
        // 80 - 60 = 20, then times 0.5 * 0.5 a step.
        assert_eq!(of(Td::Single, 0.5, 0.5), [20.0, 5.0, 1.25]);
        // 80 - 60, 40 - 50, 20 - 40.
        assert_eq!(of(Td::Weighted, 0.5, 0.5), [20.0, -10.0, -20.0]);
        // 20; 5 + (30 - 50); -15/4 + (25 - 40).
        assert_eq!(of(Td::Merged, 0.5, 0.5), [20.0, -15.0, -18.75]);
    }

    #[test]
    fn without_weights_merged_is_the_plain_error() {
        // Everything between cancels out.
        assert_eq!(of(Td::Merged, 1.0, 1.0), [20.0, 30.0, 40.0]);
        assert_eq!(of(Td::Weighted, 1.0, 1.0), [20.0, 30.0, 40.0]);
    }
}
