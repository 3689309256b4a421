//! New nodes begin with what facts that stay as they are rule out.

use std::hash::Hash;

use game::{Prospect, Simulator};

use super::backup::BackUp;
use super::batch::{Plan, Worker};
use super::paths::{End, Leaf, Paths};
use super::tree::{Bounds, Status, Tree};

impl<G: Simulator> Worker<G> {
    /// Narrows what the new nodes of a batch are worth, and carries that up. How many of them were narrowed.
    pub(super) fn foresee(&mut self, plan: &Plan<'_, G>, back_up: &BackUp<'_, G::State>) -> u64 {
        let Some(outlook) = plan.outlook else { return 0 };
        let tree: &Tree<G::State> = back_up.tree;
        // Where the game is over all is known already.
        let is_new = |leaf: &&Leaf| leaf.end == End::New && tree.node(leaf.node).status() != Status::Over;
        let paths = &self.trail.paths;
        let new = self.trail.leaves.iter().filter(is_new);
        let (leaves, states): (Vec<&Leaf>, Vec<&G::State>) =
            new.filter_map(|leaf| Some((leaf, tree.state(leaf.node)?))).unzip();
        if states.is_empty() {
            return 0;
        }
        let mut prospects = Vec::new();
        outlook.prospects(&states, &mut prospects);
        let told = leaves.iter().zip(prospects.chunks(tree.roles()));
        told.filter(|(leaf, prospects)| back_up.foreseen(leaf, paths, prospects)).count() as u64
    }
}

impl<State: Eq + Hash> BackUp<'_, State> {
    /// Proves of a new node what is told of it, and what follows from that; whether that is news.
    fn foreseen(&self, leaf: &Leaf, paths: &Paths, prospects: &[Prospect]) -> bool {
        let node = self.tree.node(leaf.node);
        let mut lock = node.lock(self.alone);
        let told = |(role, told): (usize, &Prospect)| {
            node.bounds(role).intersect(Bounds { lower: told.lower, upper: told.upper })
        };
        let bounds: Vec<Bounds> = prospects.iter().enumerate().map(told).collect();
        if !node.is_proven() && bounds.iter().all(|bounds| bounds.is_exact()) {
            // The end is one step away at least; nobody knows how many.
            for (role, bounds) in bounds.iter().enumerate() {
                lock.set_mean(role, f64::from(bounds.lower) * self.discount);
            }
        }
        let is_news = lock.narrow_all(bounds.into_iter());
        drop(lock);
        if is_news {
            self.spread_proof(leaf, paths);
        }
        is_news
    }
}
