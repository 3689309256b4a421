//! Looks for a sequence of actions that wins a game in which nothing is left to chance.
//!
//! Two orders take turns over the same states: breadth first, which finds short plans, and best first, by
//! score and then by novelty: whether a sprite is somewhere where none of its type was before (iterated
//! width). A state that looks like one that was seen is left out.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use rustc_hash::FxHashSet;
use vgdl::{Action, Outcome};

use crate::{Timer, World};

/// What the kept states may take in memory.
const MEMORY: usize = 128 << 20;

/// The most states that are remembered.
const MAX_NODES: usize = 2_000_000;

/// A state, by the way to it.
#[derive(Debug)]
struct Node {
    parent: u32,
    action: Action,
    depth: u32,
    score: f32,
    /// How the world looks, and for how many ticks it has looked so.
    look: u64,
    rest: u8,
    expanded: bool,
}

/// A node in the order of best first.
#[derive(Debug, PartialEq)]
struct Rank {
    score: f32,
    novel: bool,
    depth: u32,
    node: u32,
}

impl Eq for Rank {}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score
            .total_cmp(&other.score)
            .then(self.novel.cmp(&other.novel))
            .then(other.depth.cmp(&self.depth))
            .then(other.node.cmp(&self.node))
    }
}

/// For how many ticks it counts how long nothing has changed.
const MAX_REST: u8 = 8;

/// Spreads these few ticks over all bits.
const REST: u64 = 0x9e37_79b9_7f4a_7c15;

/// How far the search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// There is more to look at.
    Open,
    /// A plan wins.
    Won,
    /// Everything was looked at.
    Exhausted,
}

/// A search for a plan.
#[derive(Debug)]
pub(crate) struct Planner {
    root: World,
    nodes: Vec<Node>,
    /// The states of nodes that are still to be expanded, as far as there is memory.
    states: Vec<Option<Box<World>>>,
    kept: usize,
    /// Worlds that can be used again: boxed, as those of the states are.
    #[allow(clippy::vec_box)]
    spare: Vec<Box<World>>,
    breadth: VecDeque<u32>,
    ranked: BinaryHeap<Rank>,
    seen: FxHashSet<u64>,
    atoms: FxHashSet<u64>,
    turn: bool,
    /// Whether doing nothing is tried, too.
    waits: bool,
    best: u32,
    won: Option<u32>,
}

impl Planner {
    pub(crate) fn new(root: &World, waits: bool) -> Self {
        let mut planner = Self {
            root: root.clone(),
            nodes: Vec::new(),
            states: Vec::new(),
            kept: 0,
            spare: Vec::new(),
            breadth: VecDeque::new(),
            ranked: BinaryHeap::new(),
            seen: FxHashSet::default(),
            atoms: FxHashSet::default(),
            turn: false,
            waits,
            best: 0,
            won: None,
        };
        let score = root.score() as f32;
        let look = root.fingerprint();
        let node = Node { parent: 0, action: Action::Nil, depth: 0, score, look, rest: 0, expanded: false };
        planner.is_new(&node);
        planner.is_novel(root);
        planner.push(node, Box::new(root.clone()), true);
        planner
    }

    /// Whether no node looked like this one. What moves by itself may take some ticks before one can see it, so there
    /// it also counts for how long nothing has changed.
    fn is_new(&mut self, node: &Node) -> bool {
        self.seen.insert(node.look ^ u64::from(node.rest).wrapping_mul(REST))
    }

    fn push(&mut self, node: Node, state: Box<World>, novel: bool) -> u32 {
        let Node { score, depth, .. } = node;
        self.nodes.push(node);
        let node = self.nodes.len() as u32 - 1;
        if (self.kept + 1) * state.bytes() <= MEMORY {
            self.kept += 1;
            self.states.push(Some(state));
        } else {
            self.spare.push(state);
            self.states.push(None);
        }
        self.breadth.push_back(node);
        self.ranked.push(Rank { score, novel, depth, node });
        if score > self.nodes[self.best as usize].score {
            self.best = node;
        }
        node
    }

