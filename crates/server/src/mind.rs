//! The thinking side, as the desk sees it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gdl::normal::NormalRules;

/// The time so far. All deadlines are times of this clock.
pub use player::Clock;

/// What a mind is made for.
#[derive(Clone)]
pub struct Setup {
    /// The game.
    pub rules: Arc<NormalRules>,
    /// Its rules as they were sent.
    pub source: Arc<str>,
    /// The role to play, by its place.
    pub role: usize,
    /// The seed of chance.
    pub seed: u64,
    /// Bytes of memory to think with.
    pub memory: usize,
    /// Threads to think with.
    pub threads: usize,
    /// Whether to think on others' time.
    pub ponder: bool,
    /// Time to build machines in the background.
    pub building: Duration,
    /// The time.
    pub clock: Clock,
}

/// A move, and what was thought of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// The move in the spelling of the rules.
    pub reply: String,
    /// What the position is worth for the role, 0 to 100.
    pub value: Option<f64>,
    /// Simulations of this turn.
    pub simulations: u64,
    /// Whether there was a choice, and neither a simulation nor a proof behind the move.
    pub unthought: bool,
    /// The moves expected to come, as joint moves in words.
    pub line: Vec<String>,
}

/// Why a mind has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MindError {
    /// No machine is ready yet.
    #[error("the game is not ready to be played yet")]
    NotReady,
    /// The joint move cannot be made here.
    #[error("the joint move {0} is not legal here")]
    NotLegal(String),
    /// The game is over, or the role cannot move.
    #[error("there is no legal move")]
    NoMove,
    /// The rules have a fault.
    #[error("{0}")]
    Rules(String),
}

/// One match's brain. Lives in the thread of its match.
pub trait Mind: Send {
    /// Gets ready, until a time or until told to stop.
    fn prepare(&mut self, until: Duration, stop: &AtomicBool) -> Result<(), MindError>;

    /// Any legal move, at once.
    fn fallback(&mut self) -> Result<String, MindError>;

    /// The move to play, by a time or soon after being told to stop.
    fn choose(&mut self, until: Duration, stop: &AtomicBool) -> Result<Thought, MindError>;

    /// Follows a joint move: texts in role order, in any case. Stays where it is if that is not legal.
    fn advance(&mut self, joint: &[String]) -> Result<(), MindError>;
}

/// Makes minds.
pub type MindMaker = Arc<dyn Fn(Setup) -> Box<dyn Mind> + Send + Sync>;
