//! Depth first, one need at a time: of all that the goal still needs, what can be brought about in
//! the fewest ways is decided next, and only the moves that may do it are tried.
//!
//! Where moves only add to what is there and hinder each other both ways, as when a grid is filled
//! in, their order does not matter, and nothing is lost by this. Elsewhere it is a guess: plans are
//! what they are, but that none was found says nothing.

use std::sync::Arc;
use std::time::Duration;

use game::{Dice, MoveId};
use machine::circuit::CircuitState;

use super::{Method, Progress, Tally};
use crate::eye::{Eye, Sight};
use crate::needs::Needs;
use crate::path::Path;
use crate::table::Table;
use crate::{Search, Space};

/// Positions of the first attempt; each further one has more.
const FIRST_ATTEMPT: usize = 2_000;
/// With more needs than this choosing among them takes too long.
const MOST_NEEDS: usize = 2_000;
/// Lines are not followed further than this.
const MOST_DEPTH: usize = 1_000;
/// Positions between two looks at the clock.
const AT_ONCE: usize = 32;

/// Depth-first search by needs, begun again and again with more patience.
#[derive(Debug)]
pub struct Commit {
    space: Arc<Space>,
    eye: Eye,
    needs: Needs,
    dice: Dice,
    most_bytes: usize,
    attempt: usize,
    /// Positions left in this attempt.
    left: usize,
    known: Table,
    path: Path,
}

impl Commit {
    /// A search that takes at most so many bytes, about; `None` if the highest goal has no parts.
    pub fn new(space: Arc<Space>, most_bytes: usize, seed: u64) -> Option<Self> {
        let needs = Needs::new(space.circuit(), space.ceiling().0);
        (2..=MOST_NEEDS).contains(&needs.all.len()).then(|| Self {
            eye: Eye::new(space.machine()),
            needs,
            dice: Dice::new(seed),
            most_bytes,
            attempt: FIRST_ATTEMPT,
            left: 0,
            known: Table::default(),
            path: Path::default(),
            space,
        })
    }

    /// Enters a position: says what it scores if the game is over, else notes what is to be tried.
    fn enter(&mut self, state: CircuitState, search: &Search<'_>) {
        self.left = self.left.saturating_sub(1);
        let mut key = vec![0; self.space.words()];
        self.space.key(state.words(), 0, false, &mut key);
        if self.known.insert(&key, None).is_none() || !search.board.is_better(self.space.bound(&key)) {
            return;
        }
        match self.eye.look(&state) {
            Sight::End(score) => {
                search.offer("commitment", score, || self.path.line());
            }
            Sight::Moves(legal) if self.path.len() < MOST_DEPTH => {
                let moves = self.candidates(&state, &legal);
                self.path.push(state, moves);
            }
            Sight::Moves(_) => {}
        }
    }

    /// The moves for the need with the fewest of them, in any order.
    fn candidates(&mut self, state: &CircuitState, legal: &[MoveId]) -> Vec<MoveId> {
        let mut fewest: Option<Vec<MoveId>> = None;
        for need in self.needs.unmet(state.words()) {
            let helps = |id: &&MoveId| need.moves[id.0 as usize / 64] >> (id.0 % 64) & 1 != 0;
            let count = legal.iter().filter(helps).count();
            if fewest.as_ref().is_none_or(|fewest| count < fewest.len()) {
                fewest = Some(legal.iter().filter(helps).copied().collect());
            }
        }
        let mut moves = fewest.unwrap_or_else(|| legal.to_vec());
        for last in (1..moves.len()).rev() {
            moves.swap(last, self.dice.below(last + 1));
        }
        moves
    }
}

impl Method for Commit {
    fn name(&self) -> &'static str {
        "commitment"
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        while !search.is_over(until) {
            for _ in 0..AT_ONCE {
                if self.path.is_empty() {
                    if self.left > 0 {
                        // Everything within reach was tried.
                        return Progress::Ended;
                    }
                    self.attempt += self.attempt / 2;
                    self.left = self.attempt;
                    self.known = self.space.table(search);
                    self.enter(self.space.start().clone(), search);
                    if self.path.is_empty() {
                        return Progress::Ended;
                    }
                    continue;
                }
                if self.left == 0 || self.known.bytes() > self.most_bytes {
                    self.left = 0;
                    self.path.clear();
                    continue;
                }
                if let Some(next) = self.path.step(&mut self.eye) {
                    self.enter(next, search);
                }
            }
        }
        Progress::Working
    }

    fn tally(&self) -> Tally {
        self.known.tally()
    }

    fn bytes(&self) -> usize {
        self.known.bytes()
    }
}
