//! The classes of effects.

use super::Kind::{self, *};

macro_rules! classes {
    ($($variant:ident $name:literal [$($parameter:literal $kind:ident)*];)*) => {
        /// The classes of effects.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum EffectClass {
            $(#[doc = concat!("`", $name, "`.")] $variant,)*
        }

        impl EffectClass {
            /// All classes.
            pub const ALL: &'static [EffectClass] = &[$(EffectClass::$variant,)*];

            /// The name in descriptions.
            pub fn name(self) -> &'static str {
                match self { $(EffectClass::$variant => $name,)* }
            }

            /// The class of a name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(EffectClass::$variant),)* _ => None }
            }

            /// Its own parameters, beside those that all have.
            pub fn parameters(self) -> &'static [(&'static str, Kind)] {
                match self { $(EffectClass::$variant => &[$(($parameter, $kind),)*],)* }
            }
        }
    };
}

classes! {
    StepBack "stepBack" ["pixelPerfect" Truth];
    TurnAround "turnAround" [];
    KillSprite "killSprite" [];
    KillBoth "killBoth" [];
    KillAll "killAll" ["stype" Sprite];
    TransformTo "transformTo" ["stype" Sprite "killSecond" Truth "forceOrientation" Truth];
    TransformToSingleton "transformToSingleton" ["stype" Sprite "stype_other" Sprite "takeOrientation" Truth];
    TransformIfCount "transformIfCount" ["stype" Sprite "killSecond" Truth "forceOrientation" Truth "stypeCount" Sprite "estype" Sprite "geq" Integer "leq" Integer];
    TransformToAll "transformToAll" ["stype" Sprite "stypeTo" Sprite "killSecond" Truth "forceOrientation" Truth];
    TransformToRandomChild "transformToRandomChild" ["stype" Sprite "killSecond" Truth "forceOrientation" Truth];
    WrapAround "wrapAround" ["offset" Number];
    ChangeResource "changeResource" ["resource" Sprite "value" Integer "killResource" Truth];
    KillIfHasLess "killIfHasLess" ["resource" Sprite "limit" Integer];
    KillIfHasMore "killIfHasMore" ["resource" Sprite "limit" Integer];
    CloneSprite "cloneSprite" [];
    FlipDirection "flipDirection" [];
    ReverseDirection "reverseDirection" [];
    ShieldFrom "shieldFrom" ["stype" Sprite "ftype" Effect];
    UndoAll "undoAll" ["notStype" Sprites];
    Spawn "spawn" ["stype" Sprite];
    SpawnIfHasMore "spawnIfHasMore" ["stype" Sprite "resource" Sprite "limit" Integer "spend" Integer];
    SpawnIfHasLess "spawnIfHasLess" ["stype" Sprite "resource" Sprite "limit" Integer];
    SpawnBehind "spawnBehind" ["stype" Sprite];
    SpawnAbove "spawnAbove" ["stype" Sprite "stepBack" Truth];
    SpawnBelow "spawnBelow" ["stype" Sprite "stepBack" Truth];
    SpawnLeft "spawnLeft" ["stype" Sprite "stepBack" Truth];
    SpawnRight "spawnRight" ["stype" Sprite "stepBack" Truth];
    SpawnIfCounterSubTypes "spawnIfCounterSubTypes" ["stype" Sprite "estype" Sprite "stypeCount" Sprite "subTypesNum" Integer "limit" Integer];
    PullWithIt "pullWithIt" ["pixelPerfect" Truth];
    WallStop "wallStop" [];
    WallBounce "wallBounce" [];
    WallReverse "wallReverse" [];
    BounceForward "bounceForward" [];
    BounceDirection "bounceDirection" ["maxBounceAngleDeg" Number];
    CollectResource "collectResource" ["killResource" Truth];
    CollectResourceIfHeld "collectResourceIfHeld" ["killResource" Truth "heldResource" Sprite "value" Integer];
    KillIfOtherHasMore "killIfOtherHasMore" ["resource" Sprite "limit" Integer "subtract" Truth];
    KillIfFromAbove "killIfFromAbove" [];
    KillIfFrontal "killIfFrontal" [];
    KillIfNotFrontal "killIfNotFrontal" [];
    KillIfAlive "killIfAlive" [];
    KillIfSlow "killIfSlow" ["limspeed" Number];
    KillIfFast "killIfFast" ["limspeed" Number];
    KillIfNotUpright "killIfNotUpright" [];
    TeleportToExit "teleportToExit" [];
    AttractGaze "attractGaze" ["align" Truth];
    Align "align" ["orient" Truth];
    SubtractHealthPoints "subtractHealthPoints" ["value" Integer "stype" Sprite "limit" Integer "scoreChangeIfKilled" Score];
    AddHealthPoints "addHealthPoints" ["value" Integer "killSecond" Truth];
    AddHealthPointsToMax "addHealthPointsToMax" ["value" Integer "killSecond" Truth];
    AddTimer "addTimer" ["ftype" Effect];
    UpdateSpawnType "updateSpawnType" ["stype" Sprite "spawnPoint" Sprite];
    RemoveScore "removeScore" ["killSecond" Truth "stype" Sprite];
    IncreaseSpeedToAll "increaseSpeedToAll" ["stype" Sprite "value" Number];
    DecreaseSpeedToAll "decreaseSpeedToAll" ["stype" Sprite "value" Number];
    SetSpeedForAll "setSpeedForAll" ["stype" Sprite "value" Number];
    WaterPhysics "waterPhysics" [];
    HalfSpeed "halfSpeed" [];
}
