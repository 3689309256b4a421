//! Words that people use for colours and pieces, and what they mean.

use crate::look::Symbol;

/// White.
pub(crate) const WHITE: [u8; 3] = [0xfa, 0xfa, 0xf7];
/// Black.
pub(crate) const BLACK: [u8; 3] = [0x24, 0x29, 0x33];
/// What nobody owns.
pub(crate) const NEUTRAL: [u8; 3] = [0x64, 0x6e, 0x7d];
/// The colours of roles whose names are none.
pub(crate) const SIDES: [[u8; 3]; 6] = [
    [0x25, 0x63, 0xeb],
    [0xdc, 0x26, 0x26],
    [0x16, 0xa3, 0x4a],
    [0xd9, 0x92, 0x06],
    [0x7c, 0x3a, 0xed],
    [0x08, 0x91, 0xb2],
];

/// Names of colours.
pub(crate) const COLOURS: &[(&str, [u8; 3])] = &[
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
pub(crate) fn letter(letter: &str) -> Option<Symbol> {
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
pub(crate) fn colour(word: &str) -> Option<[u8; 3]> {
    COLOURS.iter().find(|(name, _)| *name == word).map(|&(_, colour)| colour)
}

/// What is drawn for a word, whatever number follows it.
pub(crate) fn kind(word: &str) -> Option<Symbol> {
    let plain = word.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '_');
    KINDS.iter().find(|(names, _)| names.contains(&plain)).map(|&(_, symbol)| symbol)
}

/// The arrow that a name of the compass stands for.
pub(crate) fn arrow(name: &str) -> Option<&'static str> {
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
    ["blank", "empty", "gap", "none", "free", "nothing", "space", "vacant", "unoccupied"].contains(&name)
}

/// The symbol of a name, as metadata gives it.
pub(crate) fn symbol(name: &str) -> Option<Symbol> {
    serde::Deserialize::deserialize(serde::de::value::StrDeserializer::<serde::de::value::Error>::new(name))
        .ok()
}

/// Whether a letter shows a light piece.
pub(crate) fn is_hollow(glyph: &str) -> bool {
    ["○", "◎", "♔", "♕", "♖", "♗", "♘", "♙", "⛀", "⛁", "⚪", "☆"].contains(&glyph)
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
