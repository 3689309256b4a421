//! Whoever has jobs done by others.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::stream::Stream;
use futures_util::StreamExt;
use parking_lot::Mutex;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::job::Answer;
use crate::queue::{Queue, Server, answer_subject, jobs_subject};
use crate::roll_call::{Kind, look_for_strangers};
use crate::{Job, WorkError, Workshop};

/// How often an answer is looked for that was not heard of: the connection may have been lost for a while.
const LOOK: Duration = Duration::from_secs(2);
/// How often a job is put in the queue again; while it is known there nothing happens.
const AGAIN: Duration = Duration::from_secs(900);

/// Those who wait for answers, by the subject.
type Waiting = Arc<Mutex<HashMap<String, watch::Sender<Option<Vec<u8>>>>>>;

/// Puts jobs in the queue on a server, and waits for the answers.
pub struct Asker {
    /// There until the end.
    runtime: Option<Runtime>,
    queue: Queue,
    answers: Stream,
    waiting: Waiting,
    subject: String,
}

impl Asker {
    /// For jobs of a build. If all workers are of other builds that is told.
    pub fn connect(
        server: &Server,
        build: &str,
        tell: impl Fn(&str) + Send + 'static,
    ) -> Result<Self, WorkError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| server.fault(&error))?;
        let waiting = Waiting::default();
        let (queue, answers) = runtime.block_on(async {
            let queue = server.connect("ludens asker").await?;
            queue.jobs().await?;
            let answers = queue.answers().await?;
            let heard =
                queue.client.subscribe("ludens.answers.*").await.map_err(|error| server.fault(&error))?;
            tokio::spawn(listen(heard, Arc::clone(&waiting)));
            tokio::spawn(look_for_strangers(queue.clone(), build.to_owned(), Kind::Worker, tell));
            Ok::<_, WorkError>((queue, answers))
        })?;
        Ok(Self { runtime: Some(runtime), queue, answers, waiting, subject: jobs_subject(build) })
    }

    async fn ask(&self, job: &Job) -> Result<String, WorkError> {
        let subject = answer_subject(job.id());
        let mut heard = {
            let mut waiting = self.waiting.lock();
            waiting.entry(subject.clone()).or_insert_with(|| watch::Sender::new(None)).subscribe()
        };
        let mut put: Option<Instant> = None;
        let answer = loop {
            // It may have been done for someone before, or while nobody listened.
            if let Ok(known) = self.answers.direct_get_last_for_subject(subject.as_str()).await {
                break known.payload.to_vec();
            }
            if put.is_none_or(|put| put.elapsed() > AGAIN) && self.put(job).await {
                put = Some(Instant::now());
            }
            if let Ok(Ok(answer)) = timeout(LOOK, heard.wait_for(Option::is_some)).await
                && let Some(answer) = &*answer
            {
                break answer.clone();
            }
        };
        self.waiting.lock().remove(&subject);
        let damaged =
            |error: serde_json::Error| WorkError::Fault(format!("an answer cannot be read: {error}"));
        serde_json::from_slice::<Answer>(&answer).map_err(damaged)?.into()
    }

    /// Puts a job in the queue; whether the server has it for certain.
    async fn put(&self, job: &Job) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Msg-Id", job.id().text());
        let body = bytes::Bytes::from(job.body().to_owned());
        match self.queue.context.publish_with_headers(self.subject.clone(), headers, body).await {
            Ok(acknowledged) => acknowledged.await.is_ok(),
            Err(error) => {
                tracing::warn!(%error, "a job was not put in the queue; trying again");
                false
            }
        }
    }
}

async fn listen(mut heard: async_nats::Subscriber, waiting: Waiting) {
    while let Some(message) = heard.next().await {
        if let Some(sender) = waiting.lock().get(message.subject.as_str()) {
            sender.send_replace(Some(message.payload.to_vec()));
        }
    }
}

impl Workshop for Asker {
    fn perform(&self, job: &Job) -> Result<String, WorkError> {
        match &self.runtime {
            Some(runtime) => runtime.block_on(self.ask(job)),
            None => Err(WorkError::Fault("the queue was left".to_owned())),
        }
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        // Nothing is waited for: the last one to let go may be a task of another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
