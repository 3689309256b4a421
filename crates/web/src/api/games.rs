//! Bundled games.

use serde::{Deserialize, Serialize};

/// A bundled game in the list of all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameSummary {
    /// How it is asked for.
    pub name: String,
    /// How people call it.
    pub title: String,
    /// What the players do and who wins.
    pub description: String,
    /// How many roles it has, if that is told.
    pub players: Option<usize>,
    /// What kind of game it is.
    pub tags: Vec<String>,
    /// Other names.
    pub nicknames: Vec<String>,
}

/// A game that a match can be made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameDetails {
    /// How it is asked for.
    pub name: String,
    /// How people call it.
    pub title: String,
    /// What the players do and who wins.
    pub description: String,
    /// The roles in order.
    pub roles: Vec<String>,
    /// The role whose moves are drawn.
    pub chance: Option<usize>,
    /// Whether not everybody sees everything.
    pub hidden: bool,
    /// The rules.
    pub rules: String,
    /// The position at the beginning.
    pub svg: String,
}
