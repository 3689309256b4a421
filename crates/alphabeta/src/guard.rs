//! When to stop.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engine::{Budget, Stop};

use crate::Work;

/// Says when to stop.
pub(crate) struct Guard<'a> {
    budget: &'a Budget<'a>,
    /// Nobody needs what is still found.
    pub(crate) is_over: &'a AtomicBool,
    /// What was done before.
    begun: Work,
    reason: Cell<Stop>,
}

impl<'a> Guard<'a> {
    pub(crate) fn new(budget: &'a Budget<'a>, is_over: &'a AtomicBool, begun: Work) -> Self {
        Self { budget, is_over, begun, reason: Cell::new(Stop::Time) }
    }

    /// Why it said so.
    pub(crate) fn reason(&self) -> Stop {
        self.reason.get()
    }

    fn says(&self, reason: Stop) -> bool {
        self.reason.set(reason);
        true
    }

    /// Whether to stop before the next position. At least one is followed in any time, or a slow machine would never
    /// get anywhere.
    pub(crate) fn stops(&self, work: Work) -> bool {
        let Budget { clock, until, simulations, .. } = *self.budget;
        if simulations.is_some_and(|most| work.positions - self.begun.positions >= most) {
            return self.says(Stop::Simulations);
        }
        if self.is_told() {
            return true;
        }
        let is_late = || until.is_some_and(|until| clock() >= until);
        work.nodes > self.begun.nodes && is_late() && self.says(Stop::Time)
    }

    fn is_told(&self) -> bool {
        if self.budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return self.says(Stop::Told);
        }
        self.is_over.load(Ordering::Relaxed) && self.says(Stop::Told)
    }

    /// Whether to stop in the middle of a position: only when the turn is over.
    pub(crate) fn stops_within(&self) -> bool {
        let ends: Option<Duration> = self.budget.turn_ends;
        self.is_told() || (ends.is_some_and(|end| (self.budget.clock)() >= end) && self.says(Stop::Time))
    }
}
