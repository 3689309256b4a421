//! The one-player side of MiNI-Player (Świechowski, Mańdziuk and Ong, "Specialization of a UCT-based
//! general game playing program to single-player games"): UCT that goes by the highest score in
//! place of the average, playouts that seek states unlike the last ones, the whole line of a new
//! best playout put into the tree, and states met on several ways updated together.

mod parallel;
mod quality;
mod scores;
mod strategy;
mod symbols;
mod transpositions;
mod tree;

use std::sync::Arc;
use std::time::Duration;

use game::{Dice, Expansion, Goal, GoalReading, MoveId};

use super::{Method, Progress};
use crate::facts::Facts;
use crate::lanes::PLAYER;
use crate::{Board, Search};

pub use parallel::{Ended, Limit, MiniPlayer};
pub use quality::{Candidate, choose};
pub use strategy::{Obedience, Strategy};
pub use transpositions::Transpositions;
pub use tree::Tally;

use strategy::Knowledge;
use tree::{NodeId, Tree};

/// Lines longer than this are cut; they score nothing.
const MOST_STEPS: usize = 1_000;

/// What a move is worth in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// The highest score of any simulation through it.
    Highest,
    /// The average.
    Average,
}

/// How playouts are dealt out among strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allotment {
    /// To each as many.
    InTurn,
    /// By upper confidence bounds on the scores of their playouts.
    Bounds,
}

/// How the method works.
#[derive(Clone, Debug, PartialEq)]
pub struct MiniOptions {
    /// What a move is worth in the tree.
    pub worth: Worth,
    /// The weight C of exploration, for scores from 0 to 100. The paper does not tell its own.
    pub exploration: f64,
    /// The strategies of playouts. Those that have nothing to go by in a game are left out.
    pub strategies: Vec<Strategy>,
    /// How often a playout does as its strategy says.
    pub obedience: Obedience,
    /// How states met on several ways are recognised.
    pub transpositions: Transpositions,
    /// How playouts are dealt out among the strategies.
    pub allotment: Allotment,
    /// Whether the whole line of a new best playout is put into the tree, and followed in a match.
    pub whole_lines: bool,
    /// Bytes for the tree, about; when they are spent only best lines are added.
    pub most_bytes: usize,
    /// The seed of chance.
    pub seed: u64,
}

impl Default for MiniOptions {
    fn default() -> Self {
        Self {
            worth: Worth::Highest,
            exploration: 100.0,
            strategies: Strategy::dedicated(),
            obedience: Obedience::default(),
            transpositions: Transpositions::FiveLevels,
            allotment: Allotment::InTurn,
            whole_lines: true,
            most_bytes: 1 << 30,
            seed: 1,
        }
    }
}

impl MiniOptions {
    /// The paper's player without what is particular to puzzles: averages, the seven strategies by
    /// upper confidence bounds, no table of states, no memory of the best line.
    pub fn baseline() -> Self {
        Self {
            worth: Worth::Average,
            strategies: Strategy::seven(),
            allotment: Allotment::Bounds,
            transpositions: Transpositions::None,
            whole_lines: false,
            ..Self::default()
        }
    }
}

/// The method, on any machine: one tree.
#[derive(Debug)]
pub struct Mini<G: Facts> {
    game: Arc<G>,
    workspace: G::Workspace,
    options: MiniOptions,
    tree: Tree<G::State>,
    /// The score of the best line that was put into the tree, from the root on. Nothing is no maximum.
    maximum: Goal,
    knowledge: Knowledge,
    /// The strategies that have something to go by, the playouts of each and the sum of their scores.
    strategies: Vec<(Strategy, f64, f64)>,
    dice: Dice,
    simulations: u64,
}

/// One simulation on its way.
struct Line<State> {
    /// The nodes, from the root on; moves beyond the last of them are not in the tree.
    path: Vec<NodeId>,
    moves: Vec<MoveId>,
    /// The states: one more than moves.
    states: Vec<State>,
}

impl<State> Line<State> {
    /// How many of the moves are in the tree.
    fn in_tree(&self) -> usize {
        self.path.len() - 1
    }
}

impl<G: Facts> Mini<G> {
    /// The method from a state. `None` if the rules fail there or no strategy suits the game.
    pub fn new(game: Arc<G>, start: G::State, options: MiniOptions) -> Option<Self> {
        let knowledge = Knowledge::new(&*game, &options.strategies);
        let suiting = options.strategies.iter().filter(|&&strategy| knowledge.supports(strategy));
        let strategies: Vec<_> = suiting.map(|&strategy| (strategy, 0.0, 0.0)).collect();
        let mut mini = Self {
            workspace: game.workspace(),
            tree: Tree::new(&*game, options.transpositions),
            maximum: Goal(0),
            knowledge,
            strategies,
            dice: Dice::new(options.seed),
            simulations: 0,
            game,
            options,
        };
        mini.add(start, None)?;
        (!mini.strategies.is_empty()).then_some(mini)
    }

