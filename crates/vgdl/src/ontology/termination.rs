//! The classes of terminations.

use super::Kind::{self, *};

macro_rules! classes {
    ($($variant:ident $name:literal [$($parameter:literal $kind:ident)*];)*) => {
        /// The classes of terminations.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum TerminationClass {
            $(#[doc = concat!("`", $name, "`.")] $variant,)*
        }

        impl TerminationClass {
            /// All classes.
            pub const ALL: &'static [TerminationClass] = &[$(TerminationClass::$variant,)*];

            /// The name in descriptions.
            pub fn name(self) -> &'static str {
                match self { $(TerminationClass::$variant => $name,)* }
            }

            /// The class of a name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(TerminationClass::$variant),)* _ => None }
            }

            /// Its own parameters, beside those that all have.
            pub fn parameters(self) -> &'static [(&'static str, Kind)] {
                match self { $(TerminationClass::$variant => &[$(($parameter, $kind),)*],)* }
            }
        }
    };
}

classes! {
    MultiSpriteCounter "MultiSpriteCounter" ["stype1" Sprite "stype2" Sprite "stype3" Sprite "min" Truth];
    SpriteCounter "SpriteCounter" ["stype" Sprite];
    SpriteCounterMore "SpriteCounterMore" ["stype" Sprite];
    MultiSpriteCounterSubTypes "MultiSpriteCounterSubTypes" ["stype1" Sprite "subTypesNum" Integer];
    Timeout "Timeout" ["use_counter" Truth "compare" Truth "limits" Text];
    StopCounter "StopCounter" ["stype1" Sprite "stype2" Sprite "stype3" Sprite "min" Truth];
}
