//! The search as others use it.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use game::{Decisive, Expansion, Outlook, RuleFault, Simulator};
use parking_lot::{Mutex, RwLock};

use super::arbitration::Arbitration;
use super::batch::{Done, Plan, Worker};
use super::cutoff::{self, Cutoff};
use super::guided::Guidance;
use super::joint::JointTables;
use super::leaf::{Heuristic, LeafEvaluation, Stopping};
use super::policy::{self, Policy};
use super::prove::Prover;
use super::rave::RaveTables;
use super::resist::Hopes;
use super::room::words;
use super::select::Chooser;
use super::solving::LocalSolver;
use super::tactics;
use super::tree::{Kept, NODES_AHEAD, NodeId, Shape, Status, Tree};
use crate::{Budget, Evaluator, Objective, Parallel, Parameters, Rave, Selection, Stop, Td};

/// What was done so far, over all moves of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Paths down the tree.
    pub simulations: u64,
    /// Playouts.
    pub playouts: u64,
    /// Steps of all playouts.
    pub steps: u64,
    /// New nodes of which facts that stay as they are proved something at once.
    pub bounded: u64,
    /// The longest path down.
    pub depth: u32,
    /// Nodes that made way for others.
    pub recycled: u64,
    /// The longest time between two batches of simulations of a run, by the clock of its budget.
    pub longest_pause: Duration,
}

impl Totals {
    pub(super) fn add(&mut self, done: Done) {
        self.simulations += done.simulations;
        self.playouts += done.playouts;
        self.steps += done.steps;
        self.bounded += done.bounded;
        self.depth = self.depth.max(done.depth);
        self.longest_pause = self.longest_pause.max(done.longest_pause);
    }
}

/// A search for one match: thinks, gives advice, and follows the moves that are made.
pub struct Search<G: Simulator> {
    pub(super) game: Arc<G>,
    pub(super) parameters: Parameters,
    pub(super) chooser: Chooser,
    /// One, or with root parallelisation one per thread.
    pub(super) trees: Vec<RwLock<Tree<G::State>>>,
    pub(super) policies: Vec<Mutex<Box<dyn Policy>>>,
    /// Each is one thread's; the lock lets the rest be shared.
    pub(super) workers: Vec<Mutex<Worker<G>>>,
    pub(super) chance: Option<usize>,
    pub(super) evaluation: LeafEvaluation<G::State>,
    pub(super) solver: Option<Mutex<LocalSolver<G>>>,
    /// Where all is lost, what the moves look like to who does not know it.
    pub(super) hopes: Option<Hopes>,
    /// How far playouts look for moves that decide.
    pub(super) decisive: Decisive,
    /// Whether playouts prefer captures.
    pub(super) captures: bool,
    /// Tells what roles can still get in new nodes, if that is asked for.
    pub(super) outlook: Option<Arc<dyn Outlook<G::State>>>,
    /// How moves fared that were made later, tree by tree, if that is asked for.
    pub(super) rave: Vec<RwLock<RaveTables>>,
    /// What is known where several roles choose, tree by tree, unless each chooses by its own statistics.
    pub(super) joint: Vec<RwLock<JointTables>>,
    /// The better of two close moves is tested, tree by tree.
    pub(super) arbitrations: Vec<Mutex<Option<Arbitration>>>,
    /// When the thinking about the present position began.
    pub(super) turn_began: Option<Duration>,
    /// How long the last batch took, if one was measured.
    batch_time: Option<Duration>,
    /// What is backed up as minimax does.
    heuristic: Option<Heuristic<G::State>>,
    /// Who advises about moves.
    pub(super) guidance: Option<Guidance<G::State>>,
    /// How playouts are cut early, once that was looked at in the present position.
    cutoff: Option<Option<Cutoff>>,
    seed: u64,
    /// Joint moves made so far: each turn draws its own mixed moves.
    pub(super) turn: u64,
    /// So many playouts cost hardly more than one.
    pub(super) lanes: usize,
    pub(super) totals: Totals,
    /// The most moves listed for a position so far.
    pub(super) most_moves: usize,
}

impl<G: Simulator> std::fmt::Debug for Search<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { parameters, totals, .. } = self;
        out.debug_struct("Search")
            .field("parameters", parameters)
            .field("totals", totals)
            .finish_non_exhaustive()
    }
}

