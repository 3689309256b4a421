//! Thinking with helpers: what a player and those who help it say to each other, whether they are threads of one
//! process or other computers.
//!
//! A helper needs to know nothing beforehand. An [`Assignment`] says all of the position, so that whoever hears
//! one can begin there: helpers may come in the middle of a match, go, and come back. Nobody waits for them.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use machine::Machine;
use serde::{Deserialize, Serialize};

/// A helper, by the name it gave itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HelperId(pub String);

/// What a player says to helpers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Where the match stands, and what is to be done there.
    Think(Assignment),
    /// Leaves to be played out.
    Play(Leaves),
    /// The match is over.
    End,
}

/// A position and what is to be done about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    /// Counts up; what is said again, to those who may have come in the meantime, has the same number.
    pub number: u64,
    /// The text of the rules; empty where helpers have the machine.
    pub rules: String,
    /// The joint moves so far.
    pub history: Vec<Vec<String>>,
    /// The role that is played.
    pub role: u16,
    /// The seed of chance; each helper makes its own of it.
    pub seed: u64,
    /// Parameters that differ from their defaults, as they are written.
    pub settings: Vec<(String, String)>,
    /// For how long this holds, from when it is heard.
    pub milliseconds: u64,
    /// What is to be done.
    pub work: Work,
}

/// What helpers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Each searches in a tree of its own, and tells what it thinks of the moves.
    Root {
        /// How often that is told; never but at the end if there is no number.
        every_milliseconds: Option<u64>,
        /// Simulations, in place of the time.
        simulations: Option<u64>,
    },
    /// Leaves of the player's tree are played out, as they come.
    Tree,
}

/// Leaves of a tree, by the moves that lead there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leaves {
    /// What the answer is known by.
    pub batch: u64,
    /// The number of the assignment whose position is the root.
    pub number: u64,
    /// The texts of moves.
    pub words: Vec<String>,
    /// For each step the step before it, which has a lower number; none at the root.
    pub before: Vec<Option<u32>>,
    /// The joint moves of the steps, as places in `words`: one for each role, step after step.
    pub joints: Vec<u32>,
    /// The step that leads to each leaf, none if it is the root, and how many playouts begin there.
    pub leaves: Vec<(Option<u32>, u32)>,
    /// The seed of chance.
    pub seed: u64,
    /// Steps after which a playout is cut.
    pub most_steps: u32,
    /// Whether a win at once is taken, and whether it is not left to others.
    pub decisive: (bool, bool),
    /// Whether playouts prefer captures.
    #[serde(default)]
    pub captures: bool,
}

/// What a helper says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Who says it.
    pub helper: HelperId,
    /// What it says.
    pub news: News,
}

/// What there is to say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum News {
    /// It can play out leaves of an assignment.
    Ready {
        /// The assignment.
        number: u64,
    },
    /// What it thinks of the moves.
    Root(RootReport),
    /// What became of leaves.
    Played(PlayedLeaves),
    /// Leaves that it does not know the way to.
    Lost {
        /// Which.
        batch: u64,
    },
}

/// What a tree says of the moves in its root.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RootReport {
    /// The assignment.
    pub number: u64,
    /// Simulations since it was given.
    pub simulations: u64,
    /// All moves.
    pub moves: Vec<MoveReport>,
    /// Whether nothing more will come.
    pub is_final: bool,
}

/// A move and what is thought of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveReport {
    /// The move, canonical.
    pub text: String,
    /// The mean goal, 0 to 100.
    pub value: f64,
    /// Simulations through it.
    pub visits: u32,
    /// The least and the most that is proven.
    pub proven: (u8, u8),
}

/// What became of leaves, playout by playout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedLeaves {
    /// Which leaves.
    pub batch: u64,
    /// Joint moves.
    pub lengths: Vec<u32>,
    /// Goals, role by role.
    pub goals: Vec<u8>,
    /// Playouts that were cut.
    pub cut: Vec<u32>,
    /// Playouts whose outcome was certain from the start.
    pub settled: Vec<u32>,
}

/// The player's end of the line to its helpers. When it is let go the helpers are free.
pub trait Line: Send + Sync {
    /// Says something to all helpers, or to one. It does not wait; what nobody hears is lost.
    fn tell(&self, to: Option<&HelperId>, order: Order);
    /// Waits so long for what a helper says.
    fn hear(&self, patience: Duration) -> Option<Report>;
    /// Helpers that are known to be there, whether they have spoken or not.
    fn expected(&self) -> usize;
}

/// Where helpers are.
pub trait Helpers: Send + Sync {
    /// A line to helpers for one match of a game, given the text of its rules and a machine for it.
    fn line(&self, rules: &str, machine: &Machine) -> Box<dyn Line>;
}

/// Helpers that are elsewhere, and what they are to be told of the game.
#[derive(Clone)]
pub struct HelperSource {
    /// Where they are.
    pub helpers: Arc<dyn Helpers>,
    /// The text of the rules.
    pub rules: Arc<str>,
}

impl fmt::Debug for HelperSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("HelperSource").finish_non_exhaustive()
    }
}
