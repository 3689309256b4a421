//! All that changes while a game is played.

use crate::rules::{EffectId, TypeId};

use super::cells::Mask;

use super::{Event, JavaRandom, NONE, Rect, Slot, Sprite};

/// What a player can do in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Action {
    /// Nothing.
    #[default]
    Nil,
    /// Up.
    Up,
    /// Left.
    Left,
    /// Down.
    Down,
    /// Right.
    Right,
    /// Whatever the avatar has a button for.
    Use,
}

impl Action {
    /// All actions.
    pub const ALL: [Action; 6] =
        [Action::Nil, Action::Up, Action::Left, Action::Down, Action::Right, Action::Use];
}

/// What a game is for a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Still open.
    #[default]
    Open,
    /// Lost.
    Lost,
    /// Won.
    Won,
}

/// The sprites of a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) head: Slot,
    pub(crate) tail: Slot,
    /// How many there are, scenery included.
    pub(crate) count: u32,
    /// How many of them are dead avatars.
    pub(crate) disabled: u32,
    /// How often the type was updated.
    pub(crate) updates: u32,
    /// Whether one of them was moved by an effect, if the type is otherwise left alone.
    pub(crate) displaced: bool,
    /// Whether one was made before.
    pub(crate) made: bool,
}

impl Group {
    pub(crate) const EMPTY: Self =
        Self { head: NONE, tail: NONE, count: 0, disabled: 0, updates: 0, displaced: false, made: false };
}

/// A player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Player {
    pub(crate) avatar: Slot,
    pub(crate) score: f64,
    pub(crate) outcome: Outcome,
    pub(crate) action: Action,
}

/// An effect that waits for its time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeEntry {
    pub(crate) next: i32,
    /// The line that says what it adds to the score.
    pub(crate) effect: EffectId,
    /// Whether a timer of the game itself started it: then it is for no sprite.
    pub(crate) started: bool,
}

/// What a chaser that finds paths follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chase {
    /// The sprite it follows.
    pub(crate) target: Slot,
    /// Where that was when it died, and whether it did.
    pub(crate) grave: Option<Rect>,
    pub(crate) known: Option<(i32, i32)>,
}

/// Buffers of a tick; they hold nothing between ticks.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) partners: Vec<(u64, Slot)>,
    pub(crate) firsts: Vec<(u64, Slot)>,
    pub(crate) headings: Vec<u8>,
    pub(crate) targets: Vec<Slot>,
    /// Meetings in this tick.
    pub(crate) meetings: usize,
}

/// All that changes while a game is played. Copying one into another reuses its memory.
#[derive(Debug)]
pub struct State {
    pub(crate) sprites: Vec<Sprite>,
    pub(crate) free: Vec<Slot>,
    pub(crate) groups: Vec<Group>,
    /// The first sprite of each cell.
    pub(crate) cells: Vec<Slot>,
    /// The types in each cell.
    pub(crate) masks: Vec<Mask>,
    /// Types with sprites, folded into one word; with many types it may hold more.
    pub(crate) live: u64,
    /// Sprites that reach over the right side of their cell.
    pub(crate) reaching_right: u32,
    /// Sprites that reach over the bottom of their cell.
    pub(crate) reaching_down: u32,
    pub(crate) kills: Vec<Slot>,
    /// Rows of amounts; [`ABSENT`] where nothing was ever held.
    pub(crate) purses: Vec<i32>,
    pub(crate) free_purses: Vec<u16>,
    pub(crate) chases: Vec<Chase>,
    pub(crate) free_chases: Vec<u32>,
    pub(crate) magazines: Vec<i16>,
    pub(crate) timers: Vec<TimeEntry>,
    pub(crate) shields: Vec<(TypeId, TypeId, crate::ontology::EffectClass)>,
    /// Who was pulled in this tick, and by which effect.
    pub(crate) pulled: Vec<(EffectId, Slot)>,
    pub(crate) counters: Vec<i32>,
    pub(crate) players: [Player; 2],
    pub(crate) events: Vec<Event>,
    pub(crate) random: JavaRandom,
    /// For the few draws that the framework makes from a generator without a seed.
    pub(crate) noise: JavaRandom,
    pub(crate) tick: i32,
    pub(crate) next_id: u32,
    /// The framework's own count, which falls twice for a sprite that is killed twice.
    pub(crate) number: i32,
    pub(crate) messages: u32,
    pub(crate) ended: bool,
    /// Whether terminations may end the game.
    pub(crate) can_end: bool,
    pub(crate) scratch: Scratch,
}

/// An amount of a resource that was never held.
pub(crate) const ABSENT: i32 = i32::MIN;

macro_rules! copied {
    ($($vector:ident)*; $($plain:ident)*) => {
        impl Clone for State {
            fn clone(&self) -> Self {
                Self {
                    $($vector: self.$vector.clone(),)*
                    $($plain: self.$plain,)*
                    scratch: Scratch::default(),
                }
            }

            fn clone_from(&mut self, source: &Self) {
                $(self.$vector.clone_from(&source.$vector);)*
                $(self.$plain = source.$plain;)*
            }
        }

        impl State {
            /// What a copy takes in memory.
            pub fn bytes(&self) -> usize {
                size_of::<Self>() $(+ size_of_val(&self.$vector[..]))*
            }
        }
    };
}

copied! {
    sprites free groups cells masks kills purses free_purses chases free_chases magazines timers shields pulled counters
    events;
    live reaching_right reaching_down players random noise tick next_id number messages ended can_end
}
