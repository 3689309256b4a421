//! How things look: a symbol and a colour, chosen by name and side.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::term::Term;

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

/// White.
pub(crate) const WHITE: [u8; 3] = [0xfa, 0xfa, 0xf7];
/// Black.
pub(crate) const BLACK: [u8; 3] = [0x24, 0x29, 0x33];
/// What nobody owns.
pub(crate) const NEUTRAL: [u8; 3] = [0x64, 0x6e, 0x7d];
/// The colours of roles whose names are none.
const SIDES: [[u8; 3]; 6] = [
    [0x25, 0x63, 0xeb],
    [0xdc, 0x26, 0x26],
    [0x16, 0xa3, 0x4a],
    [0xd9, 0x92, 0x06],
    [0x7c, 0x3a, 0xed],
    [0x08, 0x91, 0xb2],
];

const COLOURS: &[(&str, [u8; 3])] = &[
    ("white", WHITE),
    ("light", WHITE),
    ("black", BLACK),
    ("dark", BLACK),
    ("red", [0xdc, 0x26, 0x26]),
    ("blue", [0x25, 0x63, 0xeb]),
    ("green", [0x16, 0xa3, 0x4a]),
    ("yellow", [0xea, 0xb3, 0x08]),
    ("teal", [0x0d, 0x94, 0x88]),
    ("cyan", [0x06, 0xb6, 0xd4]),
    ("magenta", [0xc0, 0x26, 0xd3]),
    ("purple", [0x7c, 0x3a, 0xed]),
    ("orange", [0xea, 0x70, 0x0c]),
    ("pink", [0xec, 0x48, 0x99]),
    ("brown", [0x92, 0x40, 0x0e]),
    ("grey", NEUTRAL),
    ("gray", NEUTRAL),
    ("gold", [0xd4, 0xa0, 0x17]),
    ("silver", [0x94, 0xa3, 0xb8]),
];

/// Words and what is drawn for them.
const KINDS: &[(&[&str], Symbol)] = &[
    (&["king"], Symbol::King),
    (&["queen"], Symbol::Queen),
    (&["rook", "castle", "tower"], Symbol::Rook),
    (&["bishop"], Symbol::Bishop),
    (&["knight", "horse"], Symbol::Knight),
    (&["pawn"], Symbol::Pawn),
    (
        &[
            "man", "men", "checker", "disc", "disk", "stone", "peg", "piece", "marker", "token", "ball",
            "marble",
        ],
        Symbol::Disc,
    ),
    (&["x", "ecks", "cross", "xplayer"], Symbol::Cross),
    (&["o", "oh", "nought", "oplayer"], Symbol::Ring),
    (
        &[
            "wall",
            "hole",
            "block",
            "blk",
            "blocked",
            "rock",
            "obstacle",
            "dirt",
            "offlimits",
            "filled",
            "pit",
        ],
        Symbol::Block,
    ),
    (
        &[
            "arrow",
            "visited",
            "burnt",
            "burned",
            "destroyed",
            "trail",
            "tail",
            "tailpos",
            "body",
            "dead",
            "prohibited",
        ],
        Symbol::Burnt,
    ),
    (&["fire", "burning", "blastzone", "blast", "flame", "explosion"], Symbol::Flame),
    (&["star", "goal", "target", "point", "marked", "visit", "dot", "pellet"], Symbol::Star),
    (&["gold", "coin", "onecoin", "twocoins", "gem", "diamond", "treasure", "gun", "bullet"], Symbol::Gem),
    (
        &[
            "player",
            "hero",
            "explorer",
            "soldier",
            "person",
            "human",
            "robot",
            "head",
            "pacman",
            "bomberman",
            "bomberwoman",
            "ship",
            "snake",
            "catcher",
            "crosser",
            "location",
            "pos",
            "you",
            "brush",
        ],
        Symbol::Person,
    ),
    (
        &[
            "monster",
            "mummy",
            "zombie",
            "ghost",
            "inky",
            "blinky",
            "pinky",
            "clyde",
            "terrorist",
            "enemy",
            "wolf",
            "hunter",
        ],
        Symbol::Monster,
    ),
    (&["sheep", "mouse", "cat", "dog", "fox", "goose", "hound", "hare"], Symbol::Animal),
    (&["bomb", "grenade", "mine", "trap"], Symbol::Bomb),
    (&["on", "light", "lit"], Symbol::Lamp),
    (&["off", "nolight", "unlit"], Symbol::Dark),
    (&["exit", "door", "gate"], Symbol::Door),
    (&["flag"], Symbol::Flag),
    (&["box", "crate"], Symbol::Crate),
];

/// The letters of chess and draughts.
fn letter(letter: &str) -> Option<Symbol> {
    Some(match letter {
        "k" => Symbol::King,
        "q" => Symbol::Queen,
        "r" => Symbol::Rook,
        "b" => Symbol::Bishop,
        "n" => Symbol::Knight,
        "p" => Symbol::Pawn,
        "m" => Symbol::Disc,
        _ => return None,
    })
}

/// The colour that a word is.
fn colour(word: &str) -> Option<[u8; 3]> {
    COLOURS.iter().find(|(name, _)| *name == word).map(|&(_, colour)| colour)
}

fn kind(word: &str) -> Option<Symbol> {
    let plain = word.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '_');
    KINDS.iter().find(|(names, _)| names.contains(&plain)).map(|&(_, symbol)| symbol)
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
            let number = text.bytes().fold(0usize, |sum, digit| sum.wrapping_mul(10).wrapping_add(usize::from(digit)));
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

