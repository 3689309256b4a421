//! The search as others use it.

use std::sync::Arc;

use game::{Expansion, MoveId, RoleId, RuleFault, Simulator};
use parking_lot::{Mutex, RwLock};

use super::advice::{self, Advice, Candidate};
use super::batch::{Done, Plan, Worker};
use super::leaf::LeafEvaluation;
use super::policy::{self, Policy};
use super::prove::Prover;
use super::select::Chooser;
use super::tree::{Bounds, Edge, Joint, NODES_AHEAD, Node, NodeId, Shape, Status, Stock, Tree, UNIT};
use crate::{Budget, Evaluator, Parallel, Parameters, Selection, Stop};

/// What was done so far, over all moves of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Ways down the tree.
    pub simulations: u64,
    /// Playouts.
    pub playouts: u64,
    /// Steps of all playouts.
    pub steps: u64,
    /// The longest way down.
    pub depth: u32,
}

impl Totals {
    pub(super) fn add(&mut self, done: Done) {
        self.simulations += done.simulations;
        self.playouts += done.playouts;
        self.steps += done.steps;
        self.depth = self.depth.max(done.depth);
    }
}

/// A search for one match: thinks, gives advice, and follows the moves that are made.
#[derive(Debug)]
pub struct Search<G: Simulator> {
    pub(super) game: Arc<G>,
    pub(super) parameters: Parameters,
    pub(super) chooser: Chooser,
    /// One, or with root parallelisation one per thread.
    pub(super) trees: Vec<RwLock<Tree<G::State>>>,
    pub(super) policies: Vec<Mutex<Box<dyn Policy>>>,
    /// Each is one thread's; the lock lets the rest be shared.
    pub(super) workers: Vec<Mutex<Worker<G>>>,
    pub(super) nature: Option<usize>,
    pub(super) evaluation: LeafEvaluation<G::State>,
    /// So many playouts cost hardly more than one.
    pub(super) lanes: usize,
    pub(super) totals: Totals,
    /// The most moves listed for a position so far.
    pub(super) most_moves: usize,
}

