//! How the paper's seconds are counted here.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use game::Goal;
use machine::circuit::CircuitMachine;
use machine::reference::Reference;
use puzzle::method::mini::{Limit, Mini, MiniOptions, MiniPlayer, Strategy};
use puzzle::{Board, Clock, Facts, Search};
use serde_json::{Value, json};

use super::published::CHECKPOINTS;

/// How many times as fast our reference reasoner is as a prover of the paper's day: the geometric mean over
/// the five of its puzzles of which it was measured (docs/results/reference.md).
const REFERENCE: f64 = 50.0;

/// How long a speed is measured, how often. The best time counts: others may be at work.
const MEASURED: Duration = Duration::from_millis(100);
const ROUNDS: usize = 3;

/// What stands for a second of the paper's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pace {
    /// A second by the clock divided by this.
    Faster(f64),
    /// So many simulations for ten minutes.
    Simulations(u64),
}

impl Pace {
    /// What ends a search after some of the paper's seconds, begun at a time by a clock.
    pub(super) fn limit(self, seconds: f64, begun: Duration) -> Limit {
        match self {
            Pace::Faster(_) => Limit { until: Some(begun + self.time(seconds)), simulations: None },
            Pace::Simulations(_) => Limit { until: None, simulations: Some(self.simulations(seconds)) },
        }
    }

    /// Some of the paper's seconds by our clock.
    pub(super) fn time(self, seconds: f64) -> Duration {
        match self {
            Pace::Faster(times) => Duration::from_secs_f64(seconds / times),
            Pace::Simulations(_) => Duration::MAX,
        }
    }

    /// Some of the paper's seconds in simulations.
    pub(super) fn simulations(self, seconds: f64) -> u64 {
        match self {
            Pace::Faster(_) => u64::MAX,
            Pace::Simulations(most) => ((most as f64 * seconds / CHECKPOINTS[3]) as u64).max(1),
        }
    }
}

impl std::fmt::Display for Pace {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pace::Faster(times) => write!(out, "{times} times as fast"),
            Pace::Simulations(most) => write!(out, "{most} simulations for ten minutes"),
        }
    }
}

/// How fast random simulations are on our machine and on the reference reasoner, in a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Speed {
    pub(super) ours: f64,
    pub(super) reference: f64,
}

impl Speed {
    /// Measures both, in turn.
    pub(super) fn measure(machine: &Arc<CircuitMachine>, reference: &Arc<Reference>) -> Self {
        let mut speed = Self { ours: 0.0, reference: 0.0 };
        for _ in 0..ROUNDS {
            speed.ours = speed.ours.max(simulations_a_second(machine));
            speed.reference = speed.reference.max(simulations_a_second(reference));
        }
        speed
    }

    /// How many times as fast we are as a player of the paper's day, to two digits.
    pub(super) fn times(self) -> f64 {
        let times = (REFERENCE * self.ours / self.reference.max(1e-9)).max(1.0);
        let digits = 10f64.powf(times.log10().floor() - 1.0);
        (times / digits).round() * digits
    }

    pub(super) fn value(self) -> Value {
        json!({ "ours": self.ours, "reference": self.reference })
    }

    pub(super) fn read(value: &Value) -> Option<Self> {
        Some(Self { ours: value["ours"].as_f64()?, reference: value["reference"].as_f64()? })
    }
}

/// Random playouts in a second on a machine.
fn simulations_a_second<G: Facts>(game: &Arc<G>) -> f64 {
    // Without room for a tree: in small games a tree soon has everything, and nothing would be played out.
    let strategies = vec![Strategy::Random];
    let options = MiniOptions { strategies, most_bytes: 1, ..MiniOptions::default() };
    let player = MiniPlayer::new(game, &game.initial(), &options, 1, Goal(u8::MAX));
    let Some(mut player) = player else { return 0.0 };
    let begin = Instant::now();
    let clock: Clock = Arc::new(move || begin.elapsed());
    player.work(Limit { until: Some(MEASURED), simulations: None }, &clock, &AtomicBool::new(false));
    player.simulations() as f64 / begin.elapsed().as_secs_f64()
}

/// A tree of random playouts, for measuring what tables cost.
pub(super) fn random_tree(machine: &Arc<CircuitMachine>, simulations: u64) -> Option<Mini<CircuitMachine>> {
    use puzzle::method::Method;
    use std::sync::atomic::{AtomicU64, Ordering};
    let (board, stop) = (Board::new(Goal(u8::MAX)), AtomicBool::new(false));
    // It is read once for each simulation.
    let readings = AtomicU64::new(0);
    let clock: Clock = Arc::new(move || Duration::from_nanos(readings.fetch_add(1, Ordering::Relaxed)));
    let search = Search { clock, stop: &stop, board: &board };
    let options = MiniOptions { strategies: vec![Strategy::Random], ..MiniOptions::default() };
    let mut mini = Mini::new(Arc::clone(machine), game::Game::initial(&**machine), options)?;
    mini.work(Duration::from_nanos(simulations), &search);
    Some(mini)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_counted_by_the_clock_or_by_simulations() {
        let by_clock = Pace::Faster(60.0);
        assert_eq!(by_clock.time(600.0), Duration::from_secs(10));
        let limit = by_clock.limit(30.0, Duration::from_secs(5));
        assert_eq!((limit.until, limit.simulations), (Some(Duration::from_millis(5_500)), None));
        let counted = Pace::Simulations(20_000);
        assert_eq!(CHECKPOINTS.map(|seconds| counted.simulations(seconds)), [33, 2_000, 6_000, 20_000]);
        assert_eq!(counted.limit(0.001, Duration::ZERO).simulations, Some(1));
    }

    #[test]
    fn speeds_are_compared_with_a_prover_of_the_day() {
        let speed = Speed { ours: 123_456.0, reference: 10_000.0 };
        assert_eq!(speed.times(), 620.0, "50 times 12.3, to two digits");
        assert_eq!(Speed::read(&speed.value()), Some(speed));
        assert_eq!(Speed { ours: 0.0, reference: 0.0 }.times(), 1.0);
    }
}
