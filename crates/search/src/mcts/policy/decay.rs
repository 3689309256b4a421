//! Old knowledge counts less (Tak, Winands and Björnsson 2014): after every move of the match, after a number
//! of simulations, or with every simulation for what occurred in it.

use engine::{Parameter, Settings, Typed};

pub(super) static BY_MOVE: Typed<f64> = Typed::<f64>::real(
    "decay",
    1.0,
    0.0,
    1.0,
    "Tak, Winands and Björnsson 2014",
    "what is kept of a policy's statistics after each move of the match",
);

static BY_BATCH: Typed<f64> = Typed::<f64>::real(
    "batch_decay",
    1.0,
    0.0,
    1.0,
    "Tak, Winands and Björnsson 2014",
    "what is kept of a policy's statistics after every `decay_batch` simulations",
);

static BATCH: Typed<u32> = Typed::<u32>::whole(
    "decay_batch",
    1_000,
    1,
    1_000_000_000,
    "ours",
    "simulations after which `batch_decay` is applied",
);

static BY_SIMULATION: Typed<f64> = Typed::<f64>::real(
    "simulation_decay",
    1.0,
    0.01,
    1.0,
    "Tak, Winands and Björnsson 2014",
    "what is kept of a move's statistics when a simulation with it is learnt from",
);

/// The rows of all of them.
pub(super) fn rows() -> Vec<Parameter> {
    vec![BY_MOVE.row(), BY_BATCH.row(), BATCH.row(), BY_SIMULATION.row()]
}

/// How statistics decay.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decay {
    pub(super) by_move: f64,
    by_batch: f64,
    batch: u64,
    pub(super) by_simulation: f64,
    /// Simulations since the last batch.
    since: u64,
}

impl Decay {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            by_move: settings.of(&BY_MOVE),
            by_batch: settings.of(&BY_BATCH),
            batch: u64::from(settings.of(&BATCH)),
            by_simulation: settings.of(&BY_SIMULATION),
            since: 0,
        }
    }

    /// What is kept after some more simulations; `None` if all is.
    pub(super) fn after(&mut self, simulations: u64) -> Option<f64> {
        self.since += simulations;
        let times = self.since / self.batch.max(1);
        self.since %= self.batch.max(1);
        (times > 0 && self.by_batch < 1.0).then(|| self.by_batch.powf(times as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_counted() {
        let mut settings = Settings::new(rows());
        settings.set("batch_decay", "0.5").expect("a value");
        settings.set("decay_batch", "10").expect("a value");
        let mut decay = Decay::new(&settings);
        assert_eq!(
            [6, 3, 1, 25, 5].map(|more| decay.after(more)),
            [None, None, Some(0.5), Some(0.25), Some(0.5)]
        );
        assert_eq!(Decay::new(&Settings::new(rows())).after(1 << 40), None);
    }
}
