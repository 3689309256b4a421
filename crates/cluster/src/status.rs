//! How a cluster is.

use std::time::Duration;

use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, timeout_at};

use crate::WorkError;
use crate::queue::{ROLL_CALL, Server};

/// How long workers have to answer.
const ANSWER: Duration = Duration::from_millis(700);

/// A worker that is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// The version of jobs it understands.
    pub version: String,
    /// Jobs it does at once.
    pub places: usize,
    /// Jobs it does now.
    pub running: usize,
    /// Jobs it has done.
    pub done: u64,
    /// Of those, how many could not be done.
    pub faults: u64,
}

/// The queue and those who work for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClusterStatus {
    /// Jobs that are not done, those being done included.
    pub jobs: u64,
    /// Answers that are kept.
    pub answers: u64,
    /// Those who work, by name.
    pub workers: Vec<WorkerStatus>,
}

/// Asks a server and its workers.
pub async fn status(server: &Server) -> Result<ClusterStatus, WorkError> {
    let queue = server.connect("ludens status").await?;
    let fault = |error: &dyn std::fmt::Display| server.fault(error);
    let jobs = queue.jobs().await?.get_info().await.map_err(|error| fault(&error))?.state.messages;
    let answers = queue.answers().await?.get_info().await.map_err(|error| fault(&error))?.state.messages;
    let inbox = queue.client.new_inbox();
    let mut heard = queue.client.subscribe(inbox.clone()).await.map_err(|error| fault(&error))?;
    let called = queue.client.publish_with_reply(ROLL_CALL, inbox, bytes::Bytes::new()).await;
    called.map_err(|error| fault(&error))?;
    let until = Instant::now() + ANSWER;
    let mut workers = Vec::new();
    while let Ok(Some(message)) = timeout_at(until, heard.next()).await {
        // What is no status is somebody else's.
        workers.extend(serde_json::from_slice::<WorkerStatus>(&message.payload));
    }
    workers.sort_by(|one, two| one.name.cmp(&two.name));
    Ok(ClusterStatus { jobs, answers, workers })
}
