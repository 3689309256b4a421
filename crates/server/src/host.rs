//! The host's side of a match: asks all players at once and hands their answers to the referee.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use game::Describe;
use protocol::{BUSY, Manner, Request, reply_is};
use referee::{Answer, Clocks, Given, Listener, Match, MatchError, MatchRecord, Step};
use serde::Serialize;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use crate::client::{Address, Unanswered, ask};
use crate::lobby::Guest;
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
    /// Somebody who has connected to us.
    Connected(Arc<Guest>),
    /// Somebody who takes questions one after the other: a person.
    Person(Questions),
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
            Opponent::Connected(guest) => guest.ask(message, limit).await,
            Opponent::Person(questions) => questions.ask(message, limit, false).await,
        }
    }
}

/// The way to somebody who takes questions one after the other.
#[derive(Clone)]
pub struct Questions(mpsc::UnboundedSender<Question>);

/// What somebody is asked.
pub struct Question {
    /// The message.
    pub message: String,
    /// When the answer is worth nothing any more.
    pub until: Instant,
    /// Whether it is of a turn that was played already, so that it is only to be taken note of.
    pub is_past: bool,
    /// Where it goes.
    pub reply: oneshot::Sender<String>,
}

impl Questions {
    /// A way, and where the questions arrive.
    pub fn new() -> (Self, mpsc::UnboundedReceiver<Question>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Self(sender), receiver)
    }

    async fn ask(&self, message: String, limit: Duration, is_past: bool) -> Result<String, Unanswered> {
        let (reply, answer) = oneshot::channel();
        let gone = || Unanswered::Unreachable("nobody is there any more".to_owned());
        let until = Instant::now() + limit;
        self.0.send(Question { message, until, is_past, reply }).map_err(|_| gone())?;
        match tokio::time::timeout(limit, answer).await {
            Ok(answer) => answer.map_err(|_| gone()),
            Err(_) => Err(Unanswered::Late),
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
    current: Match<'_, G>,
    opponents: &[Option<Opponent>],
    manner: Manner,
    listener: &mut (dyn Listener + Send),
) -> MatchReport {
    play_on(current, opponents, manner, listener, vec![None; opponents.len()]).await
}

/// Plays on with a match that was interrupted. Players in this process are brought to where it stands; others are asked
/// for their moves as if nothing had happened. If they do not know the match any more, or could take the question for
/// that of another turn, they are told it from its beginning, which takes as long as they think.
pub async fn conduct_resumed<G: Describe>(
    current: Match<'_, G>,
    opponents: &[Option<Opponent>],
    manner: Manner,
    listener: &mut (dyn Listener + Send),
) -> MatchReport {
    let mut known = vec![None; opponents.len()];
    if current.step() == Some(Step::Play) {
        let clocks = current.settings().clocks;
        let requests = opponents.iter().enumerate().map(|(role, opponent)| {
            let may_follow = match opponent {
                Some(Opponent::Local(_)) => false,
                Some(Opponent::Person(_)) => true,
                _ => !current.is_repeatable(),
            };
            may_follow.then(|| current.request(role)).flatten()
        });
        known = ask_all(opponents, requests.collect(), manner, clocks.play + GRACE).await;
        for (role, opponent) in opponents.iter().enumerate() {
            let Some(opponent) = opponent else { continue };
            let has_forgotten = match &known[role] {
                Some((Ok(reply), _)) => reply_is(reply, BUSY),
                _ => true,
            };
            if has_forgotten {
                known[role] = None;
                let (start, past) = (current.start_request(role), current.past_requests(role));
                tell_again(start, past, clocks, opponent, manner).await;
            }
        }
    }
    play_on(current, opponents, manner, listener, known).await
}

/// Tells a player a match from its beginning to the turn before the present one.
async fn tell_again(start: Request, past: Vec<Request>, clocks: Clocks, opponent: &Opponent, manner: Manner) {
    if let (Opponent::Local(sessions), Request::Start(start)) = (opponent, &start) {
        let news = past.into_iter().filter_map(|request| match request {
            Request::Play { news, .. } => Some(news),
            _ => None,
        });
        sessions.resume(start.clone(), news.collect()).await;
        return;
    }
    // What cannot be reached now is found missing when its move is asked for.
    if opponent.ask(manner.apply(&start.to_string()), clocks.start).await.is_err() {
        return;
    }
    for request in past {
        let (message, limit) = (manner.apply(&request.to_string()), clocks.play + GRACE);
        let _ = match opponent {
            Opponent::Person(questions) => questions.ask(message, limit, true).await,
            _ => opponent.ask(message, limit).await,
        };
    }
}

/// Plays from the present step to the last. Some may have answered to it already.
async fn play_on<G: Describe>(
    mut current: Match<'_, G>,
    opponents: &[Option<Opponent>],
    manner: Manner,
    listener: &mut (dyn Listener + Send),
    mut known: Vec<Asked>,
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
        let unknown = |role: usize| if known[role].is_none() { current.request(role) } else { None };
        let requests = (0..opponents.len()).map(unknown).collect();
        let mut asked = ask_all(opponents, requests, manner, limit).await;
        asked.iter_mut().zip(&mut known).for_each(|(asked, known)| *asked = known.take().or(asked.take()));
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
    let mut wanted = vec![false; opponents.len()];
    for (role, (opponent, request)) in opponents.iter().zip(requests).enumerate() {
        let (Some(opponent), Some(request)) = (opponent.clone(), request) else { continue };
        wanted[role] = true;
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
    for (place, wanted) in asked.iter_mut().zip(wanted) {
        if wanted && place.is_none() {
            *place = Some((Err(Unanswered::Late), limit));
        }
    }
    asked
}
