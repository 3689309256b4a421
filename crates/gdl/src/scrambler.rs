//! Scrambling, as match hosts do it: every name that is not a keyword or a number becomes a random
//! word, so that no player can learn anything from names.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

use crate::{RuleSheet, SymbolId, Symbols, TokenKind, keyword, tokenize};

/// Replaces the names of a sheet by words that mean nothing, and back.
///
/// ```
/// use gdl::{Scrambler, SourceFile, parse, print_sheet};
/// let sheet = parse(&SourceFile::new("inline", "(role white) (init (cell 1 ?x))")).sheet;
/// let scrambler = Scrambler::new(&sheet.symbols, 7);
/// let scrambled = scrambler.scramble_sheet(&sheet);
/// assert!(!print_sheet(&scrambled).contains("white"));
/// assert!(scrambler.unscramble_sheet(&scrambled).same_rules(&sheet));
///
/// let message = scrambler.scramble_text("(PLAY match.1 ((cell 1 White)))");
/// assert_eq!(scrambler.unscramble_text(&message), "(PLAY match.1 ((cell 1 white)))");
/// ```
#[derive(Clone, Debug)]
pub struct Scrambler {
    plain: Symbols,
    /// The replacements, under the ids of the names they replace.
    scrambled: Symbols,
}

impl Scrambler {
    /// Draws a word for every name in the table. The same seed draws the same words.
    pub fn new(symbols: &Symbols, seed: u64) -> Self {
        let mut words =
            Words { random: Xoshiro256PlusPlus::seed_from_u64(seed), taken: FxHashSet::default(), symbols };
        let mut scrambled = Symbols::new();
        for index in 0..symbols.len() as u32 {
            let symbol = SymbolId(index);
            let name = symbols.name(symbol);
            let id = match name {
                _ if keyword::is_keyword(symbol) => symbol,
                _ if is_integer(name) => scrambled.intern(name),
                _ if symbols.is_variable(symbol) => scrambled.intern(&format!("?{}", words.draw())),
                _ => scrambled.intern(&words.draw()),
            };
            debug_assert_eq!(id, symbol, "all words are distinct");
        }
        Self { plain: symbols.clone(), scrambled }
    }

    /// The sheet in scrambled names. The places in it are still those in the plain text.
    pub fn scramble_sheet(&self, sheet: &RuleSheet) -> RuleSheet {
        translate_sheet(sheet, &self.plain, &self.scrambled)
    }

    /// The sheet in plain names.
    pub fn unscramble_sheet(&self, sheet: &RuleSheet) -> RuleSheet {
        translate_sheet(sheet, &self.scrambled, &self.plain)
    }

    /// A term or message in scrambled names. Words that the sheet does not have are kept, blanks
    /// and parentheses too; comments are dropped, since they would tell.
    pub fn scramble_text(&self, text: &str) -> String {
        translate_text(text, &self.plain, &self.scrambled)
    }

    /// A term or message in plain names, as the sheet spells them first.
    pub fn unscramble_text(&self, text: &str) -> String {
        translate_text(text, &self.scrambled, &self.plain)
    }
}

/// Numbers keep their meaning in goal values, and hosts leave them all alone.
fn is_integer(name: &str) -> bool {
    let digits = name.strip_prefix('-').unwrap_or(name);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn translate_sheet(sheet: &RuleSheet, from: &Symbols, to: &Symbols) -> RuleSheet {
    let mut symbols = Symbols::new();
    for index in keyword::NAMES.len() as u32..sheet.symbols.len() as u32 {
        let symbol = SymbolId(index);
        let mut name = match from.get(sheet.symbols.name(symbol)) {
            Some(known) => to.spelling(known).to_owned(),
            None => sheet.symbols.spelling(symbol).to_owned(),
        };
        // A name that neither side knows might be one of the other side's words.
        while symbols.get(&name).is_some() {
            name.push('_');
        }
        let id = symbols.intern(&name);
        debug_assert_eq!(id, symbol, "ids stay as they are, so the rules do too");
    }
    RuleSheet { symbols, rules: sheet.rules.clone() }
}

fn translate_text(text: &str, from: &Symbols, to: &Symbols) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for token in tokenize(text) {
        let range = token.span.range();
        out.push_str(&text[copied..range.start]);
        copied = range.end;
        let word = &text[range];
        match token.kind {
            TokenKind::Comment => {}
            TokenKind::Word => match from.get(word) {
                Some(symbol) if !keyword::is_keyword(symbol) => out.push_str(to.spelling(symbol)),
                _ => out.push_str(word),
            },
            TokenKind::Open | TokenKind::Close => out.push_str(word),
        }
    }
    out.push_str(&text[copied..]);
    out
}

