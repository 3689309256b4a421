//! The classes of the language and their parameters.

mod effect;
mod parameter;
mod sprite;
mod termination;

pub use effect::EffectClass;
pub use parameter::Kind;
pub use sprite::SpriteClass;
pub use termination::TerminationClass;

pub(crate) use parameter::{EFFECT, GAME, SPRITE, TERMINATION, TIME};
