//! Work for many computers. A *job* is a text that says all there is to do; whoever does it gives a text back. The same
//! job always gives the same answer, so it is known by its text and by the build that asks: however often it is delivered, its answer counts once.
//!
//! ```
//! use cluster::{Here, Job, Workshop};
//! let here = Here::new(|body: &str| Ok(body.to_uppercase()));
//! assert_eq!(here.perform(&Job::new("1.0", "count".to_owned()))?, "COUNT");
//! # Ok::<(), cluster::WorkError>(())
//! ```
//!
//! With the feature `nats`, `Asker` puts jobs in a work queue of JetStream, and any number of workers take them. A
//! job is acknowledged after its answer is kept: that of a worker that was killed is delivered again. A fault is an answer
//! to whoever asked before it was kept; later ones have the job done once more. `Switchboard` and `HelperLine` carry what players and those who help them think say to each other.

#[cfg(feature = "nats")]
mod answers;
#[cfg(feature = "nats")]
mod asker;
mod fingerprint;
mod job;
#[cfg(feature = "nats")]
mod line;
#[cfg(feature = "nats")]
mod queue;
#[cfg(feature = "nats")]
mod roll_call;
#[cfg(feature = "nats")]
mod status;
#[cfg(feature = "nats")]
mod worker;

#[cfg(feature = "nats")]
pub use asker::Asker;
pub use fingerprint::this_build;
pub use job::{Here, Job, JobId, WorkError, Workshop};
#[cfg(feature = "nats")]
pub use line::{HelperLine, PlayerLine, Switchboard};
#[cfg(feature = "nats")]
pub use queue::Server;
#[cfg(feature = "nats")]
pub use status::{ClusterStatus, HelperStatus, WorkerStatus, status};
#[cfg(feature = "nats")]
pub use worker::{WorkerOptions, work};
