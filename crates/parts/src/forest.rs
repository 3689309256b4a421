//! The trees of all parts, by turns.

use std::sync::Arc;

use engine::{Budget, Stop};
use game::{Dice, Expansion, Game, MoveId, RoleId, RuleFault};
use machine::circuit::{CircuitState, CircuitWorkspace};

use crate::halves::Halves;
use crate::trace::Pool;
use crate::tree::Tree;
use crate::verdict::Verdicts;

/// A move of the whole game, and what the trees think of what it does in the parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub id: MoveId,
    /// The goal expected, 0 to 100: the mean of what the trees expect.
    pub value: f64,
    /// Simulations through what it does, in the part that has the fewest.
    pub visits: u32,
    /// How much of the simulations of all trees it has, added up.
    pub share: f64,
}

impl Choice {
    /// With what other trees think of the same move.
    pub(crate) fn join(&mut self, other: &Self) {
        let all = f64::from(self.visits) + f64::from(other.visits);
        if all > 0.0 {
            let sum = self.value * f64::from(self.visits) + other.value * f64::from(other.visits);
            self.value = sum / all;
        }
        self.visits = self.visits.saturating_add(other.visits);
        self.share += other.share;
    }
}

/// Trees of parts.
#[derive(Debug)]
pub struct Forest {
    halves: Arc<Halves>,
    trees: Vec<Tree>,
    pools: Vec<Pool>,
    verdicts: Verdicts,
    dice: Dice,
    /// Where the whole game is.
    state: CircuitState,
    workspace: CircuitWorkspace,
    is_primed: bool,
    turn: usize,
}

impl Forest {
    /// Trees in a state of the whole game after so many steps, within so many bytes.
    pub fn new(halves: Arc<Halves>, state: CircuitState, step: u32, bytes: usize, seed: u64) -> Self {
        let parts = halves.parts.len();
        let tree = |(part, half): (usize, &crate::Half)| {
            Tree::new(part, half, half.state(&state), step, bytes / parts)
        };
        Self {
            trees: halves.parts.iter().enumerate().map(tree).collect(),
            pools: (0..parts).map(|_| Pool::default()).collect(),
            verdicts: Verdicts::new(&halves),
            dice: Dice::stream(seed, 5),
            workspace: halves.whole.workspace(),
            state,
            halves,
            is_primed: false,
            turn: 0,
        }
    }

    /// Simulates until the budget is used up.
    pub fn run(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        let mut watch = budget.watch();
        let mut done = 0;
        loop {
            if let Some(stop) = watch.is_over(done) {
                return Ok(stop);
            }
            if !self.is_primed {
                self.prime()?;
            }
            if self.trees.iter().all(|tree| !tree.goes_on()) {
                return Ok(Stop::Proven);
            }
            self.turn = (self.turn + 1) % self.trees.len();
            let tree = &mut self.trees[self.turn];
            if tree.goes_on() {
                done += tree.grow(&self.halves, &mut self.verdicts, &mut self.pools, &mut self.dice)?;
            }
        }
    }

    /// First traces of every part.
    fn prime(&mut self) -> Result<(), RuleFault> {
        for (tree, pool) in self.trees.iter_mut().zip(&mut self.pools) {
            tree.prime(&self.halves, &mut self.verdicts, pool, self.dice.bits())?;
        }
        self.is_primed = true;
        Ok(())
    }

    /// What is thought of the legal moves of a role, the best first; none if the game is over.
    pub fn choices(&mut self, role: RoleId) -> Result<Vec<Choice>, RuleFault> {
        let mut expansion = Expansion::new();
        let whole = &self.halves.whole;
        whole.expand(&mut self.workspace, &self.state, &mut expansion)?;
        let fared: Vec<_> = self.trees.iter().map(|tree| tree.fared(role)).collect();
        let visits: Vec<u32> =
            fared.iter().map(|moves| moves.iter().map(|(_, fared)| fared.visits).sum()).collect();
        let choice = |&id: &MoveId| {
            let number = whole.move_numbers().split(id).1;
            let mut choice = Choice { id, value: 0.0, visits: u32::MAX, share: 0.0 };
            let mut known = 0;
            for (part, half) in self.halves.parts.iter().enumerate() {
                let action = half.action(role, number);
                let Some((_, fared)) = fared[part].iter().find(|(id, _)| *id == action) else { continue };
                choice.visits = choice.visits.min(fared.visits);
                choice.share += f64::from(fared.visits) / f64::from(visits[part].max(1));
                if let Some(mean) = fared.mean() {
                    choice.value += 100.0 * f64::from(mean);
                    known += 1;
                }
            }
            choice.value /= f64::from(known.max(1));
            choice.visits = if choice.visits == u32::MAX { 0 } else { choice.visits };
            choice
        };
        let mut choices: Vec<Choice> = expansion.legal(role).iter().map(choice).collect();
        choices.sort_by(|one, other| other.share.total_cmp(&one.share).then(one.id.0.cmp(&other.id.0)));
        Ok(choices)
    }

    /// Follows a joint move of the whole game.
    pub fn advance(&mut self, joint: &[MoveId]) -> Result<(), RuleFault> {
        let whole = &self.halves.whole;
        self.state = whole.apply(&mut self.workspace, &self.state, joint)?;
        for (tree, half) in self.trees.iter_mut().zip(&self.halves.parts) {
            let own = joint.iter().map(|&id| {
                let (role, number) = whole.move_numbers().split(id);
                half.action(role, number)
            });
            let own: Vec<MoveId> = own.collect();
            tree.advance(&own, half.state(&self.state));
        }
        // Traces that begin elsewhere say nothing about what comes.
        self.pools.iter_mut().for_each(Pool::clear);
        self.is_primed = false;
        Ok(())
    }

    /// Simulations, playouts and steps of playouts of all trees so far.
    pub fn totals(&self) -> [u64; 3] {
        let sum = |of: &dyn Fn(&Tree) -> u64| self.trees.iter().map(of).sum();
        [sum(&|tree| tree.simulations), sum(&|tree| tree.playouts), sum(&|tree| tree.steps)]
    }

    /// Nodes of all trees, and their bytes.
    pub fn size(&self) -> (usize, usize) {
        let nodes = self.trees.iter().map(Tree::len).sum();
        (nodes, self.trees.iter().map(Tree::bytes).sum())
    }

    /// The longest way down a tree.
    pub fn depth(&self) -> u32 {
        self.trees.iter().map(|tree| tree.depth).max().unwrap_or(0)
    }
}
