//! Beam search: of each layer only the most promising states are kept; when the end is reached, all
//! over again with more of them.

use std::sync::Arc;
use std::time::Duration;

use game::{Dice, MoveId};
use machine::circuit::CircuitState;

use super::{Method, Progress, Tally};
use crate::distances::{Distances, Reach};
use crate::lanes::{Lanes, Look};
use crate::soft::SoftGoals;
use crate::table::{NodeId, Table};
use crate::{Search, Space};

/// The states kept in the first run.
const FIRST_WIDTH: usize = 64;
/// No more than this, whatever the memory.
const MOST_WIDTH: usize = 1 << 21;
/// States whose successors are made at a time.
const STEPS_AT_ONCE: usize = 8_192;
/// Layers beyond this are not looked at.
const MOST_DEPTH: usize = 2_000;
/// The nearness of a state from which the highest goal cannot be reached.
const OUT_OF_REACH: f64 = -1e9;

/// What a beam prefers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taste {
    /// The method's name.
    pub name: &'static str,
    /// Nearness to the goals.
    pub goals: f64,
    /// Many legal moves; below 0, few.
    pub mobility: f64,
    /// Chance.
    pub chance: f64,
    /// How nearness is measured.
    pub guide: Guide,
}

/// How a beam measures nearness to the goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guide {
    /// By how much one would expect to score if some facts were wrong.
    Doubt,
    /// By the moves that groups of parts of the highest goal need at least.
    Distances,
}

/// What measures it.
#[derive(Debug)]
enum Judge {
    Doubt(SoftGoals),
    Distances(Arc<Distances>),
}

impl Judge {
    fn new(space: &Space, guide: Guide) -> Option<Self> {
        match guide {
            Guide::Doubt => Some(Self::Doubt(SoftGoals::new(space.circuit()))),
            Guide::Distances => space.distances().map(Self::Distances),
        }
    }

    fn judge<'a>(&mut self, states: impl Iterator<Item = &'a [u64]>, out: &mut Vec<f64>) {
        match self {
            Self::Doubt(soft) => soft.judge(states, out),
            Self::Distances(distances) => {
                out.clear();
                out.extend(states.map(|state| match distances.judge(state) {
                    Reach::Never => OUT_OF_REACH,
                    Reach::Within { squares, .. } => -f64::from(squares),
                }));
            }
        }
    }
}

/// Beam search with ever wider beams.
#[derive(Debug)]
pub struct Beam {
    space: Arc<Space>,
    lanes: Lanes,
    /// Made when the work begins.
    judge: Option<Judge>,
    taste: Taste,
    most_bytes: usize,
    dice: Dice,
    width: usize,
    run: Run,
    runs: usize,
    look: Look,
    states: Vec<CircuitState>,
    successors: Vec<CircuitState>,
    mobilities: Vec<Option<u32>>,
    nearness: Vec<f64>,
}

/// One run from the start.
#[derive(Debug, Default)]
struct Run {
    /// Whether states that differ only in what runs by itself count as the same.
    timeless: bool,
    table: Table,
    layer: Vec<NodeId>,
    done: usize,
    depth: usize,
    candidates: Candidates,
    /// Whether anything was left out.
    truncated: bool,
}

/// States that may become the next layer.
#[derive(Debug, Default)]
struct Candidates {
    rows: Vec<u64>,
    entries: Vec<Candidate>,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    worth: f64,
    row: u32,
    origin: NodeId,
    id: MoveId,
}

impl Beam {
    /// Beam search that takes at most so many bytes, about.
    pub fn new(space: Arc<Space>, taste: Taste, most_bytes: usize, seed: u64) -> Self {
        Self {
            lanes: Lanes::new(space.batch()),
            judge: None,
            taste,
            most_bytes,
            dice: Dice::new(seed),
            width: FIRST_WIDTH,
            run: Run::default(),
            runs: 0,
            look: Look::default(),
            states: Vec::new(),
            successors: Vec::new(),
            mobilities: Vec::new(),
            nearness: Vec::new(),
            space,
        }
    }

