//! How long before the end of the clock a reply has to leave.

use std::time::Duration;

use parking_lot::Mutex;

/// A part of every clock that is kept back whatever was measured.
const SHARE: u32 = 50;
/// How quickly a delay is forgotten, from one reply to the next.
const MEMORY: f64 = 0.99;
/// How many times the worst recent delay is kept back.
const CAUTION: f64 = 2.0;
/// What is added each time a host did not take our move.
const PENALTY: Duration = Duration::from_millis(250);

/// Keeps back the least that was asked for, plus what replies were late by in the recent past.
#[derive(Debug)]
pub(crate) struct Margin {
    least: Duration,
    /// Seconds.
    delay: Mutex<f64>,
}

impl Margin {
    pub(crate) fn new(least: Duration) -> Self {
        Self { least, delay: Mutex::new(0.0) }
    }

    /// What to keep back of a clock, for a match in which so many moves were replaced. Never more
    /// than half of it.
    pub(crate) fn of(&self, clock: Duration, replaced: u32) -> Duration {
        let measured = Duration::from_secs_f64(CAUTION * *self.delay.lock());
        let penalty = PENALTY * replaced.min(40);
        (self.least + clock / SHARE + measured + penalty).min(clock / 2)
    }

    /// Learns by how much a reply missed the time that it was meant to leave.
    pub(crate) fn learn(&self, delay: Duration) {
        let mut known = self.delay.lock();
        // One reply that took minutes, as when the machine slept, is not to cost all others theirs.
        *known = (*known * MEMORY).max(delay.as_secs_f64().min(10.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn delays_widen_the_margin_and_are_forgotten() {
        let margin = Margin::new(Duration::from_millis(100));
        let calm = margin.of(10 * SECOND, 0);
        assert_eq!(calm, Duration::from_millis(300));
        margin.learn(SECOND);
        assert_eq!(margin.of(10 * SECOND, 0), calm + SECOND.mul_f64(CAUTION));
        (0..1500).for_each(|_| margin.learn(Duration::ZERO));
        assert!(margin.of(10 * SECOND, 0) < calm + Duration::from_millis(1));
    }

    #[test]
    fn half_of_the_clock_is_always_left() {
        let margin = Margin::new(SECOND);
        margin.learn(100 * SECOND);
        assert_eq!(margin.of(SECOND, 9), SECOND / 2);
        assert_eq!(margin.of(Duration::ZERO, 0), Duration::ZERO);
    }

    #[test]
    fn a_host_that_replaces_moves_is_given_more() {
        let margin = Margin::new(Duration::ZERO);
        assert_eq!(margin.of(10 * SECOND, 2) - margin.of(10 * SECOND, 0), 2 * PENALTY);
    }
}
