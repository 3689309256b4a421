//! Matches that are played elsewhere: by the workers of a queue, in binaries with the feature `cluster`.

use std::time::Duration;

use arena::MatchRules;

use crate::contests::ThinkingArguments;

#[cfg(feature = "cluster")]
pub(crate) use crate::cluster_jobs::Remote;

/// What matches have in common.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "cluster"), allow(dead_code))]
pub(crate) struct Conditions {
    pub(crate) rules: MatchRules,
    /// How long a machine may be built.
    pub(crate) building: Duration,
    /// Bytes for each machine.
    pub(crate) memory: usize,
}

impl From<&ThinkingArguments> for Conditions {
    fn from(thinking: &ThinkingArguments) -> Self {
        Self {
            rules: thinking.rules(),
            building: Duration::from_secs_f64(thinking.build_seconds),
            memory: usize::try_from(thinking.memory << 20).unwrap_or(usize::MAX),
        }
    }
}

/// Nobody is elsewhere.
#[cfg(not(feature = "cluster"))]
pub(crate) enum Remote {}

#[cfg(not(feature = "cluster"))]
impl Remote {
    /// Says how to get a binary that can.
    pub(crate) fn connect(_: &str, _: Option<std::path::PathBuf>) -> anyhow::Result<Self> {
        anyhow::bail!(
            "this ludens cannot use a queue; build it with `cargo install --path crates/ludens --features cluster`"
        )
    }

    /// Never happens.
    pub(crate) fn play(
        &self,
        _: &str,
        _: &[arena::Contestant],
        _: arena::MatchKey,
        _: Conditions,
    ) -> Result<arena::MatchRecord, arena::ArenaError> {
        match *self {}
    }
}
