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

    /// A move that is best, and what it is worth, 0 to 1.
    fn best((id, worth): (MoveId, f64)) -> Self {
        Self { moves: vec![(id, 1.0)], value: Some(100.0 * worth), is_proven: true }
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

/// So often it is tried after a step whether less is possible now.
const MOST_FAILURES: u32 = 3;

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
    /// How often there was too much to look at.
    failures: u32,
    why: Option<String>,
}

enum Stage<G: Simulator + Describe> {
    Beliefs(Box<BeliefTree<G::State>>),
    /// There is too much to look at before the next step.
    Waiting,
    Growing(Box<GameTree<G>>),
    Learning(Box<GameTree<G>>, Equilibrium),
    Learned(Box<GameTree<G>>, Equilibrium),
    GivenUp,
}

impl<G: Simulator + Describe> Solver<G> {
    pub(super) fn new(game: Arc<G>, role: RoleId, most_nodes: usize, by_beliefs: bool) -> Self {
        let stage = match by_beliefs {
            true => Stage::Beliefs(Box::new(BeliefTree::new(role, most_nodes as u64 * WORK_PER_NODE))),
            false => Stage::Growing(Box::new(GameTree::new(&*game, most_nodes))),
        };
        Self { workspace: game.workspace(), game, role, most_nodes, stage, failures: 0, why: None }
    }

    /// There was a step: less may be possible now.
    pub(super) fn advance(&mut self) {
        if matches!(self.stage, Stage::Waiting) {
            let most = self.most_nodes as u64 * WORK_PER_NODE;
            self.stage = Stage::Beliefs(Box::new(BeliefTree::new(self.role, most)));
        }
    }

    /// Whether it will never know.
    pub(super) fn has_given_up(&self) -> bool {
        matches!(self.stage, Stage::GivenUp)
    }

    /// Why it says nothing, once.
    pub(super) fn why(&mut self) -> Option<String> {
        self.why.take()
    }

    /// Goes on. What it says of a belief, if it can say anything, and why it ended: neither if it cannot tell of this one.
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
                Stage::Waiting => {
                    self.stage = Stage::Waiting;
                    return Ok((None, None));
                }
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
                    let solved = tree.best(&*self.game, &mut self.workspace, &positions, &mut go_on);
                    match solved {
                        Ok(best) => {
                            self.stage = Stage::Beliefs(tree);
                            return Ok((best.map(Answer::best), Some(Stop::Proven)));
                        }
                        Err(Halt::Stopped) => {
                            self.stage = Stage::Beliefs(tree);
                            return Ok((None, stop.or(Some(Stop::Time))));
                        }
                        Err(Halt::Rules(fault)) => return Err(fault),
                        Err(Halt::TooLarge) => {
                            let beliefs = tree.len();
                            self.why = Some(format!("more than {beliefs} beliefs are possible; searching"));
                            self.failures += 1;
                            if self.failures < MOST_FAILURES {
                                self.stage = Stage::Waiting;
                            }
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
            view = tree.view_after(view, step.own.likely()?, step.told.as_ref()?)?;
        }
        let set = tree.set_of(self.role, view)?;
        let shares = equilibrium.average(tree, set);
        let moves = tree.sets()[set.0 as usize].moves.iter().copied().zip(shares).collect();
        Some(Answer { moves, value: None, is_proven: is_learned })
    }
}
