//! How long to think.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The time so far, by the caller's clock.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// What ends thinking: a time by the caller's clock, a number of simulations, a word from outside,
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
    /// When the whole turn ends, if that is known: this may be only a part of it.
    pub turn_ends: Option<Duration>,
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
        Budget {
            clock: &|| Duration::ZERO,
            until: None,
            simulations: Some(simulations),
            stop: None,
            turn_ends: None,
        }
    }

    /// Until a time by a clock.
    pub fn until(clock: &'a (dyn Fn() -> Duration + Sync), until: Duration) -> Self {
        Budget { clock, until: Some(until), simulations: None, stop: None, turn_ends: None }
    }

    /// Watches over it.
    pub fn watch(&self) -> Watch<'_> {
        Watch { budget: self, looked: None, part: Duration::MAX }
    }

    /// Measures times in which nothing is done.
    pub fn rest(&self) -> Rest<'_> {
        Rest { budget: self, begun: (self.clock)() }
    }

    /// How many parts of some length the turn still has room for, if time matters.
    pub fn room_for(&self, part: Duration) -> Option<f64> {
        let ends = self.turn_ends.or(self.until)?;
        let left = ends.saturating_sub((self.clock)());
        (!part.is_zero()).then(|| left.as_secs_f64() / part.as_secs_f64())
    }

    /// The time that is left, if time matters.
    pub fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_sub((self.clock)()))
    }
}

/// A time in which nothing is done.
#[derive(Debug)]
pub struct Rest<'a> {
    budget: &'a Budget<'a>,
    begun: Duration,
}

impl Rest<'_> {
    /// It begins.
    pub fn begin(&mut self) {
        self.begun = (self.budget.clock)();
    }

    /// How long it took.
    pub fn end(&self) -> Duration {
        (self.budget.clock)().saturating_sub(self.begun)
    }
}

/// Tells when a budget is used up, before a part of the search would end too late.
#[derive(Debug)]
pub struct Watch<'a> {
    budget: &'a Budget<'a>,
    /// When it was asked last.
    looked: Option<Duration>,
    /// How long the part before the last one took.
    part: Duration,
}

impl Watch<'_> {
    /// Whether it is over after some simulations; to be asked before every part. A part is taken to
    /// last as long as the last two did, as what it finds after the time is lost; as the shorter of them,
    /// because now and then one takes long in which the tree grows.
    pub fn is_over(&mut self, done: u64) -> Option<Stop> {
        let Budget { clock, until, simulations, stop, .. } = *self.budget;
        if simulations.is_some_and(|most| done >= most) {
            return Some(Stop::Simulations);
        }
        if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Stop::Told);
        }
        let until = until?;
        let now = clock();
        // The first part is tried whatever it takes: else nothing would ever be done on a slow machine.
        let usual = self.looked.replace(now).map_or(Duration::ZERO, |looked| {
            let part = now.saturating_sub(looked);
            part.min(std::mem::replace(&mut self.part, part))
        });
        (until.saturating_sub(now) <= usual).then_some(Stop::Time)
    }

    /// How long the last part took, once two questions were asked.
    pub fn last_part(&self) -> Option<Duration> {
        (self.part != Duration::MAX).then_some(self.part)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    #[test]
    fn no_part_is_begun_that_would_end_too_late() {
        let now = AtomicU64::new(0);
        let clock = || Duration::from_millis(now.load(Ordering::Relaxed));
        let budget = Budget::until(&clock, Duration::from_millis(100));
        let mut watch = budget.watch();
        let mut ask = |time| {
            now.store(time, Ordering::Relaxed);
            watch.is_over(0)
        };
        assert_eq!(ask(0), None);
        assert_eq!(ask(20), None);
        // This one was unusually long.
        assert_eq!(ask(60), None);
        assert_eq!(ask(75), None);
        assert_eq!(ask(90), Some(Stop::Time));
        // As long as the first, and nothing else is known.
        now.store(0, Ordering::Relaxed);
        let mut watch = budget.watch();
        assert_eq!(watch.is_over(0), None);
        now.store(60, Ordering::Relaxed);
        assert_eq!(watch.is_over(0), Some(Stop::Time));
        // One that is longer than all the time is tried once.
        let mut watch = budget.watch();
        assert_eq!(watch.is_over(0), None);
        now.store(150, Ordering::Relaxed);
        assert_eq!(watch.is_over(0), Some(Stop::Time));
        assert_eq!(budget.watch().is_over(0), Some(Stop::Time));
    }

    #[test]
    fn simulations_and_words_end_it_too() {
        assert_eq!(Budget::simulations(5).watch().is_over(4), None);
        assert_eq!(Budget::simulations(5).watch().is_over(5), Some(Stop::Simulations));
        let stop = AtomicBool::new(true);
        let budget = Budget { stop: Some(&stop), ..Budget::simulations(5) };
        assert_eq!(budget.watch().is_over(0), Some(Stop::Told));
    }
}
