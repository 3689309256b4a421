//! One batch: many paths down, their ends listed, worked out and played out together, and back up.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use game::{
    Decisive, Dice, Expansions, Game, Job, MoveId, Outlook, PlayOptions, RoleId, RuleFault, Simulator,
};
use parking_lot::{Mutex, RwLock};

use super::afar::LeafPlayer;
use super::arbitration::Arbitration;
use super::backup::BackUp;
use super::cutoff::Cutoff;
use super::descend::{Descent, Trail};
use super::estimates::Judged;
use super::guided::Guidance;
use super::joint::JointTables;
use super::leaf::{Heuristic, LeafEvaluation, LeafValues};
use super::objective;
use super::paths::End;
use super::policy::Policy;
use super::rave::RaveTables;
use super::returns::{Returns, powers};
use super::select::Chooser;
use super::sequences::{Before, Lesson};
use super::size::{self, Size};
use super::tactics::Rivals;
use super::tree::{NodeId, Status, Tree};
use crate::{Backup, Budget, Parameters, Selection};

/// What a thread needs for its batches. Those of several threads share no cache lines: they are written
/// all the time.
#[repr(align(128))]
pub(crate) struct Worker<G: Game> {
    pub(super) workspace: G::Workspace,
    pub(super) dice: Dice,
    pub(super) trail: Trail,
    returns: Returns,
    pub(super) joints: Vec<MoveId>,
    pub(super) states: Vec<G::State>,
    /// Of the states, for the table of the tree.
    pub(super) hashes: Vec<Option<u64>>,
    pub(super) expansions: Expansions,
    pub(super) values: LeafValues,
    /// What led to the leaves.
    before: Before,
    lesson: Lesson,
    /// Powers of the discount.
    discounts: Vec<f64>,
    /// Powers of the discount of temporal differences.
    pub(super) td_discounts: Vec<f64>,
    /// What a heuristic says of new leaves, by their places.
    pub(super) judged: Judged,
    /// Visits of each step that were played out.
    visits: Vec<u32>,
    /// Nodes that turned out to stand for a position already known, and the node known.
    pub(super) twins: Vec<(NodeId, NodeId)>,
    rivals: Rivals,
    /// Who plays out its leaves, if it does not do that itself.
    leaf_player: Option<Arc<dyn LeafPlayer>>,
}

impl<G: Game> std::fmt::Debug for Worker<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Worker").finish_non_exhaustive()
    }
}

/// What a batch did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Done {
    /// Paths down that were backed up.
    pub(crate) simulations: u64,
    /// Playouts.
    pub(crate) playouts: u64,
    /// Steps of all playouts.
    pub(crate) steps: u64,
    /// New nodes of which something was proven at once.
    pub(crate) bounded: u64,
    /// The longest path down.
    pub(crate) depth: u32,
    /// The most moves listed for a position.
    pub(crate) moves: usize,
    /// The longest time before a batch in which nothing was done.
    pub(crate) longest_pause: Duration,
}

impl Done {
    pub(crate) fn add(&mut self, more: Done) {
        self.simulations += more.simulations;
        self.playouts += more.playouts;
        self.steps += more.steps;
        self.bounded += more.bounded;
        self.depth = self.depth.max(more.depth);
        self.moves = self.moves.max(more.moves);
        self.longest_pause = self.longest_pause.max(more.longest_pause);
    }
}

/// What all threads share.
pub(crate) struct Plan<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) parameters: &'a Parameters,
    pub(crate) chooser: &'a Chooser,
    pub(crate) policy: &'a Mutex<Box<dyn Policy>>,
    pub(crate) evaluation: &'a LeafEvaluation<G::State>,
    pub(crate) chance: Option<usize>,
    /// How far playouts look for moves that decide.
    pub(crate) decisive: Decisive,
    /// Whether they prefer captures.
    pub(crate) captures: bool,
    /// Tells what roles can still get in new nodes.
    pub(crate) outlook: Option<&'a dyn Outlook<G::State>>,
    /// Whether it matters that a win of one is the loss of the other.
    pub(crate) watches_rivals: bool,
    pub(crate) alone: bool,
    /// How moves fared that were made later.
    pub(crate) rave: Option<&'a RwLock<RaveTables>>,
    /// What is known where several roles choose, unless each chooses by its own statistics.
    pub(crate) joint: Option<&'a RwLock<JointTables>>,
    pub(crate) arbitration: &'a Mutex<Option<Arbitration>>,
    pub(crate) heuristic: Option<&'a Heuristic<G::State>>,
    /// Who advises about moves.
    pub(crate) guidance: Option<&'a Guidance<G::State>>,
    /// The number of the tree.
    pub(crate) tree: usize,
    /// How playouts are cut early.
    pub(crate) cutoff: Option<Cutoff>,
    /// Ends the batch without a result.
    pub(crate) stop: Option<&'a AtomicBool>,
    /// How long to think.
    pub(crate) budget: &'a Budget<'a>,
}

