//! Beam search: of each layer only the most promising states are kept; when the end is reached, all
//! over again with more of them.

use std::sync::Arc;
use std::time::Duration;

use game::{Dice, MoveId};
use machine::circuit::CircuitState;

use super::{Method, Progress};
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
}

/// Beam search with ever wider beams.
#[derive(Debug)]
pub struct Beam {
    space: Arc<Space>,
    lanes: Lanes,
    soft: SoftGoals,
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
#[derive(Debug)]
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
            soft: SoftGoals::new(space.circuit()),
            taste,
            most_bytes,
            dice: Dice::new(seed),
            width: FIRST_WIDTH,
            run: Run::new(&space, true),
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
        let clock = self.space.clock(run.depth);
        let mut words = vec![0; clock.len()];
        for &node in nodes {
            restore(run.table.row(node), clock, &mut words);
            self.states.push(CircuitState::from_words(&words));
        }
        self.lanes.look(&self.states, &mut self.look);
        for &(index, goal) in &self.look.ends {
            search.offer(self.taste.name, goal, || run.table.line(nodes[index as usize]));
        }
        self.lanes.advance(&self.states, &self.look.steps, &mut self.successors);
        self.lanes.mobility(&self.successors, &mut self.mobilities);
        self.soft.judge(self.successors.iter().map(CircuitState::words), &mut self.nearness);
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
            let row = (run.candidates.rows.len() / words.len()) as u32;
            for (index, word) in successor.words().iter().enumerate() {
                let kept = if run.timeless { 0 } else { self.space.clock(run.depth + 1)[index] };
                run.candidates.rows.push(word & self.space.core()[index] | kept);
            }
            let (origin, id) = self.look.steps[index];
            let origin = nodes[origin as usize];
            run.candidates.entries.push(Candidate { worth, row, origin, id });
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

/// A state with the facts that run by themselves.
fn restore(row: &[u64], clock: &[u64], out: &mut [u64]) {
    out.iter_mut().zip(row.iter().zip(clock)).for_each(|(word, (row, clock))| *word = row | clock);
}

impl Run {
    fn new(space: &Space, timeless: bool) -> Self {
        let mut table = Table::new(space.words());
        let clock = space.clock(0);
        let row: Vec<u64> = (space.start().words().iter().zip(space.core()).zip(clock))
            .map(|((word, core), clock)| word & core | if timeless { 0 } else { *clock })
            .collect();
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
    /// Keeps the best so many; says whether any were left out.
    fn thin(&mut self, most: usize, words: usize) -> bool {
        if self.entries.len() <= most {
            return false;
        }
        self.entries.select_nth_unstable_by(most, |a, b| b.worth.total_cmp(&a.worth));
        self.entries.truncate(most);
        let mut rows = Vec::with_capacity(most * words);
        for entry in &mut self.entries {
            let start = entry.row as usize * words;
            entry.row = (rows.len() / words) as u32;
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
            self.run = Run::new(&self.space, timeless);
        }
        Progress::Working
    }

    fn bytes(&self) -> usize {
        self.run.bytes()
    }
}
