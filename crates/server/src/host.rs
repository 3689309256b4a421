//! The host's side of a match: asks all players at once and hands their answers to the referee.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use game::Game;
use protocol::{Manner, READY, Request, reply_is};
use referee::{Answer, Match, MatchError, MatchRecord, Trouble};
use serde::Serialize;
use tokio::task::JoinSet;

use crate::Sessions;
use crate::client::{Address, Unanswered, ask};

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
                match tokio::time::timeout(limit, sessions.answer(&message, arrived)).await {
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

/// Is told of a match as it goes on.
pub trait Keeper: Send + Sync {
    /// Something was added to the record.
    fn update(&self, record: &MatchRecord);
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

/// Plays a match from START to STOP. Opponents are in role order, none for roles of the host.
///
/// Needs a runtime of several threads, as reasoning holds one of them up.
pub async fn conduct<G: Game>(
    mut current: Match<'_, G>,
    opponents: &[Option<Opponent>],
    manner: Manner,
    keeper: &dyn Keeper,
) -> MatchReport {
    let mut timing = Timing::default();
    let clocks = current.settings().clocks;
    if !clocks.preview.is_zero() {
        let preview = current.preview_request();
        let requests = opponents.iter().map(|_| Some(preview.clone())).collect();
        // Nothing depends on the answers.
        ask_all(opponents, requests, manner, clocks.preview).await;
    }
    let starts = (0..opponents.len()).map(|role| Some(current.start_request(role))).collect();
    let answers = ask_all(opponents, starts, manner, clocks.start).await;
    let trouble: Vec<Option<Trouble>> = answers.into_iter().map(start_trouble).collect();
    current.started(&trouble);
    keeper.update(current.record());
    let mut fault = None;
    while !current.is_over() {
        let play = current.play_request();
        let requests = opponents.iter().map(|_| Some(play.clone())).collect();
        let answers = ask_all(opponents, requests, manner, clocks.play + GRACE).await;
        let answers: Vec<Answer> = answers
            .into_iter()
            .map(|asked| match asked {
                None => Answer::Hosted,
                Some((Ok(reply), took)) => {
                    timing.answers += 1;
                    timing.after_clock += u64::from(took > clocks.play);
                    timing.slowest = timing.slowest.max(took.as_secs_f64());
                    Answer::Reply(reply)
                }
                Some((Err(Unanswered::Late), _)) => Answer::Late,
                Some((Err(Unanswered::Unreachable(why)), _)) => Answer::Unreachable(why),
            })
            .collect();
        let turn = tokio::task::block_in_place(|| current.turn(&answers, now()));
        keeper.update(current.record());
        if let Err(error) = turn {
            current.abort();
            fault = Some(error);
        }
    }
    let (last, limit) = match fault {
        None => (current.stop_request(), clocks.play.max(ABORT)),
        Some(_) => (current.abort_request(), ABORT),
    };
    let requests = opponents.iter().map(|_| Some(last.clone())).collect();
    ask_all(opponents, requests, manner, limit).await;
    MatchReport { record: current.record().clone(), timing, fault }
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

/// What a START's answer is recorded as. Hosts go on in every case.
fn start_trouble(asked: Asked) -> Option<Trouble> {
    match asked?.0 {
        Ok(reply) if reply_is(&reply, READY) => None,
        Ok(reply) => Some(Trouble::Illegal(reply.trim().to_owned())),
        Err(Unanswered::Late) => Some(Trouble::TimeOut),
        Err(Unanswered::Unreachable(why)) => Some(Trouble::Connection(why)),
    }
}
