//! The engine: levels, states, and what happens in a tick.
//!
//! A tick is: avatars, then all other sprites type by type, then events (time, edge, collisions),
//! then the dead are removed, then the ends are asked for. `tick` has the order, `collision` who meets
//! whom, `effects` what happens then, `sprites` what sprites do, `avatar` what players do.

mod avatar;
mod cells;
mod collision;
mod effects;
mod ending;
mod game;
mod geometry;
mod level;
mod model;
mod movement;
mod observation;
mod paths;
mod plain;
mod random;
mod sprite;
mod sprites;
mod state;
mod store;
mod tick;

pub use game::Game;
pub use geometry::{Direction, Rect};
pub use level::{Level, LoadedLevel};
pub use model::Model;
pub use observation::{Avatar, Category, Event, Observation};
pub use random::JavaRandom;
pub use state::{Action, Outcome, State};

pub(crate) use sprite::{NONE, Slot, Sprite, flag};
pub(crate) use state::{Chase, Group, Player, Scratch, TimeEntry};

use crate::rules::Rules;

/// More sprites than this are not created.
pub const MAX_SPRITES: i32 = 10_000;

/// The tick after which a game ends.
pub const MAX_TICKS: i32 = 2000;

/// More faults than this in the framework's log end a game.
const MAX_MESSAGES: u32 = 25;

/// More meetings than this in one tick end a game: it has more sprites in one place than anybody
/// could tell apart, and every tick would take minutes.
const MAX_MEETINGS: usize = 1_000_000;

/// A state in the middle of a tick, with all that does not change.
pub(crate) struct Play<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) level: &'a Level,
    pub(crate) state: &'a mut State,
}
