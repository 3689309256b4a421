//! Matches that are played elsewhere: by the workers of a queue, in binaries with the feature `cluster`.

#[cfg(feature = "server")]
use std::path::PathBuf;
#[cfg(any(feature = "cluster", feature = "server"))]
use std::sync::Arc;
use std::time::Duration;

use arena::MatchRules;
#[cfg(any(feature = "cluster", feature = "server"))]
use engine::team::Helpers;

use crate::arguments::MachineArguments;
#[cfg(not(feature = "cluster"))]
use crate::commands::verify::PlayedBack;
use crate::contests::ThinkingArguments;

#[cfg(feature = "cluster")]
pub(crate) use crate::cluster_jobs::Remote;

/// Helpers that listen to a server, and how many were heard of lately.
#[cfg(any(feature = "cluster", feature = "server"))]
pub(crate) type RemoteTeam = (Arc<dyn Helpers>, Arc<dyn Fn() -> usize + Send + Sync>);

/// Helpers that listen to a server.
#[cfg(all(feature = "cluster", feature = "server"))]
pub(crate) fn helpers(address: &str, certificates: Option<PathBuf>) -> anyhow::Result<RemoteTeam> {
    crate::helper_lines::RemoteHelpers::connect(address, certificates)
}

/// Says how to get a binary that can.
#[cfg(all(not(feature = "cluster"), feature = "server"))]
pub(crate) fn helpers(_: &str, _: Option<PathBuf>) -> anyhow::Result<RemoteTeam> {
    anyhow::bail!("this ludens has no helpers on a network; {BUILD}")
}

/// How to get a binary that can.
#[cfg(not(feature = "cluster"))]
const BUILD: &str = "build it with `cargo install --path crates/ludens --features cluster`";

/// Jobs that wait in a queue for workers.
pub(crate) const QUEUED: usize = 64;

/// A trace to be played back elsewhere.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cluster", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(not(feature = "cluster"), allow(dead_code))]
pub(crate) struct TraceJob {
    /// The rules.
    pub(crate) rules: String,
    /// The trace, compressed, in hexadecimal digits.
    pub(crate) trace: String,
    pub(crate) machine: MachineArguments,
}

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
        anyhow::bail!("this ludens cannot use a queue; {BUILD}")
    }

    /// Never happens.
    pub(crate) fn verify(&self, _: TraceJob) -> anyhow::Result<PlayedBack> {
        match *self {}
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
