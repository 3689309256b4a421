//! What a player can see of a state.

use crate::rules::{Rules, TypeId};

use super::state::ABSENT;
use super::{Direction, Level, NONE, Outcome, Rect, Sprite, State, flag};

/// What a sprite is to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// An avatar.
    Avatar,
    /// A resource.
    Resource,
    /// A portal or door.
    Portal,
    /// Somebody who is not a player.
    Npc,
    /// Something that stays.
    Static,
    /// Something that an avatar made.
    FromAvatar,
    /// Anything else.
    Movable,
}

/// A sprite as a player sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// What it is to a player.
    pub category: Category,
    /// Its type.
    pub kind: TypeId,
    /// Its number, which no other sprite of the game has.
    pub id: u32,
    /// Where it is, in pixels.
    pub rect: Rect,
    /// Where it was in the tick before.
    pub last: Rect,
    /// Where it faces.
    pub direction: Direction,
    /// Its speed.
    pub speed: f64,
    /// Ticks since it moved by itself.
    pub last_move: i32,
    /// Its health points.
    pub health: i32,
    /// Whether it is an avatar that died.
    pub disabled: bool,
}

/// A player's own sprite.
#[derive(Clone, Debug, PartialEq)]
pub struct Avatar {
    /// What can be seen of it.
    pub sprite: Observation,
    /// The most health points it had.
    pub max_health: i32,
    /// The most health points it can have.
    pub limit_health: i32,
    /// What it holds: resources and amounts.
    pub resources: Vec<(TypeId, i32)>,
}

/// That an avatar, or something an avatar made, met something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub tick: i32,
    /// Whether it was something that an avatar made.
    pub from_avatar: bool,
    /// The type of the avatar, or of what it made.
    pub active: TypeId,
    /// The type of what it met.
    pub passive: TypeId,
    /// The number of the avatar, or of what it made.
    pub active_id: u32,
    /// The number of what it met.
    pub passive_id: u32,
    /// Where, in pixels.
    pub place: (i32, i32),
}

/// Spreads a number over all bits (the finaliser of splitmix64).
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = number.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

impl State {
    /// The tick that was played last; -1 before the first. In a [`Model`](super::Model), the tick
    /// that is played next.
    pub fn tick(&self) -> i32 {
        self.tick
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.ended
    }

    /// A player's score.
    pub fn score(&self, player: usize) -> f64 {
        self.players[player].score
    }

    /// What the game is for a player.
    pub fn outcome(&self, player: usize) -> Outcome {
        self.players[player].outcome
    }

    /// The framework's count of sprites, which falls twice for a sprite that is killed twice.
    pub fn sprite_count(&self) -> i32 {
        self.number
    }

    /// The number of the next sprite.
    pub fn next_id(&self) -> u32 {
        self.next_id
    }

    /// The state of the generator of random numbers.
    pub fn random_state(&self) -> u64 {
        self.random.state()
    }

    fn observe(&self, rules: &Rules, sprite: &Sprite) -> Observation {
        let kind = rules.kind(sprite.kind);
        let category = if kind.is_avatar {
            Category::Avatar
        } else if kind.is_resource {
            Category::Resource
        } else if kind.is_portal {
            Category::Portal
        } else if kind.is_npc {
            Category::Npc
        } else if kind.is_static {
            Category::Static
        } else if sprite.is(flag::FROM_AVATAR) {
            Category::FromAvatar
        } else {
            Category::Movable
        };
        Observation {
            category,
            kind: sprite.kind,
            id: sprite.id,
            rect: sprite.rect,
            last: sprite.last,
            direction: sprite.direction,
            speed: sprite.speed,
            last_move: self.groups[sprite.kind.number()].updates.wrapping_sub(sprite.moved_at) as i32,
            health: sprite.health,
            disabled: sprite.is(flag::DISABLED),
        }
    }

