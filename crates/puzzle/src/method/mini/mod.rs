//! The one-player side of MiNI-Player (Świechowski, Mańdziuk and Ong, "Specialization of a UCT-based
//! general game playing program to single-player games"): UCT that goes by the highest score in
//! place of the average, playouts that seek states unlike the last ones, the whole line of a new
//! best playout put into the tree, and states met on several ways updated together.

mod goals;
mod match_play;
mod strategy;
mod symbols;
mod transpositions;

use std::sync::Arc;
use std::time::Duration;

use game::{Dice, Expansion, Goal, GoalReading, MoveId};

use super::{Method, Progress};
use crate::Search;
use crate::facts::Facts;
use crate::lanes::PLAYER;

pub use strategy::Strategy;
pub use transpositions::Transpositions;

use strategy::Knowledge;
use transpositions::{Asked, Index};

/// Playouts longer than this are cut; they count 0.
const MOST_STEPS: usize = 1_000;
/// Bytes of a node beside its state and moves, about.
const NODE_BYTES: usize = 160;

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
#[derive(Clone, Debug)]
pub struct MiniOptions {
    /// What a move is worth in the tree.
    pub worth: Worth,
    /// The weight of exploration, for scores from 0 to 100. The paper does not tell its own.
    pub exploration: f64,
    /// The strategies of playouts, used in turn.
    pub strategies: Vec<Strategy>,
    /// The probability that a move of a playout is the strategy's; otherwise it is any. The paper
    /// has 0.7 to 0.95.
    pub obedience: f64,
    /// How states met on several ways are recognised.
    pub transpositions: Transpositions,
    /// How playouts are dealt out among the strategies.
    pub allotment: Allotment,
    /// Whether the whole line of a new best playout is put into the tree.
    pub whole_lines: bool,
    /// Bytes for the tree, about; when they are spent no nodes are added.
    pub most_bytes: usize,
    /// The seed of chance.
    pub seed: u64,
}

impl Default for MiniOptions {
    fn default() -> Self {
        Self {
            worth: Worth::Highest,
            exploration: 40.0,
            strategies: Strategy::dedicated(),
            obedience: 0.9,
            transpositions: Transpositions::Zobrist,
            allotment: Allotment::InTurn,
            whole_lines: true,
            most_bytes: 1 << 30,
            seed: 1,
        }
    }
}

/// The method, on any machine.
#[derive(Debug)]
pub struct Mini<G: Facts> {
    game: Arc<G>,
    workspace: G::Workspace,
    options: MiniOptions,
    nodes: Vec<Node<G::State>>,
    /// Where simulations begin.
    root: u32,
    index: Index,
    knowledge: Knowledge,
    /// Of each strategy the playouts and the sum of their scores.
    tallies: Vec<(f64, f64)>,
    dice: Dice,
    simulations: u64,
    bytes: usize,
}

#[derive(Debug)]
struct Node<State> {
    state: State,
    /// What it scores, if the game is over.
    end: Option<Goal>,
    hash: u64,
    parent: Option<u32>,
    visits: u32,
    edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    id: MoveId,
    child: Option<u32>,
    visits: u32,
    sum: f64,
    highest: f64,
}

impl<G: Facts> Mini<G> {
    /// The method from a state. `None` if nothing can be done there.
    pub fn new(game: Arc<G>, start: G::State, options: MiniOptions) -> Option<Self> {
        let mut mini = Self {
            workspace: game.workspace(),
            index: Index::new(&*game, options.transpositions),
            knowledge: Knowledge::new(&*game, &options.strategies),
            tallies: vec![(0.0, 0.0); options.strategies.len()],
            dice: Dice::new(options.seed),
            nodes: Vec::new(),
            root: 0,
            simulations: 0,
            bytes: 0,
            game,
            options,
        };
        mini.add(start, None)?;
        (!mini.options.strategies.is_empty()).then_some(mini)
    }

