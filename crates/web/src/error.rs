//! What can go wrong, in words for whoever asked.

use hyper::StatusCode;

/// Why a request was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// There is no such thing.
    #[error("{0}")]
    Unknown(String),
    /// The request makes no sense.
    #[error("{0}")]
    Wrong(String),
    /// It makes sense, but not now.
    #[error("{0}")]
    Conflict(String),
    /// The visitor may not do this.
    #[error("{0}")]
    Forbidden(String),
    /// The token is missing.
    #[error("give the token: open the link that `ludens web` has printed")]
    NoToken,
    /// It is too large.
    #[error("a request of this kind may have at most {0} bytes")]
    TooLarge(usize),
    /// It took too long to arrive.
    #[error("the request took too long to arrive")]
    Slow,
    /// There is too much to do already.
    #[error("{0}")]
    Busy(String),
    /// The database says no.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// A tournament cannot go on.
    #[error(transparent)]
    Arena(#[from] arena::ArenaError),
    /// A fault of ours.
    #[error("this is a fault of ours: {0}")]
    Fault(String),
}

impl WebError {
    /// The status that stands for it.
    pub fn status(&self) -> StatusCode {
        match self {
            WebError::Unknown(_) => StatusCode::NOT_FOUND,
            WebError::Wrong(_) => StatusCode::BAD_REQUEST,
            WebError::Conflict(_) => StatusCode::CONFLICT,
            WebError::Forbidden(_) => StatusCode::FORBIDDEN,
            WebError::NoToken => StatusCode::UNAUTHORIZED,
            WebError::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            WebError::Slow => StatusCode::REQUEST_TIMEOUT,
            WebError::Busy(_) => StatusCode::TOO_MANY_REQUESTS,
            WebError::Store(_) | WebError::Arena(_) | WebError::Fault(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}
