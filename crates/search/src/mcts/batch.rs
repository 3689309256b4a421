//! One batch: many ways down, their ends listed, worked out and played out together, and back up.

use std::sync::atomic::AtomicBool;

use game::{Dice, Expansion, Game, Job, MoveId, Outcomes, PlayOptions, RuleFault, Simulator};
use parking_lot::Mutex;

use super::backup::BackUp;
use super::descend::{Descent, End, Leaf, Paths, joint_move, relink};
use super::policy::Policy;
use super::select::Chooser;
use super::tree::{NodeId, Status, Tree};
use crate::{Parameters, Selection};

/// What a thread needs for its batches.
pub(crate) struct Worker<G: Game> {
    workspace: G::Workspace,
    dice: Dice,
    paths: Paths,
    leaves: Vec<Leaf>,
    joints: Vec<MoveId>,
    states: Vec<G::State>,
    expansions: Vec<Expansion>,
    outcomes: Outcomes,
    /// Nodes that turned out to stand for a position already known, and the node known.
    twins: Vec<(NodeId, NodeId)>,
}

impl<G: Game> std::fmt::Debug for Worker<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Worker").finish_non_exhaustive()
    }
}

/// How large a batch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) leaves: u32,
    /// Playouts from each leaf.
    pub(crate) playouts: u32,
    /// New nodes that may be taken beside each.
    pub(crate) beside: u32,
}

/// What a batch did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Done {
    /// Ways down that were backed up.
    pub(crate) simulations: u64,
    /// Playouts.
    pub(crate) playouts: u64,
    /// Steps of all playouts.
    pub(crate) steps: u64,
    /// The longest way down.
    pub(crate) depth: u32,
    /// The most moves listed for a position.
    pub(crate) moves: usize,
}

/// What all threads share.
pub(crate) struct Plan<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) parameters: &'a Parameters,
    pub(crate) chooser: &'a Chooser,
    pub(crate) policy: &'a Mutex<Box<dyn Policy>>,
    pub(crate) nature: Option<usize>,
    pub(crate) alone: bool,
    /// Ends the batch without a result.
    pub(crate) stop: Option<&'a AtomicBool>,
}

impl<G: Simulator> Worker<G> {
    pub(crate) fn new(game: &G, seed: u64, index: u64) -> Self {
        Self {
            workspace: game.workspace(),
            dice: Dice::stream(seed, index),
            paths: Paths::default(),
            leaves: Vec::new(),
            joints: Vec::new(),
            states: Vec::new(),
            expansions: Vec::new(),
            outcomes: Outcomes::default(),
            twins: Vec::new(),
        }
    }

    pub(crate) fn workspace(&mut self) -> &mut G::Workspace {
        &mut self.workspace
    }

    /// Runs one batch.
    pub(crate) fn run(
        &mut self,
        plan: &Plan<'_, G>,
        tree: &Tree<G::State>,
        size: Size,
    ) -> Result<Done, RuleFault> {
        let (guide, style, record_moves) = {
            let mut policy = plan.policy.lock();
            (policy.guide(), policy.style(), policy.wants_moves())
        };
        let parameters = plan.parameters;
        let descent = Descent {
            tree,
            chooser: plan.chooser,
            guide: &guide,
            most_depth: parameters.depth,
            nature: plan.nature,
            prove: parameters.prove,
            alone: plan.alone,
        };
        self.paths.clear();
        self.leaves.clear();
        let mut begun = 0;
        while begun < size.leaves {
            let leaf = descent.descend(&mut self.paths, &mut self.dice);
            self.leaves.push(leaf);
            begun += 1;
            begun += self.go_beside(&descent, leaf, size.beside.min(size.leaves - begun));
        }
        let moves = self.list_moves(plan, &descent, size)?;
        self.work_out(plan, &descent)?;
        let options = PlayOptions {
            seed: self.dice.bits(),
            most_steps: parameters.steps,
            policy: style.as_policy(),
            record_moves,
            stop: plan.stop,
        };
        let mut done = self.play(plan, tree, size.playouts, &options)?;
        done.moves = moves;
        if options.is_stopped() {
            // Playouts may have been cut short: what they say is not worth having.
            self.leaves.iter().for_each(|leaf| descent.cancel(leaf, &self.paths));
            return Ok(Done { moves, ..Done::default() });
        }
        self.back_up(plan, &descent, size.playouts, &mut done);
        if record_moves {
            self.teach(plan, tree, size.playouts);
        }
        Ok(done)
    }

