//! Upper confidence bounds in a tree, by the highest score in place of the average: nothing that
//! was reached once can be taken away by an opponent. Playouts from all children of a new node run
//! side by side.

use std::sync::Arc;
use std::time::Duration;

use game::{Dice, Goal, MoveId};
use machine::circuit::CircuitState;

use super::{Method, Progress};
use crate::lanes::{Lanes, Look};
use crate::{Search, Space};

const NAME: &str = "maximum in a tree";
/// Playouts from the children of a node, about.
const PLAYOUTS: usize = 128;
/// Playouts longer than this are given up.
const MOST_STEPS: usize = 1_000;
/// The weight of exploration, for scores from 0 to 100.
const EXPLORATION: f64 = 40.0;
/// Bytes of a node beside its state, about.
const NODE_BYTES: usize = 96;

/// A tree that goes by the highest score.
#[derive(Debug)]
pub struct MaxUct {
    space: Arc<Space>,
    lanes: Lanes,
    dice: Dice,
    most_bytes: usize,
    nodes: Vec<Node>,
    look: Look,
}

#[derive(Debug)]
struct Node {
    state: CircuitState,
    /// The move that leads here.
    id: MoveId,
    /// The children, one after the other; none before the node is opened.
    children: std::ops::Range<u32>,
    visits: u32,
    highest: Goal,
    /// Whether everything below was looked at.
    closed: bool,
}

impl MaxUct {
    /// A tree that takes at most so many bytes, about.
    pub fn new(space: Arc<Space>, most_bytes: usize, seed: u64) -> Self {
        let root = Node::new(space.start().clone(), MoveId(0));
        let (lanes, dice) = (Lanes::new(space.batch()), Dice::new(seed));
        Self { lanes, dice, most_bytes, nodes: vec![root], look: Look::default(), space }
    }

    /// The way down to a node that was not opened yet.
    fn descend(&self) -> Vec<u32> {
        let mut way = vec![0];
        let mut node = &self.nodes[0];
        while !node.children.is_empty() {
            let logarithm = f64::from(node.visits.max(1)).ln();
            let bound = |&child: &u32| {
                let child = &self.nodes[child as usize];
                let visits = f64::from(child.visits.max(1));
                f64::from(child.highest.0) + EXPLORATION * (logarithm / visits).sqrt()
            };
            let open = node.children.clone().filter(|&child| !self.nodes[child as usize].closed);
            let Some(child) = open.max_by(|a, b| bound(a).total_cmp(&bound(b))) else { break };
            way.push(child);
            node = &self.nodes[child as usize];
        }
        way
    }

    /// Opens the last node of a way: all its moves, and playouts from each.
    fn open(&mut self, way: &[u32], until: Duration, search: &Search<'_>) {
        let Some(&place) = way.last() else { return };
        let state = std::slice::from_ref(&self.nodes[place as usize].state);
        let line = |more: &[MoveId]| -> Vec<MoveId> {
            let made = way[1..].iter().map(|&node| self.nodes[node as usize].id);
            made.chain(more.iter().copied()).collect()
        };
        self.lanes.look(state, &mut self.look);
        if let Some(&(_, goal)) = self.look.ends.first() {
            search.offer(NAME, goal, || line(&[]));
            self.nodes[place as usize].highest = goal;
            return;
        }
        let mut successors = Vec::new();
        self.lanes.advance(state, &self.look.steps, &mut successors);
        let each = (PLAYOUTS / successors.len().max(1)).max(1);
        let starts = successors.iter().flat_map(|state| std::iter::repeat_n(state.clone(), each)).collect();
        let ended = self.lanes.play(starts, &mut self.dice, MOST_STEPS, &|| search.is_over(until));
        let mut children: Vec<Node> = successors
            .into_iter()
            .zip(&self.look.steps)
            .map(|(state, step)| Node::new(state, step.1))
            .collect();
        for (end, index) in ended.into_iter().zip(0..) {
            let child = &mut children[index / each];
            child.visits = each as u32;
            if let Some((goal, rest)) = end {
                child.highest = child.highest.max(goal);
                search.offer(NAME, goal, || line(&[&[child.id], &rest[..]].concat()));
            }
        }
        let first = self.nodes.len() as u32;
        self.nodes.extend(children);
        self.nodes[place as usize].children = first..self.nodes.len() as u32;
    }

    /// Hands what is known below up the way.
    fn update(&mut self, way: &[u32]) {
        for &place in way.iter().rev() {
            let children = self.nodes[place as usize].children.clone();
            let below = &self.nodes[children.start as usize..children.end as usize];
            let closed = below.iter().all(|child| child.closed);
            let highest = below.iter().map(|child| child.highest).max();
            let node = &mut self.nodes[place as usize];
            node.visits += 1;
            node.highest = node.highest.max(highest.unwrap_or_default());
            node.closed = closed;
        }
    }
}

impl Node {
    fn new(state: CircuitState, id: MoveId) -> Self {
        Self { state, id, children: 0..0, visits: 0, highest: Goal(0), closed: false }
    }
}

impl Method for MaxUct {
    fn name(&self) -> &'static str {
        NAME
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        while !search.is_over(until) {
            let way = self.descend();
            self.open(&way, until, search);
            // A node without children is at the end, or stuck: nothing is left below.
            self.update(&way);
            if self.nodes[0].closed {
                search.exhausted(NAME);
                return Progress::Ended;
            }
            if self.bytes() > self.most_bytes {
                return Progress::Ended;
            }
        }
        Progress::Working
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * (NODE_BYTES + self.space.words() * 8)
    }
}
