//! The machines of a game, built in the background and shared by all who play it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use engine::Clock;
use game::{Describe, Simulator};
use gdl::normal::NormalRules;
use machine::builder::{Builder, Event, Options, What};
use machine::{Limits, Machine, MachineKind, Wanted};

/// Part of the time for building that may go into comparing a machine with the one before.
const COMPARISON_SHARE: u32 = 20;

/// Bytes that machines may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// For grounding and making a circuit.
    pub circuit: usize,
    /// For each evaluation of the rules by the reference: one while building, one in the thread that
    /// thinks, one in the fallback.
    pub reference: usize,
}

/// The machines of one game. When the last who wants them lets go, building ends.
#[derive(Debug)]
pub struct Machines {
    source: Arc<Source>,
}

/// The same machines in a thread of someone who has them: does not keep the building up.
#[derive(Clone, Debug)]
pub(crate) struct Stock {
    source: Arc<Source>,
    /// Set when the one whose thread it is leaves.
    leaving: Arc<AtomicBool>,
}

impl Drop for Machines {
    fn drop(&mut self) {
        if let Source::Built { builder, .. } = &*self.source {
            builder.stop();
        }
    }
}

#[derive(Debug)]
enum Source {
    Built { builder: Builder, rules: NormalRules, reference_bytes: usize },
    Given(Machine),
}

impl Machines {
    /// Starts to build within a time and a number of bytes per machine.
    pub fn build(rules: NormalRules, time: Duration, bytes: usize, clock: Clock) -> Arc<Self> {
        Self::build_within(rules, time, Room { circuit: bytes, reference: bytes }, clock)
    }

    /// The same with memory for each kind of machine.
    pub fn build_within(rules: NormalRules, time: Duration, room: Room, clock: Clock) -> Arc<Self> {
        let comparison = (time / COMPARISON_SHARE).min(Duration::from_secs(1));
        let Room { circuit: bytes, reference: reference_bytes } = room;
        let options = Options { clock, time, comparison, bytes, reference_bytes };
        let builder = Builder::start(rules.clone(), options);
        Arc::new(Self { source: Arc::new(Source::Built { builder, rules, reference_bytes }) })
    }

    /// One machine that is there already, written by hand or made slow on purpose, and what it counts
    /// as. Nothing is built.
    pub fn of<G: Simulator + Describe + 'static>(game: Arc<G>, kind: MachineKind) -> Arc<Self> {
        Arc::new(Self { source: Arc::new(Source::Given(Machine::of(game, kind))) })
    }

    /// The machines for the threads of one player, until it leaves.
    pub(crate) fn stock(&self, leaving: &Arc<AtomicBool>) -> Stock {
        Stock { source: Arc::clone(&self.source), leaving: Arc::clone(leaving) }
    }

    /// The best machine so far.
    pub fn best(&self) -> Option<Machine> {
        self.source.built(Builder::best)
    }

    /// Waits for the first machine; `None` if there will be none.
    pub fn first(&self) -> Option<Machine> {
        self.source.built(Builder::first)
    }

    /// Waits until nothing better is to come; `None` if there is no machine at all.
    pub fn last(&self) -> Option<Machine> {
        self.source.built(Builder::last)
    }

    /// The kind of the best machine so far.
    pub fn kind(&self) -> Option<MachineKind> {
        self.best().map(|machine| machine.kind())
    }

    /// What was done so far.
    pub fn events(&self) -> Vec<Event> {
        self.source.events()
    }
}

impl Stock {
    /// The best machine so far.
    pub(crate) fn best(&self) -> Option<Machine> {
        self.source.built(Builder::best)
    }

    /// Waits for the first machine; `None` if there will be none, or the player leaves.
    pub(crate) fn first(&self) -> Option<Machine> {
        self.source.built(|builder| builder.first_unless(&self.leaving))
    }

    /// Waits until nothing better is to come; `None` if there is no machine at all.
    pub(crate) fn last(&self) -> Option<Machine> {
        self.source.built(Builder::last)
    }

    /// What was done so far.
    pub(crate) fn events(&self) -> Vec<Event> {
        self.source.events()
    }

    /// Why there will never be a machine, as far as is known.
    pub(crate) fn failure(&self) -> Option<String> {
        self.source.failure()
    }

    /// Whether a circuit is still to come in a game that hides something. To find out by the rules themselves where the match may
    /// stand takes many times as long.
    pub(crate) fn is_behind(&self) -> bool {
        let is_final = |event: &Event| matches!(event.what, What::NoCircuit(_) | What::Failed(_));
        self.rules().is_some_and(NormalRules::has_percepts)
            && self.best().is_none_or(|machine| machine.kind() == MachineKind::Reference)
            && !self.events().iter().any(is_final)
    }

    /// The rules, unless a machine was given instead of them.
    pub(crate) fn rules(&self) -> Option<&NormalRules> {
        match &*self.source {
            Source::Built { rules, .. } => Some(rules),
            Source::Given(_) => None,
        }
    }

    /// A machine for this player alone: its evaluations end when the player leaves.
    pub(crate) fn own(&self, machine: &Machine) -> Machine {
        machine.stopped_by(&self.leaving)
    }

    /// A plain machine, made at once, whatever is being built.
    pub(crate) fn plain(&self) -> Option<Machine> {
        match &*self.source {
            Source::Built { rules, reference_bytes, .. } => {
                let stop = Some(Arc::clone(&self.leaving));
                let limits = Limits { bytes: *reference_bytes, stop, ..Limits::generous() };
                machine::from_rules(rules, Wanted::Reference, &limits).ok()
            }
            Source::Given(machine) => Some(machine.clone()),
        }
    }
}

impl Source {
    fn events(&self) -> Vec<Event> {
        match self {
            Source::Built { builder, .. } => builder.events(),
            Source::Given(_) => Vec::new(),
        }
    }

    fn failure(&self) -> Option<String> {
        let events = self.events();
        let reason = |event: &Event| match &event.what {
            What::NoReference(error) => Some(error.to_string()),
            _ => None,
        };
        let no_circuit = events.iter().any(|event| matches!(event.what, What::NoCircuit(_)));
        events.iter().find_map(reason).filter(|_| no_circuit)
    }

    fn built(&self, ask: impl Fn(&Builder) -> Option<Machine>) -> Option<Machine> {
        match self {
            Source::Built { builder, .. } => ask(builder),
            Source::Given(machine) => Some(machine.clone()),
        }
    }
}
