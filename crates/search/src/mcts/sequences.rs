//! The moves of simulations in order: what came before a leaf, and what a policy learns from all of it.

use std::hash::Hash;

use game::{Game, Job, MoveId};

use super::descend::Trail;
use super::leaf::LeafValues;
use super::link::joint_move;
use super::paths::Leaf;
use super::policy::{Policy, Sequence};
use super::tree::Tree;

/// The joint moves from the root to a leaf, in order: the last ones, at most so many.
fn way_to<State: Eq + Hash>(
    tree: &Tree<State>,
    trail: &Trail,
    leaf: &Leaf,
    most: usize,
    out: &mut Vec<MoveId>,
) {
    let mut steps: Vec<_> = trail.paths.up(leaf.step).take(most).collect();
    steps.reverse();
    steps.into_iter().for_each(|id| joint_move(tree, &trail.paths, trail.paths.step(id), out));
}

/// What led to each leaf that is played out, as far as a policy asks for it.
#[derive(Debug, Default)]
pub(crate) struct Before {
    moves: Vec<MoveId>,
    /// Where those of each leaf end.
    ends: Vec<usize>,
}

impl Before {
    /// Notes the last joint moves before each leaf that is played out, at most so many.
    pub(crate) fn note<State: Eq + Hash>(&mut self, tree: &Tree<State>, trail: &Trail, most: usize) {
        self.moves.clear();
        self.ends.clear();
        if most == 0 {
            return;
        }
        for leaf in trail.leaves.iter().filter(|leaf| leaf.is_played()) {
            way_to(tree, trail, leaf, most, &mut self.moves);
            self.ends.push(self.moves.len());
        }
    }

    /// Tells the jobs, which are those of the leaves in order.
    pub(crate) fn tell<'a, G: Game>(&'a self, jobs: &mut [Job<'a, G::State>]) {
        let mut start = 0;
        for (job, &end) in jobs.iter_mut().zip(&self.ends) {
            job.before = &self.moves[start..end];
            start = end;
        }
    }
}

/// Tells a policy all simulations of a batch, with the moves made in the tree.
pub(crate) fn teach<State: Eq + Hash>(
    policy: &mut dyn Policy,
    tree: &Tree<State>,
    trail: &Trail,
    values: &LeafValues,
) {
    let mut reader = values.read();
    let mut moves = Vec::new();
    for leaf in trail.leaves.iter().filter(|leaf| leaf.is_played()) {
        let playouts = reader.next(leaf).playouts();
        moves.clear();
        way_to(tree, trail, leaf, usize::MAX, &mut moves);
        let in_tree = moves.len();
        for playout in playouts {
            moves.truncate(in_tree);
            moves.extend_from_slice(values.outcomes.sequences.of(playout));
            policy.learn_sequence(&Sequence { moves: &moves, goals: values.outcomes.goals(playout) });
        }
    }
}