    /// Whether a sprite is where none of its type was before.
    fn is_novel(&mut self, world: &World) -> bool {
        let mut novel = false;
        for sprite in world.sprites() {
            let atom = (sprite.kind.number() as u64) << 48
                ^ (u64::from(sprite.rect.x as u32) << 24)
                ^ u64::from(sprite.rect.y as u32);
            novel |= self.atoms.insert(atom);
        }
        novel
    }

    /// The node that is expanded next.
    fn next(&mut self) -> Option<u32> {
        self.turn = !self.turn;
        loop {
            let node =
                if self.turn { self.breadth.pop_front() } else { self.ranked.pop().map(|rank| rank.node) };
            let node = node?;
            if !self.nodes[node as usize].expanded {
                return Some(node);
            }
        }
    }

    /// The state of a node, played again if it was not kept.
    fn state(&mut self, node: u32, timer: &mut Timer<'_>) -> Box<World> {
        if let Some(state) = self.states[node as usize].take() {
            self.kept -= 1;
            return state;
        }
        let actions = self.way(node);
        let mut state = self.copy(None);
        for action in actions {
            state.advance(action);
            timer.spend(1);
        }
        state
    }

    /// A copy of a world, or of the root.
    fn copy(&mut self, of: Option<&World>) -> Box<World> {
        match self.spare.pop() {
            Some(mut world) => {
                world.repeat(of.unwrap_or(&self.root));
                world
            }
            None => Box::new(of.unwrap_or(&self.root).clone()),
        }
    }

    /// Goes on until time is over or a plan wins.
    pub(crate) fn search(&mut self, timer: &mut Timer<'_>) -> Progress {
        while self.won.is_none() {
            if self.nodes.len() >= MAX_NODES {
                return Progress::Exhausted;
            }
            if timer.is_over() {
                return Progress::Open;
            }
            let Some(node) = self.next() else { return Progress::Exhausted };
            self.expand(node, timer);
        }
        Progress::Won
    }

    fn expand(&mut self, node: u32, timer: &mut Timer<'_>) {
        self.nodes[node as usize].expanded = true;
        let state = self.state(node, timer);
        let Node { depth, look: seen, rest, .. } = self.nodes[node as usize];
        let nil: &[Action] = if self.waits { &[Action::Nil] } else { &[] };
        for &action in state.actions().iter().chain(nil) {
            let mut child = self.copy(Some(&state));
            child.advance(action);
            timer.spend(1);
            let lost =
                child.outcome() == Outcome::Lost || (child.is_over() && child.outcome() != Outcome::Won);
            let (score, look) = (child.score() as f32, child.fingerprint());
            let rest = if self.waits && look == seen { rest.saturating_add(1).min(MAX_REST) } else { 0 };
            let new = Node { parent: node, action, depth: depth + 1, score, look, rest, expanded: false };
            if lost || !self.is_new(&new) {
                self.spare.push(child);
                continue;
            }
            let won = child.outcome() == Outcome::Won;
            let novel = self.is_novel(&child);
            let child = self.push(new, child, novel);
            if won {
                self.won = Some(child);
                break;
            }
        }
        self.spare.push(state);
        self.spare.truncate(64);
    }

    /// The actions that lead to a node.
    fn way(&self, mut node: u32) -> VecDeque<Action> {
        let mut actions = VecDeque::new();
        while node != 0 {
            let Node { parent, action, .. } = self.nodes[node as usize];
            actions.push_front(action);
            node = parent;
        }
        actions
    }

    /// The plan that wins, if one was found.
    pub(crate) fn winning(&self) -> Option<VecDeque<Action>> {
        self.won.map(|node| self.way(node))
    }

    /// The plan that gains most points, if one gains any.
    pub(crate) fn gaining(&self) -> Option<VecDeque<Action>> {
        (self.best != 0).then(|| self.way(self.best))
    }
}
