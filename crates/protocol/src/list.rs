//! Lists taken apart by their parentheses alone.
//!
//! No tree is built: a START may carry rules of many megabytes, of which the protocol needs to know
//! only where they begin and end. Nothing here recurses, so nesting may be as deep as it likes.

use gdl::{TokenKind, tokenize};

/// One element of a list, as a piece of the text it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item<'a> {
    /// A word.
    Word(&'a str),
    /// A list: what stands between its parentheses.
    List(&'a str),
}

impl<'a> Item<'a> {
    /// The word, `None` for a list.
    pub(crate) fn word(self) -> Option<&'a str> {
        match self {
            Item::Word(word) => Some(word),
            Item::List(_) => None,
        }
    }

    /// In single blanks. An empty list has no other form.
    pub(crate) fn tidy(self) -> String {
        match self {
            Item::Word(word) => word.to_owned(),
            Item::List(inside) => format!("({})", tidy(inside)),
        }
    }
}

/// The elements at the top level of a text. A list that is never closed ends with the text; what
/// follows a `)` that closes nothing is not read.
pub(crate) fn items(text: &str) -> Vec<Item<'_>> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for token in tokenize(text) {
        let range = token.span.range();
        match token.kind {
            TokenKind::Comment => {}
            TokenKind::Word if depth == 0 => found.push(Item::Word(&text[range])),
            TokenKind::Word => {}
            TokenKind::Open => {
                if depth == 0 {
                    start = range.end;
                }
                depth += 1;
            }
            TokenKind::Close if depth == 0 => return found,
            TokenKind::Close => {
                depth -= 1;
                if depth == 0 {
                    found.push(Item::List(&text[start..range.start]));
                }
            }
        }
    }
    if depth > 0 {
        found.push(Item::List(&text[start..]));
    }
    found
}

/// The text in single blanks, without comments, and with every list closed: `( mark  1 1 )` is
/// `(mark 1 1)`.
///
/// ```
/// assert_eq!(protocol::tidy(" ( mark 1\n1 ) ; the centre"), "(mark 1 1)");
/// ```
pub fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    for token in tokenize(text) {
        match token.kind {
            TokenKind::Comment => continue,
            TokenKind::Close => blank = false,
            TokenKind::Open | TokenKind::Word => {}
        }
        if blank {
            out.push(' ');
        }
        out.push_str(&text[token.span.range()]);
        blank = token.kind != TokenKind::Open;
    }
    out.extend(std::iter::repeat_n(')', unclosed(text).unwrap_or(0)));
    out
}

/// How many `)` are missing at the end of a text; `None` if one closes nothing.
pub(crate) fn unclosed(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for token in tokenize(text) {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.checked_sub(1)?,
            TokenKind::Word | TokenKind::Comment => {}
        }
    }
    Some(depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_by_their_parentheses() {
        let found = items("a ( b (c) ) ; d\n() e");
        assert_eq!(found, [Item::Word("a"), Item::List(" b (c) "), Item::List(""), Item::Word("e")]);
    }

    #[test]
    fn a_list_without_end_ends_with_the_text() {
        assert_eq!(items("(a (b"), [Item::List("a (b")]);
        assert_eq!(items("a) b"), [Item::Word("a")]);
    }

    #[test]
    fn nesting_has_no_bound() {
        let deep = format!("{}{}", "(".repeat(1_000_000), ")".repeat(1_000_000));
        assert_eq!(items(&deep).len(), 1);
        assert_eq!(tidy(&deep), deep);
        assert_eq!(unclosed(&deep), Some(0));
        assert_eq!(unclosed(&deep[1..]), None);
        assert_eq!(unclosed(&deep[..deep.len() - 3]), Some(3));
        assert_eq!(tidy(&deep[..deep.len() - 3]), deep);
    }
}
