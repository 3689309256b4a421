//! The manners in which known hosts write.

use gdl::{TokenKind, tokenize};

/// How a host writes its messages. What they say is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    /// Single blanks.
    #[default]
    Plain,
    /// Blanks after every `(` and before every `)`, as the reference host writes.
    Spaced,
    /// In upper case, as an older host writes. Match ids are not spared.
    UpperCase,
}

impl Manner {
    /// The message in this manner.
    ///
    /// ```
    /// use protocol::Manner;
    /// assert_eq!(Manner::Spaced.apply("(PLAY m ((mark 1 1)))"), "( PLAY m ( ( mark 1 1 ) ) )");
    /// assert_eq!(Manner::UpperCase.apply("(PLAY m NIL)"), "(PLAY M NIL)");
    /// ```
    pub fn apply(self, message: &str) -> String {
        match self {
            Manner::Plain => message.to_owned(),
            Manner::Spaced => spaced(message),
            Manner::UpperCase => message.to_uppercase(),
        }
    }
}

fn spaced(message: &str) -> String {
    let words = tokenize(message).filter(|token| token.kind != TokenKind::Comment);
    let words: Vec<&str> = words.map(|token| &message[token.span.range()]).collect();
    words.join(" ")
}
