//! How long to think.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What ends a search: a time by the caller's clock, a number of simulations, a word from outside,
/// whichever comes first.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The time so far, by any clock; with `until`.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
    /// When to end.
    pub until: Option<Duration>,
    /// Simulations of this run.
    pub simulations: Option<u64>,
    /// Ends the search when it is set.
    pub stop: Option<&'a AtomicBool>,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time is over.
    Time,
    /// All simulations are done.
    Simulations,
    /// Someone said so.
    Told,
    /// There is nothing more to find out.
    Proven,
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Budget")
            .field("until", &self.until)
            .field("simulations", &self.simulations)
            .finish()
    }
}

impl<'a> Budget<'a> {
    /// A number of simulations, however long they take.
    pub fn simulations(simulations: u64) -> Budget<'static> {
        Budget { clock: &|| Duration::ZERO, until: None, simulations: Some(simulations), stop: None }
    }

    /// Until a time by a clock.
    pub fn until(clock: &'a (dyn Fn() -> Duration + Sync), until: Duration) -> Self {
        Budget { clock, until: Some(until), simulations: None, stop: None }
    }

    /// Whether it is over after some simulations.
    pub fn is_over(&self, done: u64) -> Option<Stop> {
        if self.simulations.is_some_and(|most| done >= most) {
            return Some(Stop::Simulations);
        }
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Stop::Told);
        }
        self.until.filter(|&until| (self.clock)() >= until).map(|_| Stop::Time)
    }

    /// The time that is left, if time matters.
    pub fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_sub((self.clock)()))
    }
}
