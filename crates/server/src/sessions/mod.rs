//! The player without the network: requests in, replies out, any number of matches at once.

mod caller;
mod counters;
mod margin;
mod room;
mod seats;
mod session;
mod status;
mod worker;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use player::{AgentSpec, Clock};
use protocol::{ABORTED, BUSY, DONE, Info, News, ProtocolError, READY, Request, Start};
use tokio::time::timeout_at;

use crate::MachineSource;
use crate::reading::{Letter, Reader, Received, fingerprint};
use counters::{Counters, count};
use margin::Margin;
use seats::Seats;
use session::{MatchKey, Phase, Session};

pub use caller::Caller;
pub(crate) use caller::is_same_token;
pub use session::View;
pub use status::{MatchStatus, Status};

/// Stack of a match's thread: hostile terms are nested deep. Only what is used of it is taken.
const STACK_BYTES: usize = 256 << 20;

/// How long past its time a reply may be when not even a legal move is known yet: hosts allow for delays
/// of the network, and a word that is no move is sure to lose the turn.
const LAST_RESORT: Duration = Duration::from_millis(500);

/// How long a match may take to be followed to where it stands.
const FOLLOWING: Duration = Duration::from_secs(60);

/// What a letter of the rules takes, about, when they were read and brought into normal form.
const BYTES_OF_A_LETTER: usize = 64;

/// Time to build machines, while the match goes on, however short its clocks are.
const LEAST_BUILDING: Duration = Duration::from_secs(10);

/// How a player is set up.
#[derive(Clone)]
pub struct SessionOptions {
    /// The name it gives.
    pub name: String,
    /// Who thinks. Threads and memory that its own parameters do not name are those of the match.
    pub agent: AgentSpec,
    /// Where its machines come from.
    pub machines: MachineSource,
    /// Matches it takes at once.
    pub matches: usize,
    /// Matches that one address may have at once, so that it cannot keep others out.
    pub matches_per_address: usize,
    /// Who sends it may speak of the matches of all.
    pub token: Option<String>,
    /// Bytes for each match: half for its search, half for its machines and what builds them.
    pub memory: usize,
    /// Threads for all matches; each gets an equal share of them when it begins, at least one.
    pub threads: usize,
    /// Whether it thinks on others' time.
    pub ponder: bool,
    /// How long it thinks about a move at most, however long the clock is.
    pub thinking: Option<Duration>,
    /// Simulations for a move at most.
    pub simulations: Option<u64>,
    /// The least part of a clock that is kept back.
    pub margin: Duration,
    /// The longest clock that is accepted.
    pub longest_clock: Duration,
    /// How long a host may be silent before its match is given up, whatever its clocks and even if there is
    /// room. Longer than the longest clock: a host is silent while it waits for others.
    pub longest_silence: Duration,
    /// The seed of chance.
    pub seed: u64,
}

/// A player and all its matches: takes requests and gives replies.
pub struct Sessions {
    options: SessionOptions,
    begin: Instant,
    sessions: Mutex<HashMap<MatchKey, Arc<Session>>>,
    margin: Margin,
    counters: Arc<Counters>,
    workers: Arc<AtomicUsize>,
    seats: Arc<Seats>,
    started: AtomicUsize,
    reader: Reader,
    helpers: Option<HelperCount>,
}

/// Says how many helpers were heard of lately.
pub type HelperCount = Arc<dyn Fn() -> usize + Send + Sync>;

impl Sessions {
    /// A player that has no match yet.
    pub fn new(options: SessionOptions) -> Self {
        Self {
            margin: Margin::new(options.margin),
            seats: Arc::new(Seats::new(options.matches)),
            options,
            begin: Instant::now(),
            sessions: Mutex::default(),
            counters: Arc::default(),
            workers: Arc::default(),
            started: AtomicUsize::new(0),
            reader: Reader::default(),
            helpers: None,
        }
    }

    /// The same with helpers on a network, who are counted.
    pub fn with_helpers(mut self, helpers: Option<HelperCount>) -> Self {
        self.helpers = helpers;
        self
    }

