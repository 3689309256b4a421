//! The machines of a game, built in the background and shared by all who play it.

use std::sync::Arc;
use std::time::Duration;

use engine::Clock;
use game::{Describe, Simulator};
use gdl::normal::NormalRules;
use machine::builder::{Builder, Event, Options, What};
use machine::{Limits, Machine, MachineKind, Wanted};

/// Part of the time for building that may go into comparing a machine with the one before.
const COMPARISON_SHARE: u32 = 20;

/// The machines of one game.
#[derive(Debug)]
pub struct Machines {
    source: Source,
}

#[derive(Debug)]
enum Source {
    Built { builder: Builder, rules: NormalRules, bytes: usize },
    Given(Machine),
}

impl Machines {
    /// Starts to build within a time and a number of bytes per machine.
    pub fn build(rules: NormalRules, time: Duration, bytes: usize, clock: Clock) -> Arc<Self> {
        let comparison = (time / COMPARISON_SHARE).min(Duration::from_secs(1));
        let builder = Builder::start(rules.clone(), Options { clock, time, comparison, bytes });
        Arc::new(Self { source: Source::Built { builder, rules, bytes } })
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

    /// The kind of the best machine so far.
    pub fn kind(&self) -> Option<MachineKind> {
        self.best().map(|machine| machine.kind())
    }

    /// What was done so far.
    pub fn events(&self) -> Vec<Event> {
        match &self.source {
            Source::Built { builder, .. } => builder.events(),
            Source::Given(_) => Vec::new(),
        }
    }

    /// Why there will never be a machine, as far as is known.
    pub(crate) fn failure(&self) -> Option<String> {
        let events = self.events();
        let reason = |event: &Event| match &event.what {
            What::NoReference(error) => Some(error.to_string()),
            _ => None,
        };
        let no_circuit = events.iter().any(|event| matches!(event.what, What::NoCircuit(_)));
        events.iter().find_map(reason).filter(|_| no_circuit)
    }

    /// A plain machine, made at once, whatever is being built.
    pub(crate) fn plain(&self) -> Option<Machine> {
        match &self.source {
            Source::Built { rules, bytes, .. } => {
                let limits = Limits { bytes: *bytes, ..Limits::generous() };
                machine::from_rules(rules, Wanted::Reference, &limits).ok()
            }
            Source::Given(machine) => Some(machine.clone()),
        }
    }

    fn built(&self, ask: impl Fn(&Builder) -> Option<Machine>) -> Option<Machine> {
        match &self.source {
            Source::Built { builder, .. } => ask(builder),
            Source::Given(machine) => Some(machine.clone()),
        }
    }
}
