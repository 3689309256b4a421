//! HTTP to and from the sessions, against everything that may come over a network.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::crowd::{Crowd, Ticket};
use crate::reading::{Allowance, Allowed, Letter, SHORT_BYTES};
use crate::{Caller, Sessions};

/// What the network may take of us.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a message.
    pub message: usize,
    /// Bytes of all messages above 64 KiB that are on their way or being read. At least as much as one
    /// message may have.
    pub messages: usize,
    /// Connections at once. Beyond that, those that are slow to ask make way.
    pub connections: usize,
    /// Time for a request to arrive.
    pub arrival: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let (message, messages) = (16 << 20, 64 << 20);
        Self { message, messages, connections: 512, arrival: Duration::from_secs(10) }
    }
}

const PAGE: &str = include_str!("page.html");

struct Door {
    sessions: Arc<Sessions>,
    limits: Limits,
    allowance: Allowance,
}

/// Serves sessions until the future is dropped.
pub async fn listen(listener: TcpListener, sessions: Arc<Sessions>, limits: Limits) {
    let crowd = Crowd::new(limits.connections);
    let allowance = Allowance::new(limits.messages.max(limits.message));
    let door = Arc::new(Door { sessions, limits, allowance });
    let sweeper = Arc::clone(&door);
    let sweeping = async move {
        loop {
            tokio::time::sleep(sweeper.sessions.sweep_period()).await;
            sweeper.sessions.sweep();
        }
    };
    let accepting = async move {
        loop {
            match listener.accept().await {
                Ok((stream, from)) => {
                    // Without a place the connection is closed.
                    let Some(ticket) = crowd.enter(from.ip()) else { continue };
                    let (door, number) = (Arc::clone(&door), ticket.number());
                    let serving = tokio::spawn(door.serve(stream, from.ip(), ticket));
                    crowd.ended_by(number, serving.abort_handle());
                }
                Err(error) => {
                    // Out of file descriptors, most likely: others have to close first.
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    };
    tokio::join!(sweeping, accepting);
}

impl Door {
    async fn serve(self: Arc<Self>, stream: TcpStream, from: IpAddr, ticket: Ticket) {
        let arrived = Instant::now();
        // Replies are short and must not wait for more to come.
        let _ = stream.set_nodelay(true);
        let (door, ticket) = (Arc::clone(&self), Arc::new(ticket));
        let service = service_fn(move |request| {
            let (door, ticket) = (Arc::clone(&door), Arc::clone(&ticket));
            async move { Ok::<_, Infallible>(door.respond(request, from, arrived, &ticket).await) }
        });
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.arrival)
            // Known hosts open a connection for every request, and some read until it closes.
            .keep_alive(false)
            // Some close their side once they have asked.
            .half_close(true)
            .serve_connection(TokioIo::new(stream), service);
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended badly");
        }
    }

    async fn respond(
        &self,
        request: Request<Incoming>,
        from: IpAddr,
        arrived: Instant,
        ticket: &Ticket,
    ) -> Response<Full<Bytes>> {
        let caller = self.sessions.caller(from, token(&request));
        match *request.method() {
            Method::OPTIONS => to_all_origins(reply(StatusCode::OK, "text/plain", "")),
            Method::POST => match self.body(request, from).await {
                Ok((letter, allowed)) => {
                    ticket.has_asked();
                    self.message(caller, letter, allowed, arrived).await
                }
                Err((status, why)) => reply(status, "text/plain", &why),
            },
            Method::GET | Method::HEAD => {
                ticket.has_asked();
                self.get(caller, request.uri().path(), request.uri().query(), arrived).await
            }
            _ => reply(StatusCode::METHOD_NOT_ALLOWED, "text/plain", "use POST, GET or OPTIONS"),
        }
    }

    async fn get(
        &self,
        caller: Caller,
        path: &str,
        query: Option<&str>,
        arrived: Instant,
    ) -> Response<Full<Bytes>> {
        match path {
            "/" if query.is_none_or(|query| query.starts_with(TOKEN)) => {
                reply(StatusCode::OK, "text/html; charset=utf-8", PAGE)
            }
            "/status" => match serde_json::to_string(&self.sessions.status_for(caller)) {
                Ok(text) => reply(StatusCode::OK, "application/json", &text),
                Err(error) => reply(StatusCode::INTERNAL_SERVER_ERROR, "text/plain", &error.to_string()),
            },
            "/metrics" => reply(StatusCode::OK, "text/plain; version=0.0.4", &self.sessions.metrics()),
            "/favicon.ico" => reply(StatusCode::NOT_FOUND, "text/plain", ""),
            _ => {
                // A `?` in a message that was not encoded is taken for a query.
                let rest = query.map_or_else(String::new, |query| format!("?{query}"));
                let message = decoded(&format!("{}{rest}", path.trim_start_matches('/')));
                self.message(caller, message.into(), None, arrived).await
            }
        }
    }

    /// The message in the body, and the room that it takes.
    async fn body(
        &self,
        request: Request<Incoming>,
        from: IpAddr,
    ) -> Result<(Letter, Option<Allowed>), (StatusCode, String)> {
        let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
        let length: Option<u64> = length.and_then(|text| text.parse().ok());
        let too_large = || {
            let message = format!("messages may have at most {} bytes", self.limits.message);
            Err((StatusCode::PAYLOAD_TOO_LARGE, message))
        };
        if length.is_some_and(|length| length > self.limits.message as u64) {
            return too_large();
        }
        let reading = async {
            let length = length.map_or(self.limits.message, |length| length as usize);
            let room =
                async { if length > SHORT_BYTES { self.allowance.room(from, length).await } else { None } };
            let allowed = room.await;
            let body = Limited::new(request.into_body(), self.limits.message).collect().await;
            body.map(|body| (body, allowed))
        };
        match timeout(self.limits.arrival, reading).await {
            Ok(Ok((body, allowed))) => Ok((Letter::of(body.aggregate()), allowed)),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => too_large(),
            Ok(Err(error)) => Err((StatusCode::BAD_REQUEST, error.to_string())),
            Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the message took too long to arrive".to_owned())),
        }
    }

    async fn message(
        &self,
        caller: Caller,
        letter: Letter,
        allowed: Option<Allowed>,
        arrived: Instant,
    ) -> Response<Full<Bytes>> {
        let received = self.sessions.read(letter).await;
        // The answer may take long, and the message is gone.
        drop(allowed);
        to_all_origins(match received {
            Ok(received) => {
                reply(StatusCode::OK, "text/acl", &self.sessions.act(caller, received, arrived).await)
            }
            Err(error) => reply(StatusCode::BAD_REQUEST, "text/plain", &error.to_string()),
        })
    }
}

/// How the token stands in an address: browsers send no headers of ours.
const TOKEN: &str = "token=";

/// The token that came with a request.
pub(crate) fn token<B>(request: &Request<B>) -> Option<&[u8]> {
    let header = request.headers().get(header::AUTHORIZATION);
    let bearer = header.and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
    let query = request.uri().query().and_then(|query| query.strip_prefix(TOKEN));
    bearer.or(query.map(str::as_bytes))
}

/// A response with its length, never in chunks. Pages of other origins cannot read it.
pub(crate) fn reply(status: StatusCode, kind: &'static str, text: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::copy_from_slice(text.as_bytes())));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// The same for pages of all origins, as some hosts are: what is answered to messages.
fn to_all_origins(mut response: Response<Full<Bytes>>) -> Response<Full<Bytes>> {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "POST, GET, OPTIONS"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Undoes the encoding of addresses: `%28` and `+`. What is not encoded rightly stays as it is.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = text.get(at + 1..at + 3).filter(|digits| !digits.starts_with('+'));
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (bytes[at], code) {
            (b'%', Some(code)) => {
                out.push(code);
                at += 2;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_decoded() {
        assert_eq!(decoded("%28INFO%29"), "(INFO)");
        assert_eq!(decoded("(PLAY+m%20NIL)"), "(PLAY m NIL)");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%zz%2"), "%zz%2");
        assert_eq!(decoded("%+1"), "% 1");
    }
}
