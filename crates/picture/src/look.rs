//! How things look: a symbol and a colour, chosen by name and side.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::glyphs::glyph;
use crate::term::Term;
use crate::vocabulary::{BLACK, COLOURS, NEUTRAL, SIDES, WHITE, arrow, colour, kind, letter};

/// What is drawn for a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // The names say it.
pub enum Symbol {
    Disc,
    Crowned,
    Ring,
    Cross,
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
    Block,
    Burnt,
    Star,
    Gem,
    Person,
    Monster,
    Animal,
    Bomb,
    Flame,
    Lamp,
    Dark,
    Door,
    Flag,
    Crate,
    /// Nothing: an empty place.
    Nothing,
    /// The text alone.
    Text,
}

/// How a thing looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Look {
    /// What is drawn.
    pub symbol: Symbol,
    /// In which colour: red, green, blue.
    pub colour: [u8; 3],
    /// A few letters that stand for it.
    pub text: String,
    /// What stands for it in a terminal, if anything better than the text does.
    pub glyph: Option<String>,
}

/// What a name says, taken apart.
#[derive(Clone, Default)]
struct Reading {
    colour: Option<[u8; 3]>,
    symbol: Option<Symbol>,
    /// By a code of two letters, which only counts where others have one too.
    coded: bool,
    number: Option<String>,
}

/// The looks of all things that can stand on a board.
pub(crate) struct Looks<'a> {
    roles: &'a [String],
    /// Names of two letters mean side and piece.
    codes: bool,
    draughts: bool,
    /// All names are one word with numbers: the numbers tell enough.
    numbers: bool,
    /// Names of the compass mean directions.
    arrows: bool,
    /// There is but one thing: where it is, a cell is taken.
    single: bool,
}

impl<'a> Looks<'a> {
    /// Looks at all names together: what `wk` is depends on whether there are `wp` and `bk`.
    pub(crate) fn new<'v>(values: impl IntoIterator<Item = &'v String>, roles: &'a [String]) -> Self {
        let values: Vec<&String> = values.into_iter().collect();
        let prefixes: BTreeSet<&str> = values
            .iter()
            .map(|value| value.trim_end_matches(|letter: char| letter.is_ascii_digit()))
            .collect();
        let numbered = values.iter().all(|value| value.ends_with(|letter: char| letter.is_ascii_digit()));
        let arrows = values.iter().filter(|value| arrow(value).is_some()).count() >= 4;
        let numbers = values.len() > 1 && prefixes.len() == 1 && numbered;
        let mut looks =
            Self { roles, codes: true, draughts: false, numbers, arrows, single: values.len() == 1 };
        let readings: Vec<Reading> = values.iter().map(|value| looks.read(&Term::read(value))).collect();
        let sides: BTreeSet<[u8; 3]> =
            readings.iter().filter(|reading| reading.coded).filter_map(|reading| reading.colour).collect();
        looks.codes = sides.len() >= 2;
        let symbols: BTreeSet<Symbol> = readings
            .iter()
            .filter(|reading| !reading.coded || looks.codes)
            .filter(|reading| reading.colour.is_some())
            .filter_map(|reading| reading.symbol)
            .collect();
        let plain = [Symbol::Pawn, Symbol::Disc, Symbol::King];
        looks.draughts = symbols.len() == 2
            && symbols.contains(&Symbol::King)
            && symbols.iter().all(|symbol| plain.contains(symbol));
        looks
    }

    /// The colour of a role, by its name or its place.
    pub(crate) fn role_colour(&self, role: usize) -> [u8; 3] {
        let name = self.roles.get(role).map_or("", String::as_str);
        let named = COLOURS.iter().find(|(colour, _)| name.starts_with(colour) || name.ends_with(colour));
        named.map_or(SIDES[role % SIDES.len()], |&(_, colour)| colour)
    }

    fn side(&self, word: &str) -> Option<[u8; 3]> {
        if let Some(colour) = colour(word) {
            return Some(colour);
        }
        if let Some(role) = self.roles.iter().position(|role| role == word) {
            return Some(self.role_colour(role));
        }
        // A letter stands for the only role, or else the only of two colours, that begins with it.
        let begins: Vec<usize> =
            (0..self.roles.len()).filter(|&role| self.roles[role].starts_with(word)).collect();
        match (word.len(), &begins[..]) {
            (1, [role]) => Some(self.role_colour(*role)),
            _ => None,
        }
    }

    /// The side that the first letter of a code stands for, whatever roles are called.
    fn coded_side(&self, letter: &str) -> Option<[u8; 3]> {
        match letter {
            "w" => Some(WHITE),
            _ => self.side(letter).or(match letter {
                "b" => Some(BLACK),
                "r" => colour("red"),
                _ => None,
            }),
        }
    }

    fn read(&self, thing: &Term) -> Reading {
        let mut reading = Reading::default();
        let mut words: Vec<String> = Vec::new();
        for leaf in thing.leaves() {
            words.extend(leaf.split(['_', '-', '.']).filter(|word| !word.is_empty()).map(str::to_owned));
        }
        if thing.arguments.is_empty() {
            if let Some(split) = self.unglued(&thing.name) {
                words = split;
            }
        } else if kind(&thing.name).is_some() {
            words.push(thing.name.clone());
        }
        for word in &words {
            let number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            if number {
                reading.number = Some(word.clone());
            }
            let side = self.side(word);
            if let Some(symbol) = kind(word) {
                reading.symbol = reading.symbol.or(Some(symbol));
                reading.colour = reading.colour.or(side);
                continue;
            }
            reading.colour = reading.colour.or(side);
        }
        if let [code] = &words[..]
            && reading.symbol.is_none()
            && self.codes
            && (2..=3).contains(&code.len())
            && code.is_ascii()
            && let (Some(side), Some(symbol)) = (self.coded_side(&code[..1]), letter(&code[1..2]))
        {
            reading = Reading { colour: Some(side), symbol: Some(symbol), coded: true, number: None };
        }
        reading
    }

    /// A colour or a role and what follows or goes before it: `whitepawn`, `bluehead`.
    fn unglued(&self, name: &str) -> Option<Vec<String>> {
        let colours = COLOURS.iter().map(|(colour, _)| *colour).chain(self.roles.iter().map(String::as_str));
        for side in colours.filter(|side| side.len() >= 3) {
            let rest = name.strip_prefix(side).or_else(|| name.strip_suffix(side));
            if let Some(rest) = rest.map(|rest| rest.trim_matches(['_', '-'])).filter(|rest| !rest.is_empty())
            {
                return Some(vec![side.to_owned(), rest.to_owned()]);
            }
        }
        None
    }

    /// How a thing looks; `owner` is the role that stands beside it in a fact.
    pub(crate) fn look(&self, thing: &str) -> Look {
        let term = Term::read(thing);
        let reading = self.read(&term);
        let text = short(&term);
        if let Some(arrow) = arrow(thing).filter(|_| self.arrows) {
            return Look { symbol: Symbol::Text, colour: BLACK, text: arrow.to_owned(), glyph: None };
        }
        let digits = thing.len() - thing.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        let plain = [None, Some(Symbol::Disc)].contains(&reading.symbol);
        if digits > 0 && plain && reading.colour.is_none() && (self.numbers || reading.symbol.is_some()) {
            let text = thing[thing.len() - digits..].to_owned();
            let number =
                text.bytes().fold(0usize, |sum, digit| sum.wrapping_mul(10).wrapping_add(usize::from(digit)));
            let colour = if self.numbers { BLACK } else { SIDES[number % SIDES.len()] };
            return Look { symbol: Symbol::Text, colour, text, glyph: None };
        }
        if let Some(number) = &reading.number
            && reading.symbol.is_none()
        {
            let colour = reading.colour.unwrap_or(BLACK);
            return Look { symbol: Symbol::Text, colour, text: number.clone(), glyph: None };
        }
        let mut symbol = match (reading.symbol, reading.colour) {
            (Some(symbol), _) => symbol,
            (None, Some(_)) => Symbol::Disc,
            (None, None) if self.single => Symbol::Block,
            (None, None) => Symbol::Text,
        };
        if self.draughts {
            symbol = match symbol {
                Symbol::Pawn => Symbol::Disc,
                Symbol::King => Symbol::Crowned,
                other => other,
            };
        }
        let by_kind = match symbol {
            Symbol::Cross => SIDES[0],
            Symbol::Ring => SIDES[1],
            Symbol::Disc | Symbol::Crowned => SIDES[0],
            Symbol::Flame => [0xea, 0x58, 0x0c],
            Symbol::Gem | Symbol::Lamp => [0xd4, 0xa0, 0x17],
            Symbol::Star => [0xd9, 0x92, 0x06],
            Symbol::Monster => [0x7c, 0x3a, 0xed],
            Symbol::Person => SIDES[0],
            Symbol::Crate => [0xb4, 0x7a, 0x3c],
            Symbol::Door => [0x16, 0xa3, 0x4a],
            Symbol::Flag => SIDES[1],
            Symbol::Burnt => [0x8b, 0x93, 0xa1],
            Symbol::Bomb | Symbol::Text => BLACK,
            _ => NEUTRAL,
        };
        let colour = reading.colour.unwrap_or(by_kind);
        let glyph = glyph(symbol, colour).map(str::to_owned);
        Look { symbol, colour, text, glyph }
    }
}

