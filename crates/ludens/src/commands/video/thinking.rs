//! How long players may think, and by which clock.

use std::time::Duration;

use video::bout::{Allowance, Conditions};

/// How long players may think.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct ThinkingArguments {
    /// Milliseconds of processor time for every action
    #[arg(long, value_name = "MS", default_value_t = 40.0)]
    pub(super) tick: f64,

    /// Milliseconds of processor time before the first tick
    #[arg(long, value_name = "MS", default_value_t = 1000.0)]
    pub(super) prepare: f64,

    /// Count ticks of the forward model instead of time: so many for every action, 25 times as many before
    /// the first tick
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(super) count: Option<u64>,

    /// The seed of everything that is left to chance
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
}

/// Preparing takes as many ticks as so many actions: a second beside 40 ms.
const PREPARATION: u64 = 25;

impl ThinkingArguments {
    pub(super) fn conditions(self) -> anyhow::Result<Conditions> {
        if let Some(ticks) = self.count {
            let prepare = Allowance::Ticks(ticks.saturating_mul(PREPARATION));
            return Ok(Conditions { prepare, tick: Allowance::Ticks(ticks), limit: None });
        }
        let time = |milliseconds: f64| {
            let seconds = Duration::try_from_secs_f64(milliseconds / 1e3);
            seconds.map(Allowance::Time).map_err(|_| anyhow::anyhow!("`{milliseconds}` is no time to think"))
        };
        Ok(Conditions { prepare: time(self.prepare)?, tick: time(self.tick)?, limit: None })
    }

    /// What results must agree in to be counted together.
    pub(super) fn label(self) -> String {
        match self.count {
            Some(ticks) => format!("{ticks} ticks"),
            None => format!("{} ms after {} ms", self.tick, self.prepare),
        }
    }
}
