//! What a batch asks of an evaluator about moves.

use game::{Game, RuleFault, Simulator};
use parking_lot::RwLock;

use super::{Guidance, GuidedPlayouts, MoveTables, move_values};
use crate::mcts::batch::{Plan, Worker};
use crate::mcts::paths::End;
use crate::mcts::tree::Tree;

impl<G: Game> Plan<'_, G> {
    /// How playouts are guided, if they are.
    pub(in crate::mcts) fn guided_playouts(&self) -> Option<GuidedPlayouts<'_, G::State>> {
        let Guidance { evaluator, sampler, .. } = self.guidance?;
        Some(GuidedPlayouts { evaluator: &**evaluator, sampler: (*sampler)? })
    }

    /// What is said of the moves of nodes.
    pub(in crate::mcts) fn advice(&self) -> Option<&RwLock<MoveTables>> {
        self.guidance?.tables.get(self.tree)
    }
}

impl<G: Simulator> Worker<G> {
    /// Asks what the moves are worth that are about to be listed, if anybody is to be asked: all in one call.
    pub(in crate::mcts) fn advise(
        &mut self,
        plan: &Plan<'_, G>,
        tree: &Tree<G::State>,
    ) -> Result<(), RuleFault> {
        let (Some(guidance), Some(tables)) = (plan.guidance, plan.advice()) else { return Ok(()) };
        let unlisted = self.trail.leaves.iter().filter(|leaf| leaf.end == End::Unlisted);
        let unlisted = unlisted.filter_map(|leaf| Some((leaf.node, tree.state(leaf.node)?)));
        let (mut nodes, mut positions) = (Vec::new(), Vec::new());
        for ((node, state), choices) in unlisted.zip(self.expansions.iter()) {
            if !choices.is_terminal() && choices.stuck_role().is_none() {
                nodes.push(node);
                positions.push((state, choices));
            }
        }
        let values = move_values::judge(plan.game, &mut self.workspace, &*guidance.evaluator, &positions)?;
        let mut tables = tables.write();
        for (node, values) in nodes.into_iter().zip(values) {
            values.into_iter().for_each(|values| tables.insert(tree.link(node).key(), values));
        }
        Ok(())
    }
}
