//! The player: always an answer, in time.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use engine::{Clock, Decision, Event, knows_moves};
use game::{Dice, RoleId, RuleFault};
use machine::Machine;
use machine::builder::{Event as BuilderEvent, What};

use crate::AgentSpec;
use crate::brain::{Board, Brain, Command, Published};
use crate::emergency::Emergency;
use crate::fallback::{Course, Fallback, Need};
use crate::following::Pending;
use crate::machines::{Machines, Stock};
use crate::{AgentError, Told};

/// How long to think about a move: until a time by the player's clock, for a number of
/// simulations, or whichever comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// When the answer must be there.
    pub until: Option<Duration>,
    /// Simulations.
    pub simulations: Option<u64>,
}

impl Limit {
    /// Until a time by the player's clock.
    pub fn until(until: Duration) -> Self {
        Self { until: Some(until), simulations: None }
    }

    /// A number of simulations, however long they take.
    pub fn simulations(simulations: u64) -> Self {
        Self { until: None, simulations: Some(simulations) }
    }
}

/// What a player starts with.
pub struct Setup {
    /// The machines of the game.
    pub machines: Arc<Machines>,
    /// The role that is played.
    pub role: usize,
    /// Who plays.
    pub agent: AgentSpec,
    /// The same seed and limits by simulations give the same moves, on one thread.
    pub seed: u64,
    /// Whether to think on others' time.
    pub ponder: bool,
    /// The caller's clock.
    pub clock: Clock,
}

impl std::fmt::Debug for Setup {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Setup")
            .field("role", &self.role)
            .field("agent", &self.agent)
            .finish_non_exhaustive()
    }
}

/// What can go wrong with a player.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayerError {
    /// There is no machine for the game.
    #[error("the game cannot be played: {0}")]
    NoMachine(String),
    /// The rules are at fault.
    #[error("the rules are at fault: {0}")]
    Rules(#[from] RuleFault),
    /// The game is over, or the role has no moves.
    #[error("there is no move to choose: the game is over")]
    Over,
    /// A joint move that cannot be followed.
    #[error("these moves cannot be followed: {0}")]
    UnknownMoves(String),
    /// Time was over before any move was found.
    #[error("no legal move was found in time")]
    TooLate,
    /// There is no such role.
    #[error("there is no role number {0}")]
    NoRole(usize),
    /// The agent has failed. The match can go on: one that only knows what is legal takes its place.
    #[error("the agent has failed, which is a fault of ours: {0}")]
    Failed(String),
    /// The thread that thinks could not be started.
    #[error("no thread to think with: {0}")]
    NoThread(String),
}

/// One match's brain.
#[derive(Debug)]
pub struct Player {
    /// Let go of first when the player leaves: then nobody waits for what is being built.
    machines: Option<Arc<Machines>>,
    pub(crate) stock: Stock,
    pub(crate) role: usize,
    pub(crate) clock: Clockwork,
    pub(crate) board: Arc<Board>,
    pub(crate) course: Arc<Course>,
    threads: Vec<JoinHandle<()>>,
    pub(crate) turn: u64,
    /// How many joint moves were made.
    pub(crate) moves: usize,
    /// What a host said last, and what it was answered.
    pub(crate) told: Option<Told>,
    pub(crate) answer: Option<String>,
    /// Whether the host was there to hear it.
    pub(crate) is_heard: bool,
    /// The number that a host has given to the first turn.
    pub(crate) first_turn: Option<u64>,
    /// How often a legal move had to do in place of a thought.
    fallbacks: u64,
    /// The joint moves that were made.
    pub(crate) joints: Vec<Vec<String>>,
    /// What a host spoke of and nothing could follow yet.
    pub(crate) pending: VecDeque<Pending>,
    pub(crate) emergency: Option<Emergency>,
}

/// Stack of a player's threads: hostile terms are nested deep. Only what is used of it is taken.
const STACK_BYTES: usize = 64 << 20;

pub(crate) struct Clockwork(Clock);

impl Clockwork {
    pub(crate) fn now(&self) -> Duration {
        (self.0)()
    }
}

impl std::fmt::Debug for Clockwork {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:?}", self.now())
    }
}

impl Player {
    /// A player. The machines are built in the background meanwhile.
    pub fn new(setup: Setup) -> Result<Self, PlayerError> {
        Self::with_thinking_thread(setup, || ())
    }

