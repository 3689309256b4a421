//! What a person types.

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
    /// To keep the game in a file.
    Save(String),
    /// What can be typed.
    Help,
    /// To end.
    Quit,
}

/// How many moves are named in a complaint.
const NAMED: usize = 12;

/// Understands a line: a word with a meaning, the number of a move from 1, its text, or any part of it
/// that no other move has.
pub(crate) fn read(line: &str, legal: &[String]) -> Result<Word, String> {
    let typed = line.trim();
    let mut parts = typed.splitn(2, char::is_whitespace);
    let (first, rest) = (parts.next().unwrap_or(""), parts.next().unwrap_or("").trim());
    let exact = legal.iter().position(|text| folded(text) == folded(typed));
    if let Some(place) = exact.filter(|_| !typed.is_empty()) {
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
        "help" | "h" => return Ok(Word::Help),
        "quit" | "q" | "exit" => return Ok(Word::Quit),
        "save" if rest.is_empty() => return Err("say where: save FILE".to_owned()),
        "save" => return Ok(Word::Save(rest.to_owned())),
        _ => {}
    }
    if let Ok(number) = typed.parse::<usize>() {
        return match number.checked_sub(1).filter(|&place| place < legal.len()) {
            Some(place) => Ok(Word::Move(place)),
            None => Err(format!("there are {} moves; type a number from 1 to {0}", legal.len())),
        };
    }
    let wanted = folded(typed);
    let mut found: Vec<usize> =
        (0..legal.len()).filter(|&at| folded(&legal[at]).starts_with(&wanted)).collect();
    if found.is_empty() {
        found = (0..legal.len()).filter(|&at| folded(&legal[at]).contains(&wanted)).collect();
    }
    match found[..] {
        [] => Err(format!("no legal move has `{typed}` in it; `moves` lists them, `help` tells more")),
        [place] => Ok(Word::Move(place)),
        _ => {
            let name = |&at: &usize| format!("  {} {}", at + 1, legal[at]);
            let mut names: Vec<String> = found.iter().take(NAMED).map(name).collect();
            if found.len() > NAMED {
                names.push(format!("  and {} more", found.len() - NAMED));
            }
            Err(format!("`{typed}` may be one of these:\n{}", names.join("\n")))
        }
    }
}

/// A move without what nobody wants to type.
fn folded(text: &str) -> String {
    let plain = text.to_lowercase().replace(['(', ')'], " ");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_among(line: &str) -> Result<Word, String> {
        let legal = ["(mark 1 1)", "(mark 1 2)", "(move 2 2)", "undo", "7"].map(str::to_owned);
        read(line, &legal)
    }

    #[test]
    fn moves_are_completed() {
        assert_eq!(read_among("2"), Ok(Word::Move(1)));
        assert_eq!(read_among("mark 1 2"), Ok(Word::Move(1)));
        assert_eq!(read_among("(MARK 1 1)"), Ok(Word::Move(0)));
        assert_eq!(read_among("mo"), Ok(Word::Move(2)));
        assert_eq!(read_among("2 2"), Ok(Word::Move(2)));
        assert!(read_among("mark").unwrap_err().contains("  2 (mark 1 2)"));
        assert!(read_among("x").unwrap_err().contains("no legal move"));
        assert!(read_among("6").unwrap_err().contains("from 1 to 5"));
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
    }
}
