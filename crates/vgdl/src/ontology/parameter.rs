//! The kinds of parameters, and those that all classes of a sort have.

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// A whole number that is kept as a short float.
    Float,
    /// `True` or `False`.
    Truth,
    /// Text that is no number, truth value or constant.
    Text,
    /// Whole numbers, one per player, with commas between.
    Score,
    /// A direction.
    Direction,
    /// A colour.
    Colour,
    /// The name of a sprite type.
    Sprite,
    /// Names of sprite types with commas between.
    Sprites,
    /// The name of an effect.
    Effect,
}

use Kind::*;

/// Parameters of the game's line.
pub(crate) const GAME: &[(&str, Kind)] = &[
    ("square_size", Integer),
    ("no_players", Integer),
    ("no_counters", Integer),
    ("key_handler", Text),
    ("obs", Sprites),
];

/// Parameters of every sprite.
pub(crate) const SPRITE: &[(&str, Kind)] = &[
    ("name", Text),
    ("is_static", Truth),
    ("only_active", Truth),
    ("is_avatar", Truth),
    ("is_stochastic", Truth),
    ("color", Colour),
    ("cooldown", Integer),
    ("speed", Number),
    ("stationary", Truth),
    ("mass", Number),
    ("physicstype", Integer),
    ("gravity", Number),
    ("friction", Number),
    ("shrinkfactor", Number),
    ("is_oriented", Truth),
    ("draw_arrow", Truth),
    ("orientation", Direction),
    ("lastmove", Integer),
    ("jump_strength", Number),
    ("singleton", Truth),
    ("is_resource", Truth),
    ("portal", Truth),
    ("invisible", Text),
    ("hidden", Text),
    ("autotiling", Truth),
    ("randomtiling", Number),
    ("frameRate", Number),
    ("frameRemaining", Number),
    ("currentFrame", Integer),
    ("img", Text),
    ("orientedImg", Text),
    ("is_npc", Truth),
    ("is_from_avatar", Truth),
    ("rotateInPlace", Truth),
    ("isFirstTick", Truth),
    ("healthPoints", Integer),
    ("maxHealthPoints", Integer),
    ("limitHealthPoints", Integer),
    ("timeToLive", Integer),
    ("rotation", Number),
    ("wMult", Number),
    ("hMult", Number),
    ("on_ground", Truth),
    ("solid", Truth),
    ("max_speed", Number),
];

/// Parameters of every effect.
pub(crate) const EFFECT: &[(&str, Kind)] = &[
    ("scoreChange", Score),
    ("count", Truth),
    ("counter", Text),
    ("countElse", Truth),
    ("counterElse", Text),
    ("prob", Number),
    ("applyScore", Truth),
    ("repeat", Integer),
    ("enabled", Truth),
    ("is_kill_effect", Truth),
    ("is_stochastic", Truth),
    ("sequential", Truth),
    ("inBatch", Truth),
];

/// Parameters of effects that are triggered by time.
pub(crate) const TIME: &[(&str, Kind)] =
    &[("timer", Integer), ("nextExecution", Integer), ("repeating", Truth), ("isNative", Truth)];

/// Parameters of every termination.
pub(crate) const TERMINATION: &[(&str, Kind)] = &[("win", Text), ("limit", Integer), ("count_score", Truth)];
