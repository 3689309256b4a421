//! Guided UCT (Walędzik and Mańdziuk 2014): an evaluation function F(s) as advice about moves.
//!
//! A move is worth F(s, a), the mean of F over all positions that it may lead to: more than one where others move at
//! once. That counts as visits which every move begins with (`evaluation_prior`), orders the moves not tried yet
//! (`evaluation_order`), and draws the moves of playouts (`evaluation_playouts`). To stop playouts and ask F there
//! is the paper's fourth use and its choice (`leaf.rs`). All four can be mixed.
//!
//! What the paper leaves open: in ln N(s) the visits count too that moves begin with; ends of the game are worth their
//! goals, whatever F says.

mod advise;
mod move_values;
mod playouts;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use engine::Evaluator;
use game::{Expansion, RuleFault, Sampler, Simulator};
use parking_lot::RwLock;

use super::search::Search;
use super::tree::Status;
use crate::{EvaluationPlayouts, Parameters};

pub(crate) use move_values::MoveValues;
pub(crate) use playouts::GuidedPlayouts;
pub(crate) use tables::MoveTables;

/// Who advises about moves, in every tree of a search.
pub(crate) struct Guidance<State> {
    pub(crate) evaluator: Arc<dyn Evaluator<State>>,
    /// What it says of the moves of nodes, tree by tree, if that is asked for.
    pub(crate) tables: Vec<RwLock<MoveTables>>,
    /// How moves of playouts are drawn, if by what it says.
    pub(crate) sampler: Option<Sampler>,
}

impl<State> Guidance<State> {
    /// What parameters ask for; `None` if that is nothing.
    pub(super) fn new(
        evaluator: Arc<dyn Evaluator<State>>,
        parameters: &Parameters,
        trees: usize,
    ) -> Option<Self> {
        let has_tables = parameters.evaluation_prior > 0 || parameters.evaluation_order;
        let tables = if has_tables { trees } else { 0 };
        let sampler = match parameters.evaluation_playouts {
            EvaluationPlayouts::Random => None,
            EvaluationPlayouts::Gibbs => {
                Some(Sampler::Gibbs { temperature: parameters.evaluation_temperature as f32 })
            }
            EvaluationPlayouts::Greedy => {
                Some(Sampler::EpsilonGreedy { epsilon: parameters.evaluation_epsilon as f32 })
            }
        };
        (has_tables || sampler.is_some()).then(|| Self {
            evaluator,
            tables: (0..tables).map(|_| RwLock::new(MoveTables::new(parameters.memory))).collect(),
            sampler,
        })
    }

    /// Forgets the moves of nodes that are gone.
    pub(crate) fn forget(&mut self) {
        self.tables.iter_mut().for_each(|tables| tables.get_mut().clear());
    }
}

impl<G: Simulator> Search<G> {
    /// From now on an evaluator advises about moves, where parameters say in which way.
    pub fn guide(&mut self, evaluator: Arc<dyn Evaluator<G::State>>) {
        self.guidance = Guidance::new(evaluator, &self.parameters, self.trees.len());
    }

    /// Values the moves of the roots, unless that was done.
    pub(super) fn guide_roots(&mut self) -> Result<(), RuleFault> {
        let Some(Guidance { evaluator, tables, .. }) = &mut self.guidance else { return Ok(()) };
        for (tree, tables) in self.trees.iter_mut().zip(tables) {
            let (tree, tables) = (tree.get_mut(), tables.get_mut());
            let (root, key) = (tree.root(), tree.link(tree.root()).key());
            let is_open = matches!(tree.node(root).status(), Status::Open { .. });
            let Some(state) = tree.state(root).filter(|_| is_open && tables.of(key).is_none()) else {
                continue;
            };
            let workspace = self.workers[0].get_mut().workspace();
            let mut expansion = Expansion::new();
            self.game.expand(workspace, state, &mut expansion)?;
            let position = [(state, expansion.choices())];
            let values = move_values::judge(&*self.game, workspace, &**evaluator, &position)?;
            values.into_iter().flatten().for_each(|values| tables.insert(key, values));
        }
        Ok(())
    }
}
