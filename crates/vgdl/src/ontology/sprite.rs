//! The classes of sprites.

use super::Kind::{self, *};

macro_rules! classes {
    ($($variant:ident $name:literal [$($parameter:literal $kind:ident)*];)*) => {
        /// The classes of sprites.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SpriteClass {
            $(#[doc = concat!("`", $name, "`.")] $variant,)*
        }

        impl SpriteClass {
            /// All classes.
            pub const ALL: &'static [SpriteClass] = &[$(SpriteClass::$variant,)*];

            /// The name in descriptions.
            pub fn name(self) -> &'static str {
                match self { $(SpriteClass::$variant => $name,)* }
            }

            /// The class of a name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(SpriteClass::$variant),)* _ => None }
            }

            /// Its own parameters, beside those that all have.
            pub fn parameters(self) -> &'static [(&'static str, Kind)] {
                match self { $(SpriteClass::$variant => &[$(($parameter, $kind),)*],)* }
            }
        }
    };
}

classes! {
    Conveyor "Conveyor" [];
    Flicker "Flicker" ["limit" Integer "age" Integer];
    Immovable "Immovable" [];
    OrientedFlicker "OrientedFlicker" ["limit" Integer "age" Integer];
    Passive "Passive" [];
    Resource "Resource" ["value" Integer "limit" Integer "resource_name" Sprite];
    ResourcePack "ResourcePack" ["value" Integer "limit" Integer "resource_name" Sprite];
    Spreader "Spreader" ["spreadprob" Number "stype" Sprite "limit" Integer "age" Integer];
    ErraticMissile "ErraticMissile" [];
    Missile "Missile" [];
    RandomMissile "RandomMissile" [];
    Walker "Walker" ["airsteering" Truth];
    WalkerJumper "WalkerJumper" ["probability" Number "airsteering" Truth];
    Chaser "Chaser" ["fleeing" Truth "stype" Sprite "maxDistance" Float "cons" Integer];
    PathChaser "PathChaser" ["fleeing" Truth "stype" Sprite "maxDistance" Float "cons" Integer];
    LOSChaser "LOSChaser" ["fleeing" Truth "stype" Sprite "maxDistance" Float "cons" Integer];
    Fleeing "Fleeing" ["fleeing" Truth "stype" Sprite "maxDistance" Float "cons" Integer];
    RandomInertial "RandomInertial" ["cons" Integer];
    RandomNPC "RandomNPC" ["cons" Integer];
    AlternateChaser "AlternateChaser" ["fleeing" Truth "stype1" Sprites "stype2" Sprites "cons" Integer];
    RandomAltChaser "RandomAltChaser" ["epsilon" Number "fleeing" Truth "stype1" Sprites "stype2" Sprites "cons" Integer];
    PathAltChaser "PathAltChaser" ["randomTarget" Truth "fleeing" Truth "stype1" Sprites "stype2" Sprites "cons" Integer];
    RandomPathAltChaser "RandomPathAltChaser" ["epsilon" Number "randomTarget" Truth "fleeing" Truth "stype1" Sprites "stype2" Sprites "cons" Integer];
    SpawnPoint "SpawnPoint" ["prob" Number "total" Integer "stype" Sprite "spawnorientation" Direction];
    SpawnPointMultiSprite "SpawnPointMultiSprite" ["prob" Number "total" Integer "stypes" Sprites "spawnorientation" Direction];
    Bomber "Bomber" ["prob" Number "total" Integer "stype" Sprite "spawnorientation" Direction];
    RandomBomber "RandomBomber" ["prob" Number "total" Integer "stype" Sprite "spawnorientation" Direction];
    BomberRandomMissile "BomberRandomMissile" ["stypeMissile" Sprites "prob" Number "total" Integer "stype" Sprite "spawnorientation" Direction];
    Portal "Portal" ["stype" Sprite];
    SpriteProducer "SpriteProducer" [];
    Door "Door" [];
    MovingAvatar "MovingAvatar" [];
    HorizontalAvatar "HorizontalAvatar" [];
    VerticalAvatar "VerticalAvatar" [];
    NullAvatar "NullAvatar" [];
    FlakAvatar "FlakAvatar" ["stype" Sprite "ammo" Sprite "minAmmo" Integer "ammoCost" Integer];
    OrientedAvatar "OrientedAvatar" [];
    MissileAvatar "MissileAvatar" [];
    OngoingAvatar "OngoingAvatar" [];
    OngoingTurningAvatar "OngoingTurningAvatar" ["spawnBehind" Sprite];
    OngoingShootAvatar "OngoingShootAvatar" ["ammo" Sprites "stype" Sprites];
    ShootAvatar "ShootAvatar" ["ammo" Sprites "stype" Sprites];
    ShootOnlyAvatar "ShootOnlyAvatar" ["ammo" Sprites "stype" Sprites];
    AimedAvatar "AimedAvatar" ["angle_diff" Number "ammo" Sprites "stype" Sprites];
    SpaceshipAvatar "SpaceshipAvatar" ["angle_diff" Number "ammo" Sprites "stype" Sprites];
    BirdAvatar "BirdAvatar" [];
    CarAvatar "CarAvatar" ["angle_diff" Number "facing" Number];
    LanderAvatar "LanderAvatar" ["angle_diff" Number];
    PlatformerAvatar "PlatformerAvatar" ["ground_speedup_factor" Number "air_slowdown_factor" Number];
    WizardAvatar "WizardAvatar" ["ground_speedup_factor" Number "air_slowdown_factor" Number "stype" Sprites];
}

impl SpriteClass {
    /// Whether a player can steer it.
    pub fn is_avatar(self) -> bool {
        // Avatars stand last in the table.
        self as u8 >= SpriteClass::MovingAvatar as u8
    }

    /// Whether it is oriented by birth and turns before it moves.
    pub(crate) fn is_oriented_avatar(self) -> bool {
        use SpriteClass::*;
        matches!(
            self,
            OrientedAvatar
                | MissileAvatar
                | OngoingAvatar
                | OngoingTurningAvatar
                | OngoingShootAvatar
                | ShootAvatar
                | ShootOnlyAvatar
                | AimedAvatar
                | SpaceshipAvatar
                | BirdAvatar
                | CarAvatar
                | LanderAvatar
        )
    }

    /// Whether it stands on solid sprites, which is noticed while collisions are looked for.
    pub(crate) fn feels_ground(self) -> bool {
        use SpriteClass::*;
        matches!(self, PlatformerAvatar | WizardAvatar | Walker | WalkerJumper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn avatars_are_those_with_the_name() {
        for class in SpriteClass::ALL {
            assert_eq!(class.is_avatar(), class.name().ends_with("Avatar"), "{}", class.name());
        }
    }
}
