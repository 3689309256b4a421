//! What a player answers.

use crate::list::{Item, items, tidy, unclosed};

/// The answer to START and PREVIEW.
pub const READY: &str = "ready";
/// The answer to STOP.
pub const DONE: &str = "done";
/// The answer to ABORT.
pub const ABORTED: &str = "aborted";
/// The answer to a request that cannot be served: an unknown match, or one match too many.
pub const BUSY: &str = "busy";

/// The answer to INFO.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The name of the player; empty if it does not say.
    pub name: String,
    /// Whether it can take a match.
    pub status: Status,
}

/// Whether a player can take a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can.
    Available,
    /// It has as many as it takes.
    Busy,
}

/// The reply on the wire.
impl std::fmt::Display for Info {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let status = match self.status {
            Status::Available => "available",
            Status::Busy => "busy",
        };
        write!(out, "((name {}) (status {status}) (species computer))", one_word(&self.name))
    }
}

impl Info {
    /// Reads the answer of a player. Old players answer the status alone; `None` if there is none.
    ///
    /// ```
    /// use protocol::{Info, Status};
    /// let info = Info::parse("( (NAME Ada) (Status AVAILABLE) )").expect("an answer");
    /// assert_eq!((info.name.as_str(), info.status), ("Ada", Status::Available));
    /// assert_eq!(Info::parse("busy").map(|info| info.status), Some(Status::Busy));
    /// ```
    pub fn parse(text: &str) -> Option<Info> {
        let mut info = Info { name: String::new(), status: Status::Available };
        let pairs = match items(text)[..] {
            [Item::Word(word), ..] => {
                return Some(Info { status: status(word)?, ..info });
            }
            [Item::List(inside), ..] => items(inside),
            [] => return None,
        };
        let mut has_status = false;
        for pair in pairs {
            let Item::List(inside) = pair else { continue };
            let [Item::Word(key), value, ..] = items(inside)[..] else { continue };
            match (key.to_ascii_lowercase().as_str(), value) {
                ("name", value) => info.name = value.tidy(),
                ("status", Item::Word(word)) => {
                    info.status = status(word)?;
                    has_status = true;
                }
                _ => {}
            }
        }
        (has_status || !info.name.is_empty()).then_some(info)
    }
}

fn status(word: &str) -> Option<Status> {
    match word.to_ascii_lowercase().as_str() {
        "available" | "ready" => Some(Status::Available),
        "busy" => Some(Status::Busy),
        _ => None,
    }
}

/// A name as one word of KIF.
fn one_word(name: &str) -> String {
    let word = |character: char| match character {
        '(' | ')' | ';' => '-',
        blank if blank.is_whitespace() || blank.is_control() => '-',
        other => other,
    };
    let name: String = name.trim().chars().map(word).collect();
    if name.is_empty() { "ludens".to_owned() } else { name }
}

/// Whether a reply is this word; case and blanks do not matter.
pub fn reply_is(reply: &str, word: &str) -> bool {
    matches!(items(reply)[..], [Item::Word(found)] if found.eq_ignore_ascii_case(word))
}

/// The move that a reply to PLAY is, in single blanks; `None` if it is not exactly one term.
///
/// ```
/// assert_eq!(protocol::reply_move(" ( Mark 1 1 )\r\n"), Some("(Mark 1 1)".to_owned()));
/// assert_eq!(protocol::reply_move("(mark 1"), None);
/// assert_eq!(protocol::reply_move(""), None);
/// ```
pub fn reply_move(reply: &str) -> Option<String> {
    if unclosed(reply) != Some(0) {
        return None;
    }
    match items(reply)[..] {
        [Item::Word(_)] => Some(tidy(reply)),
        // `(noop)` is `noop`.
        [Item::List(inside)] => match items(inside)[..] {
            [] => None,
            [Item::Word(word)] => Some(word.to_owned()),
            _ => Some(tidy(reply)),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_is_written_as_one_list_of_words() {
        let info = Info { name: "my (best) player".to_owned(), status: Status::Busy };
        assert_eq!(info.to_string(), "((name my--best--player) (status busy) (species computer))");
        assert_eq!(Info::parse(&info.to_string()).expect("readable").status, Status::Busy);
        let nobody = Info { name: " ".to_owned(), status: Status::Available };
        assert_eq!(Info::parse(&nobody.to_string()).expect("readable").name, "ludens");
    }

    #[test]
    fn what_is_no_info() {
        for text in ["", "()", "hello", "((status asleep))", "((species computer))"] {
            assert_eq!(Info::parse(text), None, "{text}");
        }
    }

    #[test]
    fn single_words() {
        assert!(reply_is(" READY\r\n", READY));
        assert!(!reply_is("ready set", READY) && !reply_is("(ready)", READY) && !reply_is("", READY));
    }

    #[test]
    fn moves_are_single_terms() {
        assert_eq!(reply_move("NOOP"), Some("NOOP".to_owned()));
        assert_eq!(reply_move("(noop)"), Some("noop".to_owned()));
        for text in ["a b", "()", "(a))", ")(", "; a", "(a) (b)"] {
            assert_eq!(reply_move(text), None, "{text}");
        }
    }
}
