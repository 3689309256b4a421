//! What the players are told of the rules, in the names that they are told.

use gdl::{RuleSheet, Scrambler, print_sheet};

/// The rules as they are sent, and the way between their names and the game's own.
/// Empty for players who know the rules already.
#[derive(Clone, Debug, Default)]
pub struct Rulebook {
    rules: String,
    scrambler: Option<Scrambler>,
}

impl Rulebook {
    /// The rules as they are, or with every name replaced by a word that a seed draws.
    pub fn new(sheet: &RuleSheet, scramble: Option<u64>) -> Self {
        let scrambler = scramble.map(|seed| Scrambler::new(&sheet.symbols, seed));
        let printed = match &scrambler {
            Some(scrambler) => print_sheet(&scrambler.scramble_sheet(sheet)),
            None => print_sheet(sheet),
        };
        // On one line, as hosts send it.
        Self { rules: printed.trim_end().replace('\n', " "), scrambler }
    }

    /// The rules as they are sent.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// Whether the names are replaced.
    pub fn is_scrambled(&self) -> bool {
        self.scrambler.is_some()
    }

    /// A text of the game in the names that players are told.
    pub fn to_players(&self, text: &str) -> String {
        self.scrambler.as_ref().map_or_else(|| text.to_owned(), |scrambler| scrambler.scramble_text(text))
    }

    /// A text of a player in the names of the game.
    pub fn from_players(&self, text: &str) -> String {
        self.scrambler.as_ref().map_or_else(|| text.to_owned(), |scrambler| scrambler.unscramble_text(text))
    }
}
