//! The player's side of a connection that it makes itself: it asks the host for questions, and brings answers.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::{Request, StatusCode, header};
use serde::{Deserialize, Serialize};

use crate::client::{Address, Unanswered, post};
use crate::lobby::{Answered, Asked, Join, Joined, Message, Next, POLL, VERSION};
use crate::{Caller, Sessions};

/// Rules may be long.
const MOST_BYTES: usize = 64 << 20;
/// How long the host may take to answer what needs no waiting.
const SHORT: Duration = Duration::from_secs(10);
/// The first wait before something is tried again, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(5)];
/// What is said to a player that is not to come again. All else passes: a host that is busy, or somebody on the way.
const REFUSALS: [StatusCode; 4] =
    [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::CONFLICT, StatusCode::UPGRADE_REQUIRED];
/// How much longer than its clock an answer is worth bringing.
const GRACE: Duration = Duration::from_secs(1);

/// The host does not want this player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the host refuses this player: {0}")]
pub struct Refused(String);

/// How the connection is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attendance {
    /// The host knows the player.
    Joined,
    /// The host cannot be reached; it is tried again.
    Lost(String),
}

/// What came of a message to the host.
enum Said<T> {
    Done(T),
    /// It has to be joined again.
    Unknown,
}

struct Line<'a> {
    host: &'a Address,
    name: &'a str,
}

/// Plays for a host that is connected to from here, until it refuses. Whatever breaks is made anew: a connection, or a
/// host that was started again.
pub async fn attend(
    host: Address,
    name: String,
    sessions: Arc<Sessions>,
    mut tell: impl FnMut(Attendance),
) -> Result<Infallible, Refused> {
    let line = Line { host: &host, name: &name };
    let mut is_lost = false;
    let mut pause = PAUSES[0];
    loop {
        sessions.sweep();
        match line.visit(&sessions, &mut tell, &mut is_lost, &mut pause).await {
            Ok(()) => {}
            Err(Trouble::Refused(refused)) => return Err(refused),
            Err(Trouble::Lost(why)) => {
                if !is_lost {
                    tell(Attendance::Lost(why));
                }
                is_lost = true;
                tokio::time::sleep(pause).await;
                pause = (2 * pause).min(PAUSES[1]);
            }
        }
    }
}

enum Trouble {
    Refused(Refused),
    Lost(String),
}

impl Line<'_> {
    /// From joining to where the host does not know us any more.
    async fn visit(
        &self,
        sessions: &Arc<Sessions>,
        tell: &mut impl FnMut(Attendance),
        is_lost: &mut bool,
        pause: &mut Duration,
    ) -> Result<(), Trouble> {
        let join = Join { version: VERSION, name: self.name.to_owned() };
        let joined: Joined = match self.say("/join", &join, SHORT).await? {
            Said::Done(joined) => joined,
            Said::Unknown => return Err(Trouble::Lost("the host does not let anybody join".to_owned())),
        };
        tell(Attendance::Joined);
        (*is_lost, *pause) = (false, PAUSES[0]);
        let mut seen = 0;
        loop {
            sessions.sweep();
            let next = Next { name: self.name.to_owned(), session: joined.session.clone(), seen };
            let asked: Asked = match self.say("/next", &next, POLL + SHORT).await {
                Ok(Said::Done(asked)) => asked,
                Ok(Said::Unknown) => return Ok(()),
                Err(Trouble::Lost(why)) => {
                    // The session stays; what was asked meanwhile waits.
                    if !*is_lost {
                        tell(Attendance::Lost(why));
                    }
                    *is_lost = true;
                    tokio::time::sleep(*pause).await;
                    *pause = (2 * *pause).min(PAUSES[1]);
                    continue;
                }
                Err(refused) => return Err(refused),
            };
            if *is_lost {
                tell(Attendance::Joined);
            }
            (*is_lost, *pause) = (false, PAUSES[0]);
            for message in asked.questions {
                seen = seen.max(message.id);
                let (host, name, session) = (self.host.clone(), self.name.to_owned(), joined.session.clone());
                tokio::spawn(answer(host, name, session, message, Arc::clone(sessions)));
            }
        }
    }

    async fn say<T: for<'a> Deserialize<'a>>(
        &self,
        path: &str,
        value: &impl Serialize,
        limit: Duration,
    ) -> Result<Said<T>, Trouble> {
        let lost = |error: &dyn std::error::Error| Trouble::Lost(error.to_string());
        let body = serde_json::to_string(value).map_err(|error| lost(&error))?;
        let head = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        match post(self.host, head, body, MOST_BYTES, limit).await {
            Ok((StatusCode::OK, text)) => {
                serde_json::from_str(&text).map(Said::Done).map_err(|error| lost(&error))
            }
            Ok((StatusCode::GONE, _)) => Ok(Said::Unknown),
            Ok((status, text)) if REFUSALS.contains(&status) => {
                Err(Trouble::Refused(Refused(format!("{} ({status})", text.trim()))))
            }
            Ok((status, text)) => Err(Trouble::Lost(format!("{status} {}", text.trim()))),
            Err(Unanswered::Late) => Err(Trouble::Lost("no answer in time".to_owned())),
            Err(Unanswered::Unreachable(why)) => Err(Trouble::Lost(why)),
        }
    }
}

/// Answers one question, and brings the answer as long as it is worth something.
async fn answer(host: Address, name: String, session: String, message: Message, sessions: Arc<Sessions>) {
    let fetched = Instant::now();
    // Its clock has been running since it was asked, which may be long ago if the connection was lost.
    let asked = fetched.checked_sub(Duration::from_millis(message.waited)).unwrap_or(fetched);
    let text = match sessions.answer(Caller::Here, message.text, asked).await {
        Ok(text) => text,
        Err(error) => error.to_string(),
    };
    let until = fetched + Duration::from_millis(message.milliseconds) + GRACE;
    let answered = Answered { name: name.clone(), session, id: message.id, text };
    let line = Line { host: &host, name: &name };
    let mut pause = PAUSES[0];
    loop {
        let said: Result<Said<serde_json::Value>, Trouble> = line.say("/answer", &answered, SHORT).await;
        match said {
            Err(Trouble::Lost(_)) if Instant::now() + pause < until => {
                tokio::time::sleep(pause).await;
                pause = (2 * pause).min(PAUSES[1]);
            }
            _ => return,
        }
    }
}