impl<G: Simulator> Worker<G> {
    pub(crate) fn new(game: &G, parameters: &Parameters, seed: u64, index: u64) -> Self {
        Self {
            workspace: game.workspace(),
            dice: Dice::stream(seed, index),
            trail: Trail::default(),
            returns: Returns::default(),
            joints: Vec::new(),
            states: Vec::new(),
            hashes: Vec::new(),
            expansions: Expansions::new(),
            values: LeafValues::default(),
            before: Before::default(),
            lesson: Lesson::default(),
            discounts: powers(parameters.discount),
            td_discounts: powers(parameters.td_discount),
            judged: Judged::default(),
            visits: Vec::new(),
            twins: Vec::new(),
            rivals: Rivals::default(),
            leaf_player: None,
        }
    }

    /// The same whose leaves somebody else plays out.
    pub(super) fn with_leaf_player(self, player: Arc<dyn LeafPlayer>) -> Self {
        Self { leaf_player: Some(player), ..self }
    }

    /// Who plays out its leaves, if it does not do that itself.
    pub(super) fn leaf_player(&self) -> Option<&dyn LeafPlayer> {
        self.leaf_player.as_deref()
    }

    /// Who plays out its leaves, to do it for another.
    pub(super) fn take_leaf_player(&mut self) -> Option<Arc<dyn LeafPlayer>> {
        self.leaf_player.take()
    }

    /// Whether nobody is there to play out its leaves.
    pub(super) fn waits_for_others(&self) -> bool {
        self.leaf_player.as_ref().is_some_and(|player| !player.is_ready())
    }

    /// Takes the dice of another search.
    pub(crate) fn restart(&mut self, seed: u64, index: u64) {
        self.dice = Dice::stream(seed, index);
        self.rivals = Rivals::default();
    }

    /// Whether a win of one of two roles was seen to be the loss of the other.
    pub(crate) fn are_rivals(&self) -> bool {
        self.rivals.are_sure()
    }

    pub(crate) fn workspace(&mut self) -> &mut G::Workspace {
        &mut self.workspace
    }

