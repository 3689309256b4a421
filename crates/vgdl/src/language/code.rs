//! The one table of all diagnostic codes. Every code has a page in `docs/vgdl` with a description that shows it.

use gdl::Severity;

/// A code's row in the table.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// Its name; diagnostics show it as `vgdl::name`.
    pub name: &'static str,
    /// What it says, in a few words.
    pub title: &'static str,
    /// How bad it is.
    pub severity: Severity,
}

macro_rules! codes {
    ($($code:ident $name:literal $severity:ident $title:literal;)*) => {
        /// What a [`Diagnostic`](crate::Diagnostic) is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $title] $code,)*
        }

        /// All codes: lines first, then sets, then names and values, then levels.
        pub const CODES: &[CodeInfo] = &[
            $(CodeInfo { code: Code::$code, name: $name, title: $title, severity: Severity::$severity },)*
        ];
    };
}

codes! {
    // Lines and indentation.
    EmptyDescription "empty_description" Error "the description has no lines";
    InvalidUtf8 "invalid_utf8" Warning "bytes are not UTF-8";
    NotBelowGame "not_below_game" Error "a line is not indented below the game's line";
    UnevenIndentation "uneven_indentation" Warning "lines of one block are indented differently";
    IgnoredBlock "ignored_block" Warning "a line is indented below one that takes no block, and is not read";
    // Sets.
    UnknownGameClass "unknown_game_class" Error "the first line names no kind of game";
    UnknownSet "unknown_set" Warning "a block is none of the known sets";
    MissingSet "missing_set" Error "a set is missing";
    RepeatedSet "repeated_set" Warning "a set stands twice";
    // Definitions.
    MissingArrow "missing_arrow" Error "a definition has no `>` of its own";
    MissingClass "missing_class" Error "a sprite that is used has no class";
    SeveralClasses "several_classes" Warning "a line names several classes";
    InheritedClass "inherited_class" Note "the class of the block wins over the sprite's own";
    RepeatedSprite "repeated_sprite" Warning "a sprite is defined twice";
    MissingEffect "missing_effect" Error "an interaction names no effect";
    MissingPartner "missing_partner" Error "an interaction names only one sprite";
    UnknownClass "unknown_class" Error "a sprite class does not exist";
    UnknownEffect "unknown_effect" Error "an effect does not exist";
    UnknownTermination "unknown_termination" Error "a termination does not exist";
    TooManyTypes "too_many_types" Error "there are more sprite types than can be played";
    TooManyPlayers "too_many_players" Error "only one or two players are possible";
    // Parameters.
    UnknownParameter "unknown_parameter" Warning "a class has no parameter of this name";
    IgnoredParameter "ignored_parameter" Note "a parameter is known and changes nothing here";
    MissingValue "missing_value" Error "a parameter has no value";
    BadValue "bad_value" Warning "a value has the wrong kind and is not used";
    RepeatedParameter "repeated_parameter" Warning "a parameter is given twice";
    ValueOutOfRange "value_out_of_range" Error "a value is outside of what can be played";
    MissingParameter "missing_parameter" Error "a class needs a parameter that is not given";
    // Names.
    UndefinedSprite "undefined_sprite" Error "a sprite is named and never defined";
    UnusedSprite "unused_sprite" Note "a sprite is defined and never used";
    // The mapping of characters.
    MappingWithoutSprite "mapping_without_sprite" Warning "a character is mapped to no sprite";
    UndefinedMapping "undefined_mapping" Warning "a character is mapped to a sprite that is never defined";
    MappingKey "mapping_key" Warning "a mapping is for one character, and the others are not read";
    RepeatedMapping "repeated_mapping" Warning "a character is mapped twice";
    // Levels.
    EmptyLevel "empty_level" Error "the level has no cells";
    LevelTooLarge "level_too_large" Error "the level is too large";
    UnmappedCharacter "unmapped_character" Warning "a character of the level is not mapped";
    MissingAvatar "missing_avatar" Error "the level has fewer avatars than the game has players";
    SurplusAvatar "surplus_avatar" Warning "the level has more avatars than the game has players";
}

impl Code {
    /// The code's row in the table.
    pub fn info(self) -> &'static CodeInfo {
        &CODES[self as usize]
    }

    /// The name without its prefix, e.g. `unknown_class`.
    pub fn name(self) -> &'static str {
        self.info().name
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "vgdl::{}", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_codes_and_have_their_names() {
        for (index, row) in CODES.iter().enumerate() {
            assert_eq!(row.code as usize, index);
            assert_eq!(row.name.replace('_', ""), format!("{:?}", row.code).to_lowercase());
        }
    }
}
