//! Depth first: the first move, and from there the first move, until the game is over; then the
//! last choice is made differently. States that were left are not entered again.

use std::sync::Arc;
use std::time::Duration;

use machine::circuit::CircuitState;

use super::{Method, Progress, Tally};
use crate::eye::{Eye, Sight};
use crate::path::Path;
use crate::table::Table;
use crate::{Search, Space};

const NAME: &str = "depth-first";
/// States between two looks at the clock.
const AT_ONCE: usize = 64;

/// Depth-first search with one state at a time.
#[derive(Debug)]
pub struct Depth {
    space: Arc<Space>,
    eye: Eye,
    most_bytes: usize,
    known: Table,
    path: Path,
    begun: bool,
}

impl Depth {
    /// Depth-first search that takes at most so many bytes, about.
    pub fn new(space: Arc<Space>, most_bytes: usize) -> Self {
        Self {
            eye: Eye::new(space.machine()),
            most_bytes,
            known: Table::default(),
            path: Path::default(),
            begun: false,
            space,
        }
    }

    /// Enters a state that was not met before and may lead to something better.
    fn enter(&mut self, state: CircuitState, search: &Search<'_>) {
        let mut key = vec![0; self.space.words()];
        self.space.key(state.words(), self.path.len(), true, &mut key);
        if !search.board.is_better(self.space.bound(&key)) || self.known.insert(&key, None).is_none() {
            return;
        }
        match self.eye.look(&state) {
            Sight::End(goal) => {
                search.offer(NAME, goal, || self.path.line());
            }
            Sight::Moves(mut moves) => {
                // The last one is taken first.
                moves.reverse();
                self.path.push(state, moves);
            }
        }
    }
}

impl Method for Depth {
    fn name(&self) -> &'static str {
        NAME
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        if !std::mem::replace(&mut self.begun, true) {
            self.known = self.space.table(search);
            self.enter(self.space.start().clone(), search);
        }
        while !search.is_over(until) {
            for _ in 0..AT_ONCE {
                if self.path.is_empty() {
                    search.exhausted(NAME);
                    return Progress::Ended;
                }
                if let Some(next) = self.path.step(&mut self.eye) {
                    self.enter(next, search);
                }
            }
            if self.bytes() > self.most_bytes {
                return Progress::Ended;
            }
        }
        Progress::Working
    }

    fn tally(&self) -> Tally {
        self.known.tally()
    }

    fn bytes(&self) -> usize {
        self.known.bytes() + self.path.len() * (Path::STEP_BYTES + self.space.words() * 8)
    }
}
