//! Small games, solved: over beliefs where one role decides, by an equilibrium where several do.

use std::sync::Arc;

use engine::{Budget, Stop};
use game::{Describe, MoveId, RoleId, RuleFault, Simulator};

use crate::belief_tree::Halt;
use crate::game_tree::Growth;
use crate::{Belief, BeliefTree, Equilibrium, GameTree, View};

/// What a solver says of a position.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// Moves, each with its share.
    moves: Vec<(MoveId, f64)>,
    /// The goal expected, if that is known.
    pub(super) value: Option<f64>,
    /// Whether that is as good as can be.
    pub(super) is_proven: bool,
}

impl Answer {
    /// Moves by shares, of which no more is known.
    pub(super) fn mixture(moves: &[MoveId], shares: &[f64]) -> Self {
        let moves = moves.iter().copied().zip(shares.iter().copied()).collect();
        Self { moves, value: None, is_proven: false }
    }

    /// The move at a place in the mixture, 0 to 1.
    pub(super) fn pick(&self, lot: f64) -> Option<MoveId> {
        let mut rest = lot;
        let found = self.moves.iter().find(|(_, share)| {
            rest -= share;
            rest < 0.0
        });
        let likeliest = || self.moves.iter().max_by(|one, two| one.1.total_cmp(&two.1));
        found.or_else(likeliest).map(|(id, _)| *id)
    }
}

/// Steps of positions that are looked at for beliefs, for every node that a tree may have.
const WORK_PER_NODE: u64 = 20;

/// Rounds of learning between two looks at how good play is, and the most of them.
const ROUNDS: u64 = 100;
const MOST_ROUNDS: u64 = 4_000;

/// Play that cannot be bettered by more than this, goals being 0 to 1, is good enough.
const ACCURACY: f64 = 0.001;

/// A way to solve a game.
pub(super) struct Solver<G: Simulator + Describe> {
    game: Arc<G>,
    workspace: G::Workspace,
    role: RoleId,
    most_nodes: usize,
    stage: Stage<G>,
    why: Option<String>,
}

enum Stage<G: Simulator + Describe> {
    Beliefs(BeliefTree),
    Growing(Box<GameTree<G>>),
    Learning(Box<GameTree<G>>, Equilibrium),
    Learned(Box<GameTree<G>>, Equilibrium),
    GivenUp,
}

impl<G: Simulator + Describe> Solver<G> {
    pub(super) fn new(game: Arc<G>, role: RoleId, most_nodes: usize, by_beliefs: bool) -> Self {
        let stage = match by_beliefs {
            true => Stage::Beliefs(BeliefTree::new(role, most_nodes as u64 * WORK_PER_NODE)),
            false => Stage::Growing(Box::new(GameTree::new(&*game, most_nodes))),
        };
        Self { workspace: game.workspace(), game, role, most_nodes, stage, why: None }
    }

    /// Why it has given up.
    pub(super) fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// Goes on. What it says of a belief, if it can say anything, and why it ended: neither if it has given up.
    pub(super) fn think(
        &mut self,
        belief: &mut Belief<G>,
        budget: &Budget<'_>,
    ) -> Result<(Option<Answer>, Option<Stop>), RuleFault> {
        // A number of simulations does not bound what is done here: sizes do.
        let budget = Budget { simulations: None, ..*budget };
        let mut watch = budget.watch();
        loop {
            match std::mem::replace(&mut self.stage, Stage::GivenUp) {
                Stage::GivenUp => return Ok((None, None)),
                // How likely positions are is known of chance alone: who has done something here has shown something.
                Stage::Beliefs(_) if belief.others_chose() => {
                    self.stage = Stage::Growing(Box::new(GameTree::new(&*self.game, self.most_nodes)));
                }
                Stage::Beliefs(mut tree) => {
                    if !belief.is_exact() {
                        return Ok((None, None));
                    }
                    let positions: Vec<(G::State, f64)> =
                        belief.particles().iter().map(|each| (each.state.clone(), each.weight)).collect();
                    let mut stop = None;
                    let mut go_on = || {
                        stop = watch.is_over(0);
                        stop.is_none()
                    };
                    let solved = tree.moves(&*self.game, &mut self.workspace, &positions, &mut go_on);
                    match solved {
                        Ok(moves) => {
                            self.stage = Stage::Beliefs(tree);
                            return Ok((best(&moves), Some(Stop::Proven)));
                        }
                        Err(Halt::Stopped) => {
                            self.stage = Stage::Beliefs(tree);
                            return Ok((None, stop.or(Some(Stop::Time))));
                        }
                        Err(Halt::Rules(fault)) => return Err(fault),
                        Err(Halt::TooLarge) => {
                            self.why =
                                Some(format!("more than {} beliefs are possible; searching", tree.len()));
                        }
                        Err(Halt::Unsuited) => {
                            self.stage =
                                Stage::Growing(Box::new(GameTree::new(&*self.game, self.most_nodes)));
                        }
                    }
                }
                Stage::Growing(mut tree) => {
                    let growth = tree.grow(&*self.game, &mut self.workspace, 256)?;
                    match growth {
                        Growth::TooLarge => {
                            let most = self.most_nodes;
                            self.why = Some(format!("its tree has more than {most} nodes; searching"));
                            continue;
                        }
                        Growth::Complete => {
                            let equilibrium = Equilibrium::new(&tree);
                            self.stage = Stage::Learning(tree, equilibrium);
                        }
                        Growth::Open => self.stage = Stage::Growing(tree),
                    }
                    if let Some(stop) = watch.is_over(0) {
                        return Ok((None, Some(stop)));
                    }
                }
                Stage::Learning(tree, mut equilibrium) => {
                    equilibrium.learn(&tree);
                    let rounds = equilibrium.rounds();
                    let is_learned = rounds >= MOST_ROUNDS
                        || rounds.is_multiple_of(ROUNDS) && tree.exploitability(&equilibrium) < ACCURACY;
                    let answer = self.look_up(&tree, &equilibrium, belief, is_learned);
                    self.stage = match is_learned {
                        true => Stage::Learned(tree, equilibrium),
                        false => Stage::Learning(tree, equilibrium),
                    };
                    if let Some(stop) = watch.is_over(0) {
                        return Ok((answer, Some(stop)));
                    }
                }
                Stage::Learned(tree, equilibrium) => {
                    let answer = self.look_up(&tree, &equilibrium, belief, true);
                    let stop = answer.is_some().then_some(Stop::Proven);
                    self.stage = Stage::Learned(tree, equilibrium);
                    // After a step that was missed the tree does not know where it is.
                    return Ok((answer, stop));
                }
            }
        }
    }

    /// What is played in the information set of a belief.
    fn look_up(
        &self,
        tree: &GameTree<G>,
        equilibrium: &Equilibrium,
        belief: &Belief<G>,
        is_learned: bool,
    ) -> Option<Answer> {
        let mut view: View = tree.first_view(self.role);
        for step in belief.steps() {
            view = tree.view_after(view, step.own?, step.told.as_ref()?)?;
        }
        let set = tree.set_of(self.role, view)?;
        let shares = equilibrium.average(tree, set);
        let moves = tree.sets()[set.0 as usize].moves.iter().copied().zip(shares).collect();
        Some(Answer { moves, value: None, is_proven: is_learned })
    }
}

/// The best of some moves by what they are worth.
fn best(moves: &[(MoveId, f64)]) -> Option<Answer> {
    let (id, worth) = moves.iter().copied().reduce(|one, two| if two.1 > one.1 { two } else { one })?;
    Some(Answer { moves: vec![(id, 1.0)], value: Some(100.0 * worth), is_proven: true })
}
