//! Whoever does jobs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::stream::Stream;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tokio::sync::Semaphore;

use crate::answers::{keep, kept};
use crate::job::Answer;
use crate::queue::{FORMER_FAULT, Queue, SILENCE, Server};
use crate::roll_call::{self, Member};
use crate::{Job, WorkError, WorkerStatus};

/// How long it is waited for a job before it is asked again.
const WAIT: Duration = Duration::from_secs(5);
/// The wait after something went wrong.
const PAUSE: Duration = Duration::from_secs(1);
/// A job that so many workers did not survive is given up.
const MOST_DELIVERIES: i64 = 5;

/// How a worker is set up.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The name it is shown by.
    pub name: String,
    /// Jobs at once.
    pub jobs: usize,
    /// The build whose jobs it does.
    pub build: String,
}

#[derive(Default)]
struct Counters {
    running: AtomicUsize,
    done: AtomicU64,
    faults: AtomicU64,
}

impl Counters {
    /// Who this worker is, and what it has done.
    fn member(&self, options: &WorkerOptions) -> Member {
        Member::Worker(WorkerStatus {
            name: options.name.clone(),
            build: options.build.clone(),
            places: options.jobs,
            running: self.running.load(Ordering::Relaxed),
            done: self.done.load(Ordering::Relaxed),
            faults: self.faults.load(Ordering::Relaxed),
        })
    }
}

/// What does the jobs.
type Work = Arc<dyn Fn(&str) -> Result<String, String> + Send + Sync>;

/// Does jobs until the future is dropped.
pub async fn work(
    server: &Server,
    options: WorkerOptions,
    work: impl Fn(&str) -> Result<String, String> + Send + Sync + 'static,
) -> Result<std::convert::Infallible, WorkError> {
    let queue = server.connect(&options.name).await?;
    let mut answers = queue.answers().await?;
    let mut consumer = queue.consumer(&options.build).await?;
    let counters = Arc::new(Counters::default());
    let who = {
        let (options, counters) = (options.clone(), Arc::clone(&counters));
        move || counters.member(&options)
    };
    tokio::spawn(roll_call::answer(queue.client.clone(), who));
    let work: Work = Arc::new(work);
    let places = Arc::new(Semaphore::new(options.jobs.max(1)));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { continue };
        match next(&consumer).await {
            Ok(None) => {}
            Ok(Some(message)) => {
                let (queue, work, counters) = (queue.clone(), Arc::clone(&work), Arc::clone(&counters));
                let (answers, build) = (answers.clone(), options.build.clone());
                tokio::spawn(async move {
                    counters.running.fetch_add(1, Ordering::Relaxed);
                    one(&queue, &answers, &build, message, work, &counters).await;
                    counters.running.fetch_sub(1, Ordering::Relaxed);
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(error, "no job was given; trying again");
                tokio::time::sleep(PAUSE).await;
                // The server may have been started anew without what it knew.
                if let (Ok(list), Ok(kept)) = (queue.consumer(&options.build).await, queue.answers().await) {
                    (consumer, answers) = (list, kept);
                }
            }
        }
    }
}

async fn next(consumer: &PullConsumer) -> Result<Option<Message>, String> {
    let batch = consumer.fetch().max_messages(1).expires(WAIT).messages().await;
    let mut batch = batch.map_err(|error| error.to_string())?;
    batch.next().await.transpose().map_err(|error| error.to_string())
}

/// The place of the fault that came of a job before, if that is why it is to be done once more.
fn former_fault(message: &Message) -> u64 {
    let told = message.headers.as_ref().and_then(|headers| headers.get(FORMER_FAULT));
    told.and_then(|place| place.as_str().parse().ok()).unwrap_or(0)
}

/// Does one job: its answer is kept before it is taken off the queue.
async fn one(
    queue: &Queue,
    answers: &Stream,
    build: &str,
    message: Message,
    work: Work,
    counters: &Counters,
) {
    let body = String::from_utf8_lossy(&message.payload).into_owned();
    let job = Job::new(build, body);
    let former = kept(answers, job.id()).await;
    if former.as_ref().is_some_and(|kept| kept.holds_after(former_fault(&message))) {
        // A copy, or one whose answer was kept by a worker that did not live to say so.
        let _ = message.double_ack().await;
        return;
    }
    let delivered = message.info().map_or(1, |info| info.delivered);
    let answer = if delivered > MOST_DELIVERIES {
        Answer::Fault(format!("{MOST_DELIVERIES} workers have not come to an end with it"))
    } else {
        let task = job.clone();
        let run = move || catch_unwind(AssertUnwindSafe(|| work(task.body())));
        let mut doing = tokio::task::spawn_blocking(run);
        let done = loop {
            tokio::select! {
                done = &mut doing => break done,
                // The server is told that somebody is at it.
                () = tokio::time::sleep(SILENCE / 4) => drop(message.ack_with(AckKind::Progress).await),
            }
        };
        match done {
            Ok(Ok(Ok(text))) => Answer::Done(text),
            Ok(Ok(Err(why))) => Answer::Fault(why),
            Ok(Err(_)) | Err(_) => {
                Answer::Fault("whoever did it failed, which is a fault of ours".to_owned())
            }
        }
    };
    let is_fault = matches!(answer, Answer::Fault(_));
    // What cannot be kept is done by somebody else once this worker has been silent for long enough.
    for _ in 0..10 {
        if keep(queue, job.id(), &answer, former.as_ref()).await {
            let _ = message.double_ack().await;
            counters.done.fetch_add(1, Ordering::Relaxed);
            counters.faults.fetch_add(u64::from(is_fault), Ordering::Relaxed);
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}
