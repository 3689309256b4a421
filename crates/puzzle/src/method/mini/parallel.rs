//! A match: several trees side by side, each with the best line of all (root parallelization), from
//! move to move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use game::{Dice, Goal, MoveId};

use super::{Candidate, Mini, MiniOptions, choose};
use crate::facts::Facts;
use crate::method::Method;
use crate::{Board, Clock, Found, Plan, Search};

/// What ends thinking, whichever comes first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limit {
    /// A time by the clock.
    pub until: Option<Duration>,
    /// Simulations of all trees together.
    pub simulations: Option<u64>,
}

/// Why thinking ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The time is over.
    Time,
    /// All simulations were made.
    Simulations,
    /// Somebody said so.
    Told,
    /// There is nothing better to be found.
    Solved,
}

/// MiNI-Player in a match.
pub struct MiniPlayer<G: Facts> {
    trees: Vec<Mini<G>>,
    options: MiniOptions,
    /// The best line from here on.
    board: Board,
    dice: Dice,
}

impl<G: Facts> std::fmt::Debug for MiniPlayer<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("MiniPlayer").field("board", &self.board).finish_non_exhaustive()
    }
}

impl<G: Facts> MiniPlayer<G> {
    /// A player in a position, with a tree for each thread; no line scores more than the ceiling. `None` if
    /// nothing can be done there.
    pub fn new(
        game: &Arc<G>,
        start: &G::State,
        options: &MiniOptions,
        threads: usize,
        ceiling: Goal,
    ) -> Option<Self> {
        let threads = threads.max(1);
        let tree = |thread: usize| {
            let seed = options.seed.wrapping_add((thread as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let options = MiniOptions { seed, most_bytes: options.most_bytes / threads, ..options.clone() };
            Mini::new(Arc::clone(game), start.clone(), options)
        };
        let trees = (0..threads).map(tree).collect::<Option<Vec<_>>>()?;
        // Who does not remember lines never knows that the best one was found.
        let ceiling = if options.whole_lines { ceiling } else { Goal(u8::MAX) };
        let (board, dice) = (Board::new(ceiling), Dice::new(!options.seed));
        Some(Self { trees, options: options.clone(), board, dice })
    }

    /// The best line from here on, and what is possible.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Simulations so far.
    pub fn simulations(&self) -> u64 {
        self.trees.iter().map(Mini::simulations).sum()
    }

    /// Nodes of all trees.
    pub fn nodes(&self) -> usize {
        self.trees.iter().map(Mini::nodes).sum()
    }

    /// Bytes of all trees, about.
    pub fn bytes(&self) -> usize {
        self.trees.iter().map(Method::bytes).sum()
    }

    /// What is scored here, if the game is over.
    pub fn end(&self) -> Option<Goal> {
        self.trees.first().and_then(Mini::end)
    }

    /// Thinks, each tree in a thread of its own.
    ///
    /// # Panics
    /// If a thread does.
    pub fn work(&mut self, limit: Limit, clock: &Clock, stop: &AtomicBool) -> Ended {
        let Self { trees, board, .. } = self;
        let search = Search { clock: Arc::clone(clock), stop, board };
        let begun = AtomicU64::new(0);
        let work = |tree: &mut Mini<G>| {
            let over = || {
                if tree.end().is_some() || search.board.is_settled() {
                    Some(Ended::Solved)
                } else if stop.load(Ordering::Relaxed) {
                    Some(Ended::Told)
                } else if limit.until.is_some_and(|until| (search.clock)() >= until) {
                    Some(Ended::Time)
                } else {
                    let most =
                        limit.simulations.filter(|&most| begun.fetch_add(1, Ordering::Relaxed) >= most);
                    most.map(|_| Ended::Simulations)
                }
            };
            if let Some(ended) = over() {
                return Some(ended);
            }
            tree.simulate(&search);
            None
        };
        let run = |tree: &mut Mini<G>| loop {
            if let Some(ended) = work(tree) {
                return ended;
            }
        };
        let Some((first, others)) = trees.split_first_mut() else { return Ended::Solved };
        std::thread::scope(|scope| {
            for tree in others {
                scope.spawn(|| run(tree));
            }
            run(first)
        })
    }

    /// The next move: that of the best line, if one scores anything, else what effective quality says.
    pub fn decide(&mut self) -> Option<MoveId> {
        let planned = self.planned();
        planned.or_else(|| choose(&self.candidates(), self.options.worth, &mut self.dice))
    }

    /// The next move of the best line.
    pub fn planned(&self) -> Option<MoveId> {
        let best = self.board.best().filter(|found| self.options.whole_lines && found.plan.score > Goal(0));
        best.and_then(|found| found.plan.moves.first().copied())
    }

    /// What all trees together know of the moves that can be made.
    pub fn candidates(&self) -> Vec<Candidate> {
        let mut all: Vec<Candidate> = Vec::new();
        for candidate in self.trees.iter().flat_map(Mini::candidates) {
            match all.iter_mut().find(|known| known.id == candidate.id) {
                Some(known) => {
                    let is_end = known.is_end || candidate.is_end;
                    let (own, total) = (known.own.max(candidate.own), known.total.max(candidate.total));
                    known.merge(&candidate);
                    (known.is_end, known.own, known.total) = (is_end, own, total);
                }
                None => all.push(candidate),
            }
        }
        all
    }

    /// Follows a move; the trees below it are kept, and the rest of the best line if it is on it. `false` if it
    /// cannot be made.
    pub fn advance(&mut self, id: MoveId) -> bool {
        let best = self.board.best().filter(|found| found.plan.moves.first() == Some(&id));
        let follows = best.is_some();
        if !self.trees.iter_mut().all(|tree| tree.advance(id, follows)) {
            return false;
        }
        self.board = Board::new(self.board.ceiling());
        if let Some(Found { plan, method, time }) = best {
            let plan = Plan { moves: plan.moves[1..].to_vec(), score: plan.score };
            self.board.offer(Found { plan, method, time });
        }
        true
    }
}
