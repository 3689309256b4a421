//! What happens in a match, for whoever wants to know: a page, a recorder, a printer, a cluster.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::MatchRecord;

/// Something that happens. Roles and turns are numbers: roles from 0, turns from 1, and turn 0 is the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// Everybody has prepared: the record says who plays what.
    Begun,
    /// A position was reached.
    Position {
        /// After this turn.
        turn: usize,
        /// What is true.
        facts: Vec<String>,
    },
    /// Moves are asked for.
    TurnBegun {
        /// Which turn it is.
        turn: usize,
        /// How many legal moves each role has.
        choices: Vec<usize>,
    },
    /// A player has answered, or was waited for in vain.
    Answered {
        /// In this turn.
        turn: usize,
        /// Who.
        role: usize,
        /// How long it took.
        seconds: f64,
        /// What it thinks, if it tells.
        thought: Option<Thought>,
    },
    /// There was trouble with a player.
    Trouble {
        /// In this turn.
        turn: usize,
        /// With whom.
        role: usize,
        /// What it was, as it is recorded.
        trouble: String,
    },
    /// A joint move was made.
    Moved {
        /// In this turn.
        turn: usize,
        /// In role order, in the spelling of the rules.
        moves: Vec<String>,
    },
    /// The match is over.
    Ended {
        /// What each role reached; nothing if the match was called off.
        goals: Vec<u8>,
        /// Why it was called off.
        fault: Option<String>,
    },
}

/// What a player thinks of its move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Thought {
    /// The goal it expects, 0 to 100; none without a search.
    pub value: Option<f64>,
    /// Whether the move is proven to be as good as any.
    pub proven: bool,
    /// Simulations it made.
    pub simulations: u64,
    /// And how many a second.
    pub simulations_per_second: f64,
    /// Nodes of its tree.
    pub nodes: usize,
    /// The longest way down the tree.
    pub depth: u32,
    /// Bytes of its tree.
    pub bytes: usize,
    /// Nodes that made way for others.
    pub recycled: u64,
    /// The longest time between two batches of simulations.
    pub longest_pause_seconds: f64,
    /// Whether there was a choice, and neither a simulation nor a plan nor a proof behind what was chosen.
    pub unthought: bool,
    /// Joint moves it thinks best from here on.
    pub line: Vec<Vec<String>>,
    /// The moves that it looked at most, if it tells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<MoveThought>,
    /// Which settings it chose for the game, and why, if it chooses.
    pub tuning: Option<String>,
    /// What it thinks with.
    pub machine: String,
    /// How long it thought.
    pub seconds: f64,
}

/// What a player thinks of one of its moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MoveThought {
    /// The move, canonical.
    pub text: String,
    /// The goal it expects of it, 0 to 100.
    pub value: f64,
    /// Simulations through it.
    pub visits: u32,
    /// The goal that is proven, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<u8>,
}

/// Who wants to know. The record is as it is after the event; who has heard enough calls the match off.
pub trait Listener {
    /// Something has happened.
    fn hear(&mut self, event: &Event, record: &MatchRecord) -> ControlFlow<()>;
}

impl<F: FnMut(&Event, &MatchRecord) -> ControlFlow<()>> Listener for F {
    fn hear(&mut self, event: &Event, record: &MatchRecord) -> ControlFlow<()> {
        self(event, record)
    }
}

/// Nobody wants to know.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Listener for Nobody {
    fn hear(&mut self, _: &Event, _: &MatchRecord) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
