//! Nested Monte Carlo search (Cazenave, 2009; in general game playing by Méhat and Cazenave's Ary):
//! a playout in which each move is chosen by trying every move with a playout of the level below,
//! and the best line found so far is followed where nothing better turns up.

use std::sync::Arc;
use std::time::Duration;

use game::{Dice, Goal, MoveId};
use machine::circuit::CircuitState;

use super::{Method, Progress};
use crate::eye::{Eye, Sight};
use crate::lanes::Lanes;
use crate::{Search, Space};

const NAME: &str = "nested playouts";
/// The highest level; a playout of it can take hours.
const MOST_LEVELS: usize = 4;
/// Whole playouts of the highest level before there is one level more.
const PATIENCE: usize = 8;
/// Lines are not followed further than this.
const MOST_STEPS: usize = 1_000;

/// Nested playouts, with a level more now and then.
#[derive(Debug)]
pub struct Nested {
    space: Arc<Space>,
    lanes: Lanes,
    eye: Eye,
    dice: Dice,
    levels: usize,
    /// Whole playouts of the highest level.
    done: usize,
    /// The playouts in progress, one of each level from the highest down.
    playouts: Vec<Playout>,
}

/// A playout of a level.
#[derive(Debug)]
struct Playout {
    state: CircuitState,
    /// The moves made since this playout began.
    made: Vec<MoveId>,
    /// The moves here that are still to be tried.
    untried: Vec<MoveId>,
    /// The best line from where this playout began.
    best: Option<(Goal, Vec<MoveId>)>,
}

impl Playout {
    /// Takes a line from here on if it is the best.
    fn take(&mut self, goal: Goal, line: &[MoveId]) {
        if self.best.as_ref().is_none_or(|(best, _)| goal > *best) {
            self.best = Some((goal, [&self.made[..], line].concat()));
        }
    }
}

impl Nested {
    /// Nested playouts with a seed.
    pub fn new(space: Arc<Space>, seed: u64) -> Self {
        Self {
            lanes: Lanes::new(space.batch()),
            eye: Eye::new(space.machine()),
            dice: Dice::new(seed),
            levels: 1,
            done: 0,
            playouts: Vec::new(),
            space,
        }
    }

    /// Begins a playout one level below.
    fn begin(&mut self, state: CircuitState) {
        let (untried, best) = match self.eye.look(&state) {
            Sight::End(goal) => (Vec::new(), Some((goal, Vec::new()))),
            Sight::Moves(moves) => (moves, None),
        };
        self.playouts.push(Playout { state, made: Vec::new(), untried, best });
    }

    /// Tries moves of the lowest playout: all of them at once at level 1, one at a time above.
    fn attempt(&mut self, until: Duration, search: &Search<'_>) {
        let level = self.levels - self.playouts.len();
        let Some(playout) = self.playouts.last_mut() else { return };
        if level > 0 {
            if let Some(id) = playout.untried.pop()
                && let Some(next) = self.eye.step(&playout.state, id)
            {
                // The playout below begins after this move.
                playout.made.push(id);
                self.begin(next);
            }
            return;
        }
        let steps: Vec<(u32, MoveId)> = playout.untried.drain(..).map(|id| (0, id)).collect();
        let mut starts = Vec::new();
        self.lanes.advance(std::slice::from_ref(&playout.state), &steps, &mut starts);
        let ended = self.lanes.play(starts, &mut self.dice, MOST_STEPS, &|| search.is_over(until));
        for (&(_, id), end) in steps.iter().zip(ended) {
            match end {
                Some((goal, line)) => playout.take(goal, &[&[id], &line[..]].concat()),
                // There was no time: it is tried again.
                None if search.is_over(until) => playout.untried.push(id),
                None => {}
            }
        }
    }

    /// Makes the next move of the best line of the lowest playout; `false` if it is at its end.
    fn follow(&mut self) -> bool {
        let Some(playout) = self.playouts.last_mut() else { return false };
        let next = playout.best.as_ref().and_then(|(_, line)| line.get(playout.made.len()).copied());
        let Some(id) = next.filter(|_| playout.made.len() < MOST_STEPS) else { return false };
        let Some(state) = self.eye.step(&playout.state, id) else { return false };
        playout.made.push(id);
        playout.untried = match self.eye.look(&state) {
            Sight::End(_) => Vec::new(),
            Sight::Moves(moves) => moves,
        };
        playout.state = state;
        true
    }

    /// Ends the lowest playout and hands its best line on.
    fn finish(&mut self, search: &Search<'_>) {
        let Some(ended) = self.playouts.pop() else { return };
        if let Some((goal, line)) = &ended.best {
            let before = self.playouts.iter().flat_map(|playout| &playout.made);
            search.offer(NAME, *goal, || before.chain(line).copied().collect());
        }
        let Some(above) = self.playouts.last_mut() else {
            self.done += 1;
            if self.done.is_multiple_of(PATIENCE) && self.levels < MOST_LEVELS {
                self.levels += 1;
            }
            return;
        };
        // The move that was tried was only lent to the playout that has ended.
        let lent = above.made.pop();
        if let (Some((goal, line)), Some(id)) = (ended.best, lent) {
            above.take(goal, &[&[id], &line[..]].concat());
        }
    }
}

impl Method for Nested {
    fn name(&self) -> &'static str {
        NAME
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        while !search.is_over(until) {
            match self.playouts.last() {
                None => {
                    self.begin(self.space.start().clone());
                    if self.playouts.last().is_some_and(|playout| playout.untried.is_empty()) {
                        // Over before it began, or stuck.
                        self.finish(search);
                        return Progress::Ended;
                    }
                }
                Some(playout) if !playout.untried.is_empty() => self.attempt(until, search),
                Some(_) => {
                    if !self.follow() {
                        self.finish(search);
                    }
                }
            }
        }
        Progress::Working
    }
}
