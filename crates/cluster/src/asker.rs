//! Whoever has jobs done by others.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::stream::{RawMessageErrorKind, Stream};
use futures_util::StreamExt;
use parking_lot::Mutex;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::answers::kept;
use crate::job::Answer;
use crate::queue::{FORMER_FAULT, Queue, Server, answer_subject, jobs_subject};
use crate::roll_call::{Kind, look_for_strangers};
use crate::{Job, WorkError, Workshop};

/// How often an answer is looked for that was not heard of: the connection may have been lost for a while.
const LOOK: Duration = Duration::from_secs(2);
/// How often it is looked whether a job is still in the queue.
const LOOK_IN_QUEUE: Duration = Duration::from_secs(60);

/// Those who wait for answers, by the subject.
type Waiting = Arc<Mutex<HashMap<String, watch::Sender<Option<Vec<u8>>>>>>;

/// Puts jobs in the queue on a server, and waits for the answers.
pub struct Asker {
    /// There until the end.
    runtime: Option<Runtime>,
    queue: Queue,
    jobs: Stream,
    answers: Stream,
    /// The place of the last answer that was there before: faults up to it are not for this asker.
    begin: u64,
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
        let (queue, jobs, answers) = runtime.block_on(async {
            let queue = server.connect("ludens asker").await?;
            let jobs = queue.jobs().await?;
            let answers = queue.answers().await?;
            let heard =
                queue.client.subscribe("ludens.answers.*").await.map_err(|error| server.fault(&error))?;
            tokio::spawn(listen(heard, Arc::clone(&waiting)));
            tokio::spawn(look_for_strangers(queue.clone(), build.to_owned(), Kind::Worker, tell));
            Ok::<_, WorkError>((queue, jobs, answers))
        })?;
        let (runtime, begin) = (Some(runtime), answers.cached_info().state.last_sequence);
        Ok(Self { runtime, queue, jobs, answers, begin, waiting, subject: jobs_subject(build) })
    }

    async fn ask(&self, job: &Job) -> Result<String, WorkError> {
        let subject = answer_subject(job.id());
        let mut heard = {
            let mut waiting = self.waiting.lock();
            waiting.entry(subject.clone()).or_insert_with(|| watch::Sender::new(None)).subscribe()
        };
        let (mut put, mut looked, mut former_fault) = (None, Instant::now(), 0);
        let answer = loop {
            // It may have been done for someone before, or while nobody listened.
            if let Some(kept) = kept(&self.answers, job.id()).await {
                if kept.holds_after(self.begin) {
                    break kept.answer;
                }
                former_fault = kept.place;
            }
            if let Some(place) = put
                && looked.elapsed() > LOOK_IN_QUEUE
            {
                put = self.is_in_queue(place, job).await.then_some(place);
                looked = Instant::now();
            }
            if put.is_none() {
                put = self.put(job, former_fault).await;
            }
            if let Ok(Ok(answer)) = timeout(LOOK, heard.wait_for(Option::is_some)).await
                && let Some(answer) = &*answer
            {
                break Answer::read(answer);
            }
        };
        self.waiting.lock().remove(&subject);
        answer.into()
    }

    /// Puts a job in the queue, where a fault came of it before; its place there, if the server has it for certain.
    async fn put(&self, job: &Job, former_fault: u64) -> Option<u64> {
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Msg-Id", format!("{}.{former_fault}", job.id().text()));
        headers.insert(FORMER_FAULT, former_fault.to_string());
        let body = bytes::Bytes::from(job.body().to_owned());
        match self.queue.context.publish_with_headers(self.subject.clone(), headers, body).await {
            Ok(acknowledged) => acknowledged.await.ok().map(|put| put.sequence),
            Err(error) => {
                tracing::warn!(%error, "a job was not put in the queue; trying again");
                None
            }
        }
    }

    /// Whether a job is where it was put, as far as the server says. It is there until its answer is kept, however
    /// long it waits or takes: a second one would be done as well.
    async fn is_in_queue(&self, place: u64, job: &Job) -> bool {
        match self.jobs.get_raw_message(place).await {
            Ok(found) => found.payload == job.body(),
            Err(error) => error.kind() != RawMessageErrorKind::NoMessageFound,
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
