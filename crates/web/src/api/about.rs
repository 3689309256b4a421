//! What is served, and what went wrong.

use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// In words, with what to do.
    pub error: String,
}

/// What is served, and what can be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The version of Ludens.
    pub version: String,
    /// Strengths of agents, the weakest first.
    pub levels: Vec<Level>,
    /// All agents by name.
    pub agents: Vec<AgentInfo>,
    /// All players of video games.
    pub video_players: Vec<AgentInfo>,
    /// The longest that an agent may think about a move, in seconds.
    pub longest_thought: f64,
    /// Whether players on the network can be invited.
    pub remote_players: bool,
}

/// A strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// How it is asked for.
    pub name: String,
    /// How people call it.
    pub title: String,
    /// What it does.
    pub help: String,
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentInfo {
    /// Its name.
    pub name: String,
    /// What it does.
    pub help: String,
}