    /// The same; the thread that thinks does something first, such as to lower its priority.
    pub fn with_thinking_thread(
        setup: Setup,
        first: impl FnOnce() + Send + 'static,
    ) -> Result<Self, PlayerError> {
        let board = Arc::new(Board::default());
        let stock = setup.machines.stock(&board.leaving);
        let role = RoleId(u16::try_from(setup.role).map_err(|_| PlayerError::NoRole(setup.role))?);
        let brain = Brain {
            machines: stock.clone(),
            role,
            agent: setup.agent,
            plain: "random".parse().map_err(|error: AgentError| PlayerError::Failed(error.to_string()))?,
            seed: setup.seed,
            ponder: setup.ponder,
            clock: Arc::clone(&setup.clock),
            board: Arc::clone(&board),
            mind: None,
            history: Vec::new(),
        };
        let course = Arc::new(Course::default());
        let fallback = Fallback {
            machines: stock.clone(),
            role,
            board: Arc::clone(&board),
            course: Arc::clone(&course),
            dice: Dice::new(setup.seed),
            position: None,
            history: Vec::new(),
        };
        let mut player = Self {
            machines: Some(setup.machines),
            stock,
            role: setup.role,
            clock: Clockwork(setup.clock),
            board,
            course,
            threads: Vec::new(),
            turn: 0,
            moves: 0,
            told: None,
            answer: None,
            is_heard: false,
            first_turn: None,
            fallbacks: 0,
            joints: Vec::new(),
            pending: VecDeque::new(),
            emergency: None,
        };
        // The player is there first, so that one thread ends if there is none for the other.
        player.start("player", move || {
            first();
            brain.run();
        })?;
        player.start("fallback", move || fallback.run())?;
        Ok(player)
    }

    fn start(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), PlayerError> {
        let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(work);
        self.threads.push(thread.map_err(|error| PlayerError::NoThread(error.to_string()))?);
        Ok(())
    }

    /// Gets ready: builds machines and, until the time given, thinks about the first position.
    /// Without a time, waits for the best machine and does not think.
    pub fn prepare(&mut self, until: Option<Duration>) -> Result<(), PlayerError> {
        self.prepare_unless(until, &AtomicBool::new(false))
    }

    /// As [`Player::prepare`], but thinking ends soon after the flag is set.
    pub fn prepare_unless(&mut self, until: Option<Duration>, stop: &AtomicBool) -> Result<(), PlayerError> {
        let Some(until) = until else {
            let machine = self.stock.last().ok_or_else(|| self.no_machine())?;
            return self.check_role(&machine);
        };
        self.turn += 1;
        self.course.need(Need::Later);
        let limit = Limit { until: Some(until), simulations: None };
        self.board.tell(Command::Think { turn: self.turn, limit, answer: false });
        let (turn, moves) = (self.turn, self.moves);
        let prepared = |published: &Published| {
            let is_ready = published.is_over(turn) && published.listed_after(moves).is_some();
            // Who has nothing to think about is not to begin before its machine is there.
            is_ready && !self.stock.is_behind()
        };
        if !self.wait_until(until, stop, prepared) {
            self.board.interrupt();
        }
        let published = self.board.published.lock();
        let fault = published.listed_after(moves).and_then(|listed| listed.fault.clone());
        drop(published);
        let unplayable = match (fault, self.stock.best(), self.stock.failure()) {
            (Some(fault), ..) => fault.into(),
            (None, Some(machine), _) => return self.check_role(&machine),
            (None, None, Some(why)) => PlayerError::NoMachine(why),
            (None, None, None) => return Ok(()),
        };
        // A game that no machine can play may have moves that are easily found.
        if self.rescue(until, stop).is_some() { Ok(()) } else { Err(unplayable) }
    }

    /// Chooses a move. It is there by the limit's time however long a thought takes, if a machine can
    /// follow the last moves and list the legal ones by then; if not, it is [`PlayerError::TooLate`] at
    /// that time. The caller's own thread never waits for a machine.
    pub fn choose(&mut self, limit: Limit) -> Result<Decision, PlayerError> {
        self.choose_unless(limit, &AtomicBool::new(false))
    }

