//! The move to play where several roles choose at once: drawn, if the method of choosing mixes moves.

use std::ops::Deref;

use game::{Dice, Simulator};

use super::Bounds;
use super::advice::Candidate;
use super::joint::{draw, normalised};
use super::search::Search;
use super::tree::{Status, Tree};
use crate::{Mixed, Simultaneous};

/// Where the numbers begin that moves are drawn by: others use the first ones.
const STREAM: u64 = 1 << 40;

impl<G: Simulator> Search<G> {
    /// The role that this search plays for: where roles choose one after the other it comes first, as those that
    /// know its move are its worst case.
    pub fn play_for(&mut self, role: game::RoleId) {
        self.joint.iter_mut().for_each(|joint| joint.get_mut().put_first(usize::from(role.0)));
    }

    /// Says of each move of a role how likely it is to be played, and draws one, if several roles choose in the
    /// present position and the move is to be drawn; else what was chosen stays. What is proven comes first. The
    /// number that it is drawn by is one for each turn and role, so that the move changes only as the mix does.
    pub(super) fn mix<T: Deref<Target = Tree<G::State>>>(
        &self,
        trees: &[T],
        role: usize,
        candidates: &mut [Candidate],
        chosen: usize,
    ) -> usize {
        let is_joint = |tree: &T| matches!(tree.node(tree.root()).status(), Status::Open { mover: None, .. });
        if self.is_plain() || candidates.len() < 2 || !trees.iter().all(is_joint) {
            return chosen;
        }
        let Some(mut likelihoods) = self.strategies(trees, role, candidates) else { return chosen };
        let sure = candidates.iter().map(|candidate| candidate.bounds.lower).max().unwrap_or(0);
        let is_settled = |bounds: Bounds| {
            bounds.lower == sure && candidates.iter().all(|other| other.bounds.upper <= sure)
        };
        if candidates.iter().any(|candidate| is_settled(candidate.bounds)) {
            return chosen;
        }
        for (likelihood, candidate) in likelihoods.iter_mut().zip(candidates.iter()) {
            if candidate.bounds.upper < sure {
                *likelihood = 0.0;
            }
        }
        if likelihoods.iter().all(|&likelihood| likelihood <= 0.0) {
            return chosen;
        }
        let likelihoods = normalised(likelihoods);
        if self.parameters.mixed == Mixed::Never {
            let better = |best: usize, place: usize| {
                if likelihoods[place] > likelihoods[best] { place } else { best }
            };
            return (0..likelihoods.len()).fold(0, better);
        }
        for (candidate, &likelihood) in candidates.iter_mut().zip(&likelihoods) {
            candidate.likelihood = Some(likelihood);
        }
        let turn = STREAM + self.turn() * self.game.role_count() as u64 + role as u64;
        draw(&likelihoods, Dice::stream(self.seed(), turn).unit())
    }

    /// Whether no move is ever drawn.
    fn is_plain(&self) -> bool {
        let mixes = matches!(self.parameters.simultaneous, Simultaneous::Exp3 | Simultaneous::RegretMatching);
        !mixes && self.parameters.mixed != Mixed::Always
    }

    /// How a role mixes its moves in the present position: the mean of the trees, or by visits.
    fn strategies<T: Deref<Target = Tree<G::State>>>(
        &self,
        trees: &[T],
        role: usize,
        candidates: &[Candidate],
    ) -> Option<Vec<f64>> {
        let mut sums = vec![0.0; candidates.len()];
        let mut is_known = false;
        for (tree, joint) in trees.iter().zip(&self.joint) {
            let strategy = joint.read().strategy(tree.link(tree.root()).key(), role);
            if let Some(strategy) = strategy.filter(|strategy| strategy.len() == sums.len()) {
                sums.iter_mut().zip(strategy).for_each(|(sum, part)| *sum += part);
                is_known = true;
            }
        }
        if is_known {
            return Some(sums);
        }
        let by_visits = self.parameters.mixed == Mixed::Always;
        by_visits.then(|| candidates.iter().map(|candidate| f64::from(candidate.visits)).collect())
    }
}
