//! What a batch needs to know of its leaves before it plays: moves of nodes that are met again, positions of new ones.

use game::{RuleFault, Simulator};

use super::batch::{Plan, Worker};
use super::descend::{Descent, Trail};
use super::link::{joint_move, relink};
use super::paths::{End, Leaf};
use super::tree::Status;

impl<G: Simulator> Worker<G> {
    /// Lists the moves of nodes that are visited for the second time, and goes on from there.
    pub(super) fn list_moves(
        &mut self,
        plan: &Plan<'_, G>,
        descent: &Descent<'_, G::State>,
    ) -> Result<usize, RuleFault> {
        let tree = descent.tree;
        let unlisted = self.trail.leaves.iter().filter(|leaf| leaf.end == End::Unlisted);
        // A node that is claimed has its state: it was played out before.
        let states: Vec<&G::State> = unlisted.clone().filter_map(|leaf| tree.state(leaf.node)).collect();
        if states.is_empty() && self.trail.leaves.iter().all(|leaf| leaf.end != End::Waiting) {
            return Ok(0);
        }
        if let Err(fault) = plan.game.expand_all(&mut self.workspace, &states, &mut self.expansions) {
            unlisted.for_each(|leaf| tree.node(leaf.node).set_status(Status::Leaf));
            return Err(fault);
        }
        let advised = self.advise(plan, tree);
        let unlisted = self.trail.leaves.iter().filter(|leaf| leaf.end == End::Unlisted);
        if let Err(fault) = advised {
            unlisted.for_each(|leaf| tree.node(leaf.node).set_status(Status::Leaf));
            return Err(fault);
        }
        let (mut most_moves, mut fault) = (0, None);
        for (leaf, choices) in unlisted.zip(self.expansions.iter()) {
            let stuck = choices.stuck_role();
            if choices.is_terminal() || stuck.is_some() {
                // The end of a game is found by playing on from it; a fault ends the search.
                tree.node(leaf.node).set_status(Status::Leaf);
            } else {
                most_moves = most_moves.max(choices.len());
                tree.open(leaf.node, choices);
            }
            // The rest are not left claimed, whatever becomes of this search.
            fault = fault.or(stuck.map(RuleFault::NoLegalMove));
        }
        if let Some(fault) = fault {
            return Err(fault);
        }
        for index in 0..self.trail.leaves.len() {
            let leaf = &mut self.trail.leaves[index];
            // All that came to a node go on from it: each tries another of its moves.
            if matches!(leaf.end, End::Unlisted | End::Waiting) {
                leaf.end = End::Again;
                if matches!(tree.node(leaf.node).status(), Status::Open { .. }) {
                    let parted = std::mem::replace(&mut leaf.visits, 0);
                    let from = Leaf { visits: parted, ..*leaf };
                    descent.resume(&from, &mut self.trail, &mut self.dice);
                }
            }
        }
        self.trail.leaves.retain(|leaf| leaf.visits > 0);
        // One step is enough for one batch: where that led to a node to be listed, it is left.
        for leaf in &mut self.trail.leaves {
            if leaf.end == End::Unlisted {
                tree.node(leaf.node).set_status(Status::Leaf);
            }
            if matches!(leaf.end, End::Unlisted | End::Waiting) {
                leaf.end = End::Again;
            }
        }
        Ok(most_moves)
    }

    /// Works out the positions of new nodes.
    pub(super) fn work_out(
        &mut self,
        plan: &Plan<'_, G>,
        descent: &Descent<'_, G::State>,
    ) -> Result<(), RuleFault> {
        let tree = descent.tree;
        let mut parents: Vec<&G::State> = Vec::new();
        self.joints.clear();
        let Trail { paths, leaves, stock, .. } = &mut self.trail;
        for leaf in leaves.iter().filter(|leaf| leaf.end == End::New) {
            if let Some(step) = leaf.step.map(|id| paths.step(id))
                && let Some(state) = tree.state(step.node)
            {
                parents.push(state);
                joint_move(tree, paths, step, &mut self.joints);
            }
        }
        if parents.is_empty() {
            return Ok(());
        }
        plan.game.apply_all(&mut self.workspace, &parents, &self.joints, &mut self.states)?;
        self.twins.clear();
        self.hashes.clear();
        self.hashes.extend(self.states.iter().map(|state| tree.hash(state)));
        let new = leaves.iter_mut().filter(|leaf| leaf.end == End::New);
        for (leaf, (state, hash)) in new.zip(self.states.drain(..).zip(&self.hashes)) {
            if let Some(known) = tree.settle(leaf.node, state, *hash) {
                self.twins.push((leaf.node, known));
                if let Some(step) = leaf.step {
                    relink(tree, paths, paths.step(step), known, plan.alone);
                }
                tree.retire(leaf.node, stock);
                tree.node(known).lock(plan.alone).begin_visits(leaf.visits);
                leaf.node = known;
                leaf.end = End::Again;
            }
        }
        self.twins.sort_unstable();
        for leaf in leaves.iter_mut().filter(|leaf| leaf.end == End::Again) {
            if !self.twins.is_empty()
                && let Ok(place) = self.twins.binary_search_by_key(&leaf.node, |&(twin, _)| twin)
            {
                leaf.node = self.twins[place].1;
                tree.node(leaf.node).lock(plan.alone).begin_visits(leaf.visits);
            }
            let node = tree.node(leaf.node);
            if node.status() == Status::Over || node.is_proven() && plan.parameters.prove {
                leaf.end = End::Proven;
            }
        }
        Ok(())
    }
}
