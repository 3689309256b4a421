//! Text to tokens. A token is anything but blanks and parentheses; `;` starts a comment.

use crate::Span;

/// What a [`Token`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// A symbol: constant, variable or keyword.
    Word,
    /// `;` up to the end of the line, without the line break.
    Comment,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

/// The tokens of a text, comments included. Every text has tokens: this cannot fail.
///
/// ```
/// use gdl::{TokenKind, tokenize};
/// let kinds: Vec<_> = tokenize("(a ; b\n)").map(|token| token.kind).collect();
/// assert_eq!(kinds, [TokenKind::Open, TokenKind::Word, TokenKind::Comment, TokenKind::Close]);
/// ```
pub fn tokenize(text: &str) -> impl Iterator<Item = Token> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() && is_blank(bytes[at]) {
            at += 1;
        }
        let start = at;
        let kind = match bytes.get(at)? {
            b'(' => {
                at += 1;
                TokenKind::Open
            }
            b')' => {
                at += 1;
                TokenKind::Close
            }
            b';' => {
                while at < bytes.len() && bytes[at] != b'\n' && bytes[at] != b'\r' {
                    at += 1;
                }
                TokenKind::Comment
            }
            _ => {
                while at < bytes.len() && !is_blank(bytes[at]) && !matches!(bytes[at], b'(' | b')' | b';') {
                    at += 1;
                }
                TokenKind::Word
            }
        };
        Some(Token { kind, span: Span::new(start, at) })
    })
}

/// Control characters count as blanks: some sheets have form feeds and stray zero bytes.
fn is_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokenize(text).map(|token| &text[token.span.range()]).collect()
    }

    #[test]
    fn blanks_of_every_kind_separate() {
        assert_eq!(words("(a\r\n\tb)c"), ["(", "a", "b", ")", "c"]);
    }

    #[test]
    fn a_comment_may_touch_a_word() {
        assert_eq!(words("a;b (\nc"), ["a", ";b (", "c"]);
    }

    #[test]
    fn letters_beyond_ascii_are_parts_of_words() {
        assert_eq!(words("(weiß ?σ)"), ["(", "weiß", "?σ", ")"]);
    }
}
