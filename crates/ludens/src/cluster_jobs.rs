//! Matches as jobs: what is written into the queue, and how it is done.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Context;
use arena::{ArenaError, Contestant, Ground, MatchKey, MatchRecord, MatchRules, Thinking};
use clap::Args;
use cluster::{Asker, Job, Server, Workshop};
use gdl::normal::normalize;
use parking_lot::Mutex;
use referee::Nobody;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::commands::verify::{PlayedBack, verify_job};
use crate::elsewhere::{Conditions, TraceJob};
use crate::failure;

/// What tells this build from others, which might play otherwise.
pub(crate) fn build() -> anyhow::Result<&'static str> {
    static BUILD: OnceLock<String> = OnceLock::new();
    if let Some(known) = BUILD.get() {
        return Ok(known);
    }
    let build = cluster::this_build(env!("CARGO_PKG_VERSION"));
    let build = build.context("cannot read the file of this program, by which workers are told apart")?;
    Ok(BUILD.get_or_init(|| build))
}

/// Tells that those who are there are of other builds.
pub(crate) fn warn(complaint: &str) {
    failure::tell("warning", complaint);
}

/// Games whose machines a worker keeps.
const KEPT_GAMES: usize = 8;

/// Where the queue is.
#[derive(Args, Clone, Debug)]
pub(crate) struct ServerArguments {
    /// The NATS server: nats://host:4222, or tls://user:password@host:4222. NATS_URL is taken if it is not given
    #[arg(long, value_name = "URL")]
    cluster: Option<String>,

    /// Trust these certificates as well
    #[arg(long, value_name = "FILE")]
    certificates: Option<PathBuf>,
}

impl ServerArguments {
    pub(crate) fn server(&self) -> Server {
        let from_environment =
            || std::env::var("NATS_URL").unwrap_or_else(|_| "nats://127.0.0.1:4222".to_owned());
        let address = self.cluster.clone().unwrap_or_else(from_environment);
        Server { address, certificates: self.certificates.clone() }
    }
}

/// What workers do.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Task {
    /// A match.
    Match(MatchJob),
    /// A trace to be played back.
    Trace(TraceJob),
}

/// Everything that a match depends on.
#[derive(Serialize, Deserialize)]
struct MatchJob {
    rules: String,
    /// The players as they are written: in the key those that come twice have numbers.
    seats: Vec<String>,
    key: MatchKey,
    start_milliseconds: u64,
    steps: usize,
    opening: usize,
    build_milliseconds: u64,
    memory: usize,
}

/// Has matches played by others.
pub(crate) struct Remote {
    asker: Asker,
}

impl Remote {
    /// Connects to a queue.
    pub(crate) fn connect(address: &str, certificates: Option<PathBuf>) -> anyhow::Result<Self> {
        let server = Server { address: address.to_owned(), certificates };
        Ok(Self { asker: Asker::connect(&server, build()?, warn)? })
    }

    /// Has a match played: the same that is played here with the same key.
    pub(crate) fn play(
        &self,
        rules: &str,
        seats: &[Contestant],
        key: MatchKey,
        conditions: Conditions,
    ) -> Result<MatchRecord, ArenaError> {
        let job = MatchJob {
            rules: rules.to_owned(),
            seats: seats.iter().map(ToString::to_string).collect(),
            key,
            start_milliseconds: conditions.rules.start.as_millis() as u64,
            steps: conditions.rules.steps,
            opening: conditions.rules.opening,
            build_milliseconds: conditions.building.as_millis() as u64,
            memory: conditions.memory,
        };
        self.perform(&Task::Match(job)).map_err(|why| ArenaError::Elsewhere(format!("{why:#}")))
    }

    /// Has a trace played back.
    pub(crate) fn verify(&self, job: TraceJob) -> anyhow::Result<PlayedBack> {
        self.perform(&Task::Trace(job))
    }

    fn perform<Answer: DeserializeOwned>(&self, task: &Task) -> anyhow::Result<Answer> {
        let answer = self.asker.perform(&Job::new(build()?, serde_json::to_string(task)?))?;
        Ok(serde_json::from_str(&answer)?)
    }
}

/// Does something where terms may be nested deep.
fn on_deep_stack<T: Send>(work: impl FnOnce() -> anyhow::Result<T> + Send) -> anyhow::Result<T> {
    const STACK_BYTES: usize = 512 << 20;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Where a worker does its jobs: machines of a few games are kept.
#[derive(Default)]
pub(crate) struct Bench {
    grounds: Mutex<Vec<(String, Arc<Ground>)>>,
}

impl Bench {
    /// Does a job.
    pub(crate) fn perform(&self, body: &str) -> Result<String, String> {
        let task: Task =
            serde_json::from_str(body).map_err(|error| format!("the job cannot be read: {error}"))?;
        match task {
            Task::Match(job) => self.play(job),
            Task::Trace(job) => {
                let compared = on_deep_stack(|| verify_job(&job)).map_err(|error| format!("{error:#}"))?;
                serde_json::to_string(&compared).map_err(|error| error.to_string())
            }
        }
    }

    fn play(&self, job: MatchJob) -> Result<String, String> {
        let ground = self.ground(&job).map_err(|error| error.to_string())?;
        let seat = |text: &String| Contestant::read(text, Thinking::Simulations(1));
        let seats: Vec<Contestant> =
            job.seats.iter().map(seat).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let start = Duration::from_millis(job.start_milliseconds);
        let rules = MatchRules { start, steps: job.steps, opening: job.opening, ..MatchRules::default() };
        let played = ground.play_or_cut(&seats, job.key, rules, &mut Nobody);
        let record = played.map_err(|error| error.to_string())?;
        serde_json::to_string(&record).map_err(|error| error.to_string())
    }

    fn ground(&self, job: &MatchJob) -> Result<Arc<Ground>, ArenaError> {
        let mut grounds = self.grounds.lock();
        if let Some(place) = grounds.iter().position(|(rules, _)| *rules == job.rules) {
            let known = grounds.remove(place);
            let ground = Arc::clone(&known.1);
            grounds.push(known);
            return Ok(ground);
        }
        // Others wait: the same game would be built twice otherwise.
        let source = gdl::SourceFile::new(job.key.game.clone(), job.rules.clone());
        let rules = normalize(&gdl::parse(&source).sheet);
        let time = Duration::from_millis(job.build_milliseconds);
        let ground = Arc::new(Ground::build(&job.key.game, rules, time, job.memory)?);
        if grounds.len() >= KEPT_GAMES {
            grounds.remove(0);
        }
        grounds.push((job.rules.clone(), Arc::clone(&ground)));
        Ok(ground)
    }
}
