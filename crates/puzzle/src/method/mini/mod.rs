//! The one-player side of MiNI-Player (Świechowski, Mańdziuk and Ong, "Specialization of a UCT-based
//! general game playing program to single-player games"): UCT that goes by the highest score in
//! place of the average, playouts that seek states unlike the last ones, the whole line of a new
//! best playout put into the tree, and states met on several ways updated together.

mod strategy;
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

use strategy::History;
use transpositions::Index;

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
            transpositions: Transpositions::Exact,
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
    index: Index<G::State>,
    history: History,
    dice: Dice,
    simulations: u64,
    bytes: usize,
}

#[derive(Debug)]
struct Node<State> {
    state: State,
    /// What it scores, if the game is over.
    end: Option<Goal>,
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
            index: Index::new(options.transpositions),
            history: History::default(),
            dice: Dice::new(options.seed),
            nodes: Vec::new(),
            simulations: 0,
            bytes: 0,
            game,
            options,
        };
        mini.add(start)?;
        (!mini.options.strategies.is_empty()).then_some(mini)
    }

    /// Simulations so far.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// Puts a state into the tree; `None` if the rules fail there.
    fn add(&mut self, state: G::State) -> Option<u32> {
        let mut expansion = Expansion::new();
        self.game.expand(&mut self.workspace, &state, &mut expansion).ok()?;
        let end = expansion.is_terminal().then(|| self.score(&state));
        let legal = expansion.legal(PLAYER);
        let edge = |&id: &MoveId| Edge { id, child: None, visits: 0, sum: 0.0, highest: 0.0 };
        let node = Node { end, visits: 0, edges: legal.iter().map(edge).collect(), state };
        self.bytes += NODE_BYTES + size_of_val(node.edges.as_slice());
        let number = self.nodes.len() as u32;
        self.index.add(&*self.game, &node.state, node.edges.len(), number);
        self.nodes.push(node);
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
        let strategy = self.options.strategies[self.simulations as usize % self.options.strategies.len()];
        self.simulations += 1;
        let mut way: Vec<(u32, usize)> = Vec::new();
        let mut node = 0u32;
        let mut states = vec![self.nodes[0].state.clone()];
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
                let Some(child) = self.add(next.clone()) else { return };
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
            self.insert(node, &mut way, &states[in_tree..], &line[in_tree..]);
        }
        self.history.learn(&line, score);
        self.update(&way, score);
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
                let history = &self.history;
                strategy.choose(&*self.game, &mut self.workspace, states, legal, history, &mut self.dice)?
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
                    let Some(child) = self.add(state.clone()) else { return };
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
        for &(node, place) in way {
            let state = &self.nodes[node as usize].state;
            let same = self.index.same(&*self.game, state, self.nodes[node as usize].edges.len(), node);
            for other in same {
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
        if self.nodes[0].end.is_some() {
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
