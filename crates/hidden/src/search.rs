//! Monte Carlo tree search over positions drawn from a belief.
//!
//! Every simulation draws a position and goes down from there, all roles choosing by what their moves brought
//! so far. What is remembered by whom is the difference between two ways to search:
//!
//! - by [`Keys::Views`] each role has a tree of its own, of what it knows: it does the same in positions that look
//!   the same to it, and later moves can depend on what it will have been told by then. Information is worth
//!   something here (Cowling, Powley and Whitehouse 2012: information set MCTS with multiple observers);
//! - by [`Keys::Positions`] each position is searched as if everybody saw it, and the role's first move is the one that is best
//!   on average (determinisation, HyperPlay): cheaper, but nobody asks for what all are taken to know.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use engine::{Budget, Stop};
use game::{Describe, Dice, Expansion, Job, MoveId, Outcomes, PlayOptions, RoleId, RuleFault, Simulator};
use rustc_hash::{FxHashMap, FxHasher};

use crate::Belief;
use crate::view::{View, advance_views};

/// What statistics are kept by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// What the role knows.
    Views,
    /// The position; the first move by what the role knows.
    Positions,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// What statistics are kept by.
    pub keys: Keys,
    /// How much moves are preferred that were tried seldom; values are 0 to 1.
    pub exploration: f64,
    /// Nodes after which it begins anew.
    pub most_nodes: usize,
    /// Steps after which a simulation is cut.
    pub most_steps: u32,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { keys: Keys::Views, exploration: 0.7, most_nodes: 1_000_000, most_steps: 10_000 }
    }
}

/// A move and what it brought.
#[derive(Clone, Copy, Debug)]
pub struct MoveStatistics {
    /// The move.
    pub id: MoveId,
    /// Simulations through it.
    pub visits: u32,
    /// What they brought the role, 0 to 1 each.
    pub sum: f64,
}

impl MoveStatistics {
    /// What it brings on average.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }
}

/// What is remembered of the moves of a role that knows something.
#[derive(Clone, Debug, Default)]
struct Node {
    moves: Vec<MoveStatistics>,
    visits: u32,
}

/// By what a node is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    View(RoleId, View),
    Position(RoleId, u64),
}

/// A choice on the way down: whose, the node, the place of the move.
type Choice = (RoleId, u32, u32);

/// A simulation that waits for its playout.
struct Way<State> {
    choices: Vec<Choice>,
    leaf: State,
}

/// Simulations that are played out in one call.
const BATCH: usize = 32;

/// Steps that one simulation takes in the tree.
const MOST_DEPTH: usize = 400;

/// A search that follows a match.
#[derive(Debug)]
pub struct Search {
    options: SearchOptions,
    nodes: Vec<Node>,
    places: FxHashMap<Key, u32>,
    dice: Dice,
    simulations: u64,
    deepest: u32,
}

impl Search {
    /// A search that knows nothing yet.
    pub fn new(options: SearchOptions, seed: u64) -> Self {
        Self {
            options,
            nodes: Vec::new(),
            places: FxHashMap::default(),
            dice: Dice::new(seed),
            simulations: 0,
            deepest: 0,
        }
    }

    /// Begins to count simulations anew.
    pub fn begin_turn(&mut self) {
        self.simulations = 0;
        self.deepest = 0;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.places.clear();
    }

    /// Simulations since the turn began.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The longest way down the tree since the turn began.
    pub fn depth(&self) -> u32 {
        self.deepest
    }

    /// Thinks about a belief.
    pub fn think<G: Simulator + Describe>(
        &mut self,
        belief: &mut Belief<G>,
        budget: &Budget<'_>,
    ) -> Result<Stop, RuleFault> {
        let mut watch = budget.watch();
        let mut done = 0;
        loop {
            if let Some(stop) = watch.is_over(done) {
                return Ok(stop);
            }
            let left = budget.simulations.map_or(u64::MAX, |most| most - done);
            done += self.simulate(belief, (BATCH as u64).min(left) as usize)?;
        }
    }

    /// The moves of the belief's role where it stands, as far as they were tried.
    pub fn moves<G: Simulator + Describe>(&self, belief: &Belief<G>) -> &[MoveStatistics] {
        let place = belief.view().and_then(|view| self.places.get(&Key::View(belief.role(), view)));
        place.map_or(&[], |&place| &self.nodes[place as usize].moves)
    }

