//! Best first (A*, after Hart, Nilsson and Raphael, 1968): of all states met, those are looked at
//! next that have the fewest moves behind them and ahead of them, as far as distances tell.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::time::Duration;

use machine::circuit::CircuitState;

use super::{Method, Progress, Tally};
use crate::distances::{Distances, Reach};
use crate::lanes::{Lanes, Look};
use crate::needs::Needs;
use crate::table::{NodeId, Noted, Table};
use crate::{Search, Space};

const NAME: &str = "best-first";
/// States that are looked at in one sweep.
const AT_ONCE: usize = 256;

/// Best-first search, hundreds of states per sweep.
#[derive(Debug)]
pub struct BestFirst {
    space: Arc<Space>,
    lanes: Lanes,
    most_bytes: usize,
    guide: Option<Guide>,
    table: Table,
    /// For each state of the table the fewest moves that lead to it.
    behind: Vec<u32>,
    /// The moves in all, as far as they are known; how far from home all groups are; the moves
    /// behind; the state.
    open: BinaryHeap<Reverse<(u32, u32, u32, u32)>>,
    /// Whether states were left out because the highest goal is out of reach from them.
    hopeless: bool,
    look: Look,
    states: Vec<CircuitState>,
    successors: Vec<CircuitState>,
}

/// What tells how far the goal is.
#[derive(Debug)]
enum Guide {
    /// Tables of distances: never more than the truth.
    Distances(Arc<Distances>),
    /// One move for each condition of the goal that is not met: often more than the truth.
    Needs(Box<Needs>),
}

impl BestFirst {
    /// Best-first search that takes at most so many bytes, about.
    pub fn new(space: Arc<Space>, most_bytes: usize) -> Self {
        Self {
            lanes: Lanes::new(space.batch()),
            most_bytes,
            guide: None,
            table: Table::default(),
            behind: Vec::new(),
            open: BinaryHeap::new(),
            hopeless: false,
            look: Look::default(),
            states: Vec::new(),
            successors: Vec::new(),
            space,
        }
    }

    /// Distances where there are any, and the number of needs where not.
    fn begin(&mut self, search: &Search<'_>) {
        self.table = self.space.table(search);
        self.guide = Some(match self.space.distances() {
            Some(distances) => Guide::Distances(distances),
            None => Guide::Needs(Box::new(Needs::new(self.space.circuit(), self.space.ceiling().0))),
        });
        let start = self.space.start().clone();
        self.note(start.words(), 0, None);
    }

    /// Notes a state that was reached with so many moves, if that is news.
    fn note(&mut self, state: &[u64], moves: u32, from: Option<(NodeId, game::MoveId)>) {
        let mut row = vec![0; self.space.words()];
        self.space.key(state, moves as usize, false, &mut row);
        let (ahead, rest) = match &mut self.guide {
            Some(Guide::Distances(distances)) => match distances.judge(state) {
                Reach::Never => {
                    self.hopeless = true;
                    return;
                }
                Reach::Within { least, squares } => (u32::from(least), squares),
            },
            Some(Guide::Needs(needs)) => (needs.unmet(state).count() as u32, 0),
            None => (0, 0),
        };
        let node = match self.table.note(&row) {
            Noted::New(node) => {
                self.behind.push(moves);
                node
            }
            Noted::Known(node) if self.behind[node.0 as usize] <= moves => return,
            Noted::Known(node) => {
                let renewed = self.table.renew(node, &row);
                if renewed == node {
                    self.behind[node.0 as usize] = moves;
                } else {
                    // The image that was met first need not be looked at any more.
                    self.behind[node.0 as usize] = u32::MAX;
                    self.behind.push(moves);
                }
                renewed
            }
        };
        self.table.relink(node, from);
        self.open.push(Reverse((moves + ahead, rest, moves, node.0)));
    }

    /// Looks at the next states.
    fn batch(&mut self, search: &Search<'_>) {
        let mut nodes = Vec::with_capacity(AT_ONCE);
        self.states.clear();
        let mut words = vec![0; self.space.words()];
        while nodes.len() < AT_ONCE
            && let Some(Reverse((_, _, moves, node))) = self.open.pop()
        {
            // It may have been reached with fewer moves since.
            if self.behind[node as usize] == moves {
                self.space.restore(self.table.row(NodeId(node)), moves as usize, &mut words);
                self.states.push(CircuitState::from_words(&words));
                nodes.push((NodeId(node), moves));
            }
        }
        self.lanes.look(&self.states, &mut self.look);
        for &(index, goal) in &self.look.ends {
            search.offer(NAME, goal, || self.table.line(nodes[index as usize].0));
        }
        let mut successors = std::mem::take(&mut self.successors);
        self.lanes.advance(&self.states, &self.look.steps, &mut successors);
        for (successor, index) in successors.iter().zip(0..) {
            let (origin, id) = self.look.steps[index];
            let (node, moves) = nodes[origin as usize];
            if search.board.is_better(self.space.bound(successor.words())) {
                self.note(successor.words(), moves + 1, Some((node, id)));
            }
        }
        self.successors = successors;
    }
}

impl Method for BestFirst {
    fn name(&self) -> &'static str {
        NAME
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        if self.guide.is_none() {
            self.begin(search);
        }
        while !search.is_over(until) {
            if self.open.is_empty() {
                // What runs by itself is left out of the table: then nothing is known for certain.
                if !self.space.has_clock() && self.hopeless {
                    search.bound(NAME, self.space.below(self.space.ceiling()));
                } else if !self.space.has_clock() {
                    search.exhausted(NAME);
                }
                return Progress::Ended;
            }
            self.batch(search);
            if self.bytes() > self.most_bytes {
                return Progress::Ended;
            }
        }
        Progress::Working
    }

    fn tally(&self) -> Tally {
        self.table.tally()
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.behind.capacity() * 4 + self.open.capacity() * 16
    }
}