    /// Simulations so far.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// How many nodes the tree has.
    pub fn nodes(&self) -> usize {
        self.tree.len()
    }

    /// What is scored here, if the game is over.
    pub fn end(&self) -> Option<Goal> {
        self.tree[self.tree.root].end
    }

    /// Puts a state into the tree, below a node; `None` if the rules fail there.
    fn add(&mut self, state: G::State, parent: Option<NodeId>) -> Option<NodeId> {
        let mut expansion = Expansion::new();
        self.game.expand(&mut self.workspace, &state, &mut expansion).ok()?;
        let end = expansion.is_terminal().then(|| self.score(&state));
        Some(self.tree.add(&*self.game, state, &expansion, end, parent))
    }

    fn score(&mut self, state: &G::State) -> Goal {
        let mut readings: Vec<GoalReading> = Vec::new();
        match self.game.goals(&mut self.workspace, state, &mut readings) {
            Ok(()) => readings.first().copied().unwrap_or_default().value(),
            Err(_) => Goal(0),
        }
    }

    /// One simulation: down the tree, one new node, a playout, and back.
    pub(super) fn simulate(&mut self, search: &Search<'_>) {
        self.adopt(search.board);
        let turn = self.turn();
        self.simulations += 1;
        let mut line = self.descend();
        let score = self.playout(self.strategies[turn].0, &mut line);
        if let Some(score) = score {
            if score > Goal(0) && search.board.is_better(score) {
                search.offer(self.strategies[turn].0.name(), score, || line.moves.clone());
                if self.options.whole_lines {
                    self.insert(&mut line);
                    self.maximum = score;
                }
            }
            self.knowledge.learn(&*self.game, &line.moves, &line.states, score);
        }
        // A line without an end scores nothing.
        let score = f64::from(score.unwrap_or_default().0);
        let (_, playouts, sum) = &mut self.strategies[turn];
        (*playouts, *sum) = (*playouts + 1.0, *sum + score);
        self.tree.update(&line.path, score);
    }

    /// Down the tree to a new node, or to where it ends.
    fn descend(&mut self) -> Line<G::State> {
        let root = self.tree.root;
        let mut line =
            Line { path: vec![root], moves: Vec::new(), states: vec![self.tree[root].state.clone()] };
        let mut node = root;
        // Lines can be endless: states come back.
        while !self.tree[node].edges.is_empty() && line.moves.len() < MOST_STEPS {
            let place = self.tree.select(node, &self.options, &mut self.dice);
            let edge = self.tree[node].edges[place];
            if let Some(child) = edge.child {
                line.moves.push(edge.id);
                line.states.push(self.tree[child].state.clone());
                line.path.push(child);
                node = child;
                continue;
            }
            let next = self.game.apply(&mut self.workspace, &self.tree[node].state, &[edge.id]);
            let Ok(next) = next else { break };
            line.moves.push(edge.id);
            line.states.push(next.clone());
            // Without room the playout begins all the same.
            if self.tree.bytes() < self.options.most_bytes
                && let Some(child) = self.add(next, Some(node))
            {
                self.tree[node].edges[place].child = Some(child);
                line.path.push(child);
            }
            break;
        }
        line
    }

    /// The place of the strategy whose turn it is.
    fn turn(&mut self) -> usize {
        let count = self.strategies.len();
        let in_turn = (self.simulations % count as u64) as usize;
        if self.options.allotment == Allotment::InTurn || self.simulations < count as u64 {
            return in_turn;
        }
        let logarithm = (self.simulations as f64).ln();
        let bound = |&(_, playouts, sum): &(Strategy, f64, f64)| {
            let playouts = f64::max(playouts, 1.0);
            sum / playouts + self.options.exploration * (logarithm / playouts).sqrt()
        };
        tree::highest(self.strategies.iter().map(bound), &mut self.dice).unwrap_or(in_turn)
    }

