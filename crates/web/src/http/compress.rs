//! Answers that are the same for everybody are sent packed. What may hold a key is not: the size of a packed
//! answer tells something of what is in it.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Response, body::Bytes};

use super::body::Reply;

/// Shorter answers fit into a packet as they are.
const LEAST_BYTES: usize = 1024;

const KINDS: [&str; 4] = ["text/html", "text/css", "text/javascript", "image/svg+xml"];

/// Whether a visitor reads what is packed by gzip.
pub(super) fn is_wanted(headers: &HeaderMap) -> bool {
    let listed = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    listed.flat_map(|value| value.split(',')).any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused =
            quality.trim().strip_prefix("q=").and_then(|number| number.trim().parse().ok()) == Some(0.0);
        matches!(name.trim(), "gzip" | "*") && !is_refused
    })
}

/// The same answer, packed where that is worth it.
pub(super) fn compress(mut response: Response<Reply>) -> Response<Reply> {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_public = kind.is_some_and(|kind| KINDS.iter().any(|known| kind.starts_with(known)));
    let Reply::Text(Some(text)) = response.body() else { return response };
    if !is_public || text.len() < LEAST_BYTES {
        return response;
    }
    let Some(packed) = pack(text) else { return response };
    *response.body_mut() = Reply::text(packed);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

fn pack(text: &Bytes) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(text.len() / 4), Compression::fast());
    encoder.write_all(text).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visitors_say_what_they_read() {
        let asks = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            is_wanted(&headers)
        };
        assert!(asks("gzip") && asks("br, gzip;q=0.5") && asks("*"));
        assert!(!asks("br, deflate") && !asks("gzip;q=0") && !asks("gzip; q=0.0, br") && !asks(""));
        assert!(!is_wanted(&HeaderMap::new()));
    }
}
