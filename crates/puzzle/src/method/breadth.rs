//! Breadth first: all states one move away, then all states two moves away, and so on.

use std::sync::Arc;
use std::time::Duration;

use machine::circuit::CircuitState;

use super::{Method, Progress, Tally};
use crate::lanes::{Lanes, Look};
use crate::table::{NodeId, Table};
use crate::{Search, Space};

/// Steps that are made at a time, about.
const STEPS_AT_ONCE: usize = 16_384;

/// Which states count as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// States that differ only in facts that run by themselves: where a state was reached early, it
    /// is not looked at again later. Finds what does not need to wait; proves nothing, unless
    /// nothing runs by itself.
    Timeless,
    /// States that are equal in all that matters. Proves.
    Exact,
}

/// Breadth-first search in layers, hundreds of states per sweep.
#[derive(Debug)]
pub struct Breadth {
    space: Arc<Space>,
    lanes: Lanes,
    keys: Keys,
    most_bytes: usize,
    begun: bool,
    table: Table,
    layer: Vec<NodeId>,
    /// How much of the layer is done.
    done: usize,
    next: Vec<NodeId>,
    depth: usize,
    /// The average number of moves, to know how many states make a batch.
    branching: usize,
    look: Look,
    states: Vec<CircuitState>,
    successors: Vec<CircuitState>,
}

impl Breadth {
    /// Breadth-first search that takes at most so many bytes, about.
    pub fn new(space: Arc<Space>, keys: Keys, most_bytes: usize) -> Self {
        Self {
            lanes: Lanes::new(space.batch()),
            keys,
            most_bytes,
            begun: false,
            table: Table::default(),
            layer: Vec::new(),
            done: 0,
            next: Vec::new(),
            depth: 0,
            branching: 16,
            look: Look::default(),
            states: Vec::new(),
            successors: Vec::new(),
            space,
        }
    }

    /// Begins with the start.
    fn begin(&mut self, search: &Search<'_>) {
        self.table = self.space.table(search);
        let mut row = vec![0; self.space.words()];
        self.space.key(self.space.start().words(), 0, self.keys == Keys::Exact, &mut row);
        self.layer.extend(self.table.insert(&row, None));
    }

    fn proves(&self) -> bool {
        self.keys == Keys::Exact || !self.space.has_clock()
    }

    /// Looks at the next states of the layer and notes their successors.
    fn batch(&mut self, search: &Search<'_>) {
        let name = self.name();
        let size = (STEPS_AT_ONCE / self.branching.max(1)).clamp(64, 4096);
        let nodes = &self.layer[self.done..self.layer.len().min(self.done + size)];
        self.done += nodes.len();
        self.states.clear();
        let mut words = vec![0; self.space.words()];
        for &node in nodes {
            self.space.restore(self.table.row(node), self.depth, &mut words);
            self.states.push(CircuitState::from_words(&words));
        }
        self.lanes.look(&self.states, &mut self.look);
        for &(index, goal) in &self.look.ends {
            search.offer(name, goal, || self.table.line(nodes[index as usize]));
        }
        self.branching = self.look.steps.len() / nodes.len().max(1) + 1;
        self.lanes.advance(&self.states, &self.look.steps, &mut self.successors);
        let pruned = self.space.has_bounds();
        for (successor, &(origin, id)) in self.successors.iter().zip(&self.look.steps) {
            self.space.key(successor.words(), self.depth + 1, self.keys == Keys::Exact, &mut words);
            if pruned && !search.board.is_better(self.space.bound(&words)) {
                continue;
            }
            if let Some(node) = self.table.insert(&words, Some((nodes[origin as usize], id))) {
                self.next.push(node);
            }
        }
    }
}

impl Method for Breadth {
    fn name(&self) -> &'static str {
        match self.keys {
            Keys::Timeless => "breadth-first",
            Keys::Exact => "breadth-first, exact",
        }
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        if !std::mem::replace(&mut self.begun, true) {
            self.begin(search);
        }
        loop {
            if self.done == self.layer.len() {
                self.layer = std::mem::take(&mut self.next);
                if self.done > 0 {
                    self.depth += 1;
                }
                self.done = 0;
                if self.layer.is_empty() {
                    if self.proves() {
                        search.exhausted(self.name());
                    }
                    return Progress::Ended;
                }
            }
            if search.is_over(until) {
                return Progress::Working;
            }
            self.batch(search);
            if self.bytes() > self.most_bytes {
                return Progress::Ended;
            }
        }
    }

    fn tally(&self) -> Tally {
        self.table.tally()
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + (self.layer.capacity() + self.next.capacity()) * 4
    }
}
