//! How a cluster is.

use serde::{Deserialize, Serialize};

use crate::WorkError;
use crate::queue::Server;
use crate::roll_call::{Member, call};

/// A worker that is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// The build whose jobs it does.
    pub build: String,
    /// Jobs it does at once.
    pub places: usize,
    /// Jobs it does now.
    pub running: usize,
    /// Jobs it has done.
    pub done: u64,
    /// Of those, how many could not be done.
    pub faults: u64,
}

/// A helper that is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HelperStatus {
    /// Its name.
    pub name: String,
    /// The build whose players it helps.
    pub build: String,
    /// What it was told by players.
    pub orders: u64,
    /// What it has told them.
    pub reports: u64,
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
    /// Those who help players, by name.
    pub helpers: Vec<HelperStatus>,
}

/// Asks a server and all who are there.
pub async fn status(server: &Server) -> Result<ClusterStatus, WorkError> {
    let queue = server.connect("ludens status").await?;
    let fault = |error: &dyn std::fmt::Display| server.fault(error);
    let jobs = queue.jobs().await?.get_info().await.map_err(|error| fault(&error))?.state.messages;
    let answers = queue.answers().await?.get_info().await.map_err(|error| fault(&error))?.state.messages;
    let (mut workers, mut helpers) = (Vec::new(), Vec::new());
    for member in call(&queue, None).await? {
        match member {
            Member::Worker(worker) => workers.push(worker),
            Member::Helper(helper) => helpers.push(helper),
        }
    }
    workers.sort_by(|one, two| one.name.cmp(&two.name));
    helpers.sort_by(|one, two| one.name.cmp(&two.name));
    Ok(ClusterStatus { jobs, answers, workers, helpers })
}
