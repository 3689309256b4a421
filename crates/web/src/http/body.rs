//! Bodies of answers: a text, or events as they come.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::sync::mpsc::Receiver;

/// The body of an answer.
pub(crate) enum Reply {
    /// A text, all at once.
    Text(Option<Bytes>),
    /// Events as they come, until nobody sends any more.
    Events(Receiver<Bytes>),
}

impl Reply {
    pub(crate) fn text(text: impl Into<Bytes>) -> Self {
        Reply::Text(Some(text.into()))
    }
}

impl Body for Reply {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut *self {
            Reply::Text(text) => Poll::Ready(text.take().map(|text| Ok(Frame::data(text)))),
            Reply::Events(events) => {
                events.poll_recv(context).map(|event| event.map(|event| Ok(Frame::data(event))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Reply::Text(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Reply::Text(text) => SizeHint::with_exact(text.as_ref().map_or(0, |text| text.len() as u64)),
            Reply::Events(_) => SizeHint::default(),
        }
    }
}
