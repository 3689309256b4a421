//! How the rules spell their names: texts are in lower case within, and leave as they came.

use std::collections::BTreeMap;

use gdl::Symbols;

/// The names that the rules do not write in lower case, each in its first spelling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spellings {
    /// Lower-case name -> spelling.
    words: BTreeMap<String, String>,
}

impl Spellings {
    /// The spellings of some rules.
    pub(crate) fn of(symbols: &Symbols) -> Self {
        symbols
            .iter()
            .filter(|&symbol| !symbols.is_variable(symbol))
            .map(|symbol| symbols.spelling(symbol).to_owned())
            .collect()
    }

    /// The spellings, in the order of their lower-case names.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.words.values().map(String::as_str)
    }

    /// A text in canonical lower-case KIF as the rules spell it.
    pub fn spell(&self, text: &str) -> String {
        if self.words.is_empty() {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        for piece in text.split_inclusive([' ', '(', ')']) {
            let (word, end) = piece.split_at(piece.trim_end_matches([' ', '(', ')']).len());
            out.push_str(self.words.get(word).map_or(word, String::as_str));
            out.push_str(end);
        }
        out
    }
}

/// Words that are in lower case need no entry.
impl FromIterator<String> for Spellings {
    fn from_iter<I: IntoIterator<Item = String>>(words: I) -> Self {
        let words = words.into_iter().map(|word| (word.to_lowercase(), word));
        Self { words: words.filter(|(name, word)| name != word).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_spelled() {
        let mut symbols = Symbols::new();
        for word in ["dropBomb", "XPlayer", "bomb", "?Row", "Ärger"] {
            symbols.intern(word);
        }
        let spellings = Spellings::of(&symbols);
        assert_eq!(spellings.spell("(dropbomb 1 (f xplayer) bomb)"), "(dropBomb 1 (f XPlayer) bomb)");
        assert_eq!(spellings.spell("xplayer"), "XPlayer");
        assert_eq!(spellings.spell("(dropbombs ärger)"), "(dropbombs Ärger)");
        assert_eq!(spellings.iter().collect::<Vec<_>>(), ["dropBomb", "XPlayer", "Ärger"]);
        assert_eq!(spellings.iter().map(str::to_owned).collect::<Spellings>(), spellings);
    }
}
