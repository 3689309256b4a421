//! What moves are estimated to be worth beside their means: by temporal differences, and by a heuristic that
//! is backed up as minimax does. Both go up each path by itself once the visits of a batch have ended.

use std::hash::Hash;

use game::{Game, RuleFault, Simulator};

use super::batch::{Plan, Worker};
use super::descend::Trail;
use super::objective;
use super::paths::{End, Leaf, Paths, StepId};
use super::tree::{Edge, Edges, NodeLock, Status, Tree};
use crate::{Parameters, Td};

/// What a move is worth of which nothing is known: a draw.
const START: f64 = 50.0;

/// What a heuristic says of leaves.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    places: Vec<usize>,
    /// Leaf after leaf, role after role.
    values: Vec<f64>,
}

impl Judged {
    fn clear(&mut self) {
        self.places.clear();
        self.values.clear();
    }

    fn push(&mut self, place: usize, values: impl Iterator<Item = f64>) {
        self.places.push(place);
        self.values.extend(values);
    }

    fn iter(&self, roles: usize) -> impl Iterator<Item = (usize, &[f64])> {
        self.places.iter().copied().zip(self.values.chunks(roles))
    }
}

/// What backing up estimates needs to know.
struct EstimateBackUp<'a, State> {
    tree: &'a Tree<State>,
    td: Td,
    lambda: f64,
    discount: f64,
    chance: Option<usize>,
    alone: bool,
}

impl<'a, State: Eq + Hash> EstimateBackUp<'a, State> {
    fn new<G: Game<State = State>>(plan: &Plan<'_, G>, tree: &'a Tree<State>) -> Self {
        let Parameters { td, td_lambda: lambda, td_discount: discount, .. } = *plan.parameters;
        Self { tree, td, lambda, discount, chance: plan.chance, alone: plan.alone }
    }

    /// Learns the differences between what was expected on the path to a leaf and what came: rewards are
    /// those of its playouts, discounted by their length.
    fn temporal(&self, leaf: &Leaf, paths: &Paths, rewards: &[f64]) {
        if self.td == Td::Off {
            return;
        }
        let steps: Vec<StepId> = paths.up(leaf.step).collect();
        let roles = self.tree.roles();
        for _ in 0..leaf.visits {
            for (role, &reward) in rewards.iter().enumerate() {
                let expected: Vec<f64> = steps
                    .iter()
                    .map(|&id| {
                        let lock = self.lock(paths, id);
                        let known =
                            self.edge(paths, id, role, &lock).and_then(|edge| edge.difference(role, roles));
                        known.map_or(START, |known| f64::from(known.value))
                    })
                    .collect();
                let errors = errors(self.td, &expected, reward, self.lambda, self.discount);
                for (&id, (expected, error)) in steps.iter().zip(expected.iter().zip(errors)) {
                    let lock = self.lock(paths, id);
                    if let Some(edge) = self.edge(paths, id, role, &lock) {
                        edge.learn_difference((role, roles), (*expected, error), &lock);
                    }
                }
            }
        }
    }

    /// Says what a heuristic thinks of a leaf that no move on the path knows of yet, and backs that up in `values`.
    fn heuristic(&self, leaf: &Leaf, paths: &Paths, values: &mut [f32]) {
        // Where another path led before, more is known than what was said of the position itself.
        if leaf.end == End::Again {
            let lock = self.tree.node(leaf.node).lock(self.alone);
            if let Status::Open { block, mover: Some(mover) } = lock.node().status() {
                let mover = usize::from(mover);
                self.minimax(self.tree.edges(block, mover), mover, values);
            }
        }
        for id in paths.up(leaf.step) {
            let step = paths.step(id);
            let lock = self.lock(paths, id);
            let Status::Open { block, mover: Some(mover) } = lock.node().status() else { return };
            let moves = self.tree.edges(block, usize::from(mover));
            let Some(edge) = paths.places(step).first().and_then(|&place| moves.get(place as usize)) else {
                return;
            };
            let mut is_new = false;
            for (role, &value) in values.iter().enumerate() {
                is_new |= edge.set_heuristic(role, value, &lock);
            }
            // What changes nothing here changes nothing further up. A position whose moves were not all tried is worth
            // what was said of it before.
            if !is_new || self.minimax(moves, usize::from(mover), values).is_none() {
                return;
            }
        }
    }

