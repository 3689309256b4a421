//! What `metadata.toml` says of a game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Pattern;

/// The tags that a game may have.
pub const TAGS: &[&str] = &[
    "board",
    "puzzle",
    "cards",
    "numbers",
    "one-player",
    "two-player",
    "three-player",
    "four-player",
    "six-player",
    "multi-player",
    "turn-taking",
    "simultaneous",
    "zero-sum",
    "cooperative",
    "general-sum",
    "small",
    "large",
    "connection",
    "capture",
    "race",
    "path",
    "planning",
    "chance",
    "hidden-information",
];

/// Metadata that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {message}")]
pub struct MetadataError {
    /// The file.
    pub name: String,
    /// What is wrong with it, and where.
    pub message: String,
}

/// What is known of a game beside its rules. Every field may be left out: boards are found in the rules,
/// and what stands here only goes before what is found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Metadata {
    /// The game's name as people write it.
    pub name: String,
    /// Other names that people look for it by.
    pub nicknames: Vec<String>,
    /// What the players do and who wins.
    pub description: String,
    /// The number of roles.
    pub players: Option<usize>,
    /// Words from [`TAGS`].
    pub tags: Vec<String>,
    /// Where the rules come from.
    pub source: String,
    /// The number of sequences of 1, 2, 3, .. joint moves from the start.
    pub perft: Vec<u64>,
    /// Where these numbers come from: `computed`, or `published: ..`.
    pub perft_source: String,
    /// Pictures of a state.
    #[serde(rename = "board")]
    pub boards: Vec<Board>,
    /// Facts worth showing beside them.
    #[serde(rename = "counter")]
    pub counters: Vec<Counter>,
}

/// What is wanted of a board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Board {
    /// A heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// How its cells lie; else as the rules say which touch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<Shape>,
    /// Which facts it shows: a pattern with `?column`, `?row` and perhaps `?piece`; else the boards are
    /// those that are found, in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<Pattern>,
    /// What is drawn where the pattern has no `?piece`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
    /// The columns from left to right; else in the order that is found.
    pub columns: Vec<String>,
    /// The rows from top to bottom; else in the order that is found.
    pub rows: Vec<String>,
    /// Whether cells are light and dark by turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkered: Option<bool>,
    /// Every how many columns and rows a thick line stands; none if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<[u16; 2]>,
    /// The roles that see it during play; everybody if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen_by: Option<Vec<String>>,
    /// How pieces are drawn; others are drawn by their name.
    pub pieces: BTreeMap<String, Piece>,
}

/// How the cells of a board lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// In straight rows and columns.
    Square,
    /// Each row half a cell further to the right than the one above.
    Hex,
}

/// How a piece is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// A short text; empty for nothing.
    pub glyph: String,
    /// The name of a symbol for pictures; else by the glyph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// A colour, `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
}

/// A fact that is shown beside the boards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// What stands before the value.
    pub label: String,
    /// A pattern with `?value`.
    pub fact: Pattern,
    /// The roles that see it during play; everybody if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_by: Option<Vec<String>>,
}

impl Metadata {
    /// Reads metadata; `name` is the file that errors tell of.
    pub fn parse(name: &str, text: &str) -> Result<Self, MetadataError> {
        let error = |message: String| MetadataError { name: name.to_owned(), message };
        let metadata: Metadata = toml::from_str(text).map_err(|fault| error(fault.to_string()))?;
        metadata.check().map_err(error)?;
        Ok(metadata)
    }

    /// Whether a role may be shown a fact while others must not see everything: a board or a counter has it, and does
    /// not keep it from the role. What nobody speaks of is shown to nobody.
    pub fn shows(&self, role: &str, fact: &str) -> bool {
        let boards = self.boards.iter().filter_map(|board| Some((board.cell.as_ref()?, &board.seen_by)));
        let counters = self.counters.iter().map(|counter| (&counter.fact, &counter.seen_by));
        let has = |(pattern, _): &(&Pattern, &Option<Vec<String>>)| pattern.read(fact).is_some();
        let mut speaking = boards.chain(counters).filter(has).peekable();
        let lets = |seen_by: &Option<Vec<String>>| match seen_by {
            Some(roles) => roles.iter().any(|each| each.eq_ignore_ascii_case(role)),
            None => true,
        };
        speaking.peek().is_some() && speaking.all(|(_, seen_by)| lets(seen_by))
    }

    fn check(&self) -> Result<(), String> {
        if self.players == Some(0) {
            return Err("`players` is 0: every game has a role".to_owned());
        }
        if let Some(tag) = self.tags.iter().find(|tag| !TAGS.contains(&tag.as_str())) {
            return Err(format!("`{tag}` is not a known tag; known are {}", TAGS.join(", ")));
        }
        self.boards.iter().try_for_each(Board::check)?;
        self.counters.iter().try_for_each(Counter::check)
    }
}

