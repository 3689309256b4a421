//! Sheets of rules that people write.

use serde::{Deserialize, Serialize};

/// A sheet of rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// The text.
    pub rules: String,
}

/// A sheet of rules that shall be checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckSheet {
    /// The text.
    pub rules: String,
    /// Whether to look at syntax and form only, and not to play.
    #[serde(default)]
    pub quick: bool,
}

/// What was found in a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// All findings in the order of the text, the same as those of `ludens check`.
    pub findings: Vec<Finding>,
    /// Whether a match can be made of it.
    pub playable: bool,
    /// Why not.
    pub obstacle: Option<String>,
    /// The roles in order.
    pub roles: Vec<String>,
    /// The role whose moves are drawn.
    pub chance: Option<usize>,
    /// Whether not everybody sees everything.
    pub hidden: bool,
    /// The position at the beginning.
    pub svg: Option<String>,
}

/// A finding. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Its code.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The line where it begins.
    pub line: usize,
    /// The column where it begins.
    pub column: usize,
    /// The line where it ends.
    pub end_line: usize,
    /// The column after its end.
    pub end_column: usize,
    /// How the text can be changed so that it is gone, where that is plain.
    pub fix: Option<QuickFix>,
}

/// A change of the text that mends a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuickFix {
    /// What it does, in a few words.
    pub title: String,
    /// What is written in place of what; the pieces do not overlap.
    pub edits: Vec<TextEdit>,
}

/// A piece of the text and what to write instead of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextEdit {
    /// The piece.
    pub piece: Piece,
    /// The new text.
    pub text: String,
}

/// A piece of the text. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// The line where it begins.
    pub line: usize,
    /// The column where it begins.
    pub column: usize,
    /// The line where it ends.
    pub end_line: usize,
    /// The column after its end.
    pub end_column: usize,
}

/// A place in a sheet that somebody looks at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookAt {
    /// The text.
    pub rules: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// What is known of the word at a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WordHelp {
    /// The word; nothing where there is none.
    pub word: Option<Piece>,
    /// What it is, in Markdown.
    pub help: Option<String>,
    /// Where it is defined.
    pub definitions: Vec<Piece>,
    /// Where it is used.
    pub uses: Vec<Piece>,
}

/// Why does a sentence hold at the beginning of a game, or why not?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhySheet {
    /// The rules.
    pub rules: String,
    /// The sentence: `(legal white ?move)`.
    pub sentence: String,
}

/// Why does a sentence hold in a position of a match, or why not?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhyHere {
    /// After so many joint moves.
    pub step: usize,
    /// The sentence: `(legal white ?move)`.
    pub sentence: String,
}

/// Why a sentence holds, or why it does not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reasons {
    /// The sentence, with values for its variables if it holds.
    pub sentence: String,
    /// Whether it holds.
    pub holds: bool,
    /// The rules and facts that decide it, line by line, each level further to the right.
    pub text: String,
}