/// A source of words that can be spoken and that are all different.
struct Words<'a> {
    random: Xoshiro256PlusPlus,
    taken: FxHashSet<String>,
    symbols: &'a Symbols,
}

impl Words<'_> {
    fn draw(&mut self) -> String {
        const CONSONANTS: &[u8] = b"bcdfghjklmnprstvwz";
        const VOWELS: &[u8] = b"aeiou";
        let mut syllables = self.random.random_range(2..=3);
        loop {
            let mut word = String::with_capacity(2 * syllables);
            for _ in 0..syllables {
                for letters in [CONSONANTS, VOWELS] {
                    word.push(char::from(letters[self.random.random_range(0..letters.len())]));
                }
            }
            // No name of the sheet, keywords included, is a replacement of another: a word of a
            // text is then either plain or scrambled, never both.
            if self.symbols.get(&word).is_none()
                && self.symbols.get(&format!("?{word}")).is_none()
                && self.taken.insert(word.clone())
            {
                return word;
            }
            syllables += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceFile, parse, print_sheet};

    fn sheet(text: &str) -> RuleSheet {
        parse(&SourceFile::new("t", text)).sheet
    }

    #[test]
    fn keywords_and_numbers_stay() {
        let plain = sheet("(role a) (<= (goal a 100) (true (b 07 ?x)) (distinct ?x -1))");
        let text = print_sheet(&Scrambler::new(&plain.symbols, 1).scramble_sheet(&plain));
        let shape = shape_of(&text);
        assert_eq!(shape, "(role W)\n(<= (goal W 100) (true (W 07 ?W)) (distinct ?W -1))\n");
    }

    /// Replaces every word that is neither keyword nor number by `W`.
    fn shape_of(text: &str) -> String {
        let mut shape = String::new();
        let mut copied = 0;
        for token in tokenize(text).filter(|token| token.kind == TokenKind::Word) {
            let word = &text[token.span.range()];
            let is_kept = keyword::NAMES.contains(&word) || is_integer(word);
            shape.push_str(&text[copied..token.span.start as usize]);
            shape.push_str(match word {
                _ if is_kept => word,
                _ if word.starts_with('?') => "?W",
                _ => "W",
            });
            copied = token.span.end as usize;
        }
        shape + &text[copied..]
    }

    #[test]
    fn seeds_decide() {
        let plain = sheet("(role a) (role b)");
        let text = |seed| print_sheet(&Scrambler::new(&plain.symbols, seed).scramble_sheet(&plain));
        assert_eq!(text(1), text(1));
        assert_ne!(text(1), text(2));
    }

    #[test]
    fn words_are_distinct_in_number() {
        let facts: String = (0..30_000).map(|number| format!("(f a{number} ?b{number})")).collect();
        let plain = sheet(&facts);
        let scrambler = Scrambler::new(&plain.symbols, 3);
        assert_eq!(scrambler.scrambled.len(), plain.symbols.len());
        assert!(scrambler.unscramble_sheet(&scrambler.scramble_sheet(&plain)).same_rules(&plain));
    }

    #[test]
    fn comments_are_dropped_and_unknown_words_kept() {
        let plain = sheet("(role white)");
        let scrambler = Scrambler::new(&plain.symbols, 1);
        let scrambled = scrambler.scramble_text("(START m.1 WHITE) ; white");
        assert!(scrambled.starts_with("(START m.1 ") && !scrambled.to_lowercase().contains("white"));
        assert_eq!(scrambler.unscramble_text(&scrambled.to_uppercase()), "(START M.1 white) ");
    }
}