impl Board {
    fn check(&self) -> Result<(), String> {
        let shown = self.cell.as_ref().map_or_else(|| "without `cell`".to_owned(), ToString::to_string);
        match &self.cell {
            Some(cell) => {
                let mut variables = cell.variables();
                variables.sort_unstable();
                let has_piece = match variables[..] {
                    ["column", "row"] => false,
                    ["column", "piece", "row"] => true,
                    _ => return Err(format!("`{shown}` needs ?column, ?row and perhaps ?piece, each once")),
                };
                if has_piece && self.piece.is_some() {
                    return Err(format!("board `{shown}` needs either ?piece in `cell` or `piece`"));
                }
            }
            None if self.columns.is_empty() && self.rows.is_empty() => {}
            None => {
                return Err(
                    "`columns` and `rows` of a board need `cell`, a pattern with ?column and ?row".to_owned()
                );
            }
        }
        for (name, list) in [("columns", &self.columns), ("rows", &self.rows)] {
            if let Some(twice) = list.iter().enumerate().find(|&(at, item)| list[..at].contains(item)) {
                return Err(format!("board `{shown}`: `{}` stands twice in `{name}`", twice.1));
            }
        }
        for (name, piece) in &self.pieces {
            if let Some(colour) = &piece.colour
                && rgb(colour).is_none()
            {
                return Err(format!("the colour `{colour}` of `{name}` is not of the form #rrggbb"));
            }
        }
        Ok(())
    }
}

impl Piece {
    /// Red, green and blue of its colour.
    pub fn rgb(&self) -> Option<[u8; 3]> {
        rgb(self.colour.as_deref()?)
    }
}

fn rgb(colour: &str) -> Option<[u8; 3]> {
    let digits = colour.strip_prefix('#')?;
    if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let part = |at| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    Some([part(0)?, part(2)?, part(4)?])
}

impl Counter {
    fn check(&self) -> Result<(), String> {
        match self.fact.variables()[..] {
            ["value"] => Ok(()),
            _ => Err(format!("counter `{}`: `{}` needs ?value, once", self.label, self.fact)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r##"
        name = "Test"
        description = "A test."
        players = 2
        tags = ["board", "small"]
        source = "none"
        perft = [3]
        perft_source = "computed"
        [[board]]
        shape = "square"
        cell = "(cell ?column ?row ?piece)"
        columns = ["1", "2"]
        rows = ["1"]
        [board.pieces]
        x = { glyph = "X", colour = "#ff0080" }
        [[counter]]
        label = "To move"
        fact = "(control ?value)"
    "##;

    #[test]
    fn a_role_is_shown_what_is_not_kept_from_it() {
        let hiding = GOOD.replace("rows = [\"1\"]", "rows = [\"1\"]\nseen_by = [\"white\"]");
        let metadata = Metadata::parse("test", &hiding).unwrap();
        assert!(metadata.shows("white", "(cell 1 1 x)"));
        assert!(metadata.shows("WHITE", "(cell 1 1 x)"));
        assert!(!metadata.shows("black", "(cell 1 1 x)"));
        assert!(metadata.shows("black", "(control white)"));
        assert!(!metadata.shows("white", "(secret 3)"), "nobody speaks of it");
    }

    #[test]
    fn good_metadata_is_read() {
        let metadata = Metadata::parse("test", GOOD).unwrap();
        assert_eq!(metadata.boards[0].pieces["x"].rgb(), Some([255, 0, 128]));
        assert_eq!(metadata.counters.len(), 1);
    }

    #[test]
    fn everything_may_be_left_out() {
        assert_eq!(Metadata::parse("test", "").unwrap(), Metadata::default());
        let text = "[[board]]\n[board.pieces]\nx = { glyph = 'X' }";
        assert_eq!(Metadata::parse("test", text).unwrap().boards[0].pieces["x"].glyph, "X");
    }

    #[test]
    fn faults_are_named() {
        for (from, to, said) in [
            ("players = 2", "players = 0", "`players` is 0"),
            ("players = 2", "playerz = 2", "playerz"),
            ("\"small\"", "\"smol\"", "`smol` is not a known tag"),
            ("#ff0080", "#ff00é", "not of the form"),
            ("?row ?piece)\"", "?row ?piece)\"\npiece = \"x\"", "either ?piece"),
            ("cell =", "title =", "need `cell`"),
            ("?row ?piece", "?line ?piece", "needs ?column"),
            ("columns = [\"1\", \"2\"]", "columns = [\"1\", \"1\"]", "stands twice"),
            ("(control ?value)", "(control ?who)", "needs ?value"),
            ("(control ?value)", "(control ?value", "not closed"),
            ("square", "round", "round"),
        ] {
            let error = Metadata::parse("test", &GOOD.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(said), "{to}: {error}");
        }
    }
}
