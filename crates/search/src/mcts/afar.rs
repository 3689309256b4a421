//! Leaves that are played out elsewhere: one tree, and others who play for it.
//!
//! A worker of the search that has such a player finds leaves and backs up their results like every other. In
//! between it waits, with the visits begun on its paths, so that the others look elsewhere meanwhile.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use game::{Decisive, MoveId, Outcomes, PlayOptions, Simulator};

use super::batch::{Done, Plan, Worker};
use super::link::joint_move;
use super::paths::{End, StepId};
use super::policy::{Needs, StyleWeights};
use super::search::Search;
use super::tree::Tree;

/// Leaves to be played out, each by the moves that lead there from the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafBatch {
    /// For each step the step before it, which has a lower number; none at the root.
    pub before: Vec<Option<u32>>,
    /// The joint moves of the steps, one move a role, step after step.
    pub joints: Vec<MoveId>,
    /// The step that leads to each leaf, none if it is the root, and how many playouts begin there.
    pub leaves: Vec<(Option<u32>, u32)>,
    /// The seed of chance.
    pub seed: u64,
    /// Steps after which a playout is cut.
    pub most_steps: u32,
    /// How far moves that decide are looked for.
    pub decisive: Decisive,
    /// Whether playouts prefer captures.
    pub captures: bool,
}

impl LeafBatch {
    /// How many playouts there are.
    pub fn playouts(&self) -> usize {
        self.leaves.iter().map(|&(_, playouts)| playouts as usize).sum()
    }
}

/// Plays out leaves elsewhere.
pub trait LeafPlayer: Send + Sync {
    /// Whether somebody is there who is free. It does not wait.
    fn is_ready(&self) -> bool;
    /// Has leaves played out at random; `None` if nobody did in time, or it was over before.
    fn play(&self, batch: &LeafBatch, is_over: &dyn Fn() -> bool) -> Option<Outcomes>;
}

impl<G: Simulator> Search<G> {
    /// From now on leaves are also played out by others, each of them at work beside the threads of this search.
    /// Whether that is possible: threads have one tree, and playouts are random and not learnt from.
    pub fn add_leaf_players(&mut self, players: impl IntoIterator<Item = Arc<dyn LeafPlayer>>) -> bool {
        let policy = self.policies[0].get_mut();
        let is_random = matches!(policy.style().weights, StyleWeights::Equal);
        let learns = policy.needs() != Needs::default() || !self.rave.is_empty();
        // Leaves are told by the moves that lead there, which are of one position after the other.
        let merges = self.trees[0].get_mut().merges();
        if self.trees.len() > 1 || learns || !is_random || merges {
            return false;
        }
        for player in players {
            let worker = Worker::new(&*self.game, &self.parameters, self.seed(), self.workers.len() as u64);
            self.workers.push(parking_lot::Mutex::new(worker.with_leaf_player(player)));
        }
        true
    }

    /// How many workers have something to do now.
    pub(super) fn workers_at_hand(&self) -> usize {
        self.workers.iter().filter(|worker| !worker.lock().waits_for_others()).count()
    }
}

impl<G: Simulator> Worker<G> {
    /// Has leaves played out elsewhere; `None` if they were not.
    pub(super) fn play_afar(
        &mut self,
        plan: &Plan<'_, G>,
        tree: &Tree<G::State>,
        playouts: u32,
        options: &PlayOptions<'_>,
    ) -> Option<Done> {
        for leaf in &mut self.trail.leaves {
            // Another thread is about to work it out.
            if leaf.is_played() && tree.state(leaf.node).is_none() {
                leaf.end = End::Nowhere;
            }
        }
        let batch = self.batch(tree, playouts, options);
        let cut_is_draw = plan.cutoff.is_some_and(|cutoff| !cutoff.by_goals);
        self.values.begin(tree.roles(), playouts, cut_is_draw);
        if batch.leaves.is_empty() {
            return Some(Done::default());
        }
        let is_over = || {
            let ends = plan.budget.turn_ends.or(plan.budget.until);
            ends.is_some_and(|ends| (plan.budget.clock)() >= ends)
                || plan.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
        };
        let outcomes = self.leaf_player()?.play(&batch, &is_over)?;
        if outcomes.len() != batch.playouts() {
            return None;
        }
        let steps = (0..outcomes.len()).map(|playout| u64::from(outcomes.length(playout))).sum();
        let done = Done { playouts: outcomes.len() as u64, steps, ..Done::default() };
        self.values.outcomes = outcomes;
        Some(done)
    }

    /// The leaves of the present batch that are to be played out.
    fn batch(&self, tree: &Tree<G::State>, playouts: u32, options: &PlayOptions<'_>) -> LeafBatch {
        let paths = &self.trail.paths;
        let number = |id: StepId| id.index() as u32;
        let mut batch = LeafBatch {
            before: Vec::with_capacity(paths.len()),
            joints: Vec::with_capacity(paths.len() * tree.roles()),
            leaves: Vec::new(),
            seed: options.seed,
            most_steps: options.most_steps,
            decisive: options.decisive,
            captures: options.captures,
        };
        for step in paths.in_order() {
            batch.before.push(step.before.map(number));
            joint_move(tree, paths, step, &mut batch.joints);
        }
        let played = self.trail.leaves.iter().filter(|leaf| leaf.is_played());
        batch.leaves.extend(played.map(|leaf| (leaf.step.map(number), playouts * leaf.visits)));
        batch
    }
}

#[cfg(test)]
mod tests {
    use game::Game;

    use super::*;
    use crate::Parameters;
    use crate::mcts::tests::support::circuit;

    /// Never there.
    struct Nobody;

    impl LeafPlayer for Nobody {
        fn is_ready(&self) -> bool {
            false
        }

        fn play(&self, _: &LeafBatch, _: &dyn Fn() -> bool) -> Option<Outcomes> {
            None
        }
    }

    #[test]
    fn leaf_players_stay_when_the_tree_is_made_anew() {
        let game = circuit("tic-tac-toe");
        let mut search = Search::new(Arc::clone(&game), game.initial(), Parameters::default(), 1);
        let players = || (0..2).map(|_| Arc::new(Nobody) as Arc<dyn LeafPlayer>);
        assert!(search.add_leaf_players(players()));
        let have = |search: &Search<_>| {
            search.workers.iter().filter(|worker| worker.lock().leaf_player().is_some()).count()
        };
        assert_eq!(have(&search), 2);
        assert!(!search.retune(Parameters { implicit: 0.4, ..Parameters::default() }), "it is another tree");
        assert_eq!((have(&search), search.workers.len()), (2, 3));
    }
}
