//! Memory-enhanced iterative deepening (IDA*, after Reinefeld and Marsland, 1994) without a heuristic:
//! what CadiaPlayer did in one-player games (Finnsson and Björnsson, 2008).
//!
//! Depth first to a limit, then all over again to the next one. For each state it is remembered how
//! many moves beyond it were looked at, also from one limit to the next, and a state is entered again only
//! with more moves left than that. States are states: nothing is known of counters, symmetries or
//! what can still be reached. That is what tells it from [`super::Deepening`].

use std::sync::Arc;
use std::time::Duration;

use game::{Expansion, Goal, GoalReading, MoveId};
use rustc_hash::FxHashMap;

use super::{Method, Progress, Tally};
use crate::Search;
use crate::facts::Facts;
use crate::lanes::PLAYER;

const NAME: &str = "memory-enhanced IDA*";
/// Bytes of an entry of the table beside its state, about.
const ENTRY_BYTES: usize = 28;

/// Memory-enhanced iterative deepening.
#[derive(Debug)]
pub struct MemoryIda<G: Facts> {
    game: Arc<G>,
    workspace: G::Workspace,
    root: G::State,
    most_bytes: usize,
    bytes: usize,
    /// No more moves than this.
    limit: usize,
    /// Whether some line was cut at the limit, or at what was looked at before the last move.
    is_cut: bool,
    is_begun: bool,
    /// How often it went on below a move.
    advances: u32,
    known: FxHashMap<G::State, Known>,
    path: Vec<Frame<G::State>>,
    steps: u64,
}

/// What is remembered of a state.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// How many moves beyond it were looked at, or are being looked at if it is on the path.
    moves: u32,
    /// How often the search had gone on below a move by then.
    advances: u32,
}

#[derive(Debug)]
struct Frame<State> {
    state: State,
    /// The last one is tried first.
    moves: Vec<MoveId>,
    current: Option<MoveId>,
}

impl<G: Facts> MemoryIda<G> {
    /// The search from a state, with a table of at most so many bytes, about. When it is full, further
    /// states are searched without being remembered.
    pub fn new(game: Arc<G>, start: G::State, most_bytes: usize) -> Self {
        Self {
            workspace: game.workspace(),
            root: start,
            most_bytes,
            bytes: 0,
            limit: 1,
            is_cut: false,
            is_begun: false,
            advances: 0,
            known: FxHashMap::default(),
            path: Vec::new(),
            steps: 0,
            game,
        }
    }

    /// States looked at so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The most moves that lines have at present.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Goes on from the state after a move of the best line, to lines as long as before. What was looked at remains so,
    /// but for the new root and the states on the path, which were left in the middle.
    ///
    /// That saves work and proves nothing: below what was looked at lines were cut at limits that are over, and where
    /// moves can be taken back some of them led through a state that was left in the middle. So everything counts as
    /// looked at only after it was looked at again, with more moves left.
    ///
    /// After any other move the search has to begin anew: of what was looked at, the best was on
    /// a line that is out of reach.
    pub fn advance(&mut self, state: G::State) {
        for frame in std::mem::take(&mut self.path) {
            self.forget(&frame.state);
        }
        self.forget(&state);
        self.root = state;
        self.advances += 1;
        self.is_begun = false;
    }

    fn forget(&mut self, state: &G::State) {
        if self.known.remove(state).is_some() {
            self.bytes -= self.size(state);
        }
    }

    /// Bytes that a state takes in the table, about.
    fn size(&self, state: &G::State) -> usize {
        ENTRY_BYTES + size_of::<G::State>() + self.game.bytes(state)
    }

    /// Looks at one more state, or begins with the next limit.
    pub fn step(&mut self, search: &Search<'_>) -> Progress {
        if !self.is_begun {
            (self.is_begun, self.is_cut) = (true, false);
            self.enter(self.root.clone(), search);
            return Progress::Working;
        }
        let Some(frame) = self.path.last_mut() else {
            if !self.is_cut {
                // Nothing was cut: more moves lead to no other states.
                match search.board.score() {
                    Some(_) => search.exhausted(NAME),
                    None => search.bound(NAME, Goal(0)),
                }
                return Progress::Ended;
            }
            self.limit += 1;
            self.is_begun = false;
            return Progress::Working;
        };
        let Some(id) = frame.moves.pop() else {
            self.path.pop();
            return Progress::Working;
        };
        frame.current = Some(id);
        if let Ok(next) = self.game.apply(&mut self.workspace, &frame.state, &[id]) {
            self.enter(next, search);
        }
        Progress::Working
    }

    /// Enters a state, unless as many moves beyond it were looked at.
    fn enter(&mut self, state: G::State, search: &Search<'_>) {
        let left = (self.limit - self.path.len()) as u32;
        let known = self.known.get(&state).copied();
        if let Some(known) = known.filter(|known| known.moves >= left) {
            self.is_cut |= known.advances < self.advances;
            return;
        }
        self.steps += 1;
        let mut expansion = Expansion::new();
        if self.game.expand(&mut self.workspace, &state, &mut expansion).is_err() {
            return;
        }
        if expansion.is_terminal() {
            let mut readings: Vec<GoalReading> = Vec::new();
            let read = self.game.goals(&mut self.workspace, &state, &mut readings);
            let goal = readings.first().copied().unwrap_or_default().value();
            // What scores nothing is no solution, not even a part of one.
            if read.is_ok() && goal > Goal(0) {
                search.offer(NAME, goal, || self.path.iter().filter_map(|frame| frame.current).collect());
            }
            return;
        }
        let size = self.size(&state);
        if known.is_some() || self.bytes + size <= self.most_bytes {
            self.bytes += if known.is_some() { 0 } else { size };
            self.known.insert(state.clone(), Known { moves: left, advances: self.advances });
        }
        let legal = expansion.legal(PLAYER);
        if left == 0 {
            self.is_cut |= !legal.is_empty();
        } else {
            let moves = legal.iter().rev().copied().collect();
            self.path.push(Frame { state, moves, current: None });
        }
    }
}

impl<G: Facts> Method for MemoryIda<G> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        while !search.is_over(until) {
            if self.step(search) == Progress::Ended {
                return Progress::Ended;
            }
        }
        Progress::Working
    }

    fn tally(&self) -> Tally {
        Tally { states: self.known.len() as u64, merged: 0 }
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}
