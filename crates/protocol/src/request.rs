//! What a host asks.

use std::time::Duration;

use crate::clock;
use crate::list::{Item, items, unclosed};
use crate::{ASSUMED_CLOCK, News};

/// What a host asks of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Who are you, and are you free? Newer material calls it PING.
    Info,
    /// Rules to look at before a match.
    Preview {
        /// The rules, as sent.
        rules: String,
        /// How long there is.
        clock: Duration,
    },
    /// A match begins.
    Start(Start),
    /// Choose a move.
    Play {
        /// Which match.
        match_id: String,
        /// What happened in the turn before.
        news: News,
    },
    /// The match is over.
    Stop {
        /// Which match.
        match_id: String,
        /// What happened in the last turn.
        news: News,
    },
    /// The match is called off.
    Abort {
        /// Which match.
        match_id: String,
    },
}

/// A match that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The name of the match; compared exactly.
    pub match_id: String,
    /// Which role to play.
    pub role: String,
    /// The rules, as sent, without the parentheses around them all.
    pub rules: String,
    /// Time to prepare.
    pub start_clock: Duration,
    /// Time for each move.
    pub play_clock: Duration,
}

/// Why a text is no request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// There is nothing in it.
    #[error("the message is empty; send a request like (INFO)")]
    Empty,
    /// The first word is none of the requests.
    #[error("`{0}` is no request; known are INFO, PING, PREVIEW, START, PLAY, STOP and ABORT")]
    Unknown(String),
    /// An argument is missing.
    #[error("{keyword} needs {what}; its form is {form}")]
    Missing {
        /// The request.
        keyword: &'static str,
        /// What is missing.
        what: &'static str,
        /// How the request is written.
        form: &'static str,
    },
    /// A clock is not a number.
    #[error("the clock `{0}` is not a number of seconds")]
    Clock(String),
}

const START_FORM: &str = "(START matchid role (rules) startclock playclock)";
const PREVIEW_FORM: &str = "(PREVIEW (rules) previewclock)";

/// How many pairs of parentheses may stand around a message.
const FORGIVEN_PAIRS: usize = 3;

/// How much of a foreign word is quoted back.
const QUOTED_CHARACTERS: usize = 40;

impl Request {
    /// Reads a request. The keyword may be in any case, blanks are free, further arguments are
    /// ignored, a missing `)` at the end is forgiven.
    ///
    /// ```
    /// use protocol::Request;
    /// assert_eq!(Request::parse("( ping )"), Ok(Request::Info));
    /// assert!(Request::parse("(HELLO)").unwrap_err().to_string().contains("`HELLO` is no request"));
    /// ```
    pub fn parse(text: &str) -> Result<Request, ProtocolError> {
        let mut parts = items(text.trim_start_matches('\u{feff}'));
        // Parentheses around the whole, one pair or by mistake a few; a bare word has none. Each pair
        // costs a walk over the text, so that megabytes of them are not followed.
        for _ in 0..FORGIVEN_PAIRS {
            let [Item::List(inside), ..] = parts[..] else { break };
            parts = items(inside);
        }
        let [keyword, arguments @ ..] = &parts[..] else { return Err(ProtocolError::Empty) };
        let keyword = keyword.word().ok_or(ProtocolError::Empty)?;
        match keyword.to_ascii_lowercase().as_str() {
            "info" | "ping" => Ok(Request::Info),
            "preview" => preview(arguments),
            "start" => start(arguments).map(Request::Start),
            "play" => {
                let (match_id, rest) = match_id("PLAY", "(PLAY matchid (moves))", arguments)?;
                Ok(Request::Play { match_id, news: News::read(rest) })
            }
            "stop" => {
                let (match_id, rest) = match_id("STOP", "(STOP matchid (moves))", arguments)?;
                Ok(Request::Stop { match_id, news: News::read(rest) })
            }
            "abort" => {
                let (match_id, _) = match_id("ABORT", "(ABORT matchid)", arguments)?;
                Ok(Request::Abort { match_id })
            }
            _ => Err(ProtocolError::Unknown(quoted(keyword))),
        }
    }

    /// The match it is about, if any.
    pub fn match_id(&self) -> Option<&str> {
        match self {
            Request::Info | Request::Preview { .. } => None,
            Request::Start(start) => Some(&start.match_id),
            Request::Play { match_id, .. } | Request::Stop { match_id, .. } | Request::Abort { match_id } => {
                Some(match_id)
            }
        }
    }

    /// Its first word.
    pub fn keyword(&self) -> &'static str {
        match self {
            Request::Info => "INFO",
            Request::Preview { .. } => "PREVIEW",
            Request::Start(_) => "START",
            Request::Play { .. } => "PLAY",
            Request::Stop { .. } => "STOP",
            Request::Abort { .. } => "ABORT",
        }
    }
}

/// The message on the wire.
impl std::fmt::Display for Request {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let keyword = self.keyword();
        match self {
            Request::Info => write!(out, "({keyword})"),
            Request::Preview { rules, clock } => {
                write!(out, "({keyword} ({rules}) {})", clock::write(*clock))
            }
            Request::Start(Start { match_id, role, rules, start_clock, play_clock }) => {
                let (start, play) = (clock::write(*start_clock), clock::write(*play_clock));
                write!(out, "({keyword} {match_id} {role} ({rules}) {start} {play})")
            }
            Request::Play { match_id, news } | Request::Stop { match_id, news } => {
                write!(out, "({keyword} {match_id} {news})")
            }
            Request::Abort { match_id } => write!(out, "({keyword} {match_id})"),
        }
    }
}