    /// Makes some simulations; how many.
    fn simulate<G: Simulator + Describe>(
        &mut self,
        belief: &mut Belief<G>,
        count: usize,
    ) -> Result<u64, RuleFault> {
        if self.nodes.len() > self.options.most_nodes || belief.renumber_views(4 * self.options.most_nodes) {
            self.clear();
        }
        let game = Arc::clone(belief.game());
        let mut ways: Vec<Way<G::State>> = Vec::with_capacity(count);
        for _ in 0..count {
            if let Some(way) = self.descend(&*game, belief)? {
                ways.push(way);
            }
        }
        let jobs: Vec<Job<'_, G::State>> = ways.iter().map(|way| Job::new(&way.leaf, 1)).collect();
        let options = PlayOptions {
            seed: self.dice.bits(),
            most_steps: self.options.most_steps,
            ..PlayOptions::default()
        };
        let mut outcomes = Outcomes::default();
        game.play(&mut belief.workspace, &jobs, &options, &mut outcomes)?;
        for (playout, way) in ways.iter().enumerate() {
            let goals = outcomes.goals(playout);
            for &(role, node, place) in &way.choices {
                let goal = f64::from(goals[usize::from(role.0)].0) / 100.0;
                self.nodes[node as usize].moves[place as usize].sum += goal;
            }
        }
        self.simulations += count as u64;
        Ok(count as u64)
    }

    /// Goes down from a position that is drawn to one that is new to somebody. `None` if the game is over at once.
    fn descend<G: Simulator + Describe>(
        &mut self,
        game: &G,
        belief: &mut Belief<G>,
    ) -> Result<Option<Way<G::State>>, RuleFault> {
        let own = belief.role();
        let drawn = belief.draw();
        let (mut state, mut views) = (drawn.state.clone(), drawn.views.clone());
        let mut expansion = Expansion::new();
        let mut choices = Vec::new();
        let mut joint = Vec::with_capacity(game.role_count());
        for depth in 0..MOST_DEPTH {
            game.expand(&mut belief.workspace, &state, &mut expansion)?;
            if expansion.is_terminal() {
                if depth == 0 {
                    return Ok(None);
                }
                break;
            }
            if let Some(role) = expansion.stuck_role() {
                return Err(RuleFault::NoLegalMove(role));
            }
            joint.clear();
            let mut is_new = false;
            for (role, legal) in game.role_ids().zip(expansion.by_role()) {
                if legal.len() == 1 || game.chance() == Some(role) {
                    joint.push(legal[self.dice.below(legal.len())]);
                    continue;
                }
                let view = Key::View(role, views[usize::from(role.0)]);
                let key = match self.options.keys {
                    Keys::Views => view,
                    Keys::Positions if depth == 0 && role == own => view,
                    Keys::Positions => Key::Position(role, hash(&state)),
                };
                let (node, fresh) = self.node(key);
                is_new |= fresh;
                let place = self.select(node, legal);
                choices.push((role, node, place));
                joint.push(self.nodes[node as usize].moves[place as usize].id);
            }
            advance_views(game, &mut belief.workspace, &state, &joint, &mut belief.views, &mut views)?;
            state = game.apply(&mut belief.workspace, &state, &joint)?;
            self.deepest = self.deepest.max(depth as u32 + 1);
            if is_new {
                break;
            }
        }
        Ok(Some(Way { choices, leaf: state }))
    }

    fn node(&mut self, key: Key) -> (u32, bool) {
        let next = self.nodes.len() as u32;
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.nodes.push(Node::default());
        }
        (place, place == next)
    }

    /// Chooses among the legal moves and counts the visit. Moves that were not legal in other positions of the
    /// same view are met here for the first time.
    fn select(&mut self, node: u32, legal: &[MoveId]) -> u32 {
        let exploration = self.options.exploration;
        let node = &mut self.nodes[node as usize];
        let is_known = node.moves.len() == legal.len()
            && node.moves.iter().zip(legal).all(|(known, id)| known.id == *id);
        if !is_known {
            for &id in legal {
                if node.moves.iter().all(|known| known.id != id) {
                    node.moves.push(MoveStatistics { id, visits: 0, sum: 0.0 });
                }
            }
        }
        let log = f64::from(node.visits + 1).ln();
        let (mut best, mut place, mut ties) = (f64::NEG_INFINITY, 0, 0);
        for (index, statistics) in node.moves.iter().enumerate() {
            if !is_known && !legal.contains(&statistics.id) {
                continue;
            }
            let score = match statistics.visits {
                0 => f64::INFINITY,
                visits => statistics.mean() + exploration * (log / f64::from(visits)).sqrt(),
            };
            // Untried moves are tried in any order.
            ties = if score == best { ties + 1 } else { 1 };
            if score > best || (score == best && self.dice.below(ties) == 0) {
                (best, place) = (score, index);
            }
        }
        node.visits += 1;
        node.moves[place].visits += 1;
        place as u32
    }
}

fn hash<State: Hash>(state: &State) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    hasher.finish()
}