/// A few letters for a name.
fn short(term: &Term) -> String {
    let leaves = term.leaves();
    let text = leaves.join(" ");
    if text.chars().count() <= 3 {
        return text;
    }
    let word = |leaf: &&str| -> String { leaf.chars().take(if leaves.len() > 1 { 1 } else { 2 }).collect() };
    let digits: String = text.chars().rev().take_while(char::is_ascii_digit).collect();
    let letters: String = leaves.iter().map(word).collect();
    letters + &digits.chars().rev().collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(values: &str, roles: &str) -> Vec<(Symbol, [u8; 3])> {
        let words = |text: &str| text.split(", ").map(str::to_owned).collect::<Vec<_>>();
        let (values, roles) = (words(values), words(roles));
        let looks = Looks::new(&values, &roles);
        values.iter().map(|value| looks.look(value)).map(|look| (look.symbol, look.colour)).collect()
    }

    #[test]
    fn chess_and_draughts_by_their_letters() {
        let chess = symbols("wk, bp, bn", "white, black");
        assert_eq!(chess, [(Symbol::King, WHITE), (Symbol::Pawn, BLACK), (Symbol::Knight, BLACK)]);
        let draughts = symbols("wk, wp, bp, bk", "white, black");
        assert_eq!(draughts[0], (Symbol::Crowned, WHITE));
        assert_eq!(draughts[2], (Symbol::Disc, BLACK));
    }

    #[test]
    fn names_in_words() {
        let found = symbols("whiteknight, (pawn black), red, x, 7", "white, black");
        assert_eq!(found[0], (Symbol::Knight, WHITE));
        assert_eq!(found[1], (Symbol::Pawn, BLACK));
        assert_eq!(found[2].0, Symbol::Disc);
        assert_eq!(found[3].0, Symbol::Cross);
        assert_eq!(found[4].0, Symbol::Text);
    }
}