    /// What a node is worth by its moves, in `out`: the best one of who decides, the mean of chance's; `None` where
    /// moves were not tried.
    fn minimax(&self, moves: Edges<'_>, mover: usize, out: &mut [f32]) -> Option<()> {
        let moves = || moves.all_tried();
        if self.chance == Some(mover) {
            let count = moves()?.count() as f32;
            for (role, out) in out.iter_mut().enumerate() {
                let sum: Option<f32> = moves()?.map(|edge| within_proof(edge, role)).sum();
                *out = sum? / count;
            }
            return Some(());
        }
        let mut best: Option<(f32, Edge<'_>)> = None;
        for edge in moves()? {
            let value = within_proof(edge, mover)?;
            if best.is_none_or(|(least, _)| value >= least) {
                best = Some((value, edge));
            }
        }
        let (_, edge) = best?;
        for (role, out) in out.iter_mut().enumerate() {
            *out = within_proof(edge, role)?;
        }
        Some(())
    }

    /// Whether a heuristic has said something of the move that leads to a leaf, or is not to be asked.
    fn is_judged(&self, leaf: &Leaf, paths: &Paths) -> bool {
        let Some(id) = leaf.step else { return true };
        let lock = self.lock(paths, id);
        let Status::Open { mover: Some(_), .. } = lock.node().status() else { return true };
        self.edge(paths, id, 0, &lock).is_none_or(|edge| edge.heuristic(0).is_some())
    }

    fn lock(&self, paths: &Paths, id: StepId) -> NodeLock<'_> {
        self.tree.node(paths.step(id).node).lock(self.alone)
    }

    /// The move of a step that has what is known of a role: the mover's, or its own.
    fn edge<'b>(&self, paths: &Paths, id: StepId, role: usize, _: &'b NodeLock<'_>) -> Option<Edge<'b>>
    where
        Self: 'b,
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

/// What a heuristic says of a move, as far as proofs allow it.
fn within_proof(edge: Edge<'_>, role: usize) -> Option<f32> {
    let bounds = edge.bounds(role);
    edge.heuristic(role).map(|value| value.clamp(f32::from(bounds.lower), f32::from(bounds.upper)))
}

impl<G: Simulator> Worker<G> {
    /// Asks a heuristic what leaves are worth that are new to the moves that lead there, if there is one.
    pub(super) fn judge(&mut self, plan: &Plan<'_, G>, tree: &Tree<G::State>) -> Result<(), RuleFault> {
        self.judged.clear();
        let Some(heuristic) = plan.heuristic else { return Ok(()) };
        let back_up = EstimateBackUp::new(plan, tree);
        let Trail { paths, leaves, .. } = &self.trail;
        let mut reader = self.values.read();
        let (mut open, mut states) = (Vec::new(), Vec::new());
        for (place, leaf) in leaves.iter().enumerate() {
            match leaf.end {
                End::New | End::Again => {
                    let value = reader.next(leaf);
                    if leaf.end == End::Again && back_up.is_judged(leaf, paths) {
                        continue;
                    }
                    match (value.final_goals(), tree.state(leaf.node)) {
                        (Some(goals), _) => self.judged.push(place, goals.into_iter().map(f64::from)),
                        (None, Some(state)) => {
                            open.push(place);
                            states.push(state);
                        }
                        (None, None) => {}
                    }
                }
                End::Proven if !back_up.is_judged(leaf, paths) => {
                    let node = tree.node(leaf.node);
                    self.judged.push(place, (0..tree.roles()).map(|role| node.mean(role)));
                }
                End::Proven | End::Unlisted | End::Waiting | End::Nowhere => {}
            }
        }
        let values = heuristic.judge(plan.game, &mut self.workspace, &states)?;
        for (place, values) in open.into_iter().zip(values.chunks(tree.roles())) {
            self.judged.push(place, values.iter().copied());
        }
        Ok(())
    }

