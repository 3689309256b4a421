//! The end of a game in which roles move at once: what is left of it is laid out and played by an equilibrium.
//!
//! A tree search that takes moves at once for moves in turn, or plays the one that was tried most, can be seen through.
//! Where what is left is small, and one loses what the other wins, an equilibrium cannot.

use std::sync::Arc;

use engine::{Budget, Stop};
use game::{Describe, Expansion, MoveId, RoleId, RuleFault};

use crate::view::Views;
use crate::{Equilibrium, GameTree, Growth};

/// Positions that are looked at between two looks at the clock.
const POSITIONS: usize = 64;
/// Rounds of learning between two looks at how good play is, and the most of them.
const ROUNDS: u64 = 50;
const MOST_ROUNDS: u64 = 2_000;
/// Play that cannot be bettered by more than this, goals being 0 to 1, is good enough.
const ACCURACY: f64 = 0.002;

/// What is left of a game.
#[derive(Debug)]
pub struct Endgame<G: Describe> {
    game: Arc<G>,
    workspace: G::Workspace,
    most_nodes: usize,
    stage: Stage<G>,
}

#[derive(Debug)]
enum Stage<G: Describe> {
    Growing(Box<GameTree<G>>),
    Learning(Box<GameTree<G>>, Equilibrium),
    Learned(Box<GameTree<G>>, Equilibrium),
    /// It is too large, or nothing for an equilibrium.
    Unsuited,
}

/// How moves are to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    /// Moves, each with its share.
    pub moves: Vec<(MoveId, f64)>,
    /// What the role gets, 0 to 1.
    pub value: f64,
}

impl<G: Describe> Endgame<G> {
    /// Nothing is looked at yet. What is left may have so many nodes.
    pub fn new(game: Arc<G>, most_nodes: usize) -> Self {
        Self { workspace: game.workspace(), game, most_nodes, stage: Stage::Unsuited }
    }

    /// What is left is the game from this position on. Where only one role decides at the moment nothing is looked at: others
    /// know how to play that.
    pub fn begin(&mut self, state: G::State) -> Result<(), RuleFault> {
        self.stage = Stage::Unsuited;
        let mut expansion = Expansion::new();
        self.game.expand(&mut self.workspace, &state, &mut expansion)?;
        let chance = self.game.chance();
        let roles = self.game.role_ids().zip(expansion.by_role());
        let deciders = roles.filter(|(role, legal)| legal.len() > 1 && chance != Some(*role)).count();
        if expansion.is_terminal() || deciders < 2 {
            return Ok(());
        }
        let mut views = Views::default();
        let first = views.begin(self.game.role_count());
        let tree = GameTree::at(&*self.game, self.most_nodes, views, first, state);
        self.stage = Stage::Growing(Box::new(tree));
        Ok(())
    }

    /// Whether there is anything to think about.
    pub fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Growing(_) | Stage::Learning(..))
    }

    /// Goes on. Why it ended; `None` if there is nothing to think about, or not any more.
    pub fn think(&mut self, budget: &Budget<'_>) -> Result<Option<Stop>, RuleFault> {
        let budget = Budget { simulations: None, ..*budget };
        let mut watch = budget.watch();
        loop {
            match std::mem::replace(&mut self.stage, Stage::Unsuited) {
                Stage::Unsuited => return Ok(None),
                Stage::Growing(mut tree) => match tree.grow(&*self.game, &mut self.workspace, POSITIONS)? {
                    Growth::TooLarge => return Ok(None),
                    Growth::Open => self.stage = Stage::Growing(tree),
                    Growth::Complete if tree.is_constant_sum() => {
                        let equilibrium = Equilibrium::new(&tree);
                        self.stage = Stage::Learning(tree, equilibrium);
                    }
                    Growth::Complete => return Ok(None),
                },
                Stage::Learning(tree, mut equilibrium) => {
                    equilibrium.learn(&tree);
                    let rounds = equilibrium.rounds();
                    let is_learned = rounds >= MOST_ROUNDS
                        || rounds.is_multiple_of(ROUNDS) && tree.exploitability(&equilibrium) < ACCURACY;
                    self.stage = match is_learned {
                        true => Stage::Learned(tree, equilibrium),
                        false => Stage::Learning(tree, equilibrium),
                    };
                }
                Stage::Learned(tree, equilibrium) => {
                    self.stage = Stage::Learned(tree, equilibrium);
                    return Ok(Some(Stop::Proven));
                }
            }
            if let Some(stop) = watch.is_over(0) {
                return Ok(Some(stop));
            }
        }
    }

    /// How a role is to play now, once that is known. `None` where it has no choice.
    pub fn mixture(&self, role: RoleId) -> Option<Mixture> {
        let Stage::Learned(tree, equilibrium) = &self.stage else { return None };
        let set = tree.set_of(role, tree.first_view(role))?;
        let moves = tree.sets()[set.0 as usize].moves.iter().copied();
        let moves = moves.zip(equilibrium.average(tree, set)).collect();
        Some(Mixture { moves, value: tree.values(equilibrium)[usize::from(role.0)] })
    }
}