    /// Adds new nodes beside that of a leaf, if it is new; how many.
    fn go_beside(&mut self, descent: &Descent<'_, G::State>, leaf: Leaf, most: u32) -> u32 {
        if leaf.end != End::New {
            return 0;
        }
        for added in 0..most {
            match descent.beside(&leaf, &mut self.paths, &mut self.dice) {
                Some(new) => self.leaves.push(new),
                None => return added,
            }
        }
        most
    }

    /// Lists the moves of nodes that are visited for the second time, and goes on from there.
    fn list_moves(
        &mut self,
        plan: &Plan<'_, G>,
        descent: &Descent<'_, G::State>,
        size: Size,
    ) -> Result<usize, RuleFault> {
        let tree = descent.tree;
        let unlisted = self.leaves.iter().filter(|leaf| leaf.end == End::Unlisted);
        // A node that is claimed has its state: it was played out before.
        let states: Vec<&G::State> = unlisted.clone().filter_map(|leaf| tree.state(leaf.node)).collect();
        if states.is_empty() && self.leaves.iter().all(|leaf| leaf.end != End::Waiting) {
            return Ok(0);
        }
        let listed = plan.game.expand_all(&mut self.workspace, &states, &mut self.expansions);
        let mut most_moves = 0;
        for (leaf, expansion) in unlisted.zip(&self.expansions) {
            let stuck = expansion.stuck_role();
            if listed.is_err() || expansion.is_terminal() || stuck.is_some() {
                // The end of a game is found by playing on from it; a fault ends the search.
                tree.node(leaf.node).set_status(Status::Leaf);
            } else {
                most_moves = most_moves.max(expansion.by_role().map(<[MoveId]>::len).sum());
                tree.open(leaf.node, expansion);
            }
            if let Some(role) = stuck.filter(|_| listed.is_ok()) {
                return Err(RuleFault::NoLegalMove(role));
            }
        }
        listed?;
        for index in 0..self.leaves.len() {
            let leaf = self.leaves[index];
            // All that came to a node go on from it: each tries another of its moves.
            if matches!(leaf.end, End::Unlisted | End::Waiting) {
                let is_open = matches!(tree.node(leaf.node).status(), Status::Open { .. });
                self.leaves[index] = if is_open {
                    descent.resume(leaf, &mut self.paths, &mut self.dice)
                } else {
                    Leaf { end: End::Again, ..leaf }
                };
                let spare = size.leaves.saturating_sub(self.leaves.len() as u32);
                self.go_beside(descent, self.leaves[index], size.beside.min(spare));
            }
        }
        // One step is enough for one batch: where that led to a node to be listed, it is left.
        for leaf in &mut self.leaves {
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
    fn work_out(&mut self, plan: &Plan<'_, G>, descent: &Descent<'_, G::State>) -> Result<(), RuleFault> {
        let tree = descent.tree;
        let mut parents: Vec<&G::State> = Vec::new();
        self.joints.clear();
        for leaf in self.leaves.iter().filter(|leaf| leaf.end == End::New) {
            if let Some(step) = self.paths.steps(leaf).last()
                && let Some(state) = tree.state(step.node)
            {
                parents.push(state);
                joint_move(tree, &self.paths, step, &mut self.joints);
            }
        }
        if parents.is_empty() {
            return Ok(());
        }
        plan.game.apply_all(&mut self.workspace, &parents, &self.joints, &mut self.states)?;
        self.twins.clear();
        let new = self.leaves.iter_mut().filter(|leaf| leaf.end == End::New);
        for (leaf, state) in new.zip(self.states.drain(..)) {
            if let Some(known) = tree.settle(leaf.node, state) {
                self.twins.push((leaf.node, known));
                relink(tree, &self.paths, leaf, known);
                tree.node(known).begin_visit(plan.alone);
                leaf.node = known;
                leaf.end = End::Again;
            }
        }
        for leaf in self.leaves.iter_mut().filter(|leaf| leaf.end == End::Again) {
            if let Some((_, known)) = self.twins.iter().find(|(twin, _)| *twin == leaf.node) {
                leaf.node = *known;
                tree.node(*known).begin_visit(plan.alone);
            }
            let node = tree.node(leaf.node);
            if node.status() == Status::Over || node.is_proven() && plan.parameters.prove {
                leaf.end = End::Proven;
            }
        }
        Ok(())
    }

    /// Plays out from all leaves that need it.
    fn play(
        &mut self,
        plan: &Plan<'_, G>,
        tree: &Tree<G::State>,
        playouts: u32,
        options: &PlayOptions<'_>,
    ) -> Result<Done, RuleFault> {
        let mut jobs: Vec<Job<'_, G::State>> = Vec::with_capacity(self.leaves.len());
        for leaf in &mut self.leaves {
            if !matches!(leaf.end, End::New | End::Again) {
                continue;
            }
            match tree.state(leaf.node) {
                Some(start) => jobs.push(Job { start, playouts }),
                // Another thread is about to work it out.
                None => leaf.end = End::Nowhere,
            }
        }
        self.outcomes.reset(tree.roles(), 0);
        if !jobs.is_empty() {
            plan.game.play(&mut self.workspace, &jobs, options, &mut self.outcomes)?;
        }
        let steps = (0..self.outcomes.len()).map(|playout| u64::from(self.outcomes.length(playout))).sum();
        Ok(Done { playouts: self.outcomes.len() as u64, steps, ..Done::default() })
    }

    fn back_up(
        &mut self,
        plan: &Plan<'_, G>,
        descent: &Descent<'_, G::State>,
        playouts: u32,
        done: &mut Done,
    ) {
        let tree = descent.tree;
        let parameters = plan.parameters;
        let back_up = BackUp {
            tree,
            backup: parameters.backup,
            discount: parameters.discount,
            prove: parameters.prove,
            squares: parameters.selection == Selection::Tuned,
            nature: plan.nature,
            alone: plan.alone,
        };
        let mut values = vec![0.0; tree.roles()];
        let mut first_playout = 0;
        for leaf in &self.leaves {
            done.depth = done.depth.max(self.paths.steps(leaf).len() as u32);
            match leaf.end {
                End::Proven => {
                    let node = tree.node(leaf.node);
                    values.iter_mut().enumerate().for_each(|(role, value)| *value = node.mean(role));
                    back_up.result(leaf, &self.paths, &mut values);
                    back_up.spread_proof(leaf, &self.paths);
                    done.simulations += 1;
                }
                End::New | End::Again => {
                    let range = first_playout..first_playout + playouts as usize;
                    first_playout = range.end;
                    mean_goals(&self.outcomes, range.clone(), parameters.discount, &mut values);
                    back_up.result(leaf, &self.paths, &mut values);
                    if self.outcomes.length(range.start) == 0 && !self.outcomes.is_cut(range.start) {
                        let goals = self.outcomes.goals(range.start).iter().map(|goal| goal.0);
                        back_up.game_over(leaf, &self.paths, goals);
                    }
                    done.simulations += 1;
                }
                End::Unlisted | End::Waiting | End::Nowhere => descent.cancel(leaf, &self.paths),
            }
        }
    }

    /// Tells the policy how moves fared, in playouts and in the tree.
    fn teach(&mut self, plan: &Plan<'_, G>, tree: &Tree<G::State>, playouts: u32) {
        let mut policy = plan.policy.lock();
        policy.learn_playouts(&self.outcomes.moves);
        let mut first_playout = 0;
        let mut values = vec![0.0; tree.roles()];
        for leaf in self.leaves.iter().filter(|leaf| matches!(leaf.end, End::New | End::Again)) {
            let range = first_playout..first_playout + playouts as usize;
            first_playout = range.end;
            mean_goals(&self.outcomes, range, 1.0, &mut values);
            for step in self.paths.steps(leaf) {
                let Status::Open { mover, .. } = tree.node(step.node).status() else { continue };
                for (place, &number) in self.paths.edges(step).iter().enumerate() {
                    let role = mover.map_or(place, usize::from);
                    policy.learn_move(tree.edge(number).id(), values[role]);
                }
            }
        }
    }
}

/// The mean goals of some playouts, each discounted by its length.
fn mean_goals(outcomes: &Outcomes, range: std::ops::Range<usize>, discount: f64, values: &mut [f64]) {
    values.fill(0.0);
    let share = 1.0 / range.len() as f64;
    for playout in range {
        let length = outcomes.length(playout) as i32;
        let weight = if discount == 1.0 { share } else { share * discount.powi(length) };
        for (value, goal) in values.iter_mut().zip(outcomes.goals(playout)) {
            *value += f64::from(goal.0) * weight;
        }
    }
}
