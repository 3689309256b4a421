//! What a person types.

use picture::Analysis;
use picture::moves::{MoveNumbers, Understood};

/// Something a person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// To make the legal move at this place of the list.
    Move(usize),
    /// What the agent would do.
    Hint,
    /// What the agent thinks of all moves.
    View,
    /// To take the last move back.
    Undo,
    /// The legal moves.
    Moves,
    /// The position.
    Board,
    /// The position as facts.
    Facts,
    /// What the game is about.
    Rules,
    /// To keep the game in a file.
    Save(String),
    /// To begin anew.
    Rematch,
    /// What can be typed.
    Help,
    /// To end.
    Quit,
}

/// How many moves are named in a complaint.
const NAMED: usize = 12;

/// What a line is read with: the legal moves, how they are written, and their numbers.
pub(crate) struct Reader<'a> {
    pub(crate) analysis: &'a Analysis,
    pub(crate) legal: &'a [String],
    pub(crate) numbers: &'a MoveNumbers,
    /// Whether a move can be made.
    pub(crate) over: bool,
}

impl Reader<'_> {
    /// Understands a line: a move, a word with a meaning, the number of a move, or any part of a move that no
    /// other has.
    pub(crate) fn read(&self, line: &str) -> Result<Word, String> {
        let typed = line.trim();
        let mut parts = typed.splitn(2, char::is_whitespace);
        let (first, rest) = (parts.next().unwrap_or(""), parts.next().unwrap_or("").trim());
        // A move goes before a word of ours.
        let whole = self.analysis.understand_whole(typed, self.legal);
        if let Understood::One(place) = whole {
            return Ok(Word::Move(place));
        }
        match first.to_lowercase().as_str() {
            "" => return Err("type a move, or `help`".to_owned()),
            "?" | "hint" => return Ok(Word::Hint),
            "view" | "v" => return Ok(Word::View),
            "undo" | "u" => return Ok(Word::Undo),
            "moves" | "m" => return Ok(Word::Moves),
            "board" | "b" => return Ok(Word::Board),
            "facts" => return Ok(Word::Facts),
            "rules" => return Ok(Word::Rules),
            "help" | "h" => return Ok(Word::Help),
            "rematch" | "again" => return Ok(Word::Rematch),
            "quit" | "q" | "exit" => return Ok(Word::Quit),
            "save" if rest.is_empty() => return Err("say where: save FILE".to_owned()),
            "save" => return Ok(Word::Save(rest.to_owned())),
            _ => {}
        }
        if self.over {
            return Err("the game is over: `rematch`, `undo`, `save FILE` or `quit`".to_owned());
        }
        if let Understood::Several(found) = whole {
            return Err(self.ambiguous(typed, &found));
        }
        if let Ok(number) = first.trim_start_matches('#').parse::<usize>()
            && rest.is_empty()
        {
            if let Some(place) = self.numbers.find(number, self.legal) {
                return Ok(Word::Move(place));
            }
            return Err(format!("no legal move has the number {number} now; `moves` lists them"));
        }
        match self.analysis.understand(typed, self.legal) {
            Understood::One(place) => Ok(Word::Move(place)),
            Understood::Several(found) => Err(self.ambiguous(typed, &found)),
            Understood::Unknown(near) if near.is_empty() => {
                Err(format!("no legal move has `{typed}` in it; `moves` lists them, `help` tells more"))
            }
            Understood::Unknown(near) => {
                let texts = self.analysis.shortest(self.legal);
                let near: Vec<&str> = near.iter().map(|&at| texts[at].as_str()).collect();
                Err(format!("no legal move is `{typed}`; did you mean `{}`?", near.join("` or `")))
            }
        }
    }

    /// A complaint that offers the moves that may be meant.
    fn ambiguous(&self, typed: &str, found: &[usize]) -> String {
        let texts = self.analysis.shortest(self.legal);
        let mut numbers = self.numbers.clone();
        let mut names: Vec<String> = found
            .iter()
            .take(NAMED)
            .map(|&at| format!("  #{} {}", numbers.number(&self.legal[at]), texts[at]))
            .collect();
        if found.len() > NAMED {
            names.push(format!("  and {} more", found.len() - NAMED));
        }
        format!("`{typed}` may be one of these:\n{}", names.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_among(line: &str) -> Result<Word, String> {
        let legal = ["(mark 1 1)", "(mark 1 2)", "(move 2 2)", "undo", "7"].map(str::to_owned);
        let rules = gdl::normal::read("(role you) (init f) (legal you wait)");
        let analysis = Analysis::new(&rules, &[], None);
        let mut numbers = MoveNumbers::default();
        numbers.number("(gone 1 1)");
        legal.iter().for_each(|text| {
            numbers.number(text);
        });
        Reader { analysis: &analysis, legal: &legal, numbers: &numbers, over: false }.read(line)
    }

    #[test]
    fn moves_are_completed() {
        assert_eq!(read_among("#3"), Ok(Word::Move(1)));
        assert_eq!(read_among("3"), Ok(Word::Move(1)));
        assert_eq!(read_among("mark 1 2"), Ok(Word::Move(1)));
        assert_eq!(read_among("1 2"), Ok(Word::Move(1)));
        assert_eq!(read_among("(MARK 1 1)"), Ok(Word::Move(0)));
        assert_eq!(read_among("mo"), Ok(Word::Move(2)));
        assert_eq!(read_among("2 2"), Ok(Word::Move(2)));
        assert!(read_among("mark").unwrap_err().contains("  #3 mark 1 2"));
        assert!(read_among("xyzzy").unwrap_err().contains("no legal move"));
        assert!(read_among("1").unwrap_err().contains("number 1 now"));
        assert!(read_among(" ").is_err());
    }

    #[test]
    fn a_move_goes_before_a_word_of_ours() {
        assert_eq!(read_among("undo"), Ok(Word::Move(3)));
        assert_eq!(read_among("u"), Ok(Word::Undo));
        assert_eq!(read_among("7"), Ok(Word::Move(4)));
    }

    #[test]
    fn words() {
        assert_eq!(read_among("?"), Ok(Word::Hint));
        assert_eq!(read_among("save my game.json"), Ok(Word::Save("my game.json".to_owned())));
        assert!(read_among("save").unwrap_err().contains("save FILE"));
        assert_eq!(read_among("Q"), Ok(Word::Quit));
        assert_eq!(read_among("rules"), Ok(Word::Rules));
    }
}