impl<G: Simulator> Search<G> {
    /// A search from a position. The same seed and the same simulations on one thread give the
    /// same tree.
    pub fn new(game: Arc<G>, state: G::State, parameters: Parameters, seed: u64) -> Self {
        let threads = u64::from(parameters.threads.max(1));
        let trees = if parameters.parallel == Parallel::Root { threads } else { 1 };
        let shape = Shape::new(game.role_count(), parameters.selection == Selection::Tuned);
        let state_bytes = game.state_bytes();
        let tree = |_| RwLock::new(Tree::new(state.clone(), shape, parameters.transpositions, state_bytes));
        let worker = |index| Mutex::new(Worker::new(&*game, parameters.discount, seed, index));
        Self {
            chooser: Chooser::new(&parameters),
            trees: (0..trees).map(tree).collect(),
            policies: (0..trees).map(|_| Mutex::new(parameters.policy.make())).collect(),
            workers: (0..threads).map(worker).collect(),
            nature: game.chance().map(|role| usize::from(role.0)),
            evaluation: LeafEvaluation::Playouts,
            lanes: policy::lanes(&*game, &mut *parameters.policy.make()),
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

    /// Forgets everything and begins anew from a position, in the memory that it has: the same as a
    /// new search, without the time it takes to get memory.
    pub fn restart(&mut self, state: &G::State, seed: u64) {
        self.trees.iter_mut().for_each(|tree| tree.get_mut().restart(state.clone()));
        self.policies.iter_mut().for_each(|policy| *policy.get_mut() = self.parameters.policy.make());
        for (index, worker) in (0..).zip(&mut self.workers) {
            worker.get_mut().restart(seed, index);
        }
        self.totals = Totals::default();
        self.most_moves = 0;
    }

    /// The machine.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// What was done so far.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// The position that is thought about.
    pub fn state(&self) -> G::State {
        let tree = self.trees[0].read();
        tree.state(tree.root()).cloned().unwrap_or_else(|| self.game.initial())
    }

    /// Thinks.
    pub fn run(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        self.open_roots()?;
        if self.workers.len() > 1 {
            return self.run_parallel(budget);
        }
        let mut done = 0;
        let mut watch = budget.watch();
        loop {
            if let Some(stop) = watch.is_over(done) {
                return Ok(stop);
            }
            if self.is_settled(&self.trees[0].read()) {
                return Ok(Stop::Proven);
            }
            let left = budget.simulations.map(|most| most - done);
            let size = self.batch_size(&self.trees[0].read(), budget, left, self.totals);
            let moves = self.most_moves.max(16);
            make_room(&self.trees[0], size.leaves, moves, self.memory(), 1);
            let batch = {
                let plan = self.plan(0, true, budget);
                self.workers[0].lock().run(&plan, &self.trees[0].read(), size)?
            };
            self.totals.add(batch);
            self.most_moves = self.most_moves.max(batch.moves);
            // Ways that led nowhere count too, or a full tree would be searched for ever.
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
            nature: self.nature,
            alone,
            stop: budget.stop,
        }
    }

    pub(super) fn memory(&self) -> usize {
        (self.parameters.memory as usize) << 20
    }

    /// Lists the moves of the roots, so that there is advice from the first moment.
    fn open_roots(&mut self) -> Result<(), RuleFault> {
        let mut expansion = Expansion::new();
        for tree in &mut self.trees {
            let tree = tree.get_mut();
            let root = tree.root();
            if tree.node(root).status() != Status::Leaf {
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
            tree.grow(1, moves, usize::MAX);
            tree.node(root).claim();
            tree.open(root, expansion.choices(), &mut Stock::default());
        }
        Ok(())
    }

    /// Whether nothing more can be found out: all is proven, or no role has a choice that matters.
    pub(super) fn is_settled(&self, tree: &Tree<G::State>) -> bool {
        let root = tree.node(tree.root());
        match root.status() {
            Status::Open { .. } => self.parameters.prove && root.is_proven(),
            _ => true,
        }
    }

    /// What the search thinks of a role's moves; `None` if the game is over or nothing was done.
    pub fn advice(&self, role: RoleId) -> Option<Advice> {
        let role = usize::from(role.0);
        let guards: Vec<_> = self.trees.iter().map(|tree| tree.read()).collect();
        let all: Option<Vec<Vec<Candidate>>> =
            guards.iter().map(|tree| self.candidates(tree, tree.root(), role)).collect();
        let candidates = advice::merge(&all?, self.parameters.merge);
        let roots = guards.iter().map(|tree| tree.node(tree.root()));
        let visits = |root: &Node<'_>| f64::from(root.visits().1.max(1));
        let all_visits: f64 = roots.clone().map(|root| visits(&root)).sum();
        let value =
            |role| roots.clone().map(|root| root.mean(role) * visits(&root)).sum::<f64>() / all_visits;
        let bounds =
            |role| roots.clone().map(|root| root.bounds(role)).fold(Bounds::UNKNOWN, Bounds::intersect);
        let roles = 0..self.game.role_count();
        Some(Advice {
            role: RoleId(role as u16),
            chosen: advice::choose(&candidates, self.parameters.final_move, self.parameters.exploration),
            candidates,
            values: roles.clone().map(value).collect(),
            bounds: roles.map(bounds).collect(),
            line: self.line(&guards[0]),
            nodes: guards.iter().map(|tree| tree.len()).sum(),
            bytes: guards.iter().map(|tree| tree.bytes()).sum(),
            depth: self.totals.depth,
        })
    }

    /// What is thought of a role's moves in an open node.
    fn candidates(&self, tree: &Tree<G::State>, id: NodeId, role: usize) -> Option<Vec<Candidate>> {
        let Status::Open { block, mover } = tree.node(id).status() else { return None };
        let Parameters { discount, prove, .. } = self.parameters;
        let prover = Prover { tree, nature: self.nature, discount, alone: false };
        let decides = mover == u16::try_from(role).ok();
        let candidate = |(edge, bounds): (Edge<'_>, Bounds)| {
            let (_, visits) = edge.visits();
            let child = edge.child().filter(|_| decides);
            let known = child.filter(|&child| prove && tree.node(child).is_proven());
            // What was found out since the last visit counts.
            let value = known.map(|child| discount * prover.value(child, role));
            let seen = || edge.worth(role) as f64 / UNIT / f64::from(visits.max(1));
            Candidate {
                id: edge.id(),
                visits,
                value: value.unwrap_or_else(seen),
                to_others: known.map_or(0.0, |child| discount * prover.value_to_others(child, role)),
                bounds,
            }
        };
        Some(tree.edges(block, role).iter().zip(prover.of_moves(id, role)).map(candidate).collect())
    }

    /// What each role thinks best, step by step as far as the tree goes.
    fn line(&self, tree: &Tree<G::State>) -> Vec<Vec<MoveId>> {
        let mut line = Vec::new();
        let mut id = tree.root();
        while let Status::Open { block, mover } = tree.node(id).status() {
            let best = |role: usize| {
                let edges = tree.edges(block, role);
                let known = self.candidates(tree, id, role).unwrap_or_default();
                edges.get(advice::choose(&known, self.parameters.final_move, self.parameters.exploration))
            };
            let joint: Joint = (0..tree.roles()).map(|role| best(role).id()).collect();
            let child = match mover {
                Some(role) => best(usize::from(role)).child(),
                None => tree.joints().child(id, &joint),
            };
            line.push(joint.to_vec());
            match child {
                Some(child) if line.len() < 100 => id = child,
                _ => break,
            }
        }
        line
    }

    /// Follows a joint move that was made. What the tree has below it is kept, the rest forgotten, so
    /// that the same simulations give the same tree however long they take.
    pub fn advance(&mut self, joint: &[MoveId]) -> Result<(), RuleFault> {
        self.advance_quickly(joint)?;
        self.trees.iter_mut().for_each(|tree| tree.get_mut().clear_up());
        Ok(())
    }

    /// As [`Search::advance`] but in no time: nothing is forgotten before [`Search::clear_up`] or
    /// memory is short.
    pub fn advance_quickly(&mut self, joint: &[MoveId]) -> Result<(), RuleFault> {
        for (tree, policy) in self.trees.iter_mut().zip(&mut self.policies) {
            let tree = tree.get_mut();
            let child = child_of(tree, joint);
            let kept = child.filter(|&child| self.parameters.keep && tree.state(child).is_some());
            match kept {
                Some(child) => tree.move_root(child),
                None => {
                    let state = tree.state(tree.root()).cloned();
                    let state = state.unwrap_or_else(|| self.game.initial());
                    let next = self.game.apply(self.workers[0].get_mut().workspace(), &state, joint)?;
                    tree.restart(next);
                }
            }
            policy.get_mut().age();
        }
        Ok(())
    }

    /// Forgets what positions of the past have left behind, if that is more than what is in use.
    pub fn clear_up(&mut self) {
        let trees = self.trees.iter_mut().map(|tree| tree.get_mut());
        trees.filter(|tree| tree.is_littered()).for_each(Tree::clear_up);
    }
}

/// Makes room for a batch of each thread, if need be by forgetting what is seldom visited, and room for
/// numbers to grow.
pub(super) fn make_room<State: Eq + std::hash::Hash>(
    tree: &RwLock<Tree<State>>,
    leaves: u32,
    moves: usize,
    memory: usize,
    threads: usize,
) {
    let ahead = if threads > 1 { NODES_AHEAD as usize } else { 0 };
    let nodes = (leaves as usize + ahead) * threads;
    {
        let tree = tree.read();
        if tree.has_room(nodes, moves) && !tree.is_worn() {
            return;
        }
    }
    let mut tree = tree.write();
    if tree.is_worn() {
        tree.halve();
    }
    if tree.has_room(nodes, moves) || tree.grow(nodes, moves, memory) {
        return;
    }
    tree.clear_up();
    if !tree.has_room(nodes, moves) {
        tree.prune(0.5);
        // The least that is needed is allowed whatever the bound, or nothing could be done.
        tree.grow(nodes, moves, usize::MAX);
    }
}

fn child_of<State: Eq + std::hash::Hash>(tree: &Tree<State>, joint: &[MoveId]) -> Option<NodeId> {
    let root = tree.root();
    let Status::Open { block, mover } = tree.node(root).status() else { return None };
    match mover {
        Some(role) => {
            let role = usize::from(role);
            tree.edges(block, role).iter().find(|edge| edge.id() == joint[role])?.child()
        }
        None => tree.joints().child(root, &joint.iter().copied().collect()),
    }
}
