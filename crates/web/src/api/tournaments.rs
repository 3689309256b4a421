//! Tournaments of agents, and matches that have ended.

use serde::{Deserialize, Serialize};

/// A tournament that is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewTournament {
    /// Bundled games by name.
    #[serde(default)]
    pub games: Vec<String>,
    /// The rules of one more.
    #[serde(default)]
    pub rules: Option<String>,
    /// How that game is called.
    #[serde(default)]
    pub title: Option<String>,
    /// The players, as `ludens arena` takes them: `cadia-uct@1000`, `mc@0.5s`.
    pub players: Vec<String>,
    /// Matches of every two players in every game.
    pub matches: u64,
    /// Joint moves at the beginning that are drawn.
    #[serde(default)]
    pub openings: usize,
    /// Whether only the first player meets the others.
    #[serde(default)]
    pub gauntlet: bool,
    /// The seed of chance; any if it is not given.
    #[serde(default)]
    pub seed: Option<u64>,
}

/// A tournament that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MadeTournament {
    /// The tournament.
    pub id: String,
    /// The key of who made it.
    pub owner: String,
}

/// A tournament in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentSummary {
    /// The tournament.
    pub id: String,
    /// Its games, as people call them.
    pub games: Vec<String>,
    /// Its players.
    pub players: Vec<String>,
    /// `waiting`, `building`, `running`, `paused`, `done` or `failed`.
    pub status: String,
    /// Matches that have ended.
    pub done: usize,
    /// Matches in all.
    pub all: usize,
    /// When it was made: milliseconds since 1970.
    pub created: u64,
}

/// A tournament and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentView {
    /// Its row in the list.
    pub summary: TournamentSummary,
    /// Why it has failed.
    pub fault: Option<String>,
    /// Matches of every two players in every game.
    pub matches: u64,
    /// Joint moves at the beginning that are drawn.
    pub openings: usize,
    /// Whether only the first player meets the others.
    pub gauntlet: bool,
    /// The seed of chance.
    pub seed: u64,
    /// Whether the visitor made it.
    pub owner: bool,
    /// Game by game, then all together if there are several.
    pub standings: Vec<GameStandings>,
    /// How the shares came about, match by match.
    pub course: Vec<CoursePoint>,
}

/// The standings of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameStandings {
    /// The game by name; none for all together.
    pub game: Option<String>,
    /// How people call it.
    pub title: String,
    /// Matches that have ended.
    pub matches: u64,
    /// The mean number of their joint moves.
    pub mean_length: f64,
    /// Those that were broken off, as they did not end.
    pub cut: u64,
    /// The players in the order in which they were given.
    pub players: Vec<PlayerStanding>,
}

/// The standing of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerStanding {
    /// Who.
    pub player: String,
    /// Against each of the players; nothing where they have not met.
    pub against: Vec<Option<ShareView>>,
    /// Against all others.
    pub total: Option<ShareView>,
    /// The mean goal.
    pub goal: Option<f64>,
    /// Half the width of its 95% confidence interval.
    pub goal_interval: Option<f64>,
    /// Simulations a second.
    pub simulations_per_second: f64,
    /// The longest thought in seconds.
    pub longest: f64,
}

/// A share of the matches, a draw counting one half, in per cent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShareView {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95% confidence interval.
    pub interval: f64,
    /// Matches won.
    pub wins: u64,
    /// Matches drawn.
    pub draws: u64,
    /// Matches lost.
    pub losses: u64,
    /// The difference in Elo points; none if all were won or all lost.
    pub elo: Option<f64>,
    /// The lower end of its interval; none if it is without bound.
    pub elo_low: Option<f64>,
    /// The upper end of its interval; none if it is without bound.
    pub elo_high: Option<f64>,
    /// The likelihood that the player is better at all, from 0 to 1.
    pub superiority: f64,
}

/// The shares of all players after some matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoursePoint {
    /// After so many matches.
    pub matches: usize,
    /// In per cent, in the order of the players; nothing where there is none yet.
    pub shares: Vec<Option<f64>>,
}

/// Matches that have ended, the latest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndedMatches {
    /// Some of them.
    pub matches: Vec<EndedMatch>,
    /// How many there are in all.
    pub all: usize,
}

/// A match that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndedMatch {
    /// The match: it is seen as any other.
    pub id: String,
    /// How its game is called.
    pub title: String,
    /// Who played, role by role.
    pub players: Vec<String>,
    /// What the roles reached.
    pub goals: Vec<u8>,
    /// Joint moves.
    pub moves: usize,
    /// When it ended: milliseconds since 1970.
    pub ended: u64,
}
