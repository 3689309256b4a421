//! The machines of a game, built in the background and shared by all who play it.

use std::sync::Arc;
use std::time::Duration;

use engine::{Clock, Machine, MachineKind};
use game::Simulator;
use gdl::normal::NormalRules;
use machine::builder::{Builder, Event, Options, Ready};

/// Part of the time for building that may go into comparing a machine with the one before.
const COMPARISON_SHARE: u32 = 20;

/// The machines of one game.
#[derive(Debug)]
pub struct Machines {
    source: Source,
}

#[derive(Debug)]
enum Source {
    Builder(Builder),
    Given(Offer),
}

impl Machines {
    /// Starts to build within a time and a number of bytes per machine.
    pub fn build(rules: NormalRules, time: Duration, bytes: usize, clock: Clock) -> Arc<Self> {
        let comparison = (time / COMPARISON_SHARE).min(Duration::from_secs(1));
        let builder = Builder::start(rules, Options { clock, time, comparison, bytes });
        Arc::new(Self { source: Source::Builder(builder) })
    }

    /// One machine that is there already, written by hand or made slow on purpose, and what it counts
    /// as. Nothing is built, so there is nothing for [`Machines::best`] and the like to tell.
    pub fn of<G: Simulator + 'static>(game: Arc<G>, kind: MachineKind) -> Arc<Self> {
        Arc::new(Self { source: Source::Given(Offer::new(game, kind)) })
    }

    fn builder(&self) -> Option<&Builder> {
        match &self.source {
            Source::Builder(builder) => Some(builder),
            Source::Given(_) => None,
        }
    }

    /// The best machine so far.
    pub fn best(&self) -> Option<Ready> {
        self.builder()?.best()
    }

    /// Waits for the first machine; `None` if there will be none.
    pub fn first(&self) -> Option<Ready> {
        self.builder()?.first()
    }

    /// Waits until nothing better is to come; `None` if there is no machine at all.
    pub fn last(&self) -> Option<Ready> {
        self.builder()?.last()
    }

    /// What was done so far.
    pub fn events(&self) -> Vec<Event> {
        self.builder().map(Builder::events).unwrap_or_default()
    }

    pub(crate) fn best_offer(&self) -> Option<Offer> {
        self.offer(Builder::best)
    }

    pub(crate) fn first_offer(&self) -> Option<Offer> {
        self.offer(Builder::first)
    }

    pub(crate) fn last_offer(&self) -> Option<Offer> {
        self.offer(Builder::last)
    }

    fn offer(&self, built: impl Fn(&Builder) -> Option<Ready>) -> Option<Offer> {
        match &self.source {
            Source::Builder(builder) => built(builder).map(Offer::from),
            Source::Given(offer) => Some(offer.clone()),
        }
    }
}

/// A machine to play on.
#[derive(Clone)]
pub(crate) struct Offer {
    pub(crate) kind: MachineKind,
    pub(crate) machine: Machine,
}

impl Offer {
    fn new<G: Simulator + 'static>(game: Arc<G>, kind: MachineKind) -> Self {
        Self { kind, machine: Machine::new(game, kind) }
    }
}

impl From<Ready> for Offer {
    fn from(ready: Ready) -> Self {
        match ready {
            Ready::Reference(game) => Self::new(game, MachineKind::Reference),
            Ready::Circuit(game) => Self::new(game, MachineKind::Circuit),
            Ready::Batch(game) => Self::new(game, MachineKind::Batch),
        }
    }
}

impl std::fmt::Debug for Offer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Offer").field("kind", &self.kind).finish_non_exhaustive()
    }
}