    /// Backs up what is estimated beside the means, if anything is.
    pub(super) fn back_up_estimates(&self, plan: &Plan<'_, G>, tree: &Tree<G::State>) {
        let parameters = plan.parameters;
        let back_up = EstimateBackUp::new(plan, tree);
        let Trail { paths, leaves, .. } = &self.trail;
        let mut values = vec![0.0; tree.roles()];
        let mut backed_up = vec![0.0; tree.roles()];
        for (place, judged) in self.judged.iter(tree.roles()) {
            values.copy_from_slice(judged);
            objective::apply(parameters.objective, plan.chance, &mut values);
            backed_up.iter_mut().zip(&values).for_each(|(one, value)| *one = *value as f32);
            back_up.heuristic(&leaves[place], paths, &mut backed_up);
        }
        if parameters.td == Td::Off {
            return;
        }
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
/// - `Single`: each step is compared with what came after the last one, and learns less of it the further up it is. The
///   survey gives no formula. The error of the last step would do for those further up only if they were worth the same:
///   what has no part in its own error goes on growing with every visit, and has no value that it comes to.
/// - `Weighted`: the reward itself goes up, less with every step.
/// - `Merged`: each step is compared with what is expected of the next, and the errors of those below go up, less with
///   every step.
fn errors(how: Td, expected: &[f64], reward: f64, lambda: f64, discount: f64) -> Vec<f64> {
    let fading = lambda * discount;
    let (mut error, mut weight) = (0.0, 1.0);
    let mut discounted = reward;
    let mut errors = Vec::with_capacity(expected.len());
    for (index, &here) in expected.iter().enumerate() {
        error = match (how, index) {
            (Td::Off, _) => 0.0,
            (Td::Weighted, _) => discounted - here,
            (Td::Single, _) => weight * (reward - here),
            (Td::Merged, 0) => reward - here,
            (Td::Merged, _) => fading * error + (discount * expected[index - 1] - here),
        };
        weight *= fading;
        discounted *= discount;
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
        // 80 - 60; a quarter of 80 - 50; a sixteenth of 80 - 40.
        assert_eq!(of(Td::Single, 0.5, 0.5), [20.0, 7.5, 2.5]);
        // 80 - 60, 40 - 50, 20 - 40.
        assert_eq!(of(Td::Weighted, 0.5, 0.5), [20.0, -10.0, -20.0]);
        // 20; 5 + (30 - 50); -15/4 + (25 - 40).
        assert_eq!(of(Td::Merged, 0.5, 0.5), [20.0, -15.0, -18.75]);
    }

    #[test]
    fn what_is_learnt_of_each_step_comes_to_what_was_brought() {
        for how in [Td::Single, Td::Weighted, Td::Merged] {
            // Of the last step, which is new each time, nothing is known; three of four visits bring 100.
            let mut expected = [START; 4];
            for visit in 1..=100_000u32 {
                let reward = if visit.is_multiple_of(4) { 0.0 } else { 100.0 };
                let errors = errors(how, &expected, reward, 0.8, 1.0);
                for (here, error) in expected.iter_mut().zip(errors).skip(1) {
                    *here += error / f64::from(visit);
                }
            }
            let is_near = |here: &f64| (65.0..=80.0).contains(here);
            assert!(expected[1..].iter().all(is_near), "{how:?}: {expected:?}");
        }
    }

    #[test]
    fn without_weights_merged_is_the_plain_error() {
        // Everything between cancels out.
        assert_eq!(of(Td::Merged, 1.0, 1.0), [20.0, 30.0, 40.0]);
        assert_eq!(of(Td::Weighted, 1.0, 1.0), [20.0, 30.0, 40.0]);
    }
}
