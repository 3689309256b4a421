//! Where players come who are no servers: they connect to the host, wait for its questions and bring the answers.
//! `docs/protocol.md` has the messages.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::client::Unanswered;
use crate::crowd::{Crowd, Ticket};
use crate::listen::{reply, token};
use crate::sessions::is_same_token;

/// The version of the messages.
pub(crate) const VERSION: u32 = 1;
/// How long a player is kept waiting for a question.
pub(crate) const POLL: Duration = Duration::from_secs(20);
/// Bytes of an answer.
const MOST_BYTES: usize = 256 << 10;
/// Connections at once.
const CONNECTIONS: usize = 256;
/// Time for a request to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);

/// A player says who it is.
#[derive(Serialize, Deserialize)]
pub(crate) struct Join {
    pub(crate) version: u32,
    pub(crate) name: String,
}

/// The host says by what it is known from now on.
#[derive(Serialize, Deserialize)]
pub(crate) struct Joined {
    pub(crate) version: u32,
    pub(crate) session: String,
}

/// A player waits for questions beyond the last it has seen.
#[derive(Serialize, Deserialize)]
pub(crate) struct Next {
    pub(crate) name: String,
    pub(crate) session: String,
    pub(crate) seen: u64,
}

/// The questions.
#[derive(Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) questions: Vec<Message>,
}

/// A question of the host, how much of its time is left, and how long ago it was asked.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) id: u64,
    pub(crate) text: String,
    pub(crate) milliseconds: u64,
    /// Older hosts do not say it.
    #[serde(default)]
    pub(crate) waited: u64,
}

/// A player brings an answer.
#[derive(Serialize, Deserialize)]
pub(crate) struct Answered {
    pub(crate) name: String,
    pub(crate) session: String,
    pub(crate) id: u64,
    pub(crate) text: String,
}

/// A player who may connect: what it is asked waits here until it is answered or too late.
pub struct Guest {
    token: String,
    state: Mutex<State>,
    /// The number of the last question.
    last: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    /// By what it is known since it joined last.
    session: Option<String>,
    /// When it was last heard of.
    heard: Option<Instant>,
    open: BTreeMap<u64, Open>,
}

struct Open {
    text: String,
    asked: Instant,
    until: Instant,
    reply: oneshot::Sender<String>,
}

impl Guest {
    fn new(token: String) -> Self {
        Self { token, state: Mutex::default(), last: watch::Sender::new(0) }
    }

    /// Whether it has joined and was heard of not long ago.
    pub fn is_here(&self) -> bool {
        self.state.lock().heard.is_some_and(|heard| heard.elapsed() < 2 * POLL)
    }

    pub(crate) async fn ask(&self, text: String, limit: Duration) -> Result<String, Unanswered> {
        let (reply, answer) = oneshot::channel();
        let begin = Instant::now();
        let mut id = 0;
        self.last.send_modify(|last| {
            *last += 1;
            id = *last;
            self.state.lock().open.insert(id, Open { text, asked: begin, until: begin + limit, reply });
        });
        let answer = timeout(limit, answer).await;
        let mut state = self.state.lock();
        state.open.remove(&id);
        match answer {
            Ok(Ok(text)) => Ok(text),
            // Nobody came to hear the question.
            _ if state.heard.is_none_or(|heard| heard + 2 * POLL < begin + limit) => {
                Err(Unanswered::Unreachable("the player is not connected".to_owned()))
            }
            _ => Err(Unanswered::Late),
        }
    }

    /// It comes, or comes again: whoever was known by its name before is it no more.
    fn join(&self) -> String {
        let random = || RandomState::new().build_hasher().finish();
        let session = format!("{:016x}{:016x}", random(), random());
        let mut state = self.state.lock();
        state.session = Some(session.clone());
        state.heard = Some(Instant::now());
        session
    }

    /// Whether a session is the present one.
    fn hear(&self, session: &str) -> Result<(), Refusal> {
        let mut state = self.state.lock();
        match &state.session {
            None => Err((StatusCode::GONE, "this host does not know the session; join again".to_owned())),
            Some(known) if known == session => {
                state.heard = Some(Instant::now());
                Ok(())
            }
            Some(_) => Err((StatusCode::CONFLICT, "another player has joined by this name since".to_owned())),
        }
    }

    /// The questions beyond one, as soon as there are any.
    async fn next(&self, seen: u64) -> Vec<Message> {
        let mut last = self.last.subscribe();
        // Nobody asks for longer than that; the player comes again.
        let _ = timeout(POLL, last.wait_for(|&last| last > seen)).await;
        let now = Instant::now();
        let mut state = self.state.lock();
        state.heard = Some(now);
        let open = state.open.range(seen.saturating_add(1)..).filter(|(_, open)| open.until > now);
        let message = |(&id, open): (&u64, &Open)| {
            let milliseconds = (open.until - now).as_millis() as u64;
            let waited = now.saturating_duration_since(open.asked).as_millis() as u64;
            Message { id, text: open.text.clone(), milliseconds, waited }
        };
        open.map(message).collect()
    }

