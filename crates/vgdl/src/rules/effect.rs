//! What happens when sprites meet, reach the edge, or time has come.

use super::{EffectId, ResourceId, TypeId};
use crate::ontology::EffectClass;

/// What an effect needs beside its class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Payload {
    /// The type that `stype` names.
    pub target: Option<TypeId>,
    /// The type that `stypeTo`, `estype`, `stype_other` or `spawnPoint` names.
    pub other: Option<TypeId>,
    /// The type that `stypeCount` names.
    pub counted: Option<TypeId>,
    /// The resource that `resource` or `heldResource` names.
    pub resource: Option<ResourceId>,
    /// The types that `notStype` names.
    pub spared: Vec<TypeId>,
    /// The class that `ftype` names, by its place in the list of names of effects.
    pub shielded: Option<EffectClass>,
    /// The effect that a timer triggers.
    pub delegate: Option<EffectId>,
    /// `limit`, or `geq`.
    pub limit: i32,
    /// `leq`, `subTypesNum` or `spend`.
    pub bound: i32,
    /// `value`.
    pub value: i32,
    /// `value`, `limspeed`, `offset` or the greatest angle in radians.
    pub number: f64,
    /// `killSecond`, `killResource` or `subtract`.
    pub kills: bool,
    /// `pixelPerfect`, `forceOrientation`, `takeOrientation`, `align`, `orient` or `stepBack`.
    pub switch: bool,
    /// `scoreChangeIfKilled`, per player.
    pub score_if_killed: [i32; 2],
}

/// An effect with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The class.
    pub class: EffectClass,
    /// What the class needs.
    pub payload: Payload,
    /// What it adds to the score, per player.
    pub score: [i32; 2],
    /// What it adds to the counters.
    pub counter: Vec<i32>,
    /// What it adds to the counters when its condition does not hold.
    pub counter_else: Vec<i32>,
    /// Whether what it adds to the score counts.
    pub scores: bool,
    /// Whether what it adds to the counters counts.
    pub counts: bool,
    /// The same for when its condition does not hold.
    pub counts_else: bool,
    /// How likely it happens, for classes that ask.
    pub probability: f64,
    /// Whether it is switched on.
    pub enabled: bool,
    /// Ticks from one execution to the next, for effects of time.
    pub timer: i32,
    /// The first execution, for effects of time.
    pub next: i32,
    /// Whether it is executed again and again, for effects of time.
    pub repeats: bool,
    /// The type it is for, for effects of time.
    pub subject: Option<TypeId>,
}

/// Whose places an effect can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Nobody's.
    Nobody,
    /// Only the first sprite's.
    First,
    /// Anybody's.
    Anybody,
}

impl Effect {
    /// Whose places it can change.
    pub(crate) fn reach(&self) -> Reach {
        use EffectClass::*;
        match self.class {
            StepBack | TurnAround | WrapAround | BounceForward | WallStop | TeleportToExit | AttractGaze
            | Align => Reach::First,
            UndoAll | WallBounce | WallReverse | PullWithIt => Reach::Anybody,
            _ => Reach::Nobody,
        }
    }

    /// Whether it takes all partners of a sprite at once.
    pub(crate) fn in_batch(&self) -> bool {
        matches!(self.class, EffectClass::WallBounce | EffectClass::WallReverse)
    }
}

/// An effect for two types that meet.
#[derive(Clone, Debug)]
pub(crate) struct Collision {
    pub(crate) first: TypeId,
    pub(crate) second: TypeId,
    pub(crate) effect: EffectId,
    /// The first family, folded into one word.
    pub(crate) first_bits: u64,
    /// The second family, folded into one word.
    pub(crate) second_bits: u64,
    /// For each type its place in the first family, or [`ABSENT`].
    pub(crate) first_rank: Box<[u8]>,
    /// For each type its place in the second family, or [`ABSENT`].
    pub(crate) second_rank: Box<[u8]>,
    /// Whether one may look for pairs from the side of the second sprites: the effect moves nobody
    /// that another pair of the same effect could depend on.
    pub(crate) reversible: bool,
    /// Whether first sprites feel the ground, so that every neighbour must be looked at.
    pub(crate) feels_ground: bool,
}

/// The rank of a type that is not in a family.
pub(crate) const ABSENT: u8 = u8::MAX;

impl Collision {
    pub(crate) fn ranks(family: &[TypeId], types: usize) -> Box<[u8]> {
        let mut ranks = vec![ABSENT; types].into_boxed_slice();
        for (rank, id) in family.iter().enumerate().rev() {
            ranks[id.number()] = rank.min(ABSENT as usize - 1) as u8;
        }
        ranks
    }
}
