//! Iterative deepening with a memory (IDA*, after Korf, 1985; with a table of states, after Reinefeld
//! and Marsland, 1994): depth first to a limit, then all over again to the next one, by what is known of the
//! game: counters are left out of account and tables of distances say how many moves are needed at
//! least. Without all that it is [`super::MemoryIda`].

use std::sync::Arc;
use std::time::Duration;

use machine::circuit::CircuitState;

use super::{Method, Progress, Tally};
use crate::distances::{Distances, Reach};
use crate::eye::{Eye, Sight};
use crate::path::Path;
use crate::table::{Noted, Table};
use crate::{Search, Space};

const NAME: &str = "iterative deepening";
/// States between two looks at the clock.
const AT_ONCE: usize = 64;

/// Iterative deepening with a table of states.
#[derive(Debug)]
pub struct Deepening {
    space: Arc<Space>,
    eye: Eye,
    most_bytes: usize,
    distances: Option<Arc<Distances>>,
    /// No more moves than this.
    limit: usize,
    /// The least that a line which was cut would have needed.
    next_limit: Option<usize>,
    /// Whether states were left out because the highest goal is out of reach from them.
    hopeless: bool,
    known: Table,
    /// For each known state, how many moves were left when it was entered.
    left: Vec<u32>,
    path: Path,
    begun: bool,
}

impl Deepening {
    /// Iterative deepening whose table takes at most so many bytes, about.
    pub fn new(space: Arc<Space>, most_bytes: usize) -> Self {
        Self {
            eye: Eye::new(space.machine()),
            most_bytes,
            distances: None,
            limit: 0,
            next_limit: None,
            hopeless: false,
            known: Table::default(),
            left: Vec::new(),
            path: Path::default(),
            begun: false,
            space,
        }
    }

    /// Begins with the next limit.
    fn begin(&mut self, search: &Search<'_>) {
        (self.next_limit, self.hopeless) = (None, false);
        // All that is in the table was entered with fewer moves left than this time.
        self.known = self.space.table(search);
        self.left.clear();
        self.enter(self.space.start().clone(), search);
    }

    /// Enters a state, unless it was entered with as many moves left or does not lead anywhere.
    fn enter(&mut self, state: CircuitState, search: &Search<'_>) {
        let depth = self.path.len();
        let mut key = vec![0; self.space.words()];
        self.space.key(state.words(), depth, false, &mut key);
        if !search.board.is_better(self.space.bound(&key)) {
            return;
        }
        let needed = match self.distances.as_ref().map(|distances| distances.judge(state.words())) {
            Some(Reach::Never) => {
                self.hopeless = true;
                return;
            }
            Some(Reach::Within { least, .. }) => depth + usize::from(least),
            None => depth,
        };
        if needed > self.limit {
            self.next_limit = Some(self.next_limit.map_or(needed, |next| next.min(needed)));
            return;
        }
        let left = (self.limit - depth) as u32;
        match self.known.note(&key) {
            Noted::New(_) => self.left.push(left),
            Noted::Known(node) if self.left[node.0 as usize] >= left => return,
            Noted::Known(node) => self.left[node.0 as usize] = left,
        }
        match self.eye.look(&state) {
            Sight::End(goal) => {
                search.offer(NAME, goal, || self.path.line());
            }
            Sight::Moves(moves) if left > 0 => self.path.push(state, moves),
            Sight::Moves(moves) if moves.is_empty() => {}
            Sight::Moves(_) => {
                self.next_limit = Some(self.next_limit.map_or(depth + 1, |next| next.min(depth + 1)));
            }
        }
    }

    /// Everything within the limit was looked at.
    fn conclude(&mut self, search: &Search<'_>) -> Progress {
        if let Some(limit) = self.next_limit {
            self.limit = limit;
            self.begin(search);
            return Progress::Working;
        }
        // Nothing was cut, so that more moves lead to no other states; but where something runs by
        // itself, states that were taken for the same may not be.
        if !self.space.has_clock() {
            if self.hopeless {
                search.bound(NAME, self.space.below(self.space.ceiling()));
            } else {
                search.exhausted(NAME);
            }
        }
        Progress::Ended
    }
}

impl Method for Deepening {
    fn name(&self) -> &'static str {
        NAME
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        if !std::mem::replace(&mut self.begun, true) {
            self.distances = self.space.distances();
            self.begin(search);
        }
        while !search.is_over(until) {
            for _ in 0..AT_ONCE {
                if self.path.is_empty() {
                    match self.conclude(search) {
                        Progress::Ended => return Progress::Ended,
                        Progress::Working => break,
                    }
                }
                if let Some(next) = self.path.step(&mut self.eye) {
                    self.enter(next, search);
                }
            }
            if self.known.bytes() + self.left.capacity() * 4 > self.most_bytes {
                return Progress::Ended;
            }
        }
        Progress::Working
    }

    fn tally(&self) -> Tally {
        self.known.tally()
    }

    fn bytes(&self) -> usize {
        self.known.bytes() + self.left.capacity() * 4
    }
}