    /// Runs one batch of a size at most.
    pub(crate) fn run(
        &mut self,
        plan: &Plan<'_, G>,
        tree: &Tree<G::State>,
        size: Size,
    ) -> Result<Done, RuleFault> {
        let (guide, style, needs) = {
            let mut policy = plan.policy.lock();
            (policy.guide(), policy.style(), policy.needs())
        };
        let parameters = plan.parameters;
        let tables = plan.rave.map(|rave| rave.read());
        let joint = plan.joint.map(|joint| joint.read());
        let descent = Descent {
            tree,
            chooser: plan.chooser,
            guide: &guide,
            most_depth: parameters.depth,
            chance: plan.chance,
            prove: parameters.prove,
            graph_discount: (parameters.backup == Backup::Graph).then_some(parameters.discount),
            alone: plan.alone,
            rave: tables.as_deref(),
            advice: plan.advice(),
            joint: joint.as_deref(),
            only_move: plan.arbitration.lock().map(|arbitration| arbitration.tested),
        };
        self.trail.clear();
        self.trail.stock.prepare(tree.age(), !plan.alone);
        descent.descend(size.leaves, &mut self.trail, &mut self.dice);
        let moves = self.list_moves(plan, &descent)?;
        self.work_out(plan, &descent)?;
        let options = PlayOptions {
            seed: self.dice.bits(),
            most_steps: plan.cutoff.map_or(parameters.steps, |cutoff| parameters.steps.min(cutoff.steps)),
            policy: style.as_policy(),
            decisive: plan.decisive,
            captures: plan.captures,
            record_moves: needs.moves || plan.rave.is_some(),
            record_sequences: needs.sequences,
            record_made: plan.rave.is_some(),
            record_choices: needs.choices,
            record_facts: needs.facts,
            stop: plan.stop,
        };
        let played = self.trail.leaves.iter().filter(|leaf| leaf.is_played());
        let visits = played.map(|leaf| leaf.visits).sum();
        let is_guided = plan.guided_playouts().is_some();
        let lanes = if !is_guided && plan.game.supports(&options) { plan.game.lanes() } else { 1 };
        let playouts = match plan.evaluation {
            LeafEvaluation::Playouts | LeafEvaluation::Stopped(..) => {
                size::playouts(parameters, lanes, size.worth, visits)
            }
            LeafEvaluation::Evaluated(_) => 1,
        };
        let done = match (&self.leaf_player, plan.evaluation) {
            (Some(_), LeafEvaluation::Playouts) if !is_guided => {
                self.play_afar(plan, tree, playouts, &options)
            }
            _ => Some(self.play(plan, tree, playouts, &options)?),
        };
        let Some(mut done) = done.filter(|_| !options.is_stopped()) else {
            // Playouts may have been cut short: what they say is not worth having.
            let Trail { paths, leaves, .. } = &mut self.trail;
            leaves.iter().for_each(|leaf| descent.cancel(leaf, paths));
            tree.take_retired(&mut self.trail.stock);
            return Ok(Done { moves, ..Done::default() });
        };
        done.moves = moves;
        self.judge(plan, tree)?;
        self.back_up(plan, &descent, &mut done);
        drop(tables);
        drop(joint);
        if let Some(joint) = plan.joint {
            let Trail { paths, joint: choices, .. } = &self.trail;
            joint.write().learn(tree, paths, choices, &self.returns);
        }
        tree.take_retired(&mut self.trail.stock);
        if needs.moves {
            self.teach(plan, tree, playouts);
        }
        if needs.sequences {
            let policy = &mut **plan.policy.lock();
            self.lesson.teach(policy, plan.game, tree, &self.trail, &self.values);
        }
        plan.policy.lock().end_batch(done.simulations);
        if let Some(rave) = plan.rave {
            rave.write().learn(tree, &self.trail, &self.values);
        }
        Ok(done)
    }

    /// Finds out what all leaves are worth that need it.
    fn play(
        &mut self,
        plan: &Plan<'_, G>,
        tree: &Tree<G::State>,
        playouts: u32,
        options: &PlayOptions<'_>,
    ) -> Result<Done, RuleFault> {
        let mut jobs: Vec<Job<'_, G::State>> = Vec::with_capacity(self.trail.leaves.len());
        for leaf in &mut self.trail.leaves {
            if !leaf.is_played() {
                continue;
            }
            match tree.state(leaf.node) {
                Some(start) => jobs.push(Job::new(start, playouts * leaf.visits)),
                // Another thread is about to work it out.
                None => leaf.end = End::Nowhere,
            }
        }
        let Self { values, workspace, .. } = self;
        let cut_is_draw = plan.cutoff.is_some_and(|cutoff| !cutoff.by_goals);
        values.begin(tree.roles(), playouts, cut_is_draw);
        let guided = plan.guided_playouts();
        match plan.evaluation {
            _ if jobs.is_empty() => {}
            LeafEvaluation::Playouts => {
                self.before.note(tree, &self.trail, options.policy.moves_before());
                self.before.tell::<G>(&mut jobs);
                values.play(plan.game, workspace, (&jobs, options), guided)?;
            }
            LeafEvaluation::Stopped(evaluator, stopping) => {
                self.before.note(tree, &self.trail, options.policy.moves_before());
                self.before.tell::<G>(&mut jobs);
                let judge = (&**evaluator, *stopping);
                values.play_and_judge(plan.game, workspace, (&jobs, options), judge, guided)?;
            }
            LeafEvaluation::Evaluated(evaluator) => {
                let states: Vec<&G::State> = jobs.iter().map(|job| job.start).collect();
                values.evaluate(plan.game, workspace, &states, &**evaluator)?;
            }
        }
        let outcomes = &values.outcomes;
        let steps = (0..outcomes.len()).map(|playout| u64::from(outcomes.length(playout))).sum();
        Ok(Done { playouts: outcomes.len() as u64, steps, ..Done::default() })
    }

