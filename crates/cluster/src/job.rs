//! Jobs, and the way to have them done.

use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};

use crate::fingerprint::hexadecimal;

/// What a job is known by: a fingerprint of its text and of the build that asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(String);

impl JobId {
    /// In hexadecimal digits.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Something to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    id: JobId,
    body: String,
}

impl Job {
    /// A job that says all there is to do, for a build: the answers of others are not its answers.
    pub fn new(build: &str, body: String) -> Self {
        let digest = Sha1::new().chain_update(build).chain_update([0]).chain_update(&body).finalize();
        Self { id: JobId(hexadecimal(&digest)), body }
    }

    /// What it is known by.
    pub fn id(&self) -> &JobId {
        &self.id
    }

    /// What is to be done.
    pub fn body(&self) -> &str {
        &self.body
    }
}

/// Why a job was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// Whoever did it says so.
    #[error("{0}")]
    Fault(String),
    /// The queue cannot be used.
    #[error(
        "cannot use the queue at {server}: {why}; start one with `nats-server -js`, or check the address"
    )]
    Queue {
        /// Where it is.
        server: String,
        /// Why.
        why: String,
    },
}

/// The answer as it travels.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    /// It was done.
    Done(String),
    /// It cannot be done.
    Fault(String),
}

#[cfg(feature = "nats")]
impl Answer {
    /// What cannot be read is a fault of whoever wrote it.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let damaged = |error| Self::Fault(format!("an answer cannot be read: {error}"));
        serde_json::from_slice(bytes).unwrap_or_else(damaged)
    }
}

impl From<Answer> for Result<String, WorkError> {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Done(text) => Ok(text),
            Answer::Fault(why) => Err(WorkError::Fault(why)),
        }
    }
}

/// Where jobs are done.
pub trait Workshop: Sync {
    /// Has a job done and waits for the answer. Any number of threads may do so at once.
    fn perform(&self, job: &Job) -> Result<String, WorkError>;
}

/// This process.
pub struct Here<F> {
    work: F,
}

impl<F: Fn(&str) -> Result<String, String> + Sync> Here<F> {
    /// Jobs are done by this.
    pub fn new(work: F) -> Self {
        Self { work }
    }
}

impl<F: Fn(&str) -> Result<String, String> + Sync> Workshop for Here<F> {
    fn perform(&self, job: &Job) -> Result<String, WorkError> {
        (self.work)(job.body()).map_err(WorkError::Fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_of_the_same_build_is_the_same_job() {
        let id = |build: &str, body: &str| Job::new(build, body.to_owned()).id().clone();
        assert_eq!(id("1", "a"), id("1", "a"));
        for (build, body) in [("1", "b"), ("2", "a"), ("1a", "")] {
            assert_ne!(id("1", "a"), id(build, body), "{build}, {body}");
        }
        assert_eq!(id("1", "a").text().len(), 40);
    }

    #[test]
    fn faults_are_told() {
        let here = Here::new(|body: &str| Err(format!("{body} cannot be done")));
        let error = here.perform(&Job::new("1", "this".to_owned())).expect_err("a fault");
        assert_eq!(error, WorkError::Fault("this cannot be done".to_owned()));
    }
}