    /// All sprites of a type, in the order of their numbers.
    pub fn sprites_of<'a>(
        &'a self,
        level: &'a Level,
        kind: TypeId,
    ) -> impl Iterator<Item = Observation> + 'a {
        let mut slot = self.groups[kind.number()].head;
        let scenery: &[Sprite] = if level.rules.kind(kind).scenery { &level.scenery } else { &[] };
        let shared = scenery.iter().filter(move |sprite| sprite.kind == kind);
        let own = std::iter::from_fn(move || {
            let sprite = self.sprites.get(slot as usize).filter(|_| slot != NONE)?;
            slot = sprite.next;
            Some(sprite)
        });
        shared.chain(own).map(move |sprite| self.observe(&level.rules, sprite))
    }

    /// All sprites that a player can see, type by type.
    pub fn visible<'a>(&'a self, level: &'a Level, player: usize) -> impl Iterator<Item = Observation> + 'a {
        let seen = move |id: &TypeId| !level.rules.kind(*id).hidden[player.min(1)];
        level.rules.types().filter(seen).flat_map(move |id| self.sprites_of(level, id))
    }

    /// What the sprite with this number holds: resources and amounts, also of nothing.
    pub fn resources_of(&self, level: &Level, id: u32) -> Vec<(TypeId, i32)> {
        let alive = |sprite: &&Sprite| sprite.id == id && !sprite.is(flag::FREE);
        self.sprites.iter().find(alive).map_or(Vec::new(), |sprite| self.purse(level, sprite))
    }

    fn purse(&self, level: &Level, sprite: &Sprite) -> Vec<(TypeId, i32)> {
        if sprite.purse == NONE {
            return Vec::new();
        }
        let resources = &level.rules.resources;
        let row = sprite.purse as usize * resources.len();
        let amounts = &self.purses[row..row + resources.len()];
        let held = resources.iter().zip(amounts).filter(|(_, amount)| **amount != ABSENT);
        held.map(|(&id, &amount)| (id, amount)).collect()
    }

    /// A player's avatar, if it is still there.
    pub fn avatar(&self, level: &Level, player: usize) -> Option<Avatar> {
        let slot = self.players[player].avatar;
        let sprite = self.sprites.get(slot as usize).filter(|_| slot != NONE)?;
        Some(Avatar {
            sprite: self.observe(&level.rules, sprite),
            max_health: sprite.max_health,
            limit_health: level.rules.kind(sprite.kind).limit_health,
            resources: self.purse(level, sprite),
        })
    }

    /// What can be seen of a player's avatar itself, if it is still there.
    pub fn avatar_sprite(&self, level: &Level, player: usize) -> Option<Observation> {
        let slot = self.players[player].avatar;
        let sprite = self.sprites.get(slot as usize).filter(|_| slot != NONE)?;
        Some(self.observe(&level.rules, sprite))
    }

    /// A number that is the same for states that look the same to a player: which types that it can see are
    /// where, how they face and how healthy they are, and of its avatar also what it holds and whether it
    /// can move again. What sprites count for themselves, the tick and the score do not count.
    pub fn fingerprint(&self, level: &Level, player: usize) -> u64 {
        let mut sum = 0u64;
        let width = level.rules.resources.len();
        let own = self.players[player].avatar as usize;
        for (slot, sprite) in self.sprites.iter().enumerate().filter(|(_, sprite)| !sprite.is(flag::FREE)) {
            let kind = level.rules.kind(sprite.kind);
            if kind.hidden[player.min(1)] && slot != own {
                continue;
            }
            let place = (sprite.rect.x as u32 as u64) << 32 | u64::from(sprite.rect.y as u32);
            let mut look = mix(place ^ (u64::from(sprite.kind.0) << 16) ^ (sprite.health as u64) << 48);
            if sprite.is(flag::ORIENTED) {
                let direction = sprite.direction.x.to_bits() ^ sprite.direction.y.to_bits().rotate_left(1);
                look = mix(look ^ direction);
            }
            if sprite.is(flag::DISABLED) {
                look = mix(look);
            }
            if slot == own {
                let waited = self.groups[sprite.kind.number()].updates.wrapping_sub(sprite.moved_at);
                let waited = if kind.cooldown > 1 { waited.min(kind.cooldown as u32) } else { 0 };
                look = mix(look ^ u64::from(waited) << 1);
                if sprite.purse != NONE {
                    let row = sprite.purse as usize * width;
                    for &amount in &self.purses[row..row + width] {
                        look = mix(look ^ if amount == ABSENT { 0 } else { amount as u64 });
                    }
                }
            }
            sum = sum.wrapping_add(look);
        }
        sum
    }

    /// The actions of a player's avatar, `Nil` left out; none if the game is over.
    pub fn actions(&self, level: &Level, player: usize) -> &'static [super::Action] {
        let slot = self.players[player].avatar;
        if self.ended || slot == NONE {
            return &[];
        }
        let class = level.rules.kind(self.sprites[slot as usize].kind).class;
        class.map_or(&[], super::avatar::actions)
    }
}
