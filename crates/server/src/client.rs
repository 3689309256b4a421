//! Asking a player, as hosts do: one connection for each request, HTTP/1.0.

use std::str::FromStr;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::http::request::Builder;
use hyper::{Request, StatusCode, Version, header};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

/// How long a connection may take, as the reference host has it.
const CONNECT: Duration = Duration::from_secs(5);
/// Replies are single moves.
const MOST_BYTES: usize = 1 << 20;

/// Where a player is, and the token it is sent if it has one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Address {
    host: String,
    port: u16,
    token: Option<String>,
}

/// As it is shown: a token is nobody's business.
impl std::fmt::Debug for Address {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Address({self})")
    }
}

impl Address {
    /// The same place, with a token that is sent along with every message.
    pub fn with_token(self, token: Option<String>) -> Self {
        Self { token, ..self }
    }

    /// Whether two addresses are the same place, whatever their tokens.
    pub fn is_same_place(&self, other: &Self) -> bool {
        (&self.host, self.port) == (&other.host, other.port)
    }
}

/// A text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the address of a player; write host:port, for example localhost:9147")]
pub struct BadAddress(String);

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let bad = || BadAddress(text.to_owned());
        let plain = text.strip_prefix("http://").unwrap_or(text).trim_end_matches('/');
        let (host, port) = plain.rsplit_once(':').ok_or_else(bad)?;
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let is_word =
            !host.is_empty() && !host.contains(|letter: char| letter.is_whitespace() || letter == '/');
        let port = port.parse().ok().filter(|&port| port != 0);
        match port {
            Some(port) if is_word => Ok(Self { host: host.to_owned(), port, token: None }),
            _ => Err(bad()),
        }
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.host.contains(':') {
            write!(out, "[{}]:{}", self.host, self.port)
        } else {
            write!(out, "{}:{}", self.host, self.port)
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// It did not come in time.
    #[error("no answer in time")]
    Late,
    /// There is no way to the player, or it does not speak HTTP.
    #[error("{0}")]
    Unreachable(String),
}

/// Sends a message to a player and waits for its answer, for as long as allowed.
pub async fn ask(address: &Address, message: String, limit: Duration) -> Result<String, Unanswered> {
    let request = Request::post("/")
        .header(header::ACCEPT, "text/delim")
        .header("Sender", "GAMESERVER")
        .header("Receiver", "player")
        .header(header::CONTENT_TYPE, "text/acl");
    // Whatever the status is, the referee judges the text.
    Ok(post(address, request, message, MOST_BYTES, limit).await?.1)
}

/// Sends a request with this head and body, and gives the status and the body of the response.
pub(crate) async fn post(
    address: &Address,
    head: Builder,
    body: String,
    most_bytes: usize,
    limit: Duration,
) -> Result<(StatusCode, String), Unanswered> {
    let begin = Instant::now();
    let end = begin + limit;
    let connecting = TcpStream::connect((address.host.as_str(), address.port));
    let stream = match timeout_at(end.min(begin + CONNECT), connecting).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => return Err(Unanswered::Unreachable(error.to_string())),
        Err(_) if limit < CONNECT => return Err(Unanswered::Late),
        Err(_) => return Err(Unanswered::Unreachable("no connection within 5 s".to_owned())),
    };
    match timeout_at(end, exchange(address, stream, head, body, most_bytes)).await {
        Ok(answer) => answer,
        Err(_) => Err(Unanswered::Late),
    }
}

async fn exchange(
    address: &Address,
    stream: TcpStream,
    head: Builder,
    body: String,
    most_bytes: usize,
) -> Result<(StatusCode, String), Unanswered> {
    let unreachable = |error: &dyn std::error::Error| Unanswered::Unreachable(error.to_string());
    let _ = stream.set_nodelay(true);
    let mut request = head
        .version(Version::HTTP_10)
        .header(header::HOST, address.to_string())
        .header(header::CONTENT_LENGTH, body.len());
    if let Some(token) = &address.token {
        request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    let request = request.body(Full::new(Bytes::from(body))).map_err(|error| unreachable(&error))?;
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.map_err(|error| unreachable(&error))?;
    let answer = async {
        let response = sender.send_request(request).await.map_err(|error| unreachable(&error))?;
        let status = response.status();
        let body = Limited::new(response.into_body(), most_bytes).collect().await;
        let body = body.map_err(|error| Unanswered::Unreachable(error.to_string()))?;
        Ok((status, String::from_utf8_lossy(&body.to_bytes()).into_owned()))
    };
    // The connection works as long as the answer is waited for, and is dropped with it.
    let working = async {
        let _ = connection.await;
        std::future::pending::<()>().await;
    };
    tokio::select! {
        biased;
        answer = answer => answer,
        () = working => Err(Unanswered::Late),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (text, shown) in [
            ("localhost:9147", "localhost:9147"),
            ("http://10.0.0.1:80/", "10.0.0.1:80"),
            ("[::1]:9147", "[::1]:9147"),
        ] {
            assert_eq!(text.parse::<Address>().map(|address| address.to_string()), Ok(shown.to_owned()));
        }
        let one: Address = "localhost:9147".parse().expect("an address");
        let known = one.clone().with_token(Some("secret-secret".to_owned()));
        assert!(one.is_same_place(&known) && one != known);
        assert!(!format!("{known} {known:?}").contains("secret"), "{known:?}");
        for text in ["localhost", ":9147", "localhost:0", "localhost:99999", "a b:1", ""] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
