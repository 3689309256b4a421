//! Where every move is proven lost, the other side has yet to find that out. What it is likely to think of the
//! position is what a search without proofs thinks: the move that looks best to that one is the one that is
//! hardest to answer.

use game::{MoveId, RuleFault, Simulator};

use super::search::Search;
use super::tree::{Status, Tree};
use crate::{Budget, Parallel, Parameters, SolverChoice};

/// Moves with less than this part of the visits are not judged: their means are chance.
const LEAST_PART: u32 = 100;

/// The part of the memory that may be used for it.
const MEMORY_PART: u32 = 8;

/// What a search without proofs thinks of the moves of a role whose loss is proven.
#[derive(Clone, Debug, Default)]
pub(super) struct Hopes {
    role: usize,
    /// The moves that were looked at, and the mean of the role's goals behind each.
    moves: Vec<(MoveId, f64)>,
}

impl Hopes {
    /// What a move looks like, 0 to 100.
    pub(super) fn of(&self, role: usize, id: MoveId) -> f64 {
        let known = self.moves.iter().find(|(known, _)| self.role == role && *known == id);
        known.map_or(0.0, |(_, value)| *value)
    }
}

impl<G: Simulator> Search<G> {
    /// The role that is to move, if it has a choice and is proven to get nothing, or less than another, whatever it does.
    fn loser(&self, tree: &Tree<G::State>) -> Option<usize> {
        let root = tree.node(tree.root());
        let Status::Open { mover: Some(mover), .. } = root.status() else { return None };
        let mover = usize::from(mover);
        if !self.parameters.prove || !root.is_proven() {
            return None;
        }
        let most = root.bounds(mover).upper;
        let mut roles = (0..tree.roles()).filter(|&role| self.chance != Some(role));
        let is_lost = most == 0 || roles.any(|role| root.bounds(role).lower > most);
        (is_lost && self.chance != Some(mover)).then_some(mover)
    }

    /// Finds out which of the moves in a lost position looks best, unless that is known.
    pub(super) fn resist(&mut self, budget: &Budget<'_>) -> Result<(), RuleFault> {
        let simulations = u64::from(self.parameters.resist);
        if simulations == 0 || self.hopes.is_some() {
            return Ok(());
        }
        let Some(role) = self.loser(&self.trees[0].read()) else { return Ok(()) };
        let parameters = Parameters {
            prove: false,
            resist: 0,
            solver: SolverChoice::None,
            parallel: Parallel::Tree,
            threads: 1,
            memory: (self.parameters.memory / MEMORY_PART).max(1),
            ..self.parameters.clone()
        };
        let seed = self.totals.simulations;
        let mut blind = Search::new(self.game.clone(), self.state(), parameters, seed);
        blind.run(&Budget { simulations: Some(simulations), ..*budget })?;
        let Some(advice) = blind.advice(game::RoleId(role as u16)) else { return Ok(()) };
        let visits: u32 = advice.candidates.iter().map(|candidate| candidate.visits).sum();
        let judged = advice.candidates.iter().filter(|candidate| candidate.visits > visits / LEAST_PART);
        let moves = judged.map(|candidate| (candidate.id, candidate.value)).collect();
        self.hopes = Some(Hopes { role, moves });
        Ok(())
    }
}