impl<G: Simulator> Search<G> {
    /// A search from a position. The same seed and the same simulations on one thread give the
    /// same tree.
    pub fn new(game: Arc<G>, state: G::State, mut parameters: Parameters, seed: u64) -> Self {
        // What is proven is said of a role's own goal.
        parameters.prove &= parameters.objective == Objective::Own;
        let threads = u64::from(parameters.threads.max(1));
        let trees = if parameters.parallel == Parallel::Root { threads } else { 1 };
        let kept = Kept {
            squares: parameters.selection == Selection::Tuned,
            differences: parameters.td != Td::Off,
            heuristic: parameters.implicit > 0.0,
        };
        let shape = Shape::new(game.role_count(), kept);
        let chance = game.chance().map(|role| usize::from(role.0));
        let state_bytes = game.state_bytes();
        let merging = parameters.alike.merging().filter(|_| parameters.transpositions);
        let likeness = merging.and_then(|merging| game.likeness(merging));
        let new_tree =
            || Tree::new(state.clone(), shape, parameters.transpositions, likeness.clone(), state_bytes);
        let tree = |_| RwLock::new(new_tree());
        let worker = |index| Mutex::new(Worker::new(&*game, &parameters, seed, index));
        let (decisive, captures) = tactics::narrowing(&*game, &parameters);
        Self {
            chooser: Chooser::new(&parameters),
            trees: (0..trees).map(tree).collect(),
            policies: (0..trees).map(|_| Mutex::new(parameters.policy.make())).collect(),
            workers: (0..threads).map(worker).collect(),
            chance,
            rave: (0..trees).filter_map(|_| RaveTables::new(&parameters, chance)).map(RwLock::new).collect(),
            joint: (0..trees)
                .filter_map(|_| JointTables::new(&parameters, chance))
                .map(RwLock::new)
                .collect(),
            turn: 0,
            arbitrations: (0..trees).map(|_| Mutex::new(None)).collect(),
            turn_began: None,
            batch_time: None,
            cutoff: None,
            seed,
            guidance: None,
            heuristic: (parameters.implicit > 0.0).then_some(Heuristic::GoalsThere),
            evaluation: LeafEvaluation::Playouts,
            solver: LocalSolver::new(&*game, &parameters).map(Mutex::new),
            hopes: None,
            decisive,
            captures,
            outlook: outlook(&*game, &parameters),
            lanes: policy::lanes(&*game, &mut *parameters.policy.make(), parameters.rave != Rave::Off),
            totals: Totals::default(),
            most_moves: 0,
            parameters,
            game,
        }
    }

    /// The same with an evaluator in place of playouts.
    pub fn with_evaluator(mut self, evaluator: Arc<dyn Evaluator<G::State>>) -> Self {
        self.evaluation = LeafEvaluation::Evaluated(evaluator);
        // It is asked for many leaves at once.
        self.lanes = self.parameters.batch as usize;
        self
    }

    /// From now on playouts are stopped now and then, to be judged there by an evaluator.
    pub fn stop_playouts(&mut self, evaluator: Arc<dyn Evaluator<G::State>>, stopping: Stopping) {
        self.evaluation = LeafEvaluation::Stopped(evaluator, stopping);
    }

    /// The same with a heuristic that is backed up as minimax does, where `implicit` is above 0. Without one
    /// the goals count that the rules give to states that are not terminal.
    pub fn with_heuristic(mut self, heuristic: Arc<dyn Evaluator<G::State>>) -> Self {
        self.set_heuristic(heuristic);
        self
    }

    /// From now on a heuristic is backed up as minimax does, where `implicit` is above 0.
    pub fn set_heuristic(&mut self, heuristic: Arc<dyn Evaluator<G::State>>) {
        self.heuristic = self.heuristic.take().and(Some(Heuristic::Evaluated(heuristic)));
    }

    /// Forgets everything and begins anew from a position, in the memory that it has: the same as a
    /// new search, without the time it takes to get memory.
    pub fn restart(&mut self, state: &G::State, seed: u64) {
        self.trees.iter_mut().for_each(|tree| tree.get_mut().restart(state.clone()));
        self.policies.iter_mut().for_each(|policy| *policy.get_mut() = self.parameters.policy.make());
        for (index, worker) in (0..).zip(&mut self.workers) {
            worker.get_mut().restart(seed, index);
        }
        self.solver = LocalSolver::new(&*self.game, &self.parameters).map(Mutex::new);
        self.hopes = None;
        let tables = || RaveTables::new(&self.parameters, self.chance);
        self.seed = seed;
        self.rave.iter_mut().zip(std::iter::from_fn(tables)).for_each(|(old, new)| *old.get_mut() = new);
        let tables = || JointTables::new(&self.parameters, self.chance);
        self.joint.iter_mut().zip(std::iter::from_fn(tables)).for_each(|(old, new)| *old.get_mut() = new);
        self.guidance.iter_mut().for_each(Guidance::forget);
        self.turn = 0;
        self.end_turn();
        self.totals = Totals::default();
        self.most_moves = 0;
    }

