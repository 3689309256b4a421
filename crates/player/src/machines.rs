//! The machines of a game, built in the background and shared by all who play it.

use std::sync::Arc;
use std::time::Duration;

use game::{RuleFault, Simulator};
use gdl::normal::NormalRules;
use machine::batch::BatchMachine;
use machine::builder::{Builder, Event, Options, Ready, What};
use machine::reference::Reference;

use crate::AgentSpec;
use crate::mind::{self, Mind};
use crate::position::{self, Position};

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
    source: Source,
}

#[derive(Debug)]
enum Source {
    Built { builder: Builder, rules: NormalRules, bytes: usize },
    Given(Offer),
}

impl Machines {
    /// Starts to build within a time and a number of bytes per machine.
    pub fn build(rules: NormalRules, time: Duration, bytes: usize, clock: Clock) -> Arc<Self> {
        let comparison = (time / COMPARISON_SHARE).min(Duration::from_secs(1));
        let builder = Builder::start(rules.clone(), Options { clock, time, comparison, bytes });
        Arc::new(Self { source: Source::Built { builder, rules, bytes } })
    }

    /// One machine that is there already, written by hand or made slow on purpose, and what it counts
    /// as. Nothing is built, so there is nothing for [`Machines::best`] and the like to tell.
    pub fn of<G: Simulator + 'static>(game: Arc<G>, kind: MachineKind) -> Arc<Self> {
        Arc::new(Self { source: Source::Given(Offer { kind, machine: game, lanes: None }) })
    }

    fn builder(&self) -> Option<&Builder> {
        match &self.source {
            Source::Built { builder, .. } => Some(builder),
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

    /// The kind of the best machine so far.
    pub fn kind(&self) -> Option<MachineKind> {
        self.best_offer().map(|offer| offer.kind)
    }

    /// What was done so far.
    pub fn events(&self) -> Vec<Event> {
        self.builder().map(Builder::events).unwrap_or_default()
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
    pub(crate) fn plain_offer(&self) -> Option<Offer> {
        match &self.source {
            Source::Built { rules, bytes, .. } => {
                let limits = datalog::Limits { bytes: *bytes, ..Default::default() };
                let reference = Reference::new(rules, limits).ok()?;
                Some(Ready::Reference(Arc::new(reference)).into())
            }
            Source::Given(offer) => Some(offer.clone()),
        }
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
            Source::Built { builder, .. } => built(builder).map(Offer::from),
            Source::Given(offer) => Some(offer.clone()),
        }
    }
}

/// What a player asks of a machine, whatever it is.
pub(crate) trait Playable: Send + Sync {
    /// The number of roles.
    fn count_roles(&self) -> usize;
    /// Whether it knows all moves of a joint move.
    fn knows(&self, joint: &[String]) -> bool;
    /// An agent's mind on it, in the position after some joint moves.
    fn mind(
        self: Arc<Self>,
        kind: MachineKind,
        agent: &AgentSpec,
        history: &[Vec<String>],
        seed: u64,
    ) -> Result<Box<dyn Mind>, RuleFault>;
    /// The position on it after some joint moves.
    fn position(
        self: Arc<Self>,
        kind: MachineKind,
        history: &[Vec<String>],
    ) -> Result<Box<dyn Position>, RuleFault>;
}

impl<G: Simulator + 'static> Playable for G {
    fn count_roles(&self) -> usize {
        self.role_count()
    }

    fn knows(&self, joint: &[String]) -> bool {
        joint.len() == self.role_count() && mind::find(self, joint).is_some()
    }

    fn mind(
        self: Arc<Self>,
        kind: MachineKind,
        agent: &AgentSpec,
        history: &[Vec<String>],
        seed: u64,
    ) -> Result<Box<dyn Mind>, RuleFault> {
        mind::on(self, kind, agent, history, seed)
    }

    fn position(
        self: Arc<Self>,
        kind: MachineKind,
        history: &[Vec<String>],
    ) -> Result<Box<dyn Position>, RuleFault> {
        position::on(self, kind, history)
    }
}

/// A machine to play on.
#[derive(Clone)]
pub(crate) struct Offer {
    pub(crate) kind: MachineKind,
    pub(crate) machine: Arc<dyn Playable>,
    /// The same in lanes, if it has them: planners need more than a player does.
    pub(crate) lanes: Option<Arc<BatchMachine>>,
}

impl From<Ready> for Offer {
    fn from(ready: Ready) -> Self {
        match ready {
            Ready::Reference(game) => Self { kind: MachineKind::Reference, machine: game, lanes: None },
            Ready::Circuit(game) => Self { kind: MachineKind::Circuit, machine: game, lanes: None },
            Ready::Batch(game) => {
                let lanes = Some(Arc::clone(&game));
                Self { kind: MachineKind::Batch, machine: game, lanes }
            }
        }
    }
}

impl std::fmt::Debug for Offer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Offer").field("kind", &self.kind).finish_non_exhaustive()
    }
}