fn match_id<'i, 't>(
    keyword: &'static str,
    form: &'static str,
    arguments: &'i [Item<'t>],
) -> Result<(String, &'i [Item<'t>]), ProtocolError> {
    match arguments {
        [Item::Word(word), rest @ ..] => Ok(((*word).to_owned(), rest)),
        _ => Err(ProtocolError::Missing { keyword, what: "the id of a match", form }),
    }
}

fn preview(arguments: &[Item<'_>]) -> Result<Request, ProtocolError> {
    let [Item::List(rules), rest @ ..] = arguments else {
        return Err(ProtocolError::Missing { keyword: "PREVIEW", what: "rules", form: PREVIEW_FORM });
    };
    Ok(Request::Preview { rules: trimmed(rules), clock: read_clock(rest.first())? })
}

fn start(arguments: &[Item<'_>]) -> Result<Start, ProtocolError> {
    let missing = |what| ProtocolError::Missing { keyword: "START", what, form: START_FORM };
    let (match_id, rest) = match_id("START", START_FORM, arguments)?;
    let [role, rest @ ..] = rest else { return Err(missing("a role")) };
    // A role that is a list, `(player 1)`, is no role of any known sheet, but it is an answer.
    let [Item::List(rules), rest @ ..] = rest else { return Err(missing("rules")) };
    Ok(Start {
        match_id,
        role: role.tidy(),
        rules: trimmed(rules),
        start_clock: read_clock(rest.first())?,
        play_clock: read_clock(rest.get(1))?,
    })
}

/// Rules without the blanks around them, every list closed. A comment at their end must not swallow
/// what follows when they are written again.
fn trimmed(rules: &str) -> String {
    let mut rules = rules.trim().to_owned();
    if rules.rsplit(['\n', '\r']).next().is_some_and(|line| line.contains(';')) {
        rules.push('\n');
    }
    rules.extend(std::iter::repeat_n(')', unclosed(&rules).unwrap_or(0)));
    rules
}

fn read_clock(item: Option<&Item<'_>>) -> Result<Duration, ProtocolError> {
    match item {
        None => Ok(ASSUMED_CLOCK),
        Some(Item::Word(word)) => clock::read(word).ok_or_else(|| ProtocolError::Clock(quoted(word))),
        Some(Item::List(_)) => Err(ProtocolError::Clock("(..)".to_owned())),
    }
}

fn quoted(word: &str) -> String {
    let mut text: String = word.chars().take(QUOTED_CHARACTERS).collect();
    if text.len() < word.len() {
        text.push_str("..");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start_of(text: &str) -> Start {
        match Request::parse(text) {
            Ok(Request::Start(start)) => start,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_start_as_the_reference_host_sends_it() {
        let start = start_of(
            "( START local.ticTacToe.1794771258506 xplayer (( role xplayer ) ( init ( cell 1 1 b ) ) ) 3 2)",
        );
        assert_eq!(start.match_id, "local.ticTacToe.1794771258506");
        assert_eq!(start.role, "xplayer");
        assert_eq!(start.rules, "( role xplayer ) ( init ( cell 1 1 b ) )");
        assert_eq!((start.start_clock.as_secs(), start.play_clock.as_secs()), (3, 2));
    }

    #[test]
    fn further_arguments_are_ignored() {
        assert_eq!(start_of("(start m r ((role r)) 3 2 0 ludens)").play_clock.as_secs(), 2);
        assert_eq!(Request::parse("(ABORT m now)"), Ok(Request::Abort { match_id: "m".to_owned() }));
    }

    #[test]
    fn an_end_that_was_cut_off_is_forgiven() {
        assert_eq!(start_of("(START m r ((role r)) 3 2").play_clock.as_secs(), 2);
        assert_eq!(start_of("(START m r ((role r)) 3").play_clock, ASSUMED_CLOCK);
        assert_eq!(start_of("(START m r ((role r)) ").start_clock, ASSUMED_CLOCK);
    }

    #[test]
    fn ids_are_kept_exactly() {
        assert_eq!(Request::parse("(PLAY M.1 NIL)").unwrap().match_id(), Some("M.1"));
        assert_eq!(Request::parse("(play m.1 nil)").unwrap().match_id(), Some("m.1"));
    }

    #[test]
    fn parentheses_too_few_or_too_many() {
        for text in ["INFO", "(INFO", "((INFO))", "\u{feff}(info)", "(INFO))) ("] {
            assert_eq!(Request::parse(text), Ok(Request::Info), "{text}");
        }
    }

    #[test]
    fn faults_say_what_is_needed() {
        for (text, said) in [
            ("", "empty"),
            ("((()))", "empty"),
            ("<html>", "`<html>` is no request"),
            ("(PLAY)", "PLAY needs the id of a match; its form is (PLAY matchid (moves))"),
            ("(START m)", "START needs a role"),
            ("(START m r 3 2)", "START needs rules"),
            ("(START m r ((role r)) soon 2)", "`soon` is not a number"),
            ("(PREVIEW 10)", "PREVIEW needs rules"),
        ] {
            let error = Request::parse(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn a_comment_at_the_end_of_the_rules_ends_there() {
        let start = start_of("(START m r ((role r) ; the end\n) 3 2)");
        assert_eq!(start_of(&Request::Start(start.clone()).to_string()), start);
    }
}
