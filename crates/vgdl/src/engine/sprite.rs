//! A sprite: plain numbers, so that a state is copied as memory.

use crate::rules::{SpriteKind, TypeId};

use super::{Direction, Rect};

/// The place of a sprite in [`State::sprites`](super::State).
pub(crate) type Slot = u16;

/// No sprite.
pub(crate) const NONE: Slot = Slot::MAX;

/// Marks of a sprite.
pub(crate) mod flag {
    /// It will be removed at the end of the tick.
    pub(crate) const KILLED: u16 = 1;
    /// It is an avatar that died: it stays, and does nothing.
    pub(crate) const DISABLED: u16 = 1 << 1;
    /// It has not moved by itself yet: the first passive move does nothing.
    pub(crate) const FIRST_TICK: u16 = 1 << 2;
    /// An avatar made it.
    pub(crate) const FROM_AVATAR: u16 = 1 << 3;
    /// It has an orientation.
    pub(crate) const ORIENTED: u16 = 1 << 4;
    /// It stands on something.
    pub(crate) const ON_GROUND: u16 = 1 << 5;
    /// It reaches over the right side of the cell of its top left corner.
    pub(crate) const REACHES_RIGHT: u16 = 1 << 6;
    /// It has been in water, where gravity is small.
    pub(crate) const IN_WATER: u16 = 1 << 7;
    /// The slot is free.
    pub(crate) const FREE: u16 = 1 << 8;
    /// It reaches over the bottom of the cell of its top left corner.
    pub(crate) const REACHES_DOWN: u16 = 1 << 9;
}

/// Two lines of a cache: the first is all that finding who meets whom needs.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Sprite {
    pub(crate) rect: Rect,
    pub(crate) id: u32,
    pub(crate) kind: TypeId,
    pub(crate) flags: u16,
    pub(crate) next: Slot,
    pub(crate) previous: Slot,
    pub(crate) cell_next: Slot,
    pub(crate) cell_previous: Slot,
    pub(crate) cell: u32,
    /// Updates of its type when it moved last; ticks since then are the difference.
    pub(crate) moved_at: u32,
    /// Where it was at the end of the tick before.
    pub(crate) last: Rect,
    pub(crate) speed: f64,
    pub(crate) direction: Direction,
    pub(crate) rotation: f64,
    pub(crate) health: i32,
    pub(crate) max_health: i32,
    pub(crate) time_to_live: i32,
    /// Age of flickers, number made by producers, ticks in one direction of NPCs, last block of wizards.
    pub(crate) counter: i32,
    /// First tick of producers, facing of cars and wizards.
    pub(crate) start: i32,
    /// A row of a side table: what a chaser follows, what a bomber draws from.
    pub(crate) side: u32,
    /// What producers make and avatars leave behind, as a number of a type or -1.
    pub(crate) makes: i16,
    /// A row of resources.
    pub(crate) purse: u16,
    /// The last direction of an NPC: a place in [`Direction::BASE`], or 4 before the first.
    pub(crate) heading: u8,
    pub(crate) player: u8,
}

impl Sprite {
    /// A new sprite of a kind.
    pub(crate) fn new(kind: &SpriteKind, id: TypeId, number: u32) -> Self {
        let born = [
            (kind.is_oriented, flag::ORIENTED),
            (kind.waits_first, flag::FIRST_TICK),
            (kind.from_avatar, flag::FROM_AVATAR),
            (kind.on_ground, flag::ON_GROUND),
        ];
        let flags = born.iter().filter(|(is, _)| *is).fold(0, |flags, (_, flag)| flags | flag);
        Self {
            rect: Rect::default(),
            last: Rect::default(),
            direction: kind.orientation,
            speed: kind.speed,
            rotation: kind.rotation,
            id: number,
            moved_at: 0,
            health: kind.health,
            max_health: kind.max_health,
            time_to_live: kind.time_to_live,
            counter: kind.age,
            start: -1,
            makes: kind.target.map_or(-1, |target| target.0 as i16),
            side: 0,
            purse: NONE,
            flags,
            kind: id,
            next: NONE,
            previous: NONE,
            cell_next: NONE,
            cell_previous: NONE,
            heading: 4,
            player: 0,
            cell: 0,
        }
    }

    #[inline]
    pub(crate) fn is(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// How far it moved since the tick before.
    pub(crate) fn displacement(&self) -> Direction {
        Direction {
            x: f64::from(self.rect.x.wrapping_sub(self.last.x)),
            y: f64::from(self.rect.y.wrapping_sub(self.last.y)),
        }
    }

    /// Where it was, unless it still covers part of that.
    pub(crate) fn last_place(&self) -> Option<(i32, i32)> {
        if self.last.intersects(&self.rect) { None } else { Some((self.last.x, self.last.y)) }
    }

    pub(crate) fn velocity(&self) -> Direction {
        if self.speed == 0.0 {
            Direction::NONE
        } else {
            Direction { x: self.direction.x * self.speed, y: self.direction.y * self.speed }
        }
    }
}
