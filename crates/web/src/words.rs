//! What an editor asks about a place in a sheet, and why sentences hold: the language server's answers, in the page.

use gdl::{SourceFile, Span};
use language::Document;
use language::why::{Effort, Situation, WhyError, print, why};

use crate::api::{LookAt, Piece, Reasons, WhySheet, WordHelp};
use crate::error::WebError;
use crate::games::{Games, ReadyGame};

/// Uses of a name that are told.
const USES: usize = 200;
/// Letters of a sentence that is asked about.
const LONGEST_SENTENCE: usize = 2_000;
/// What may be done for one answer.
const EFFORT: Effort = Effort { steps: 3_000_000, depth: 1_000, levels: 10 };

/// A span as it is told.
pub(crate) fn piece(source: &SourceFile, span: Span) -> Piece {
    let (start, end) = (source.line_column(span.start), source.line_column(span.end));
    Piece { line: start.line, column: start.column, end_line: end.line, end_column: end.column }
}

/// What the word at a place is, and where it is defined and used.
pub(crate) fn look(at: &LookAt) -> WordHelp {
    let document = Document::new("rules", at.rules.as_str());
    let source = document.source();
    let pieces = |spans: Vec<Span>| spans.into_iter().take(USES).map(|span| piece(source, span)).collect();
    let Some(offset) = offset(source.text(), at.line, at.column) else { return nothing() };
    let Some(word) = document.word(offset) else { return nothing() };
    WordHelp {
        word: Some(piece(source, word.span)),
        help: document.hover(offset).map(|hover| hover.text),
        definitions: pieces(document.definitions(offset)),
        uses: pieces(document.references(offset)),
    }
}

fn nothing() -> WordHelp {
    WordHelp { word: None, help: None, definitions: Vec::new(), uses: Vec::new() }
}

/// The byte at a line and a column, both from 1, columns in characters.
fn offset(text: &str, line: usize, column: usize) -> Option<u32> {
    let wanted = text.split_inclusive('\n').nth(line.checked_sub(1)?)?;
    let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let within: usize = wanted.chars().take(column.checked_sub(1)?).map(char::len_utf8).sum();
    u32::try_from(before + within).ok()
}

/// Why a sentence holds at the beginning of a game.
pub(crate) fn why_at_first(games: &Games, asked: &WhySheet) -> Result<Reasons, WebError> {
    let game = games.given(&asked.rules, "Your game")?;
    let situation = Situation { facts: game.initial_facts().to_vec(), moves: Vec::new() };
    reasons(&game, &situation, &asked.sentence)
}

/// Why a sentence holds in a situation of a game.
pub(crate) fn reasons(game: &ReadyGame, situation: &Situation, asked: &str) -> Result<Reasons, WebError> {
    if asked.len() > LONGEST_SENTENCE {
        return Err(WebError::Wrong(format!("a sentence has at most {LONGEST_SENTENCE} letters")));
    }
    let sentence = match asked.trim() {
        bare if bare.contains(char::is_whitespace) && !bare.starts_with('(') => format!("({bare})"),
        whole => whole.to_owned(),
    };
    let told = why(&game.rules, situation, &sentence, EFFORT).map_err(|error| match error {
        WhyError::TooMuch => WebError::Conflict(format!("{error}; ask about something smaller")),
        other => WebError::Wrong(other.to_string()),
    })?;
    let source = SourceFile::new("rules", game.source.to_string());
    Ok(Reasons { text: print(&source, &told), sentence: told.sentence, holds: told.holds })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "(role weiß)\n(init (at 1))\n(<= (legal ?r go) (role ?r) (true (at 1)))\n\
                         (<= (next (at 2)) (does weiß go))\n(<= terminal (true (at 2)))\n(goal weiß 100)\n";

    #[test]
    fn words_are_explained_and_found() {
        let at = |line, column| look(&LookAt { rules: RULES.to_owned(), line, column });
        // `at` in the third line.
        let found = at(3, 37);
        assert!(found.help.expect("help").contains("at"));
        let lines: Vec<usize> = found.definitions.iter().map(|piece| piece.line).collect();
        assert_eq!(lines, [2, 4]);
        assert_eq!(found.uses.len(), 4);
        // Columns are characters, not bytes.
        assert_eq!(at(4, 26).word.expect("a word").column, 25);
        for (line, column) in [(0, 1), (1, 0), (99, 1), (1, 999), (usize::MAX, usize::MAX)] {
            let _ = at(line, column);
        }
    }

    #[test]
    fn reasons_are_told() {
        let games = Games::default();
        let ask = |sentence: &str| {
            why_at_first(&games, &WhySheet { rules: RULES.to_owned(), sentence: sentence.to_owned() })
        };
        let told = ask("legal ?r go").expect("an answer");
        assert!(told.holds && told.text.contains("line 3"), "{}", told.text);
        assert!(!ask("terminal").expect("an answer").holds);
        assert!(matches!(ask("(((").expect_err("no sentence"), WebError::Wrong(_)));
        assert!(ask(&"x".repeat(9_999)).is_err());
    }
}
