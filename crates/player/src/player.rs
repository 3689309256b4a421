//! The player: always an answer, in time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use game::RuleFault;

use crate::brain::{Board, Brain, Command, Published};
use crate::machines::{Clock, Machines, Offer};
use crate::report::Decision;
use crate::scout::{Scout, Trail};
use crate::{AgentSpec, MachineKind};

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
    /// The thread that thinks could not be started.
    #[error("no thread to think with: {0}")]
    NoThread(String),
}

/// One match's brain.
#[derive(Debug)]
pub struct Player {
    machines: Arc<Machines>,
    role: usize,
    clock: Clockwork,
    board: Arc<Board>,
    trail: Arc<Trail>,
    threads: Vec<JoinHandle<()>>,
    turn: u64,
    /// How many joint moves were made.
    moves: usize,
}

struct Clockwork(Clock);

impl std::fmt::Debug for Clockwork {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:?}", (self.0)())
    }
}

impl Player {
    /// A player. The machines are built in the background meanwhile.
    pub fn new(setup: Setup) -> Result<Self, PlayerError> {
        let board = Arc::new(Board::default());
        let brain = Brain {
            machines: Arc::clone(&setup.machines),
            role: setup.role,
            agent: setup.agent,
            seed: setup.seed,
            ponder: setup.ponder,
            clock: Arc::clone(&setup.clock),
            board: Arc::clone(&board),
            mind: None,
            history: Vec::new(),
        };
        let trail = Arc::new(Trail::default());
        let scout =
            Scout::new(Arc::clone(&setup.machines), setup.role, Arc::clone(&board), Arc::clone(&trail));
        let mut player = Self {
            machines: setup.machines,
            role: setup.role,
            clock: Clockwork(setup.clock),
            board,
            trail,
            threads: Vec::new(),
            turn: 0,
            moves: 0,
        };
        // The player is there first, so that one thread ends if there is none for the other.
        player.start("player", move || brain.run())?;
        player.start("scout", move || scout.run())?;
        Ok(player)
    }

    fn start(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), PlayerError> {
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(work);
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
            let offer = self.machines.last_offer().ok_or_else(|| self.no_machine())?;
            return self.check_role(&offer);
        };
        self.turn += 1;
        self.trail.want(true);
        let limit = Limit { until: Some(until), simulations: None };
        self.board.tell(Command::Think { turn: self.turn, limit, answer: false });
        let turn = self.turn;
        if !self.wait_until(until, stop, |published| published.is_over(turn)) {
            self.board.interrupt();
        }
        match self.machines.best_offer() {
            Some(offer) => self.check_role(&offer),
            None => Ok(()),
        }
    }

    /// Chooses a move. It is there by the limit's time however long a thought takes, if a machine can
    /// follow the last moves and list the legal ones by then; if not, it is [`PlayerError::TooLate`] at
    /// that time. The caller's own thread never waits for a machine.
    pub fn choose(&mut self, limit: Limit) -> Result<Decision, PlayerError> {
        self.choose_unless(limit, &AtomicBool::new(false))
    }

    /// As [`Player::choose`], but what is there is taken soon after the flag is set.
    pub fn choose_unless(&mut self, limit: Limit, stop: &AtomicBool) -> Result<Decision, PlayerError> {
        self.turn += 1;
        let (turn, moves) = (self.turn, self.moves);
        let is_timed = limit.until.is_some();
        self.trail.want(is_timed);
        self.board.tell(Command::Think { turn, limit, answer: true });
        let answered = |published: &Published| {
            let is_faulty = published.decision.is_none() && published.fault.is_some();
            // Where thinking fails there may still be a legal move.
            published.is_over(turn) && !(is_faulty && is_timed && published.listed_after(moves).is_none())
        };
        if !self.wait_until(limit.until.unwrap_or(Duration::MAX), stop, answered) {
            self.board.interrupt();
        }
        let published = self.board.published.lock();
        let is_current = published.turn == turn;
        if let Some(decision) = published.decision.as_ref().filter(|_| is_current) {
            return Ok(decision.clone());
        }
        let is_over = published.is_over(turn);
        let fault = published.fault.clone().filter(|_| is_current);
        let listed = published.listed_after(moves).and_then(|listed| listed.decision.clone());
        drop(published);
        match (listed.filter(|_| is_timed), fault) {
            (Some(decision), _) => Ok(decision),
            (None, Some(fault)) => Err(fault.into()),
            (None, None) if is_over && self.machines.best_offer().is_none() => Err(self.no_machine()),
            (None, None) if is_over => Err(PlayerError::Over),
            (None, None) => Err(PlayerError::TooLate),
        }
    }

    /// What is thought at this moment.
    pub fn thoughts(&self) -> Option<Decision> {
        self.board.published.lock().decision.clone()
    }

    /// The machine that would be used now.
    pub fn machine(&self) -> Option<MachineKind> {
        self.machines.best_offer().map(|offer| offer.kind)
    }

    /// Follows a joint move: the moves of all roles in order, in any case and spacing.
    pub fn advance<Text: AsRef<str>>(&mut self, joint: &[Text]) -> Result<(), PlayerError> {
        let joint: Vec<String> = joint.iter().map(|text| text.as_ref().to_owned()).collect();
        let offer = self.machines.first_offer().ok_or_else(|| self.no_machine())?;
        if !offer.machine.knows(&joint) {
            return Err(PlayerError::UnknownMoves(joint.join(" ")));
        }
        self.moves += 1;
        self.trail.follow(joint.clone());
        self.board.tell(Command::Advance(joint));
        Ok(())
    }

    fn no_machine(&self) -> PlayerError {
        let reasons = self.machines.events();
        let last =
            reasons.last().map_or_else(|| "there is no machine".to_owned(), |event| event.what.to_string());
        PlayerError::NoMachine(last)
    }

    fn check_role(&self, offer: &Offer) -> Result<(), PlayerError> {
        if self.role < offer.machine.count_roles() { Ok(()) } else { Err(PlayerError::NoRole(self.role)) }
    }

    /// Waits for something to be published, until a time or a flag; whether it was.
    fn wait_until(&self, until: Duration, stop: &AtomicBool, wanted: impl Fn(&Published) -> bool) -> bool {
        let mut published = self.board.published.lock();
        loop {
            if wanted(&published) {
                return true;
            }
            let left = until.saturating_sub((self.clock.0)());
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
        self.trail.close();
        for thread in self.threads.drain(..) {
            // A panic there was reported when it happened.
            let _ = thread.join();
        }
    }
}
