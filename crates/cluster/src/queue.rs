//! The streams of the queue, and the way to the server.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{Config, RetentionPolicy, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, ServerAddr};

use crate::{JobId, WorkError};

/// Jobs that are to be done.
const JOBS: &str = "LUDENS_JOBS";
/// Answers, kept for those who ask again.
const ANSWERS: &str = "LUDENS_ANSWERS";
/// How long answers are kept, and jobs that nobody does.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long the same job is put in the queue once only.
const ONCE: Duration = Duration::from_secs(600);
/// The header of a job that is done once more: the place of the fault that came of it before.
pub(crate) const FORMER_FAULT: &str = "Ludens-Former-Fault";
/// How long a worker may be silent before its job is given to another.
pub(crate) const SILENCE: Duration = Duration::from_secs(20);
/// How long the list of a build that nobody works for any more is kept.
const FORGOTTEN: Duration = Duration::from_secs(24 * 3600);

/// Where the server is and how it is spoken to. Users, passwords and TLS are by NATS's own means: in the address
/// (`tls://user:password@host:4222`), and certificates of one's own in a file.
#[derive(Clone, Debug)]
pub struct Server {
    /// `nats://host:4222`.
    pub address: String,
    /// Certificates that are trusted besides those of the system.
    pub certificates: Option<PathBuf>,
}

impl Server {
    /// Fails at once if nobody is there; afterwards a lost connection is made again.
    pub(crate) async fn connect(&self, name: &str) -> Result<Queue, WorkError> {
        let mut options = ConnectOptions::new().name(name).max_reconnects(None);
        if let Some(path) = &self.certificates {
            options = options.add_root_certificates(path.clone());
        }
        let address: ServerAddr = self.address.parse().map_err(|error: std::io::Error| self.fault(&error))?;
        // The library reads them and leaves it to us to use them.
        if let Some(user) = address.username() {
            let password = address.password().unwrap_or_default();
            options = options.user_and_password(user.to_owned(), password.to_owned());
        }
        let client = options.connect(address).await.map_err(|error| self.fault(&error))?;
        Ok(Queue { context: jetstream::new(client.clone()), client, server: self.clone() })
    }

    pub(crate) fn fault(&self, error: &dyn std::fmt::Display) -> WorkError {
        // A password in the address is not told.
        let server = self.address.rsplit('@').next().unwrap_or_default().to_owned();
        WorkError::Queue { server, why: error.to_string() }
    }
}

/// The queue on a server.
#[derive(Clone)]
pub(crate) struct Queue {
    pub(crate) client: Client,
    pub(crate) context: Context,
    pub(crate) server: Server,
}

/// A text as a part of a subject.
pub(crate) fn part(text: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
    text.chars().map(plain).collect()
}

/// The subject of jobs for workers of a build: others might give other answers.
pub(crate) fn jobs_subject(build: &str) -> String {
    format!("ludens.jobs.{}", part(build))
}

/// The subject of the answer to a job.
pub(crate) fn answer_subject(id: &JobId) -> String {
    format!("ludens.answers.{}", id.text())
}

impl Queue {
    /// The jobs.
    pub(crate) async fn jobs(&self) -> Result<Stream, WorkError> {
        let config = Config {
            name: JOBS.to_owned(),
            subjects: vec!["ludens.jobs.*".to_owned()],
            retention: RetentionPolicy::WorkQueue,
            duplicate_window: ONCE,
            // Whoever still wants one puts it in again.
            max_age: KEPT,
            ..Config::default()
        };
        self.context.get_or_create_stream(config).await.map_err(|error| self.server.fault(&error))
    }

    /// The answers, the last to each job.
    pub(crate) async fn answers(&self) -> Result<Stream, WorkError> {
        let config = Config {
            name: ANSWERS.to_owned(),
            subjects: vec!["ludens.answers.*".to_owned()],
            max_messages_per_subject: 1,
            max_age: KEPT,
            allow_direct: true,
            ..Config::default()
        };
        self.context.get_or_create_stream(config).await.map_err(|error| self.server.fault(&error))
    }

    /// The list from which all workers of a build take jobs.
    pub(crate) async fn consumer(&self, build: &str) -> Result<PullConsumer, WorkError> {
        let name = format!("workers_{}", part(build));
        let config = pull::Config {
            durable_name: Some(name.clone()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: SILENCE,
            filter_subject: jobs_subject(build),
            max_ack_pending: -1,
            inactive_threshold: FORGOTTEN,
            ..pull::Config::default()
        };
        let jobs = self.jobs().await?;
        jobs.get_or_create_consumer(&name, config).await.map_err(|error| self.server.fault(&error))
    }
}
