//! The machines of a game, built in the background and shared by all who play it.

use std::sync::Arc;
use std::time::Duration;

use game::Game;
use gdl::normal::NormalRules;
use machine::builder::{Builder, Event, Options, Ready};

/// The time so far, by the caller's clock.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The kinds of machines, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MachineKind {
    /// Plain evaluation of the rules.
    Reference,
    /// A circuit, one state at a time.
    Circuit,
    /// A circuit in lanes.
    Batch,
}

impl std::fmt::Display for MachineKind {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            MachineKind::Reference => "reference",
            MachineKind::Circuit => "circuit",
            MachineKind::Batch => "batch",
        })
    }
}

/// Part of the time for building that may go into comparing a machine with the one before.
const COMPARISON_SHARE: u32 = 20;

/// The machines of one game.
#[derive(Debug)]
pub struct Machines {
    builder: Builder,
}

impl Machines {
    /// Starts to build within a time and a number of bytes per machine.
    pub fn build(rules: NormalRules, time: Duration, bytes: usize, clock: Clock) -> Arc<Self> {
        let comparison = (time / COMPARISON_SHARE).min(Duration::from_secs(1));
        let builder = Builder::start(rules, Options { clock, time, comparison, bytes });
        Arc::new(Self { builder })
    }

    /// The best machine so far.
    pub fn best(&self) -> Option<Ready> {
        self.builder.best()
    }

    /// Waits for the first machine; `None` if there will be none.
    pub fn first(&self) -> Option<Ready> {
        self.builder.first()
    }

    /// Waits until nothing better is to come; `None` if there is no machine at all.
    pub fn last(&self) -> Option<Ready> {
        self.builder.last()
    }

    /// What was done so far.
    pub fn events(&self) -> Vec<Event> {
        self.builder.events()
    }
}

pub(crate) fn kind(ready: &Ready) -> MachineKind {
    match ready {
        Ready::Reference(_) => MachineKind::Reference,
        Ready::Circuit(_) => MachineKind::Circuit,
        Ready::Batch(_) => MachineKind::Batch,
    }
}

/// Whether a machine knows all moves of a joint move.
pub(crate) fn knows(ready: &Ready, joint: &[String]) -> bool {
    let complete = joint.len() == role_count(ready);
    complete
        && match ready {
            Ready::Reference(game) => crate::mind::find(&**game, joint).is_some(),
            Ready::Circuit(game) => crate::mind::find(&**game, joint).is_some(),
            Ready::Batch(game) => crate::mind::find(&**game, joint).is_some(),
        }
}

/// The number of roles.
pub(crate) fn role_count(ready: &Ready) -> usize {
    match ready {
        Ready::Reference(game) => game.role_count(),
        Ready::Circuit(game) => game.role_count(),
        Ready::Batch(game) => game.role_count(),
    }
}
