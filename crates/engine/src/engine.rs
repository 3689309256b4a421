//! A way to think, and a row of the registry for it.

use std::fmt;
use std::sync::Arc;

use game::{RoleId, RuleFault};

use machine::{Machine, MachineKind};

use crate::team::HelperSource;
use crate::{Budget, Clock, Decision, Demand, Parameter, Profile, Refusal, Settings, Stop};

/// Stands for what was seen in a step where that is not known, for the own move where that is not, and before an own move that
/// was answered if nobody has said that it was made. No percept and no move is written like this.
pub const UNSEEN: &str = "?";

/// A way to think about one match, on one machine.
pub trait Engine: Send {
    /// Thinks about the present position.
    fn think(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault>;
    /// What it would play for a role; `None` if the game is over.
    fn decide(&mut self, role: RoleId) -> Result<Option<Decision>, RuleFault>;
    /// Follows a step, in no time; `false` if a move is not known, or if what it goes by turned out to be wrong: then another
    /// one has to be made. What is told of it is the joint move or, where
    /// the rules say who sees what, the own move and then what was seen, or [`UNSEEN`] for either; nothing of a step
    /// that was missed.
    fn advance(&mut self, told: &[String]) -> Result<bool, RuleFault>;
    /// Begins to count simulations anew.
    fn begin_turn(&mut self);
    /// What happened since it was asked last.
    fn events(&mut self) -> Vec<Event>;
    /// What it runs on.
    fn machine(&self) -> MachineKind;
}

/// Something worth telling that happened to an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Event {
    /// An engine does not suit the game, so another one plays.
    #[error("{refusal}; `{instead}` plays")]
    Fallback {
        /// Who does not play, and why.
        refusal: Refusal,
        /// Who does.
        instead: &'static str,
    },
    /// What the engine itself has to say.
    #[error("{engine}: {text}")]
    Said {
        /// The engine.
        engine: &'static str,
        /// What it says.
        text: String,
    },
}

/// What an engine is made for.
#[derive(Clone, Copy)]
pub struct Seat<'a> {
    /// What it runs on.
    pub machine: &'a Machine,
    /// What was told of the steps so far, as in [`Engine::advance`].
    pub history: &'a [Vec<String>],
    /// The values of its parameters, maybe among others.
    pub settings: &'a Settings,
    /// The seed of chance.
    pub seed: u64,
    /// The time.
    pub clock: &'a Clock,
    /// Helpers that are elsewhere, if there are any.
    pub helpers: Option<&'a HelperSource>,
}

/// Why an engine was not made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MakeError {
    /// It does not suit the game, which only shows when it is made.
    #[error("{0}")]
    Refused(String),
    /// The rules are at fault.
    #[error(transparent)]
    Rules(#[from] RuleFault),
}

/// Makes an engine for a match.
pub type Make = Arc<dyn Fn(&Seat<'_>) -> Result<Box<dyn Engine>, MakeError> + Send + Sync>;

/// An engine that can be asked for.
#[derive(Clone)]
pub struct EngineRow {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Counted up when a default changes, or what it plays with the same values: matches of before and
    /// after are then not counted together.
    pub revision: u32,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What it cannot do without.
    pub demands: Vec<Demand>,
    /// Who plays the games that it cannot.
    pub fallback: Option<&'static str>,
    /// Who makes it.
    pub make: Make,
}

impl EngineRow {
    /// Why it cannot play a game; `None` if it can, as far as one can tell beforehand.
    pub fn refusal(&self, profile: &Profile) -> Option<Refusal> {
        let reason = self.demands.iter().find_map(|demand| demand.unmet(profile))?;
        Some(Refusal { engine: self.name, reason })
    }
}

impl fmt::Debug for EngineRow {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("EngineRow").field("name", &self.name).finish_non_exhaustive()
    }
}