    /// The machine.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// Whether playouts take something of another's where they can.
    pub fn takes(&self) -> bool {
        self.captures
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The seed of chance.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Joint moves made so far.
    pub(super) fn turn(&self) -> u64 {
        self.turn
    }

    /// What was done so far.
    pub fn totals(&self) -> Totals {
        let recycled = self.trees.iter().map(|tree| tree.read().upkeep().recycled).sum();
        Totals { recycled, ..self.totals }
    }

    /// Begins to look for the longest pause anew.
    pub fn forget_pauses(&mut self) {
        self.totals.longest_pause = Duration::ZERO;
    }

    /// The position that is thought about.
    pub fn state(&self) -> G::State {
        let tree = self.trees[0].read();
        tree.state(tree.root()).cloned().unwrap_or_else(|| self.game.initial())
    }

    /// Thinks.
    pub fn run(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        let stop = self.look(budget)?;
        if stop == Stop::Proven {
            self.resist(budget)?;
        }
        Ok(stop)
    }

    fn look(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        self.open_roots()?;
        self.guide_roots()?;
        // Who only asks for advice has no clock that goes, and nothing of a turn is over while nobody waits.
        if budget.turn_ends.is_some() {
            self.turn_began.get_or_insert_with(|| (budget.clock)());
        }
        if self.parameters.cutoff && self.cutoff.is_none() {
            let (state, least) = (self.state(), self.parameters.cutoff_steps);
            let workspace = self.workers[0].get_mut().workspace();
            self.cutoff = Some(cutoff::measure(&*self.game, workspace, &state, self.seed, least)?);
        }
        if budget.turn_ends.is_none() && budget.simulations.is_none() {
            // Nobody waits for a move.
            self.arbitrations.iter_mut().for_each(|arbitration| *arbitration.get_mut() = None);
        }
        if self.workers.len() > 1 && self.workers_at_hand() > 1 {
            return self.run_parallel(budget);
        }
        let mut done = 0;
        let mut watch = budget.watch();
        let mut rest = budget.rest();
        loop {
            if let Some(stop) = watch.is_over(done) {
                return Ok(stop);
            }
            if self.is_settled(&self.trees[0].read()) {
                return Ok(Stop::Proven);
            }
            self.arbitrate(0, budget, done);
            let left = budget.simulations.map(|most| most - done);
            // A turn may come in slices, each with a watch of its own.
            self.batch_time = watch.last_part().or(self.batch_time);
            let to_come = self.batch_time.and_then(|time| budget.room_for(time));
            let size = self.batch_size(&self.trees[0].read(), budget, left, self.totals, to_come);
            let moves = self.most_moves.max(16);
            let memory = self.memory();
            let tree = self.trees[0].get_mut();
            tree.make_room(
                size.leaves as usize + NODES_AHEAD as usize,
                words(tree, size.leaves, moves),
                memory,
            );
            let longest_pause = rest.end();
            let batch = {
                let plan = self.plan(0, true, budget);
                self.workers[0].lock().run(&plan, &self.trees[0].read(), size)?
            };
            rest.begin();
            self.totals.add(Done { longest_pause, ..batch });
            self.most_moves = self.most_moves.max(batch.moves);
            let are_rivals = self.workers[0].lock().are_rivals();
            self.solve(&self.trees[0].read(), self.totals, are_rivals, true)?;
            // Paths that led nowhere count too, or a full tree would be searched for ever.
            done += batch.simulations.max(1);
        }
    }

    /// What the threads on a tree share; `alone` if there is but one.
    pub(super) fn plan<'a>(&'a self, tree: usize, alone: bool, budget: &'a Budget<'_>) -> Plan<'a, G> {
        Plan {
            game: &*self.game,
            parameters: &self.parameters,
            chooser: &self.chooser,
            policy: &self.policies[tree],
            evaluation: &self.evaluation,
            chance: self.chance,
            decisive: self.decisive,
            captures: self.captures,
            outlook: self.outlook.as_deref(),
            watches_rivals: self.decisive != Decisive::None || self.solver.is_some(),
            alone,
            rave: self.rave.get(tree),
            joint: self.joint.get(tree),
            arbitration: &self.arbitrations[tree],
            heuristic: self.heuristic.as_ref(),
            guidance: self.guidance.as_ref(),
            tree,
            cutoff: self.cutoff.flatten(),
            stop: budget.stop,
            budget,
        }
    }

    pub(super) fn end_turn(&mut self) {
        self.arbitrations.iter_mut().for_each(|arbitration| *arbitration.get_mut() = None);
        self.turn_began = None;
        self.cutoff = None;
    }

    pub(super) fn memory(&self) -> usize {
        (self.parameters.memory as usize) << 20
    }

    /// Lists the moves of the roots, so that there is advice from the first moment.
    pub(super) fn open_roots(&mut self) -> Result<(), RuleFault> {
        let mut expansion = Expansion::new();
        for tree in &mut self.trees {
            let tree = tree.get_mut();
            let root = tree.root();
            if tree.node(root).status() != Status::Leaf {
                let Parameters { discount, .. } = self.parameters;
                let prover = Prover { tree, chance: self.chance, discount, alone: true };
                keep_what_moves_prove(&prover, root);
                continue;
            }
            let Some(state) = tree.state(root).cloned() else { continue };
            self.game.expand(self.workers[0].get_mut().workspace(), &state, &mut expansion)?;
            if let Some(role) = expansion.stuck_role() {
                return Err(RuleFault::NoLegalMove(role));
            }
            if expansion.is_terminal() {
                continue;
            }
            let moves = expansion.choices().len();
            self.most_moves = self.most_moves.max(moves);
            // If its moves were forgotten to save memory, so was which of them prove what is proven.
            tree.node(root).forget_bounds();
            let mut is_open = false;
            for tries in 1..=MOST_TRIES {
                tree.node(root).claim();
                is_open = tree.open(root, expansion.choices());
                if is_open {
                    break;
                }
                // However little memory there is, there is some for this.
                tree.make_room(1, tries * tree.words_for(1, moves), usize::MAX);
            }
            debug_assert!(is_open, "there is room for {moves} moves");
        }
        Ok(())
    }

    /// Whether nothing more can be found out: all is proven, or no role has a choice that matters. Where
    /// several roles choose at once, what is proven of the position does not say what each of them should do:
    /// who is lost if the others make no mistake still thinks about which move invites one.
    pub(super) fn is_settled(&self, tree: &Tree<G::State>) -> bool {
        let root = tree.node(tree.root());
        match root.status() {
            Status::Open { mover, .. } => {
                self.parameters.prove && root.is_proven() && (mover.is_some() || self.all_know(tree))
            }
            _ => true,
        }
    }

    /// Whether every role has a move that is proven to be as good as any, or all that can follow is proven.
    fn all_know(&self, tree: &Tree<G::State>) -> bool {
        let Parameters { discount, .. } = self.parameters;
        let prover = Prover { tree, chance: self.chance, discount, alone: false };
        prover.all_behind_is_proven(tree.root())
            || (0..self.game.role_count()).filter(|&role| self.chance != Some(role)).all(|role| {
                let moves = prover.of_moves(tree.root(), role);
                let sure = moves.iter().map(|bounds| bounds.lower).max();
                moves.iter().all(|bounds| Some(bounds.upper) <= sure)
            })
    }
}

/// Who tells what roles can still get, if some parameters ask for it and proofs are made.
pub(super) fn outlook<G: Simulator>(game: &G, parameters: &Parameters) -> Option<Arc<dyn Outlook<G::State>>> {
    (parameters.latches && parameters.prove).then(|| game.outlook()).flatten()
}

/// How often the moves of the root are given more room.
const MOST_TRIES: usize = 8;

/// Of what was proven of the root that is kept which its moves prove: if those that proved it were
/// forgotten to save memory, it is not known which of them to make.
fn keep_what_moves_prove<State: Eq + Hash>(prover: &Prover<'_, State>, root: NodeId) {
    let node = prover.tree.node(root);
    let proven = prover.of_node(root);
    if node.is_proven() && !proven.iter().all(|bounds| bounds.is_exact()) {
        node.forget_bounds();
        node.lock(true).narrow_all(proven.iter().copied());
    }
}
