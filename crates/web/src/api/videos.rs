//! Video games: what there is, what is played, and what of it is seen.

use serde::{Deserialize, Serialize};

/// A bundled video game, in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VideoGameInfo {
    /// Its name.
    pub name: String,
    /// The set it belongs to: `training`, `validation` or `test`.
    pub set: String,
    /// What it is.
    pub description: String,
    /// How many play.
    pub players: usize,
    /// How many levels it has.
    pub levels: usize,
}

/// A bundled video game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VideoGameDetails {
    /// Its name.
    pub name: String,
    /// Its description, in VGDL.
    pub rules: String,
    /// Its levels.
    pub levels: Vec<String>,
}

/// A video game that is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewVideo {
    /// A bundled game by name.
    #[serde(default)]
    pub game: Option<String>,
    /// Or the description of any other, in VGDL.
    #[serde(default)]
    pub rules: Option<String>,
    /// With a level of it.
    #[serde(default)]
    pub level_text: Option<String>,
    /// The number of the level of a bundled game.
    #[serde(default)]
    pub level: usize,
    /// Who plays, for each avatar: `person`, or a player as `ludens video match` takes it.
    #[serde(default)]
    pub players: Vec<String>,
    /// The seed of chance; any if it is not given.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Whether the game waits until it is gone on with.
    #[serde(default)]
    pub paused: bool,
    /// Ticks a second; 25 if it is not given.
    #[serde(default)]
    pub speed: Option<f64>,
    /// Instead of all that, a record of a game that was played.
    #[serde(default)]
    pub record: Option<String>,
}

/// A video game that was begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MadeVideo {
    /// Its id.
    pub id: String,
    /// The key of who began it.
    pub owner: String,
}

/// What does not change while a video game is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VideoView {
    /// Its id.
    pub id: String,
    /// The game.
    pub title: String,
    /// The number of the level.
    pub level: usize,
    /// The seed of chance.
    pub seed: u64,
    /// Pixels in a row.
    pub width: usize,
    /// Rows of pixels.
    pub height: usize,
    /// Who plays.
    pub players: Vec<VideoPlayer>,
    /// Whether the visitor may steer it.
    pub owned: bool,
}

/// Who plays an avatar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VideoPlayer {
    /// Its name.
    pub name: String,
    /// Whether it is somebody at the keyboard.
    pub person: bool,
}

/// A state of a video game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VideoFrame {
    /// After so many ticks.
    pub tick: usize,
    /// How many were played so far.
    pub last: usize,
    /// Whether no more will be played.
    pub over: bool,
    /// Whether it waits.
    pub paused: bool,
    /// Ticks a second.
    pub speed: f64,
    /// What each player has.
    pub scores: Vec<f64>,
    /// What the game is for each player: `open`, `won` or `lost`.
    pub outcomes: Vec<String>,
    /// Health of each player's avatar, and what it holds, in words.
    pub belongings: Vec<Vec<String>>,
    /// What is drawn, from the bottom to the top.
    pub layers: Vec<VideoLayer>,
}

/// Sprites of one type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VideoLayer {
    /// The name of the type.
    pub name: String,
    /// What they are to players: `avatar`, `resource`, `portal`, `npc`, `static`, `fromavatar` or `movable`.
    pub shape: String,
    /// Their colour.
    pub colour: String,
    /// Left side, top, width and height of each, in pixels.
    pub places: Vec<i32>,
}

/// What somebody does with the keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Press {
    /// The number of the player.
    pub player: usize,
    /// Keys in the order in which they were pressed and let go.
    pub keys: Vec<KeyStroke>,
}

/// A key is pressed or let go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyStroke {
    /// `up`, `left`, `down`, `right` or `use`.
    pub key: String,
    /// Whether it is pressed.
    pub down: bool,
}

/// How a video game goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Whether it shall wait.
    #[serde(default)]
    pub paused: Option<bool>,
    /// Ticks that are played although it waits.
    #[serde(default)]
    pub steps: usize,
    /// Ticks a second, 1 to 60.
    #[serde(default)]
    pub speed: Option<f64>,
}
