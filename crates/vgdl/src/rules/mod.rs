//! Compiled rules: names are small numbers, parameters are read, order is decided.

mod check;
mod compile;
mod effect;
mod effects;
mod interactions;
mod kind;
mod parameters;
mod sprites;
mod termination;

pub use compile::{Checked, check, compile};
pub use effect::{Effect, Payload};
pub use kind::{Physics, SpriteKind};
pub use termination::{Condition, Termination};

pub(crate) use effect::{Collision, Reach};

use std::collections::HashMap;

use crate::ontology::SpriteClass;

/// A sprite type: an index into [`Rules::kinds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub(crate) u16);

impl TypeId {
    /// The number of the type. Walls are 0, avatars 1, the others follow in the order of the description.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// An effect: an index into [`Rules::effects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EffectId(pub(crate) u16);

impl EffectId {
    /// The number of the effect.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// A resource: an index into [`Rules::resources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceId(pub(crate) u16);

/// The most sprite types of a game.
pub const MAX_TYPES: usize = 256;

/// A set of types, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TypeSet([u64; MAX_TYPES / 64]);

impl TypeSet {
    pub(crate) fn insert(&mut self, id: TypeId) {
        self.0[id.number() / 64] |= 1 << (id.number() % 64);
    }

    pub(crate) fn contains(&self, id: TypeId) -> bool {
        self.0[id.number() / 64] >> (id.number() % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn meets(&self, other: &TypeSet) -> bool {
        self.0.iter().zip(&other.0).any(|(left, right)| left & right != 0)
    }

    /// All bits folded into one word: what the cells keep.
    pub(crate) fn folded(&self) -> u64 {
        self.0.iter().fold(0, |all, bits| all | bits)
    }
}

/// A type that is updated in a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Updated {
    pub(crate) id: TypeId,
    pub(crate) class: SpriteClass,
    /// Whether nothing happens to it unless an effect moves it.
    pub(crate) inert: bool,
}

/// How the keys of a person's keyboard count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyHandling {
    /// A key counts as long as it is held.
    #[default]
    Held,
    /// A key counts once each time it is pressed.
    Pulse,
}

/// A game's rules, ready to be played on any of its levels.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The sprite types.
    pub kinds: Vec<SpriteKind>,
    /// Number of players.
    pub players: usize,
    /// How the keys of people count.
    pub key_handling: KeyHandling,
    /// The effects of all interactions.
    pub effects: Vec<Effect>,
    /// When the game ends, in the order in which they are asked.
    pub terminations: Vec<Termination>,
    /// The types that count as resources.
    pub resources: Vec<TypeId>,
    /// How much of each resource a sprite can hold.
    pub resource_limits: Vec<i32>,
    /// Types from the bottom to the top; they are updated from the top to the bottom.
    pub order: Vec<TypeId>,
    /// The types that are updated in a tick, in their order, avatars left out.
    pub(crate) updated: Vec<Updated>,
    pub(crate) counters: usize,
    pub(crate) square_size: Option<i32>,
    pub(crate) mapping: HashMap<char, Vec<TypeId>>,
    pub(crate) collisions: Vec<Collision>,
    /// What happens at the edge of the screen, in order.
    pub(crate) edge: Vec<(TypeId, EffectId)>,
    /// Effects of time, in the order in which they stand before the first tick.
    pub(crate) time: Vec<EffectId>,
    /// Types that the path finder goes around; none if the game does not ask for paths.
    pub(crate) obstacles: Option<Vec<TypeId>>,
    /// Faults that the reference framework would have logged; too many end a game.
    pub(crate) logged: u32,
}

impl Rules {
    /// All types, in the order of their numbers.
    pub fn types(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.kinds.len() as u16).map(TypeId)
    }

    /// The type of a name.
    pub fn type_named(&self, name: &str) -> Option<TypeId> {
        self.kinds.iter().position(|kind| kind.name == name).map(|index| TypeId(index as u16))
    }

    /// The type's kind.
    pub fn kind(&self, id: TypeId) -> &SpriteKind {
        &self.kinds[id.number()]
    }
}