    fn answered(&self, id: u64, text: String) {
        // One that is too late, or comes twice, is not waited for.
        if let Some(open) = self.state.lock().open.remove(&id) {
            let _ = open.reply.send(text);
        }
    }
}

/// All players who may connect, by their names.
pub struct Lobby {
    guests: HashMap<String, Arc<Guest>>,
}

type Refusal = (StatusCode, String);

impl Lobby {
    /// A lobby for players of these names, each with a token of its own.
    pub fn new(players: impl IntoIterator<Item = (String, String)>) -> Self {
        let guest = |(name, token)| (name, Arc::new(Guest::new(token)));
        Self { guests: players.into_iter().map(guest).collect() }
    }

    /// The way to a player.
    pub fn guest(&self, name: &str) -> Option<Arc<Guest>> {
        self.guests.get(name).cloned()
    }

    /// Names and tokens are refused alike: nobody learns who takes part.
    fn known(&self, name: &str, token: Option<&[u8]>) -> Result<&Guest, Refusal> {
        let guest = self
            .guests
            .get(name)
            .filter(|guest| token.is_some_and(|token| is_same_token(token, guest.token.as_bytes())));
        guest.map(|guest| &**guest).ok_or_else(|| {
            (StatusCode::UNAUTHORIZED, "no player of this name and token is expected here".to_owned())
        })
    }

    async fn act(&self, path: &str, token: Option<&[u8]>, body: &[u8]) -> Result<String, Refusal> {
        match path {
            "/join" => {
                let join: Join = read(body)?;
                if join.version != VERSION {
                    let told =
                        format!("this host speaks version {VERSION} of the connection, not {}", join.version);
                    return Err((StatusCode::UPGRADE_REQUIRED, told));
                }
                let session = self.known(&join.name, token)?.join();
                tracing::info!(name = join.name, "a player has connected");
                write(&Joined { version: VERSION, session })
            }
            "/next" => {
                let next: Next = read(body)?;
                let guest = self.known(&next.name, token)?;
                guest.hear(&next.session)?;
                write(&Asked { questions: guest.next(next.seen).await })
            }
            "/answer" => {
                let answered: Answered = read(body)?;
                let guest = self.known(&answered.name, token)?;
                guest.hear(&answered.session)?;
                guest.answered(answered.id, answered.text);
                Ok("{}".to_owned())
            }
            _ => Err((StatusCode::NOT_FOUND, "POST to /join, /next or /answer".to_owned())),
        }
    }
}

fn read<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))
}

fn write(value: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

/// Lets players in until the future is dropped; then all connections end.
pub async fn welcome(listener: TcpListener, lobby: Arc<Lobby>) {
    let crowd = Crowd::new(CONNECTIONS);
    let mut serving = JoinSet::new();
    loop {
        while serving.try_join_next().is_some() {}
        match listener.accept().await {
            Ok((stream, from)) => {
                // Without a place the connection is closed.
                let Some(ticket) = crowd.enter(from.ip()) else { continue };
                let number = ticket.number();
                let ended = serving.spawn(serve(Arc::clone(&lobby), stream, from.ip(), ticket));
                crowd.ended_by(number, ended);
            }
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

async fn serve(lobby: Arc<Lobby>, stream: TcpStream, from: IpAddr, ticket: Ticket) {
    let _ = stream.set_nodelay(true);
    let ticket = Arc::new(ticket);
    let service = service_fn(move |request| {
        let (lobby, ticket) = (Arc::clone(&lobby), Arc::clone(&ticket));
        async move { Ok::<_, Infallible>(respond(&lobby, request, &ticket).await) }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(ARRIVAL)
        .keep_alive(false)
        .half_close(false)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = connection.await {
        tracing::debug!(%error, %from, "a connection ended badly");
    }
}

async fn respond(lobby: &Lobby, request: Request<Incoming>, ticket: &Ticket) -> Response<Full<Bytes>> {
    if request.method() != Method::POST {
        return reply(StatusCode::METHOD_NOT_ALLOWED, "text/plain", "use POST");
    }
    let path = request.uri().path().to_owned();
    let token = token(&request).map(<[u8]>::to_vec);
    let body = match timeout(ARRIVAL, Limited::new(request.into_body(), MOST_BYTES).collect()).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) => return reply(StatusCode::BAD_REQUEST, "text/plain", &error.to_string()),
        Err(_) => return reply(StatusCode::REQUEST_TIMEOUT, "text/plain", "it took too long to arrive"),
    };
    ticket.has_asked();
    match lobby.act(&path, token.as_deref(), &body).await {
        Ok(text) => reply(StatusCode::OK, "application/json", &text),
        Err((status, why)) => reply(status, "text/plain", &why),
    }
}
