//! The machines of a game, built in the background and shared by all who play it.

use std::sync::Arc;
use std::time::Duration;

use game::{Describe, RuleFault, Simulator};
use gdl::normal::NormalRules;
use machine::batch::BatchMachine;
use machine::builder::{Builder, Event, Options};
use machine::{Machine, MachineKind, Visitor};

use crate::AgentSpec;
use crate::mind::{self, Mind};

/// The time so far, by the caller's clock.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

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
    pub fn of<G: Simulator + Describe + 'static>(game: Arc<G>, kind: MachineKind) -> Arc<Self> {
        Arc::new(Self { source: Source::Given(Offer { kind, machine: game, lanes: None }) })
    }

    fn builder(&self) -> Option<&Builder> {
        match &self.source {
            Source::Builder(builder) => Some(builder),
            Source::Given(_) => None,
        }
    }

    /// The best machine so far.
    pub fn best(&self) -> Option<Machine> {
        self.builder()?.best()
    }

    /// Waits for the first machine; `None` if there will be none.
    pub fn first(&self) -> Option<Machine> {
        self.builder()?.first()
    }

    /// Waits until nothing better is to come; `None` if there is no machine at all.
    pub fn last(&self) -> Option<Machine> {
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

    fn offer(&self, built: impl Fn(&Builder) -> Option<Machine>) -> Option<Offer> {
        match &self.source {
            Source::Builder(builder) => built(builder).map(Offer::from),
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
    /// A mind that only knows what is legal, in the position after some joint moves.
    fn plain_mind(
        self: Arc<Self>,
        kind: MachineKind,
        history: &[Vec<String>],
    ) -> Result<Box<dyn Mind>, RuleFault>;
}

impl<G: Simulator + Describe + 'static> Playable for G {
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

    fn plain_mind(
        self: Arc<Self>,
        kind: MachineKind,
        history: &[Vec<String>],
    ) -> Result<Box<dyn Mind>, RuleFault> {
        mind::plain(self, kind, history)
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

impl From<Machine> for Offer {
    fn from(machine: Machine) -> Self {
        struct ToPlay;
        impl Visitor<'_> for ToPlay {
            type Answer = Arc<dyn Playable>;
            fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Arc<dyn Playable> {
                Arc::clone(game) as Arc<dyn Playable>
            }
        }
        Self { kind: machine.kind(), machine: machine.visit(ToPlay), lanes: machine.lanes().cloned() }
    }
}

impl std::fmt::Debug for Offer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Offer").field("kind", &self.kind).finish_non_exhaustive()
    }
}