    fn now(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Who speaks from an address, with a token if one was sent.
    pub fn caller(&self, address: IpAddr, token: Option<&[u8]>) -> Caller {
        let right = self.options.token.as_ref().map(String::as_bytes);
        match (token, right) {
            (Some(token), Some(right)) if is_same_token(token, right) => Caller::Trusted(address),
            _ => Caller::At(address),
        }
    }

    /// Answers a message that began to arrive at a time. Always answers, and in time.
    pub async fn answer(
        &self,
        caller: Caller,
        message: String,
        arrived: Instant,
    ) -> Result<String, ProtocolError> {
        Ok(self.act(caller, self.read(message.into()).await?, arrived).await)
    }

    /// Reads a message. A long one is read aside, and nobody is held up by it.
    pub(crate) async fn read(&self, letter: Letter) -> Result<Received, ProtocolError> {
        let received = self.reader.read(letter).await;
        let counters = &self.counters;
        count(if received.is_ok() { &counters.requests } else { &counters.faulty_requests });
        received
    }

    /// Does what is asked.
    pub(crate) async fn act(&self, caller: Caller, received: Received, arrived: Instant) -> String {
        let Received { request, rules } = received;
        tracing::debug!(request = request.keyword(), id = request.match_id(), "request");
        match request {
            Request::Info => self.info(caller).to_string(),
            Request::Preview { .. } => READY.to_owned(),
            Request::Start(start) => self.start(caller, start, rules, arrived).await,
            Request::Play { match_id, news } => self.play(caller, &match_id, news, arrived).await,
            Request::Stop { match_id, .. } => self.end(caller, &match_id, DONE),
            Request::Abort { match_id } => self.end(caller, &match_id, ABORTED),
        }
    }

    fn info(&self, caller: Caller) -> Info {
        let full = self.is_full(&self.sessions.lock(), caller.owner());
        let status = if full { protocol::Status::Busy } else { protocol::Status::Available };
        Info { name: self.options.name.clone(), status }
    }

    async fn start(&self, caller: Caller, start: Start, rules: u64, arrived: Instant) -> String {
        let begin = arrived.saturating_duration_since(self.begin);
        // Hosts give no grace for START, and there is little to lose.
        let margin = (2 * self.margin.of(start.start_clock, 0)).min(start.start_clock / 2);
        let deadline = arrived + start.start_clock - margin;
        if start.start_clock.max(start.play_clock) > self.options.longest_clock {
            tracing::warn!(id = start.match_id, "START refused: its clocks are longer than --longest-clock");
            count(&self.counters.starts_refused);
            return BUSY.to_owned();
        }
        if start.rules.len() > self.options.memory / BYTES_OF_A_LETTER {
            tracing::warn!(
                id = start.match_id,
                "START refused: --memory is too little for rules of this length"
            );
            count(&self.counters.starts_refused);
            return BUSY.to_owned();
        }
        let key = MatchKey { owner: caller.owner(), match_id: start.match_id.clone() };
        let known = self.sessions.lock().get(&key).cloned();
        let session = match known.filter(|session| session.is_begun_by(&start, rules)) {
            Some(session) => session,
            None => match self.begin(key, start, rules, begin, deadline) {
                Some(session) => session,
                None => {
                    count(&self.counters.starts_refused);
                    return BUSY.to_owned();
                }
            },
        };
        session.hear(self.now());
        let mut phase = session.shared.phase.subscribe();
        let prepared = phase.wait_for(|phase| *phase != Phase::Building);
        let reached = match timeout_at(deadline.into(), prepared).await {
            Ok(Ok(phase)) => phase.clone(),
            // The worker has gone without a word: a fault of ours.
            Ok(Err(_)) => Phase::Unplayable("the match could not be prepared".to_owned()),
            // Building goes on; the first PLAY may find it done.
            Err(_) => Phase::Building,
        };
        match reached {
            Phase::Building | Phase::Ready => READY.to_owned(),
            Phase::Unplayable(why) => {
                tracing::warn!(id = session.match_id, why, "START refused");
                count(&self.counters.starts_refused);
                self.forget(&session);
                BUSY.to_owned()
            }
        }
    }

    /// Begins a match, if there is room for it.
    fn begin(
        &self,
        key: MatchKey,
        start: Start,
        rules: u64,
        now: Duration,
        deadline: Instant,
    ) -> Option<Arc<Session>> {
        let mut sessions = self.sessions.lock();
        self.make_room(&mut sessions, &key)?;
        let (session, orders) = Session::new(key.owner, &start, rules, now);
        let brief = worker::Brief {
            rules: start.rules,
            role: start.role,
            machines: Arc::clone(&self.options.machines),
            shared: Arc::clone(&session.shared),
            counters: Arc::clone(&self.counters),
            orders,
            stop: session.stop_flag(),
            until: deadline.saturating_duration_since(self.begin),
            ponder: self.options.ponder,
            seats: Arc::clone(&self.seats),
            share: self.share(sessions.len() + 1, start.start_clock + 5 * start.play_clock),
        };
        let guard = Counted::new(Arc::clone(&self.workers));
        let run = move || {
            worker::run(brief);
            drop(guard);
        };
        let name = format!("match {}", start.match_id.chars().take(40).collect::<String>());
        std::thread::Builder::new().name(name).stack_size(STACK_BYTES).spawn(run).ok()?;
        count(&self.counters.matches_started);
        let session = Arc::new(session);
        sessions.insert(key, Arc::clone(&session));
        Some(session)
    }

    /// What a match may use, as one of so many.
    fn share(&self, matches: usize, building: Duration) -> worker::Share {
        let begin = self.begin;
        let clock: Clock = Arc::new(move || begin.elapsed());
        let number = self.started.fetch_add(1, Ordering::Relaxed) as u64;
        worker::Share {
            agent: self.options.agent.clone(),
            seed: self.options.seed.wrapping_add(number),
            simulations: self.options.simulations,
            memory: self.options.memory,
            threads: (self.options.threads / matches.max(1)).max(1),
            building: building.max(LEAST_BUILDING),
            clock,
        }
    }

    async fn play(&self, caller: Caller, match_id: &str, news: News, arrived: Instant) -> String {
        let Some(session) = find(&self.sessions.lock(), caller, match_id) else {
            count(&self.counters.unknown_matches);
            return BUSY.to_owned();
        };
        session.hear(self.now());
        let clock = session.play_clock;
        let margin = self.margin.of(clock, session.replaced());
        // One that was on its way for longer than that is answered at once.
        let deadline = (arrived + clock - margin).max(Instant::now());
        let thinking = self.options.thinking.map_or(deadline, |thinking| deadline.min(arrived + thinking));
        let by = |time: Instant| time.saturating_duration_since(self.begin);
        let Some(reply) = session.order(news, by(thinking), by(deadline)) else { return BUSY.to_owned() };
        // Half the margin is for the worker to be late, half for the way back.
        let reply = match timeout_at((deadline + margin / 2 + LAST_RESORT).into(), reply).await {
            Ok(Ok(reply)) => reply,
            // The session was given up, or its rules cannot be played.
            Ok(Err(_)) => return BUSY.to_owned(),
            Err(_) => {
                count(&self.counters.fallback_moves);
                session.stop_flag().store(true, Ordering::Relaxed);
                worker::NOTHING.to_owned()
            }
        };
        let late = Instant::now().saturating_duration_since(deadline);
        self.margin.learn(late);
        count(&self.counters.moves);
        if arrived.elapsed() > clock {
            count(&self.counters.late_moves);
        }
        reply
    }

    /// Begins a match that has been going on without this player, and follows it through what was told before. What it
    /// says is what it says to a START.
    pub async fn resume(&self, start: Start, past: Vec<News>) -> String {
        let match_id = start.match_id.clone();
        let rules = fingerprint(&start.rules);
        let reply = self.start(Caller::Here, start, rules, Instant::now()).await;
        if let Some(session) = find(&self.sessions.lock(), Caller::Here, &match_id) {
            let until = self.now() + FOLLOWING;
            past.into_iter().for_each(|news| session.follow(news, until));
        }
        reply
    }

    fn end(&self, caller: Caller, match_id: &str, reply: &str) -> String {
        let mut sessions = self.sessions.lock();
        let Some(session) = find(&sessions, caller, match_id) else {
            count(&self.counters.unknown_matches);
            return BUSY.to_owned();
        };
        sessions.remove(&session.key());
        drop(sessions);
        count(&self.counters.matches_stopped);
        session.end();
        reply.to_owned()
    }

    /// Forgets a session, unless another match has taken its id.
    fn forget(&self, session: &Arc<Session>) {
        session.end();
        let mut sessions = self.sessions.lock();
        if sessions.get(&session.key()).is_some_and(|known| Arc::ptr_eq(known, session)) {
            sessions.remove(&session.key());
        }
    }
}

/// The match of a name that a caller may speak of, their own before those of others.
fn find(sessions: &HashMap<MatchKey, Arc<Session>>, caller: Caller, match_id: &str) -> Option<Arc<Session>> {
    let key = MatchKey { owner: caller.owner(), match_id: match_id.to_owned() };
    let of_others = || {
        let named = |session: &&Arc<Session>| session.match_id == match_id;
        sessions.values().filter(named).find(|session| caller.may_speak_of(session.owner))
    };
    sessions.get(&key).or_else(of_others).cloned()
}

impl Drop for Sessions {
    fn drop(&mut self) {
        self.sessions.lock().values().for_each(|session| session.end());
    }
}

/// Counts a thread for as long as it lives.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(counter: Arc<AtomicUsize>) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Self(counter)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