    /// Simulations so far.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// Puts a state into the tree, below a node; `None` if the rules fail there.
    fn add(&mut self, state: G::State, parent: Option<u32>) -> Option<u32> {
        let mut expansion = Expansion::new();
        self.game.expand(&mut self.workspace, &state, &mut expansion).ok()?;
        let end = expansion.is_terminal().then(|| self.score(&state));
        let legal = expansion.legal(PLAYER);
        let edge = |&id: &MoveId| Edge { id, child: None, visits: 0, sum: 0.0, highest: 0.0 };
        let before = parent.map(|parent| &self.nodes[parent as usize]).map(|node| (&node.state, node.hash));
        let hash = self.index.hash(&*self.game, &state, before);
        let edges: Vec<Edge> = legal.iter().map(edge).collect();
        self.bytes += NODE_BYTES + size_of_val(edges.as_slice());
        let number = self.nodes.len() as u32;
        let nodes = &self.nodes;
        let asked = Asked { state: &state, hash, legal: edges.len() };
        self.index.add(&*self.game, &asked, number, |node| &nodes[node as usize].state);
        self.nodes.push(Node { end, hash, parent, visits: 0, edges, state });
        Some(number)
    }

    fn score(&mut self, state: &G::State) -> Goal {
        let mut readings: Vec<GoalReading> = Vec::new();
        match self.game.goals(&mut self.workspace, state, &mut readings) {
            Ok(()) => readings.first().copied().unwrap_or_default().value(),
            Err(_) => Goal(0),
        }
    }

    /// The edge to follow from a node: one never tried, else the best by upper confidence bounds.
    fn select(&mut self, node: u32) -> usize {
        let node = &self.nodes[node as usize];
        let untried = node.edges.iter().filter(|edge| edge.visits == 0).count();
        if untried > 0 {
            let chosen = self.dice.below(untried);
            let mut places = (0..node.edges.len()).filter(|&place| node.edges[place].visits == 0);
            return places.nth(chosen).unwrap_or(0);
        }
        let logarithm = f64::from(node.visits.max(1)).ln();
        let bound = |edge: &Edge| {
            let worth = match self.options.worth {
                Worth::Highest => edge.highest,
                Worth::Average => edge.sum / f64::from(edge.visits),
            };
            worth + self.options.exploration * (logarithm / f64::from(edge.visits)).sqrt()
        };
        let best =
            (0..node.edges.len()).max_by(|&a, &b| bound(&node.edges[a]).total_cmp(&bound(&node.edges[b])));
        best.unwrap_or(0)
    }

    /// One simulation: down the tree, one new node, a playout, and back.
    fn simulate(&mut self, search: &Search<'_>) {
        let turn = self.turn();
        let strategy = self.options.strategies[turn];
        self.simulations += 1;
        let mut way: Vec<(u32, usize)> = Vec::new();
        let mut node = self.root;
        let mut states = vec![self.nodes[node as usize].state.clone()];
        while self.nodes[node as usize].end.is_none() && !self.nodes[node as usize].edges.is_empty() {
            // Lines can be endless: states come back.
            if way.len() >= MOST_STEPS {
                break;
            }
            let place = self.select(node);
            way.push((node, place));
            let edge = self.nodes[node as usize].edges[place];
            if let Some(child) = edge.child {
                node = child;
                states.push(self.nodes[node as usize].state.clone());
                continue;
            }
            let next = self.game.apply(&mut self.workspace, &self.nodes[node as usize].state, &[edge.id]);
            let Ok(next) = next else { return };
            if self.bytes < self.options.most_bytes {
                let Some(child) = self.add(next.clone(), Some(node)) else { return };
                self.nodes[node as usize].edges[place].child = Some(child);
                node = child;
            }
            states.push(next);
            break;
        }
        let mut line: Vec<MoveId> =
            way.iter().map(|&(node, place)| self.nodes[node as usize].edges[place].id).collect();
        let in_tree = line.len();
        let Some(score) = self.playout(strategy, &mut states, &mut line) else { return };
        if search.board.is_better(score) {
            search.offer(strategy.name(), score, || line.clone());
            if self.options.whole_lines {
                self.insert(node, &mut way, &states[in_tree..], &line[in_tree..]);
            }
        }
        self.knowledge.learn(&*self.game, &line, &states, score);
        let tally = &mut self.tallies[turn];
        *tally = (tally.0 + 1.0, tally.1 + f64::from(score.0));
        self.update(&way, score);
    }

