//! How much time and memory grounding and building may use.

use std::time::Duration;

use crate::GroundError;

/// A bound on time and memory. The clock is the caller's: nothing here reads the time of day.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The time used so far, by whatever clock the caller counts.
    pub clock: &'a dyn Fn() -> Duration,
    /// The reading of the clock at which the work must end.
    pub deadline: Duration,
    /// How many bytes the tables and gates may take.
    pub bytes: usize,
    /// Called now and then; the work ends when it returns `false`.
    pub progress: &'a dyn Fn(&Progress) -> bool,
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Budget").field("deadline", &self.deadline).field("bytes", &self.bytes).finish()
    }
}

/// How far the work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// Facts or gates made so far.
    pub items: usize,
    /// Bytes in use.
    pub bytes: usize,
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Finding what may become true.
    Reach,
    /// Making gates of rules.
    Build,
    /// Making the circuit smaller.
    Simplify,
}

impl Budget<'static> {
    /// No bound at all: for tests and for rules that are known to be small.
    pub fn unlimited() -> Self {
        Budget { clock: &|| Duration::ZERO, deadline: Duration::MAX, bytes: usize::MAX, progress: &|_| true }
    }
}

impl Budget<'_> {
    /// Whether the work may go on.
    pub fn check(&self, progress: &Progress) -> Result<(), GroundError> {
        if progress.bytes > self.bytes {
            return Err(GroundError::OutOfMemory { limit_bytes: self.bytes });
        }
        if (self.clock)() >= self.deadline {
            return Err(GroundError::OutOfTime);
        }
        if !(self.progress)(progress) {
            return Err(GroundError::Stopped);
        }
        Ok(())
    }
}