    /// Plays on to the end; `None` if there is none to be reached.
    fn playout(&mut self, strategy: Strategy, line: &mut Line<G::State>) -> Option<Goal> {
        let obedience = self.options.obedience.of(strategy);
        let mut expansion = Expansion::new();
        loop {
            let state = line.states.last()?;
            self.game.expand(&mut self.workspace, state, &mut expansion).ok()?;
            if expansion.is_terminal() {
                let state = state.clone();
                return Some(self.score(&state));
            }
            let legal = expansion.legal(PLAYER);
            if legal.is_empty() || line.moves.len() >= MOST_STEPS {
                return None;
            }
            let (game, workspace, dice) = (&*self.game, &mut self.workspace, &mut self.dice);
            let id = if legal.len() > 1 && dice.unit() < obedience {
                strategy.choose(game, workspace, &line.states, legal, &mut self.knowledge, dice)?
            } else {
                legal[dice.below(legal.len())]
            };
            let next = game.apply(workspace, line.states.last()?, &[id]).ok()?;
            line.moves.push(id);
            line.states.push(next);
        }
    }

    /// Puts the moves of a line that are not in the tree below its last node there.
    fn insert(&mut self, line: &mut Line<G::State>) {
        for step in line.in_tree()..line.moves.len() {
            let node = line.path[step];
            let Some(child) = self.child(node, line.moves[step], &line.states[step + 1]) else { return };
            line.path.push(child);
        }
    }

    /// The node after a move, which is made if it is not there; `None` if the move cannot be made.
    fn child(&mut self, node: NodeId, id: MoveId, state: &G::State) -> Option<NodeId> {
        let place = self.tree[node].edges.iter().position(|edge| edge.id == id)?;
        if let Some(child) = self.tree[node].edges[place].child {
            return Some(child);
        }
        let child = self.add(state.clone(), Some(node))?;
        self.tree[node].edges[place].child = Some(child);
        Some(child)
    }

    /// Puts the best line there is into the tree, if somebody else found it.
    fn adopt(&mut self, board: &Board) {
        if !self.options.whole_lines || board.score() <= Some(self.maximum) {
            return;
        }
        let Some(plan) = board.best().map(|found| found.plan) else { return };
        let root = self.tree.root;
        let mut line =
            Line { path: vec![root], moves: plan.moves, states: vec![self.tree[root].state.clone()] };
        for step in 0..line.moves.len() {
            let next = self.game.apply(&mut self.workspace, &line.states[step], &line.moves[step..=step]);
            let Ok(next) = next else { break };
            line.states.push(next);
        }
        line.moves.truncate(line.states.len() - 1);
        self.insert(&mut line);
        self.maximum = plan.score;
        self.tree.update(&line.path, f64::from(plan.score.0));
    }

    /// Follows a move, which is on the best line or is not; the tree below it is kept. `false` if it cannot be
    /// made.
    pub fn advance(&mut self, id: MoveId, is_planned: bool) -> bool {
        let root = self.tree.root;
        let next = self.game.apply(&mut self.workspace, &self.tree[root].state, &[id]);
        let Some(child) = next.ok().and_then(|next| self.child(root, id, &next)) else { return false };
        self.tree.root = child;
        if !is_planned {
            self.maximum = Goal(0);
        }
        if self.tree.bytes() > self.options.most_bytes / 2 {
            self.tree.compact(&*self.game, self.options.transpositions);
        }
        true
    }

    /// What is known of the moves that can be made.
    pub fn candidates(&self) -> Vec<Candidate> {
        let tally = |node: Option<NodeId>| node.map(|node| *self.tree.tally(node)).unwrap_or_default();
        let root = &self.tree[self.tree.root];
        let candidate = |edge: &tree::Edge| {
            let child = edge.child.map(|child| &self.tree[child]);
            let edges = child.map_or(&[][..], |child| &child.edges);
            Candidate {
                id: edge.id,
                is_end: child.is_some_and(|child| child.end.is_some()),
                // Nobody else moves.
                own: edges.len(),
                total: edges.len(),
                tally: tally(edge.child),
                below: edges.iter().map(|edge| (edge.id, tally(edge.child))).collect(),
                history: self.knowledge.past(edge.id),
            }
        };
        root.edges.iter().map(candidate).collect()
    }

    /// The move that effective quality speaks for.
    pub fn effective_move(&mut self) -> Option<MoveId> {
        choose(&self.candidates(), self.options.worth, &mut self.dice)
    }

    /// Notes all nodes of the tree in a table of some kind, for measuring what a table costs. Says how
    /// many different states it tells apart; without a table every node counts.
    pub fn exercise(&self, kind: Transpositions) -> usize {
        self.tree.exercise(&*self.game, kind)
    }
}

impl<G: Facts> Method for Mini<G> {
    fn name(&self) -> &'static str {
        "mini-puzzle"
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        if self.end().is_some() {
            return Progress::Ended;
        }
        while !search.is_over(until) {
            self.simulate(search);
        }
        Progress::Working
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
    }
}