    /// The place of the strategy whose turn it is.
    fn turn(&self) -> usize {
        let count = self.options.strategies.len();
        let in_turn = self.simulations as usize % count;
        if self.options.allotment == Allotment::InTurn || (self.simulations as usize) < count {
            return in_turn;
        }
        let logarithm = (self.simulations as f64).ln();
        let bound = |&(playouts, sum): &(f64, f64)| {
            let playouts = f64::max(playouts, 1.0);
            sum / playouts + self.options.exploration * (logarithm / playouts).sqrt()
        };
        let best = (0..count).max_by(|&a, &b| bound(&self.tallies[a]).total_cmp(&bound(&self.tallies[b])));
        best.unwrap_or(in_turn)
    }

    /// Plays on to the end; `None` if that cannot be done.
    fn playout(
        &mut self,
        strategy: Strategy,
        states: &mut Vec<G::State>,
        line: &mut Vec<MoveId>,
    ) -> Option<Goal> {
        let mut expansion = Expansion::new();
        loop {
            let state = states.last()?;
            self.game.expand(&mut self.workspace, state, &mut expansion).ok()?;
            if expansion.is_terminal() {
                let state = state.clone();
                return Some(self.score(&state));
            }
            let legal = expansion.legal(PLAYER);
            if legal.is_empty() || line.len() >= MOST_STEPS {
                return None;
            }
            let obeys = legal.len() > 1 && self.dice.unit() < self.options.obedience;
            let id = if obeys {
                let knowledge = &mut self.knowledge;
                strategy.choose(&*self.game, &mut self.workspace, states, legal, knowledge, &mut self.dice)?
            } else {
                legal[self.dice.below(legal.len())]
            };
            let next = self.game.apply(&mut self.workspace, states.last()?, &[id]).ok()?;
            line.push(id);
            states.push(next);
        }
    }

    /// Puts the line of a playout into the tree below a node.
    fn insert(&mut self, node: u32, way: &mut Vec<(u32, usize)>, states: &[G::State], line: &[MoveId]) {
        let mut node = node;
        for (id, state) in line.iter().zip(&states[1.min(states.len())..]) {
            let Some(place) = self.nodes[node as usize].edges.iter().position(|edge| edge.id == *id) else {
                return;
            };
            way.push((node, place));
            let child = match self.nodes[node as usize].edges[place].child {
                Some(child) => child,
                None => {
                    let Some(child) = self.add(state.clone(), Some(node)) else { return };
                    self.nodes[node as usize].edges[place].child = Some(child);
                    child
                }
            };
            node = child;
        }
    }

    /// Adds a score to all edges of a way, and to the same moves wherever the same states were met.
    fn update(&mut self, way: &[(u32, usize)], score: Goal) {
        let score = f64::from(score.0);
        let mut same = Vec::new();
        for &(node, place) in way {
            let nodes = &self.nodes;
            let Node { state, hash, edges, .. } = &nodes[node as usize];
            let asked = Asked { state, hash: *hash, legal: edges.len() };
            let found = self.index.same(&*self.game, &asked, |node| &nodes[node as usize].state);
            same.clear();
            same.extend_from_slice(if found.is_empty() { std::slice::from_ref(&node) } else { found });
            for &other in &same {
                let other = &mut self.nodes[other as usize];
                other.visits += 1;
                if let Some(edge) = other.edges.get_mut(place) {
                    edge.visits += 1;
                    edge.sum += score;
                    edge.highest = edge.highest.max(score);
                }
            }
        }
    }
}

impl<G: Facts> Method for Mini<G> {
    fn name(&self) -> &'static str {
        "mini-puzzle"
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        if self.nodes[self.root as usize].end.is_some() {
            return Progress::Ended;
        }
        while !search.is_over(until) {
            self.simulate(search);
        }
        Progress::Working
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}
