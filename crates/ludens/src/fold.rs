//! Lines that fit the terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Deep down there is always room for a few words.
const LEAST_ROOM: usize = 24;

/// The columns that a text takes; escape codes take none.
pub(crate) fn columns(text: &str) -> usize {
    let mut letters = text.chars();
    let mut columns = 0;
    while let Some(letter) = letters.next() {
        if letter == '\x1b' {
            // Up to the letter that ends it.
            letters.by_ref().skip(1).find(char::is_ascii_alphabetic);
        } else {
            columns += letter.width().unwrap_or(0);
        }
    }
    columns
}

/// A line as several that fit. Those after the first stand where the text of a row such as `name    what it is` begins,
/// or a little to the right. A word that is too long stays whole.
pub(crate) fn fold(line: &str, width: usize) -> Vec<String> {
    if columns(line) <= width {
        return vec![line.to_owned()];
    }
    let indent = line.len() - line.trim_start_matches(' ').len();
    let label = label(line, indent).filter(|&label| columns(&line[..label]) <= width / 2);
    let (start, hanging) = match label {
        Some(label) => (label, columns(&line[..label])),
        None => (indent, indent + 4),
    };
    let hanging = hanging.min(width.saturating_sub(LEAST_ROOM));
    let mut lines = vec![line[..start].to_owned()];
    let mut is_begun = false;
    for word in line[start..].split(' ') {
        let Some(last) = lines.last_mut() else { break };
        if is_begun && columns(last) + 1 + columns(word) > width {
            last.truncate(last.trim_end().len());
            lines.push(" ".repeat(hanging) + word);
            is_begun = !word.is_empty();
            continue;
        }
        if is_begun {
            last.push(' ');
        }
        last.push_str(word);
        // Blanks do not begin a line.
        is_begun |= !word.is_empty();
    }
    lines
}

/// Where the text of a row begins: after the first two blanks.
fn label(line: &str, indent: usize) -> Option<usize> {
    let gap = indent + line[indent..].find("  ")?;
    let blanks = line[gap..].len() - line[gap..].trim_start_matches(' ').len();
    Some(gap + blanks)
}

/// A text in a column of some width, as lines.
pub(crate) fn in_column(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded() {
        let line = "    line 3: (<= (legal ?r (mark ?x ?y)) (true (cell ?x ?y b)) (true (control ?r)))";
        let lines = fold(line, 44);
        assert_eq!(lines[0], "    line 3: (<= (legal ?r (mark ?x ?y))");
        assert!(lines.len() == 3 && lines.iter().all(|part| part.len() <= 44), "{lines:?}");
        assert!(lines[1].starts_with("        (true"), "{lines:?}");
        assert_eq!(fold(line, 200), [line]);
        assert_eq!(fold("", 20), [""]);
    }

    #[test]
    fn rows_hang_below_their_text() {
        let lines = fold("source       Traditional; the laws, with the fifty-move rule and a limit", 40);
        assert_eq!(lines[0], "source       Traditional; the laws, with");
        assert_eq!(lines[1], "             the fifty-move rule and a");
        assert_eq!(lines[2], "             limit");
    }

    #[test]
    fn escape_codes_and_long_words_do_no_harm() {
        assert_eq!(columns("\x1b[1mab\x1b[0m c"), 4);
        let word = "x".repeat(50);
        assert_eq!(fold(&word, 20), std::slice::from_ref(&word));
        let lines = fold(&format!("a {word} b"), 20);
        assert_eq!(lines.len(), 3);
        assert!(fold("日本 日本 日本 日本 日本", 12).iter().all(|line| columns(line) <= 12));
    }
}
