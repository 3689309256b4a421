//! Who is let in. Pages of other sites must not act for the visitor, and on a network only those come in who have the
//! token.

use hyper::header::{self, HeaderMap};
use hyper::{Method, Request};

use crate::error::WebError;
use crate::secret;

/// The cookie that has the token.
pub(crate) const COOKIE: &str = "ludens-token";

/// What is asked of requests.
pub(crate) struct Guard {
    pub(crate) token: Option<String>,
    pub(crate) loopback: bool,
}

impl Guard {
    /// Whether a request may come in.
    pub(crate) fn admit<B>(&self, request: &Request<B>) -> Result<(), WebError> {
        let headers = request.headers();
        let host = text(headers, header::HOST).unwrap_or_default();
        // A page of another site that has its name point to this computer would have that name here.
        if self.loopback && !is_this_computer(host) {
            let told =
                format!("this page is served to this computer as 127.0.0.1 or localhost, not as {host}");
            return Err(WebError::Forbidden(told));
        }
        if let Some(token) = &self.token
            && !given(headers).is_some_and(|given| secret::same(given, token))
        {
            return Err(WebError::NoToken);
        }
        if matches!(*request.method(), Method::GET | Method::HEAD) {
            return Ok(());
        }
        let own = |origin: &str| {
            let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            place == Some(host)
        };
        if text(headers, header::ORIGIN).is_some_and(|origin| !own(origin)) {
            return Err(WebError::Forbidden("other sites may not act for a visitor".to_owned()));
        }
        // What a form of another site can send has another type.
        let kind = text(headers, header::CONTENT_TYPE).unwrap_or_default();
        if *request.method() == Method::POST && !kind.starts_with("application/json") {
            return Err(WebError::Wrong(
                "send JSON, with the header Content-Type: application/json".to_owned(),
            ));
        }
        Ok(())
    }

    /// The cookie for who opens the link with the token.
    pub(crate) fn welcome(&self, query: Option<&str>) -> Option<String> {
        let given = query?.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        let token = self.token.as_ref().filter(|token| secret::same(given, token))?;
        Some(format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"))
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The token that came along.
fn given(headers: &HeaderMap) -> Option<&str> {
    let bearer = text(headers, header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let cookies = text(headers, header::COOKIE).unwrap_or_default().split(';');
    let cookie = cookies.map(str::trim).find_map(|cookie| cookie.strip_prefix(COOKIE)?.strip_prefix('='));
    bearer.or(cookie)
}

fn is_this_computer(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, headers: &[(&str, &str)]) -> Request<()> {
        let mut request = Request::builder().method(method).uri("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).expect("a request")
    }

    const JSON: (&str, &str) = ("Content-Type", "application/json");

    #[test]
    fn other_sites_cannot_act() {
        let guard = Guard { token: None, loopback: true };
        let host = ("Host", "127.0.0.1:8080");
        assert!(guard.admit(&request("GET", &[host])).is_ok());
        assert!(guard.admit(&request("GET", &[("Host", "[::1]:80")])).is_ok());
        assert!(guard.admit(&request("GET", &[("Host", "localhost")])).is_ok());
        assert!(guard.admit(&request("GET", &[("Host", "evil.example:8080")])).is_err());
        assert!(guard.admit(&request("GET", &[])).is_err());
        assert!(guard.admit(&request("POST", &[host, JSON])).is_ok());
        assert!(guard.admit(&request("POST", &[host, JSON, ("Origin", "http://127.0.0.1:8080")])).is_ok());
        assert!(guard.admit(&request("POST", &[host, JSON, ("Origin", "http://evil.example")])).is_err());
        assert!(guard.admit(&request("POST", &[host, JSON, ("Origin", "null")])).is_err());
        assert!(guard.admit(&request("POST", &[host, ("Content-Type", "text/plain")])).is_err());
    }

    #[test]
    fn strangers_need_the_token() {
        let guard = Guard { token: Some("open-sesame-1".to_owned()), loopback: false };
        let host = ("Host", "games.example");
        assert!(guard.admit(&request("GET", &[host])).is_err());
        assert!(guard.admit(&request("GET", &[host, ("Authorization", "Bearer open-sesame-1")])).is_ok());
        assert!(guard.admit(&request("GET", &[host, ("Cookie", "a=b; ludens-token=open-sesame-1")])).is_ok());
        assert!(guard.admit(&request("GET", &[host, ("Cookie", "ludens-token=open-sesame-2")])).is_err());
        assert!(guard.welcome(Some("token=open-sesame-1")).is_some());
        assert!(guard.welcome(Some("token=other")).is_none() && guard.welcome(None).is_none());
    }
}
