//! Players of video games: they see what a player sees, have a copy of the game to try things out
//! in, and answer within 40 ms.
//!
//! A [`World`] is the game as players see it: what is where, what happened, what can be done, and a
//! forward model, but not the rules. A [`Player`] is asked for an action in every tick within a
//! budget. Each has a row in the [`Registry`]: its name, where it comes from, its parameters and who
//! makes it. [`bout::play`] lets players play a game, [`standings`] says who did best.

pub mod arcade;
pub mod bout;
mod evolution;
mod field;
mod guide;
mod keys;
mod knowledge;
pub mod look;
mod open_loop;
mod planner;
mod plans;
mod player;
pub mod players;
pub mod record;
mod registry;
pub mod standings;
mod timer;
pub mod trace;
mod tree;
mod value;
mod world;

pub use keys::Keys;
pub use player::{Player, PlayerRow};
pub use registry::{Made, MakeError, Registry};
pub use timer::Timer;
pub use vgdl::{Action, Avatar, Category, Event, Game, Level, Observation, Outcome, Rect};
pub use world::{KindId, World};
