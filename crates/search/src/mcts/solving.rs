//! A solver beside the tree: it looks for forced wins around the present position, in slices between batches,
//! and what it proves of the root's moves enters the tree as proofs.
//!
//! Two questions take turns: does who is to move win by force, and does the other one after the move that the
//! tree likes best? The second is what averages see last.

use std::hash::Hash;

use game::{RoleId, RuleFault, Simulator};

use super::prove::Prover;
use super::search::{Search, Totals};
use super::tree::{Bounds, NodeId, Status, Tree};
use crate::proof_number::{Answer, Solver, Work};
use crate::{Parameters, SolverChoice};

/// Positions that are looked at in a slice.
const SLICE: u64 = 16;

/// About what a simulation costs beside its playout, and what a position of the solver and each of those that
/// it leads to cost beside the sweeps, in gates of one lane.
const SIMULATION_COST: f64 = 300.0;
const POSITION_COST: f64 = 3000.0;
const SUCCESSOR_COST: f64 = 300.0;

/// The part of the tree's memory that the solver has.
const MEMORY_PART: usize = 8;

/// The solver of a search and what became of its questions.
#[derive(Debug)]
pub(super) struct LocalSolver<G: Simulator> {
    solver: Solver<G>,
    /// Questions about the present position that need not be asked again.
    answered: Vec<(G::State, RoleId)>,
    /// Whether the next question is about the move that the tree likes best.
    defends: bool,
    is_unfit: bool,
}

impl<G: Simulator> LocalSolver<G> {
    /// The solver that some parameters ask for. Two roles must play, and chance must not.
    pub(super) fn new(game: &G, parameters: &Parameters) -> Option<Self> {
        let is_wanted = parameters.solver == SolverChoice::ProofNumber && parameters.prove;
        if !is_wanted || game.role_count() != 2 || game.chance().is_some() {
            return None;
        }
        let bytes = ((parameters.memory as usize) << 20) / MEMORY_PART;
        let solver = Solver::new(game, bytes);
        Some(Self { solver, answered: Vec::new(), defends: false, is_unfit: false })
    }

    /// The position has changed: what is known of others stays.
    pub(super) fn advance(&mut self) {
        self.answered.clear();
    }

    fn is_answered(&self, state: &G::State, role: RoleId) -> bool {
        self.answered.iter().any(|(known, of)| *of == role && known == state)
    }

    /// Looks into one question for a slice; whether there was one.
    fn slice(&mut self, game: &G, tree: &Tree<G::State>, prove: &Proof<'_, G>) -> Result<bool, RuleFault> {
        let root = tree.root();
        let Status::Open { block, mover: Some(mover) } = tree.node(root).status() else { return Ok(false) };
        let (mover, other) = (RoleId(mover), RoleId(1 - mover.min(1)));
        self.defends = !self.defends;
        if !self.defends {
            let Some(state) = tree.state(root).filter(|state| !self.is_answered(state, mover)) else {
                return Ok(false);
            };
            let answer = self.solver.ask(game, state, mover, SLICE)?;
            match answer {
                Answer::Unknown => {}
                Answer::Wins { .. } => {
                    for edge in tree.edges(block, usize::from(mover.0)).iter().flatten() {
                        let Some(child) = tree.follow(edge.link()) else { continue };
                        let known = tree.state(child).map(|state| self.solver.known(state, mover));
                        if let Some(Answer::Wins { steps }) = known {
                            prove.child(child, mover, steps);
                        }
                    }
                }
                Answer::NotFound => self.answered.push((state.clone(), mover)),
                Answer::Unfit => self.is_unfit = true,
            }
            return Ok(true);
        }
        let edges = tree.edges(block, usize::from(mover.0));
        let open = edges.iter().flatten().filter_map(|edge| {
            let child = tree.follow(edge.link()).filter(|&child| !tree.node(child).is_proven())?;
            let state = tree.state(child).filter(|state| !self.is_answered(state, other))?;
            Some((edge.visits().1, child, state))
        });
        let Some((_, child, state)) = open.max_by_key(|(visits, ..)| *visits) else { return Ok(false) };
        match self.solver.ask(game, state, other, SLICE)? {
            Answer::Unknown => {}
            Answer::Wins { steps } => prove.child(child, other, steps),
            Answer::NotFound => self.answered.push((state.clone(), other)),
            Answer::Unfit => self.is_unfit = true,
        }
        Ok(true)
    }

    /// What the solver has cost so far.
    fn cost(&self, step_cost: f64, lanes: usize) -> f64 {
        let Work { positions, successors } = self.solver.work();
        if !step_cost.is_finite() {
            return 2.0 * successors as f64;
        }
        let sweeps = 2.0 * step_cost * lanes as f64;
        positions as f64 * (POSITION_COST + sweeps) + successors as f64 * SUCCESSOR_COST
    }
}

/// How proofs enter a tree.
struct Proof<'a, G: Simulator> {
    tree: &'a Tree<G::State>,
    discount: f64,
    alone: bool,
}

impl<G: Simulator> Proof<'_, G>
where
    G::State: Eq + Hash,
{
    /// A role wins by force from a child of the root, in some steps.
    fn child(&self, child: NodeId, winner: RoleId, steps: u32) {
        let node = self.tree.node(child);
        if node.is_proven() {
            return;
        }
        let goal = |role: usize| if role == usize::from(winner.0) { 100 } else { 0 };
        {
            let mut lock = node.lock(self.alone);
            for role in 0..self.tree.roles() {
                let distance = i32::try_from(steps).unwrap_or(i32::MAX);
                lock.set_mean(role, f64::from(goal(role)) * self.discount.powi(distance));
            }
            lock.narrow_all((0..self.tree.roles()).map(|role| Bounds::exact(goal(role))));
        }
        let Self { tree, discount, alone } = *self;
        Prover { tree, chance: None, discount, alone }.improve(tree.root());
    }
}

impl<G: Simulator> Search<G> {
    /// Gives the solver its share of the time, between two batches. Nothing is done as long as a win was not
    /// seen to be the loss of the other.
    pub(super) fn solve(
        &self,
        tree: &Tree<G::State>,
        totals: Totals,
        are_rivals: bool,
        alone: bool,
    ) -> Result<(), RuleFault> {
        let Some(local) = self.solver.as_ref().filter(|_| are_rivals) else { return Ok(()) };
        let mut local = local.lock();
        let Parameters { discount, solver_share, .. } = self.parameters;
        let (step_cost, lanes) = (self.game.step_cost(), self.lanes);
        let tree_cost = if step_cost.is_finite() {
            totals.steps as f64 * step_cost + totals.simulations as f64 * SIMULATION_COST
        } else {
            totals.steps as f64
        };
        let share = tree_cost * solver_share / (1.0 - solver_share).max(0.01);
        let proof = Proof { tree, discount, alone };
        let mut idle = 0;
        while !local.is_unfit && idle < 2 && local.cost(step_cost, lanes) < share {
            if self.is_settled(tree) {
                break;
            }
            idle = if local.slice(&self.game, tree, &proof)? { 0 } else { idle + 1 };
        }
        Ok(())
    }
}
