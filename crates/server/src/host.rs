//! The host's side of a match: asks all players at once and hands their answers to the referee.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use game::Describe;
use protocol::{Manner, Request};
use referee::{Answer, Given, Listener, Match, MatchError, MatchRecord, Step};
use serde::Serialize;
use tokio::task::JoinSet;

use crate::client::{Address, Unanswered, ask};
use crate::{Caller, Sessions};

/// What hosts give beyond the play clock.
const GRACE: Duration = Duration::from_secs(1);
/// How long an ABORT may take.
const ABORT: Duration = Duration::from_secs(1);

/// Who plays a role.
#[derive(Clone)]
pub enum Opponent {
    /// Somebody on the network.
    Remote(Address),
    /// Somebody in this process.
    Local(Arc<Sessions>),
}

impl Opponent {
    /// Asks and waits for the answer.
    pub async fn ask(&self, message: String, limit: Duration) -> Result<String, Unanswered> {
        match self {
            Opponent::Remote(address) => ask(address, message, limit).await,
            Opponent::Local(sessions) => {
                let arrived = Instant::now();
                match tokio::time::timeout(limit, sessions.answer(Caller::Here, message, arrived)).await {
                    Ok(answer) => answer.map_err(|error| Unanswered::Unreachable(error.to_string())),
                    Err(_) => Err(Unanswered::Late),
                }
            }
        }
    }
}

/// How quickly the PLAYs of a match were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Timing {
    /// Answers that came.
    pub answers: u64,
    /// Those that came after the play clock, but within the grace.
    pub after_clock: u64,
    /// Seconds of the slowest.
    pub slowest: f64,
}

impl Timing {
    fn count(&mut self, (answer, took): &(Result<String, Unanswered>, Duration), clock: Duration) {
        if answer.is_ok() {
            self.answers += 1;
            self.after_clock += u64::from(*took > clock);
            self.slowest = self.slowest.max(took.as_secs_f64());
        }
    }

    /// Takes another match into account.
    pub fn add(&mut self, other: &Timing) {
        self.answers += other.answers;
        self.after_clock += other.after_clock;
        self.slowest = self.slowest.max(other.slowest);
    }
}

/// What came out of a match.
#[derive(Clone, Debug)]
pub struct MatchReport {
    /// The record.
    pub record: MatchRecord,
    /// How quickly players answered.
    pub timing: Timing,
    /// The fault of the game that ended it early.
    pub fault: Option<MatchError>,
}

/// Milliseconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

/// Plays a match from its first request to its last, in the referee's loop. Opponents are in role order, none
/// for roles of the host.
///
/// Needs a runtime of several threads, as reasoning holds one of them up.
pub async fn conduct<G: Describe>(
    mut current: Match<'_, G>,
    opponents: &[Option<Opponent>],
    manner: Manner,
    listener: &mut (dyn Listener + Send),
) -> MatchReport {
    let mut timing = Timing::default();
    let clocks = current.settings().clocks;
    while let Some(step) = current.step() {
        let limit = match step {
            Step::Preview => clocks.preview,
            Step::Start => clocks.start,
            Step::Play => clocks.play + GRACE,
            Step::Stop => clocks.play.max(ABORT),
            Step::Abort => ABORT,
        };
        let requests = (0..opponents.len()).map(|role| current.request(role)).collect();
        let asked = ask_all(opponents, requests, manner, limit).await;
        if step == Step::Play {
            asked.iter().flatten().for_each(|asked| timing.count(asked, clocks.play));
        }
        let given = asked.into_iter().map(given).collect();
        tokio::task::block_in_place(|| current.take(given, now(), listener));
    }
    MatchReport { record: current.record().clone(), timing, fault: current.fault().cloned() }
}

/// What came of asking a player, as the referee takes it.
fn given(asked: Asked) -> Given {
    let Some((answer, took)) = asked else { return Answer::Hosted.into() };
    let answer = match answer {
        Ok(reply) => Answer::Reply(reply),
        Err(Unanswered::Late) => Answer::Late,
        Err(Unanswered::Unreachable(why)) => Answer::Unreachable(why),
    };
    Given { seconds: Some(took.as_secs_f64()), ..answer.into() }
}

type Asked = Option<(Result<String, Unanswered>, Duration)>;

/// Sends a request to each opponent at once and waits for all answers.
async fn ask_all(
    opponents: &[Option<Opponent>],
    requests: Vec<Option<Request>>,
    manner: Manner,
    limit: Duration,
) -> Vec<Asked> {
    let mut asked: Vec<Asked> = vec![None; opponents.len()];
    let mut running = JoinSet::new();
    for (role, (opponent, request)) in opponents.iter().zip(requests).enumerate() {
        let (Some(opponent), Some(request)) = (opponent.clone(), request) else { continue };
        let message = manner.apply(&request.to_string());
        running.spawn(async move {
            let begin = Instant::now();
            let answer = opponent.ask(message, limit).await;
            (role, answer, begin.elapsed())
        });
    }
    while let Some(done) = running.join_next().await {
        // A task that failed is a fault of ours; its player counts as silent.
        if let Ok((role, answer, took)) = done {
            asked[role] = Some((answer, took));
        }
    }
    for (place, opponent) in asked.iter_mut().zip(opponents) {
        if opponent.is_some() && place.is_none() {
            *place = Some((Err(Unanswered::Late), limit));
        }
    }
    asked
}
