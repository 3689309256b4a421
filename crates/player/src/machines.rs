//! The machines of a game, built in the background and shared by all who play it.

use std::sync::Arc;
use std::time::Duration;

use engine::Clock;
use game::{Describe, Simulator};
use gdl::normal::NormalRules;
use machine::builder::{Builder, Event, Options};
use machine::{Machine, MachineKind};

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
    Given(Machine),
}

impl Machines {
    /// Starts to build within a time and a number of bytes per machine.
    pub fn build(rules: NormalRules, time: Duration, bytes: usize, clock: Clock) -> Arc<Self> {
        let comparison = (time / COMPARISON_SHARE).min(Duration::from_secs(1));
        let builder = Builder::start(rules, Options { clock, time, comparison, bytes });
        Arc::new(Self { source: Source::Builder(builder) })
    }

    /// One machine that is there already, written by hand or made slow on purpose, and what it counts
    /// as. Nothing is built.
    pub fn of<G: Simulator + Describe + 'static>(game: Arc<G>, kind: MachineKind) -> Arc<Self> {
        Arc::new(Self { source: Source::Given(Machine::of(game, kind)) })
    }

    /// The best machine so far.
    pub fn best(&self) -> Option<Machine> {
        self.built(Builder::best)
    }

    /// Waits for the first machine; `None` if there will be none.
    pub fn first(&self) -> Option<Machine> {
        self.built(Builder::first)
    }

    /// Waits until nothing better is to come; `None` if there is no machine at all.
    pub fn last(&self) -> Option<Machine> {
        self.built(Builder::last)
    }

    /// What was done so far.
    pub fn events(&self) -> Vec<Event> {
        match &self.source {
            Source::Builder(builder) => builder.events(),
            Source::Given(_) => Vec::new(),
        }
    }

    fn built(&self, ask: impl Fn(&Builder) -> Option<Machine>) -> Option<Machine> {
        match &self.source {
            Source::Builder(builder) => ask(builder),
            Source::Given(machine) => Some(machine.clone()),
        }
    }
}
