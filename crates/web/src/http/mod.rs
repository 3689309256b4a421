//! HTTP: connections, limits and headers.

mod body;
mod compress;
mod guard;

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

pub(crate) use body::Reply;
pub(crate) use guard::Guard;

use crate::api::Failure;
use crate::error::WebError;
use crate::routes::Asked;
use crate::site::Site;

/// Connections at once, watchers included.
const CONNECTIONS: usize = 1024;
/// Time for a request to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);
/// How long an idle connection is kept.
const IDLE: Duration = Duration::from_secs(60);

/// What a page may do: nothing that it did not bring along.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Serves the page until the future is dropped.
pub async fn listen(listener: TcpListener, site: Arc<Site>) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        match listener.accept().await {
            Ok((stream, from)) => {
                // Without a place the connection is closed.
                let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
                tokio::spawn(serve(Arc::clone(&site), stream, from.ip(), place));
            }
            Err(error) => {
                // Out of file descriptors, most likely: others have to close first.
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

async fn serve(site: Arc<Site>, stream: TcpStream, from: IpAddr, _place: OwnedSemaphorePermit) {
    // Events are short and must not wait for more to come.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let site = Arc::clone(&site);
        async move { Ok::<_, Infallible>(respond(&site, request, from).await) }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = connection.await {
        tracing::debug!(%error, "a connection ended badly");
    }
}

async fn respond(site: &Arc<Site>, request: Request<Incoming>, from: IpAddr) -> Response<Reply> {
    if request.method() == Method::GET
        && let Some(cookie) = site.guard().welcome(request.uri().query())
    {
        return welcomed(request.uri().path(), &cookie);
    }
    if let Err(error) = site.guard().admit(&request) {
        return failed(&error);
    }
    let keys =
        request.headers().get("x-ludens-keys").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let keys =
        keys.split(',').map(str::trim).filter(|key| !key.is_empty()).take(64).map(str::to_owned).collect();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let packed = compress::is_wanted(request.headers());
    let body = match body(site.largest_body(&path), request).await {
        Ok(body) => body,
        Err(error) => return failed(&error),
    };
    let asked = Asked { method, path, keys, body, from };
    let answer = site.answer(asked).await;
    let answer = if packed { answer.map(compress::compress) } else { answer };
    answer.unwrap_or_else(|error| {
        if matches!(error, WebError::Fault(_) | WebError::Store(_)) {
            tracing::error!(%error, "a request failed");
        }
        failed(&error)
    })
}

/// The body of a request, in time and not too large.
async fn body(most: usize, request: Request<Incoming>) -> Result<Bytes, WebError> {
    let reading = Limited::new(request.into_body(), most).collect();
    match timeout(ARRIVAL, reading).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => Err(WebError::TooLarge(most)),
        Ok(Err(error)) => Err(WebError::Wrong(error.to_string())),
        Err(_) => Err(WebError::Slow),
    }
}

/// An answer of some type.
pub(crate) fn reply(status: StatusCode, kind: &'static str, body: Reply) -> Response<Reply> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// JSON.
pub(crate) fn json<T: serde::Serialize>(status: StatusCode, value: &T) -> Result<Response<Reply>, WebError> {
    let text = serde_json::to_string(value).map_err(|error| WebError::Fault(error.to_string()))?;
    Ok(reply(status, "application/json", Reply::text(text)))
}

fn failed(error: &WebError) -> Response<Reply> {
    let failure = Failure { error: error.to_string() };
    let text = serde_json::to_string(&failure).unwrap_or_default();
    reply(error.status(), "application/json", Reply::text(text))
}

/// Whoever opens the link with the token keeps it in a cookie, and it vanishes from the address.
fn welcomed(path: &str, cookie: &str) -> Response<Reply> {
    let mut response = reply(StatusCode::SEE_OTHER, "text/plain", Reply::text(""));
    for (name, value) in [(header::LOCATION, path), (header::SET_COOKIE, cookie)] {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}