    fn back_up(&mut self, plan: &Plan<'_, G>, descent: &Descent<'_, G::State>, done: &mut Done) {
        let tree = descent.tree;
        let parameters = plan.parameters;
        let back_up = BackUp {
            tree,
            backup: parameters.backup,
            discount: parameters.discount,
            prove: parameters.prove,
            squares: parameters.selection == Selection::Tuned,
            recency: parameters.recency,
            chance: plan.chance,
            alone: plan.alone,
        };
        let Trail { paths, leaves, .. } = &mut self.trail;
        let needs_returns = back_up.needs_returns(paths);
        self.returns.reset(tree.roles(), paths.len(), back_up.squares);
        let mut values = vec![0.0; tree.roles()];
        let mut reader = self.values.read();
        for leaf in leaves.iter() {
            done.depth = done.depth.max(leaf.depth);
            match leaf.end {
                End::Proven => back_up.known_leaf(leaf, &mut values),
                End::New | End::Again => {
                    reader.next(leaf).mean(&self.discounts, &mut values);
                    objective::apply(parameters.objective, plan.chance, &mut values);
                    back_up.leaf(leaf, &values);
                }
                End::Unlisted | End::Waiting | End::Nowhere => {
                    descent.cancel(leaf, paths);
                    continue;
                }
            }
            if needs_returns {
                self.returns.add(leaf, &values, parameters.discount);
            }
            done.simulations += u64::from(leaf.visits);
        }
        back_up.steps(paths, &mut self.returns);
        self.back_up_estimates(plan, tree);
        let Trail { paths, leaves, .. } = &mut self.trail;
        // Only now: a proof sets the means of nodes, which must not be changed after.
        if plan.watches_rivals {
            self.rivals.watch(&self.values.outcomes);
        }
        let mut reader = self.values.read();
        for leaf in leaves.iter() {
            match leaf.end {
                End::Proven => back_up.spread_proof(leaf, paths),
                End::New | End::Again => {
                    let value = reader.next(leaf);
                    if let Some(goals) = value.final_goals() {
                        back_up.game_over(leaf, paths, goals.into_iter());
                    } else if let Some(playout) = value.settled().filter(|_| self.rivals.are_sure()) {
                        back_up.settled(leaf, paths, &self.values.outcomes, playout);
                    }
                }
                End::Unlisted | End::Waiting | End::Nowhere => {}
            }
        }
        done.bounded += self.foresee(plan, &back_up);
    }

    /// Tells the policy how moves fared, in playouts and in the tree.
    fn teach(&mut self, plan: &Plan<'_, G>, tree: &Tree<G::State>, playouts: u32) {
        let mut policy = plan.policy.lock();
        policy.learn_playouts(&self.values.outcomes.moves);
        let Trail { paths, leaves, .. } = &self.trail;
        self.returns.reset(tree.roles(), paths.len(), false);
        self.visits.clear();
        self.visits.resize(paths.len(), 0);
        let mut values = vec![0.0; tree.roles()];
        let mut reader = self.values.read();
        for leaf in leaves {
            match leaf.end {
                End::New | End::Again => reader.next(leaf).mean(&[], &mut values),
                // Games that end inside the tree teach as much as those that are played out.
                End::Proven => {
                    let node = tree.node(leaf.node);
                    values.iter_mut().enumerate().for_each(|(role, value)| *value = node.mean(role));
                }
                End::Unlisted | End::Waiting | End::Nowhere => continue,
            }
            self.returns.add(leaf, &values, 1.0);
            if let Some(step) = leaf.step {
                self.visits[step.index()] += leaf.visits;
            }
        }
        for id in paths.last_first() {
            let (step, visits) = (paths.step(id), self.visits[id.index()]);
            if visits == 0 {
                continue;
            }
            if let Status::Open { block, mover } = tree.node(step.node).status() {
                for (index, &place) in paths.places(step).iter().enumerate() {
                    let role = mover.map_or(index, usize::from);
                    // A move in the tree counts as often as the moves of the playouts that it led to.
                    let goals = self.returns.of(id.index())[role] * f64::from(playouts);
                    let id = tree.edges(block, role).id(place as usize);
                    policy.learn_move(RoleId(role as u16), id, visits * playouts, goals);
                }
            }
            self.returns.pass_on(id.index(), step, 1.0);
            if let Some(before) = step.before {
                self.visits[before.index()] += visits;
            }
        }
    }
}
