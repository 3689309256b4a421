//! What has been found: the best plan so far and the best that is still possible.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI16, Ordering};
use std::time::Duration;

use game::{Goal, MoveId};
use parking_lot::Mutex;

/// Moves from the start of the search to the end of the game, and what they reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The moves, in the machine's numbers.
    pub moves: Vec<MoveId>,
    /// The goal of the last state.
    pub score: Goal,
}

/// A plan and how it was come by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The plan.
    pub plan: Plan,
    /// Who found it.
    pub method: &'static str,
    /// When, by the search's clock.
    pub time: Duration,
}

/// The best plan so far, shared by all methods.
#[derive(Debug)]
pub struct Board {
    found: Mutex<Vec<Found>>,
    /// The score of the best plan, -1 without one; kept apart so that asking is cheap.
    score: AtomicI16,
    /// No plan scores more than this.
    ceiling: AtomicI16,
    /// Who knew that.
    proof: Mutex<Option<&'static str>>,
}

impl Board {
    /// Nothing found yet; no plan can score more than `ceiling`.
    pub fn new(ceiling: Goal) -> Self {
        Self {
            found: Mutex::new(Vec::new()),
            score: AtomicI16::new(-1),
            ceiling: AtomicI16::new(i16::from(ceiling.0)),
            proof: Mutex::new(None),
        }
    }

    /// The score of the best plan.
    pub fn score(&self) -> Option<Goal> {
        u8::try_from(self.score.load(Ordering::Relaxed)).ok().map(Goal)
    }

    /// The most that may still be possible.
    pub fn ceiling(&self) -> Goal {
        Goal(u8::try_from(self.ceiling.load(Ordering::Relaxed)).unwrap_or(0))
    }

    /// Whether a plan with this score would be news.
    pub fn is_better(&self, score: Goal) -> bool {
        i16::from(score.0) > self.score.load(Ordering::Relaxed)
    }

    /// Whether the best plan is known to be the best there is.
    pub fn is_settled(&self) -> bool {
        let score = self.score.load(Ordering::Relaxed);
        score >= 0 && score >= self.ceiling.load(Ordering::Relaxed)
    }

    /// The best plan.
    pub fn best(&self) -> Option<Found> {
        self.found.lock().last().cloned()
    }

    /// Every plan that was the best when it was found, in order.
    pub fn history(&self) -> Vec<Found> {
        self.found.lock().clone()
    }

    /// Who showed that nothing better than the ceiling is possible, if that took more than reading
    /// the goals.
    pub fn proof(&self) -> Option<&'static str> {
        *self.proof.lock()
    }

    /// Takes a plan that is known already.
    pub fn offer(&self, found: Found) -> bool {
        let mut all = self.found.lock();
        if !self.is_better(found.plan.score) {
            return false;
        }
        self.score.store(i16::from(found.plan.score.0), Ordering::Relaxed);
        all.push(found);
        true
    }

    /// Takes a bound that is known already.
    pub fn lower(&self, ceiling: Goal) {
        let most = i16::from(ceiling.0);
        self.ceiling.fetch_min(most, Ordering::Relaxed);
    }

    /// Nothing scores more than this.
    fn lower_ceiling(&self, method: &'static str, ceiling: Goal) {
        let mut proof = self.proof.lock();
        if ceiling < self.ceiling() {
            self.ceiling.store(i16::from(ceiling.0), Ordering::Relaxed);
            *proof = Some(method);
        }
    }
}

/// The time so far, by a clock of the caller's.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// What a method needs to know while it works: the time, whether to stop, what the others found.
pub struct Search<'a> {
    /// The time, by the caller's clock.
    pub clock: Clock,
    /// Set by the caller to end all work at once.
    pub stop: &'a AtomicBool,
    /// The best plan.
    pub board: &'a Board,
}

impl std::fmt::Debug for Search<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Search").field("board", &self.board).finish_non_exhaustive()
    }
}

impl Search<'_> {
    /// Whether a method is to pause: its time is over, or nothing is left to be done.
    pub fn is_over(&self, until: Duration) -> bool {
        self.stop.load(Ordering::Relaxed) || self.board.is_settled() || (self.clock)() >= until
    }

    /// Offers a plan; the moves are asked for only if it is better than what is known.
    pub fn offer(&self, method: &'static str, score: Goal, moves: impl FnOnce() -> Vec<MoveId>) {
        if self.board.is_better(score) {
            let plan = Plan { moves: moves(), score };
            self.board.offer(Found { plan, method, time: (self.clock)() });
        }
    }

    /// Tells that no plan can score more than the best one known, as everything was looked at.
    pub fn exhausted(&self, method: &'static str) {
        if let Some(score) = self.board.score() {
            self.board.lower_ceiling(method, score);
        }
    }

    /// Tells that no plan can score more than this.
    pub fn bound(&self, method: &'static str, ceiling: Goal) {
        self.board.lower_ceiling(method, ceiling);
    }
}