/// The arrow that a name of the compass stands for.
fn arrow(name: &str) -> Option<&'static str> {
    Some(match name {
        "n" | "north" | "up" => "↑",
        "ne" | "northeast" => "↗",
        "e" | "east" | "right" => "→",
        "se" | "southeast" => "↘",
        "s" | "south" | "down" => "↓",
        "sw" | "southwest" => "↙",
        "w" | "west" | "left" => "←",
        "nw" | "northwest" => "↖",
        _ => return None,
    })
}

/// Whether a name says that nothing is there.
pub(crate) fn means_nothing(name: &str) -> bool {
    ["blank", "empty", "none", "free", "nothing", "space", "vacant", "unoccupied"].contains(&name)
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

/// What stands for a symbol in a terminal; light pieces are hollow.
fn glyph(symbol: Symbol, colour: [u8; 3]) -> Option<&'static str> {
    let light = colour == WHITE;
    let pick = |hollow, full| if light { hollow } else { full };
    Some(match symbol {
        Symbol::Disc => pick("○", "●"),
        Symbol::Crowned => pick("◎", "◉"),
        Symbol::Ring => "O",
        Symbol::Cross => "X",
        Symbol::King => pick("♔", "♚"),
        Symbol::Queen => pick("♕", "♛"),
        Symbol::Rook => pick("♖", "♜"),
        Symbol::Bishop => pick("♗", "♝"),
        Symbol::Knight => pick("♘", "♞"),
        Symbol::Pawn => pick("♙", "♟"),
        Symbol::Block => "█",
        Symbol::Burnt => "×",
        Symbol::Star => "★",
        Symbol::Gem => "◆",
        Symbol::Person => "☺",
        Symbol::Lamp => "☼",
        Symbol::Dark | Symbol::Nothing => "·",
        Symbol::Door => "∩",
        Symbol::Flag => "⚑",
        Symbol::Crate => "■",
        Symbol::Monster | Symbol::Animal | Symbol::Bomb | Symbol::Flame | Symbol::Text => return None,
    })
}

/// The symbol of a name, as metadata gives it.
pub(crate) fn symbol(name: &str) -> Option<Symbol> {
    serde::Deserialize::deserialize(serde::de::value::StrDeserializer::<serde::de::value::Error>::new(name))
        .ok()
}

/// The symbol that a letter of a terminal is usually drawn for.
pub(crate) fn symbol_of_glyph(glyph: &str) -> Option<Symbol> {
    Some(match glyph {
        "●" | "○" | "⚫" | "⚪" | "⛀" | "⛂" => Symbol::Disc,
        "◎" | "◉" | "⛁" | "⛃" => Symbol::Crowned,
        "♔" | "♚" => Symbol::King,
        "♕" | "♛" => Symbol::Queen,
        "♖" | "♜" => Symbol::Rook,
        "♗" | "♝" => Symbol::Bishop,
        "♘" | "♞" => Symbol::Knight,
        "♙" | "♟" => Symbol::Pawn,
        "█" | "#" => Symbol::Block,
        "★" | "☆" => Symbol::Star,
        "◆" => Symbol::Gem,
        "×" => Symbol::Burnt,
        "X" => Symbol::Cross,
        "O" => Symbol::Ring,
        _ => return None,
    })
}

/// Gives things that would look the same in a terminal different texts: by their first letters, else by their
/// short names, else by their names. With colours it is enough that they differ in one of both.
pub(crate) fn told_apart(looks: &BTreeMap<String, Look>, colour: bool) -> BTreeMap<String, String> {
    let drawn = |look: &Look| look.glyph.clone().unwrap_or_else(|| look.text.clone());
    let mut alike: BTreeMap<(String, Option<[u8; 3]>), Vec<&String>> = BTreeMap::new();
    for (name, look) in looks {
        let rgb = Some(look.colour).filter(|_| colour && visible(look.colour));
        alike.entry((drawn(look), rgb)).or_default().push(name);
    }
    let mut texts = BTreeMap::new();
    for ((glyph, _), names) in alike {
        let distinct = |text: &dyn Fn(&String) -> String| {
            names.iter().map(|name| text(name)).collect::<BTreeSet<_>>().len() == names.len()
        };
        let first = |name: &String| name.trim_start_matches('(').chars().take(1).collect::<String>();
        let short = |name: &String| looks[name].text.clone();
        for &name in &names {
            let text = if names.len() == 1 || glyph == "·" {
                glyph.clone()
            } else if distinct(&first) {
                first(name)
            } else if distinct(&short) {
                short(name)
            } else {
                name.clone()
            };
            texts.insert(name.clone(), text);
        }
    }
    texts
}

/// Whether a colour can be seen on a light and on a dark background.
pub(crate) fn visible(colour: [u8; 3]) -> bool {
    let (low, high) = (colour.iter().min(), colour.iter().max());
    low.zip(high).is_some_and(|(low, high)| high - low >= 64)
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

    #[test]
    fn what_looks_the_same_is_told_apart() {
        let roles = ["red".to_owned(), "blue".to_owned()];
        let looks = Looks::new(&roles, &roles);
        let looks: BTreeMap<String, Look> =
            roles.iter().map(|role| (role.clone(), looks.look(role))).collect();
        assert_eq!(told_apart(&looks, false)["red"], "r");
        assert_eq!(told_apart(&looks, true)["red"], "●");
    }
}
