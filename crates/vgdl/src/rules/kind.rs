//! A sprite type with its class and everything its class and parameters say.

use super::{ResourceId, TypeId};
use crate::engine::Direction;
use crate::ontology::SpriteClass;

/// How a sprite moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Physics {
    /// In steps of whole cells times its speed.
    Grid,
    /// By velocity, with mass, friction and gravity.
    Continuous,
}

/// A sprite type. Fields that a class does not use keep their defaults.
#[derive(Clone, Debug)]
pub struct SpriteKind {
    /// The name of the type.
    pub name: String,
    /// Its class; none if it cannot be created.
    pub class: Option<SpriteClass>,
    /// The type and those it is below, outermost first.
    pub lineage: Vec<TypeId>,
    /// Those it is below, itself, and those below it, in the order in which they are asked.
    pub family: Vec<TypeId>,
    /// Whether it is not created while another of it is there.
    pub singleton: bool,
    /// Whether it stays in its place.
    pub is_static: bool,
    /// Whether it does not move by itself.
    pub only_active: bool,
    /// Whether its active movement on the grid is switched off.
    pub stationary: bool,
    /// Whether players see it as an avatar.
    pub is_avatar: bool,
    /// Whether players see it as a resource.
    pub is_resource: bool,
    /// Whether players see it as a portal.
    pub is_portal: bool,
    /// Whether players see it as somebody who is not a player.
    pub is_npc: bool,
    /// Whether it has an orientation.
    pub is_oriented: bool,
    /// Whether it turns before it moves.
    pub turns_first: bool,
    /// Whether others can stand on it.
    pub is_solid: bool,
    /// Whether players cannot see it, per player.
    pub hidden: [bool; 2],
    /// Whether it is not drawn, per player.
    pub invisible: [bool; 2],
    /// Whether it counts as made by an avatar at birth.
    pub from_avatar: bool,
    /// Whether its first movement by itself is left out.
    pub waits_first: bool,
    /// Whether it stands on something at birth.
    pub on_ground: bool,
    /// Its orientation at birth.
    pub orientation: Direction,
    /// Its speed at birth.
    pub speed: f64,
    /// Its greatest speed, or -1.
    pub max_speed: f64,
    /// How many ticks lie between two moves at least.
    pub cooldown: i32,
    /// How it moves.
    pub physics: Physics,
    /// Its mass.
    pub mass: f64,
    /// What pulls it down.
    pub gravity: f64,
    /// What slows it.
    pub friction: f64,
    /// How strong it jumps.
    pub jump_strength: f64,
    /// Its angle at birth.
    pub rotation: f64,
    /// Ticks since its last move, at birth.
    pub last_move: i32,
    /// Health points at birth.
    pub health: i32,
    /// The most health points it had, at birth.
    pub max_health: i32,
    /// The most health points it can have.
    pub limit_health: i32,
    /// Ticks it lives, or -1.
    pub time_to_live: i32,
    /// Its width in cells.
    pub width: f64,
    /// Its height in cells.
    pub height: f64,
    /// Flicker: ticks it is seen. Resource: how much can be held.
    pub limit: i32,
    /// Flicker: its age at birth.
    pub age: i32,
    /// Resource: how much it is worth.
    pub value: i32,
    /// Resource: which one it is.
    pub resource: Option<ResourceId>,
    /// The type it makes, shoots, chases or leads to.
    pub target: Option<TypeId>,
    /// All types it makes, shoots or chases, if it can have several.
    pub targets: Vec<Option<TypeId>>,
    /// What it needs to shoot, per type that it shoots.
    pub ammunition: Vec<Option<ResourceId>>,
    /// Less than this and it does not shoot, or -1.
    pub least_ammunition: i32,
    /// What a shot costs.
    pub ammunition_cost: i32,
    /// How likely it makes something in a tick.
    pub probability: f64,
    /// How many it makes before it is gone, or 0.
    pub total: i32,
    /// The orientation of what it makes.
    pub spawn_orientation: Direction,
    /// How many ticks it keeps a direction.
    pub consecutive: i32,
    /// Whether it runs away.
    pub flees: bool,
    /// How far it sees, or -1.
    pub max_distance: f32,
    /// How likely it moves at random.
    pub epsilon: f64,
    /// Whether it chases any target instead of the nearest.
    pub random_target: bool,
    /// How far it turns in a tick.
    pub angle: f64,
    /// Whether it drives backwards at birth, as 0 or 1.
    pub facing: f64,
    /// Whether it can steer in the air.
    pub steers_in_air: bool,
    /// What its force is multiplied by on the ground.
    pub ground_factor: f64,
    /// What its force is divided by in the air.
    pub air_divisor: f64,
    /// Whether nothing happens to it in a tick unless an effect moves it.
    pub(crate) inert: bool,
    /// Whether no rule names it: it is scenery that all states of a level share.
    pub(crate) scenery: bool,
}