    /// Makes the successors of the next states of the layer.
    fn batch(&mut self, search: &Search<'_>) {
        let run = &mut self.run;
        let size = STEPS_AT_ONCE / 16;
        let nodes = &run.layer[run.done..run.layer.len().min(run.done + size)];
        run.done += nodes.len();
        self.states.clear();
        let mut words = vec![0; self.space.words()];
        for &node in nodes {
            self.space.restore(run.table.row(node), run.depth, &mut words);
            self.states.push(CircuitState::from_words(&words));
        }
        self.lanes.look(&self.states, &mut self.look);
        for &(index, goal) in &self.look.ends {
            search.offer(self.taste.name, goal, || run.table.line(nodes[index as usize]));
        }
        self.lanes.advance(&self.states, &self.look.steps, &mut self.successors);
        self.lanes.mobility(&self.successors, &mut self.mobilities);
        let Some(judge) = &mut self.judge else { return };
        judge.judge(self.successors.iter().map(CircuitState::words), &mut self.nearness);
        let mut ends = Vec::new();
        for (index, successor) in self.successors.iter().enumerate() {
            let Some(mobility) = self.mobilities[index] else {
                ends.push(index);
                continue;
            };
            if mobility == 0 || !search.board.is_better(self.space.bound(successor.words())) {
                continue;
            }
            let worth = self.taste.goals * self.nearness[index]
                + self.taste.mobility * f64::from(mobility).ln()
                + self.taste.chance * self.dice.unit();
            self.space.key(successor.words(), run.depth + 1, !run.timeless, &mut words);
            let (origin, id) = self.look.steps[index];
            run.candidates.add(worth, &words, nodes[origin as usize], id);
        }
        for index in ends {
            let goal = self.lanes.goal(&self.successors[index]);
            search.offer(self.taste.name, goal, || {
                let (origin, id) = self.look.steps[index];
                let mut line = run.table.line(nodes[origin as usize]);
                line.push(id);
                line
            });
        }
        if run.candidates.entries.len() > self.width * 4 + STEPS_AT_ONCE * 8 {
            // Twice the width, as some may turn out to be known.
            run.truncated |= run.candidates.thin(self.width * 2, words.len());
        }
    }

    /// Keeps the best candidates as the next layer.
    fn next_layer(&mut self) {
        let run = &mut self.run;
        let words = self.space.words();
        let mut candidates = std::mem::take(&mut run.candidates);
        candidates.entries.sort_unstable_by(|a, b| b.worth.total_cmp(&a.worth));
        run.layer.clear();
        run.done = 0;
        run.depth += 1;
        for candidate in &candidates.entries {
            if run.layer.len() == self.width {
                run.truncated = true;
                break;
            }
            let start = candidate.row as usize * words;
            let row = &candidates.rows[start..start + words];
            if let Some(node) = run.table.insert(row, Some((candidate.origin, candidate.id))) {
                run.layer.push(node);
            }
        }
        candidates.entries.clear();
        candidates.rows.clear();
        run.candidates = candidates;
    }
}

impl Run {
    fn new(space: &Space, timeless: bool, search: &Search<'_>) -> Self {
        let mut table = space.table(search);
        let mut row = vec![0; space.words()];
        space.key(space.start().words(), 0, !timeless, &mut row);
        let layer = table.insert(&row, None).into_iter().collect();
        Self {
            timeless,
            table,
            layer,
            done: 0,
            depth: 0,
            candidates: Candidates::default(),
            truncated: false,
        }
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.candidates.rows.capacity() * 8 + self.candidates.entries.capacity() * 24
    }
}

impl Candidates {
    fn add(&mut self, worth: f64, words: &[u64], origin: NodeId, id: MoveId) {
        // Each has a row of its own: counting words would not do, as a game without facts has none.
        let row = self.entries.len() as u32;
        self.rows.extend_from_slice(words);
        self.entries.push(Candidate { worth, row, origin, id });
    }

    /// Keeps the best so many; says whether any were left out.
    fn thin(&mut self, most: usize, words: usize) -> bool {
        if self.entries.len() <= most {
            return false;
        }
        self.entries.select_nth_unstable_by(most, |a, b| b.worth.total_cmp(&a.worth));
        self.entries.truncate(most);
        let mut rows = Vec::with_capacity(most * words);
        for (entry, row) in self.entries.iter_mut().zip(0..) {
            let start = entry.row as usize * words;
            entry.row = row;
            rows.extend_from_slice(&self.rows[start..start + words]);
        }
        self.rows = rows;
        true
    }
}

impl Method for Beam {
    fn name(&self) -> &'static str {
        self.taste.name
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        if self.judge.is_none() {
            self.judge = Judge::new(&self.space, self.taste.guide);
            if self.judge.is_none() {
                return Progress::Ended;
            }
            self.run = Run::new(&self.space, true, search);
        }
        while !search.is_over(until) {
            if self.run.done < self.run.layer.len() {
                self.batch(search);
                continue;
            }
            if self.run.depth < MOST_DEPTH {
                self.next_layer();
            } else {
                self.run.layer.clear();
                self.run.truncated = true;
            }
            if !self.run.layer.is_empty() {
                continue;
            }
            let exact = !self.run.timeless || !self.space.has_clock();
            if exact && !self.run.truncated {
                search.exhausted(self.taste.name);
                return Progress::Ended;
            }
            self.runs += 1;
            // Without a clock both kinds of keys are the same.
            let timeless = !self.run.timeless || !self.space.has_clock();
            if timeless && (self.run.bytes() * 3 < self.most_bytes && self.width < MOST_WIDTH) {
                self.width *= 2;
            }
            self.run = Run::new(&self.space, timeless, search);
        }
        Progress::Working
    }

    fn tally(&self) -> Tally {
        self.run.table.tally()
    }

    fn bytes(&self) -> usize {
        self.run.bytes()
    }
}
