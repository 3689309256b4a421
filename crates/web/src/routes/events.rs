//! Events: watchers are told that something has changed, and look again.

use std::time::Duration;

use hyper::body::Bytes;
use hyper::{Response, StatusCode};
use tokio::sync::watch;

use crate::api::Change;
use crate::http::{Reply, reply};

/// How often watchers are told that the server is still there.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Events that may wait for a slow watcher.
const WAITING_EVENTS: usize = 4;

/// Tells of every version, the one of now included, until there is nothing to tell or the watcher leaves.
pub(super) fn stream(
    mut version: watch::Receiver<u64>,
    is_there: impl Fn() -> bool + Send + 'static,
) -> Response<Reply> {
    let (sender, events) = tokio::sync::mpsc::channel(WAITING_EVENTS);
    version.mark_changed();
    tokio::spawn(async move {
        loop {
            let text = match tokio::time::timeout(HEARTBEAT, version.changed()).await {
                Ok(Err(_)) => break,
                Ok(Ok(())) => {
                    let change = Change { version: *version.borrow_and_update() };
                    let Ok(text) = serde_json::to_string(&change) else { break };
                    format!("event: change\ndata: {text}\n\n")
                }
                Err(_) => ": still here\n\n".to_owned(),
            };
            if sender.send(Bytes::from(text)).await.is_err() || !is_there() {
                break;
            }
        }
    });
    reply(StatusCode::OK, "text/event-stream", Reply::Events(events))
}