impl SpriteKind {
    pub(crate) fn new(name: &str, class: Option<SpriteClass>) -> Self {
        let mut kind = Self {
            name: name.to_owned(),
            class,
            lineage: Vec::new(),
            family: Vec::new(),
            singleton: false,
            is_static: false,
            only_active: false,
            stationary: false,
            is_avatar: false,
            is_resource: false,
            is_portal: false,
            is_npc: false,
            is_oriented: false,
            turns_first: false,
            is_solid: false,
            hidden: [false; 2],
            invisible: [false; 2],
            from_avatar: false,
            waits_first: true,
            on_ground: false,
            orientation: Direction::NONE,
            speed: 0.0,
            max_speed: -1.0,
            cooldown: 0,
            physics: Physics::Grid,
            mass: 1.0,
            gravity: 0.0,
            friction: 0.0,
            jump_strength: 0.0,
            rotation: 0.0,
            last_move: 0,
            health: 0,
            max_health: 0,
            limit_health: 1000,
            time_to_live: -1,
            width: 1.0,
            height: 1.0,
            limit: 0,
            age: 0,
            value: 0,
            resource: None,
            target: None,
            targets: Vec::new(),
            ammunition: Vec::new(),
            least_ammunition: -1,
            ammunition_cost: 1,
            probability: 1.0,
            total: 0,
            spawn_orientation: Direction::NONE,
            consecutive: 0,
            flees: false,
            max_distance: -1.0,
            epsilon: 0.0,
            random_target: false,
            angle: 0.0,
            facing: 0.0,
            steers_in_air: false,
            ground_factor: 1.0,
            air_divisor: 2.0,
            inert: false,
            scenery: false,
        };
        if let Some(class) = class {
            kind.defaults(class);
        }
        kind
    }

    /// What a class says before the parameters do.
    fn defaults(&mut self, class: SpriteClass) {
        use SpriteClass::*;
        if class.is_avatar() {
            self.speed = 1.0;
            self.is_avatar = true;
        }
        if class.is_oriented_avatar() {
            self.orientation = Direction::RIGHT;
            self.is_oriented = true;
            self.turns_first = true;
        }
        match class {
            Conveyor => {
                self.is_static = true;
                self.jump_strength = 1.0;
                self.is_oriented = true;
            }
            Flicker | Spreader => self.limit = 1,
            OrientedFlicker => {
                self.limit = 1;
                self.is_oriented = true;
            }
            Immovable => self.is_static = true,
            Door | Portal => {
                self.is_static = true;
                self.is_portal = true;
            }
            Resource | ResourcePack => {
                self.limit = 2;
                self.value = 1;
                self.is_resource = true;
                self.is_static = class == ResourcePack;
            }
            Missile | ErraticMissile | RandomMissile => {
                self.speed = 1.0;
                self.is_oriented = true;
                if class == RandomMissile {
                    self.orientation = Direction::NIL;
                }
            }
            Walker | WalkerJumper => {
                self.speed = 5.0;
                self.max_speed = 5.0;
                self.is_oriented = true;
                if class == WalkerJumper {
                    self.probability = 0.1;
                    self.jump_strength = 1.0;
                }
            }
            Chaser | PathChaser | LOSChaser | Fleeing | RandomInertial | RandomNPC | AlternateChaser
            | RandomAltChaser | PathAltChaser | RandomPathAltChaser => {
                self.speed = 1.0;
                self.is_npc = true;
                self.flees = class == Fleeing;
                if class == RandomInertial {
                    self.physics = Physics::Continuous;
                    self.is_oriented = true;
                }
            }
            SpawnPoint => {
                self.is_static = true;
                self.cooldown = 1;
            }
            Bomber | RandomBomber | BomberRandomMissile | SpawnPointMultiSprite => {
                self.is_static = class == SpawnPointMultiSprite;
                self.cooldown = 1;
                self.is_oriented = true;
                self.orientation = Direction::RIGHT;
                self.is_npc = true;
                if class == RandomBomber {
                    self.speed = 1.0;
                }
            }
            AimedAvatar => {
                self.speed = 0.0;
                self.stationary = true;
                self.angle = 0.15;
            }
            SpaceshipAvatar | LanderAvatar => {
                self.speed = 5.0;
                self.orientation = Direction::NONE;
                self.angle = 0.3;
            }
            CarAvatar => {
                self.speed = 0.0;
                self.angle = 0.15;
            }
            BirdAvatar => self.jump_strength = 10.0,
            PlatformerAvatar => {
                self.jump_strength = 10.0;
                self.max_speed = 30.0;
            }
            WizardAvatar => {
                self.jump_strength = 10.0;
                self.max_speed = 30.0;
                self.speed = 0.0;
            }
            _ => {}
        }
    }

    /// What follows from the parameters once they are read.
    pub(crate) fn settle(&mut self) {
        if self.orientation != Direction::NONE {
            self.is_oriented = true;
        }
        if self.max_health == 0 {
            self.max_health = self.health;
        }
        self.health = self.health.min(self.max_health);
        self.cooldown = self.cooldown.max(1);
    }
}