    /// As [`Player::choose`], but what is there is taken soon after the flag is set.
    pub fn choose_unless(&mut self, limit: Limit, stop: &AtomicBool) -> Result<Decision, PlayerError> {
        if let (Some(until), false) = (limit.until, self.pending.is_empty()) {
            // What machines know is another position.
            let rescued = self.rescue(until, stop).ok_or(PlayerError::TooLate)?;
            self.fallbacks += 1;
            return Ok(rescued);
        }
        self.turn += 1;
        let (turn, moves) = (self.turn, self.moves);
        let is_timed = limit.until.is_some();
        self.course.need(if is_timed { Need::Now } else { Need::Never });
        self.board.tell(Command::Think { turn, limit, answer: true });
        let answered = |published: &Published| {
            let is_faulty = published.decision.is_none() && published.fault.is_some();
            // Where thinking fails there may still be a legal move.
            let is_over = published.is_over(turn) || published.failure.is_some();
            is_over && !(is_faulty && is_timed && published.listed_after(moves).is_none())
        };
        let until = limit.until.unwrap_or(Duration::MAX);
        let is_answered = self.wait_until(self.time_to_rescue(until), stop, answered);
        let rescued = if is_timed && self.knows_nothing() { self.rescue(until, stop) } else { None };
        if !is_answered && !self.wait_until(until, stop, answered) {
            self.board.interrupt();
        }
        let mut published = self.board.published.lock();
        if let Some(why) = published.failure.take() {
            return Err(PlayerError::Failed(why));
        }
        let is_current = published.turn == turn;
        if let Some(decision) = published.decision.as_ref().filter(|_| is_current) {
            return Ok(decision.clone());
        }
        let is_over = published.is_over(turn);
        let fault = published.fault.clone().filter(|_| is_current);
        let listed = published.listed_after(moves).and_then(|listed| listed.decision.clone());
        drop(published);
        match (listed.filter(|_| is_timed).or(rescued), fault) {
            (Some(decision), _) => {
                self.fallbacks += 1;
                Ok(decision)
            }
            (None, Some(fault)) => Err(fault.into()),
            (None, None) if is_over && self.stock.best().is_none() => Err(self.no_machine()),
            (None, None) if is_over => Err(PlayerError::Over),
            (None, None) => Err(PlayerError::TooLate),
        }
    }

    pub(crate) fn now(&self) -> Duration {
        self.clock.now()
    }

    /// How many joint moves were made.
    pub fn moves_made(&self) -> usize {
        self.moves
    }

    /// How often a thread of the player failed by a fault of ours and went on in a plainer way.
    pub fn failures(&self) -> u64 {
        self.board.failures.load(Ordering::Relaxed)
    }

    /// How many machines of the game failed, or gave wrong answers and were not used.
    pub fn machine_faults(&self) -> u64 {
        let is_fault = |event: &BuilderEvent| matches!(event.what, What::Differs(_) | What::Failed(_));
        self.stock.events().iter().filter(|event| is_fault(event)).count() as u64
    }

    /// What happened to the engines that thought so far: which of them did not suit the game, and why.
    pub fn events(&self) -> Vec<Event> {
        self.board.events.lock().clone()
    }

    /// How often [`Player::choose`] gave any legal move, as no thought was there in time.
    pub fn fallbacks(&self) -> u64 {
        self.fallbacks
    }

    /// Follows a legal joint move, as a referee tells it: the moves of all roles in order, in any case and
    /// spacing. Where the rules say who sees what, the own move and what was seen are told in its place. What a
    /// host says is better given to [`Player::follow`].
    pub fn advance<Text: AsRef<str>>(&mut self, joint: &[Text]) -> Result<(), PlayerError> {
        let joint: Vec<String> = joint.iter().map(|text| text.as_ref().to_owned()).collect();
        let machine = self.stock.first().ok_or_else(|| self.no_machine())?;
        if !machine.has_percepts() && !knows_moves(&machine, &joint) {
            return Err(PlayerError::UnknownMoves(joint.join(" ")));
        }
        self.course.follow(joint.clone());
        self.made(joint);
        Ok(())
    }

    /// Tells the brain of a joint move that was made.
    pub(crate) fn made(&mut self, joint: Vec<String>) {
        self.moves += 1;
        self.joints.push(joint.clone());
        self.board.tell(Command::Advance(joint));
    }

    fn no_machine(&self) -> PlayerError {
        let reasons = self.stock.events();
        let last =
            reasons.last().map_or_else(|| "there is no machine".to_owned(), |event| event.what.to_string());
        PlayerError::NoMachine(last)
    }

    fn check_role(&self, machine: &Machine) -> Result<(), PlayerError> {
        if self.role < machine.roles().len() { Ok(()) } else { Err(PlayerError::NoRole(self.role)) }
    }

    /// Waits for something to be published, until a time or a flag; whether it was.
    pub(crate) fn wait_until(
        &self,
        until: Duration,
        stop: &AtomicBool,
        wanted: impl Fn(&Published) -> bool,
    ) -> bool {
        let mut published = self.board.published.lock();
        loop {
            if wanted(&published) {
                return true;
            }
            let left = until.saturating_sub(self.now());
            if left.is_zero() || stop.load(Ordering::Relaxed) {
                return false;
            }
            // In parts, as nobody tells of the flag, and the caller's clock need not run like the wall's.
            self.board.changed.wait_for(&mut published, left.min(Duration::from_millis(50)));
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.board.close();
        self.course.close();
        self.machines = None;
        for thread in self.threads.drain(..) {
            // A panic there was reported when it happened.
            let _ = thread.join();
        }
    }
}
