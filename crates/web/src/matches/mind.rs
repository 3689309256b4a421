//! Thinking for a role, in a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use player::{AgentSpec, Clock, Decision, Limit, Player, Room, Setup};
use referee::Thought;
use server::{GameText, MachineSource};

use crate::games::ReadyGame;

/// Seconds that building fast machines may take in the background.
const BUILDING: Duration = Duration::from_secs(60);
/// Moves that are told of a thought.
const TOLD_MOVES: usize = 8;

/// Who may think at once, of all matches together.
pub(crate) struct Workshop {
    free: Mutex<usize>,
    changed: Condvar,
    pub(crate) threads: usize,
    pub(crate) memory: usize,
    pub(crate) machines: MachineSource,
    pub(crate) clock: Clock,
}

/// Matches that think at once.
const AT_ONCE: usize = 2;

impl Workshop {
    pub(crate) fn new(threads: usize, memory: usize) -> Self {
        let begin = Instant::now();
        Self {
            free: Mutex::new(AT_ONCE.min(threads.max(1))),
            changed: Condvar::new(),
            threads: (threads / AT_ONCE).max(1),
            memory,
            machines: server::shared_machines(),
            clock: Arc::new(move || begin.elapsed()),
        }
    }

    /// Waits for a turn; none if the flag is set meanwhile.
    fn turn(&self, stop: &AtomicBool) -> Option<Turn<'_>> {
        let mut free = self.free.lock();
        while *free == 0 {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            // In parts, as nobody tells of the flag.
            self.changed.wait_for(&mut free, Duration::from_millis(50));
        }
        *free -= 1;
        Some(Turn(self))
    }
}

struct Turn<'w>(&'w Workshop);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.free.lock() += 1;
        self.0.changed.notify_one();
    }
}

/// What is to be thought about.
pub(crate) struct Question {
    /// Who thinks.
    pub(crate) agent: String,
    /// For how long.
    pub(crate) seconds: f64,
    pub(crate) simulations: Option<u64>,
    /// The answer comes no sooner than this: people want to see what happens.
    pub(crate) pace: Duration,
    /// What the role was told of all turns.
    pub(crate) told: Vec<Vec<String>>,
    /// Nobody wants to know any more.
    pub(crate) stop: Arc<AtomicBool>,
    /// Takes the answer.
    pub(crate) answer: Box<dyn FnOnce(Result<Decision, String>) + Send>,
}

/// A thread that thinks for one role of a match.
pub(crate) struct Mind {
    questions: Sender<Question>,
}

impl Mind {
    pub(crate) fn new(game: Arc<ReadyGame>, role: usize, seed: u64, workshop: Arc<Workshop>) -> Self {
        let (questions, asked) = channel();
        let thinker = Thinker { game, role, seed, workshop, player: None };
        let name = format!("mind {role}");
        // Without a thread the question is dropped, and whoever asked is told by that.
        if let Err(error) = std::thread::Builder::new().name(name).spawn(move || thinker.run(&asked)) {
            tracing::warn!(%error, "no thread to think with");
        }
        Self { questions }
    }

    pub(crate) fn ask(&self, question: Question) {
        if let Err(unheard) = self.questions.send(question) {
            (unheard.0.answer)(Err("there is no thread to think with".to_owned()));
        }
    }
}

/// A player, who it is, and what it was told.
struct Following {
    agent: String,
    told: Vec<Vec<String>>,
    player: Player,
}

struct Thinker {
    game: Arc<ReadyGame>,
    role: usize,
    seed: u64,
    workshop: Arc<Workshop>,
    player: Option<Following>,
}

impl Thinker {
    fn run(mut self, asked: &Receiver<Question>) {
        while let Ok(question) = asked.recv() {
            let begin = Instant::now();
            let decision = self.think(&question);
            // In parts, so that the flag is seen.
            while begin.elapsed() < question.pace && !question.stop.load(Ordering::Relaxed) {
                let left = question.pace.saturating_sub(begin.elapsed());
                std::thread::sleep(left.min(Duration::from_millis(20)));
            }
            (question.answer)(decision);
        }
    }

    fn think(&mut self, question: &Question) -> Result<Decision, String> {
        let workshop = Arc::clone(&self.workshop);
        let nobody = || "nobody wants to know".to_owned();
        let _turn = workshop.turn(&question.stop).ok_or_else(nobody)?;
        self.follow(question)?;
        let Some(following) = &mut self.player else { return Err(nobody()) };
        let until = Some((workshop.clock)() + Duration::from_secs_f64(question.seconds.clamp(0.01, 60.0)));
        let limit = Limit { until, simulations: question.simulations };
        let chosen = following.player.choose_unless(limit, &question.stop);
        if chosen.is_err() {
            // It begins anew when it is asked again.
            self.player = None;
        }
        chosen.map_err(|error| error.to_string())
    }

    /// Has a player at the position that is asked for.
    fn follow(&mut self, question: &Question) -> Result<(), String> {
        let suits = |following: &Following| {
            following.agent == question.agent && question.told.starts_with(&following.told)
        };
        if !self.player.as_ref().is_some_and(suits) {
            self.player = None;
            self.player = Some(self.begin(&question.agent)?);
        }
        let Some(following) = &mut self.player else { return Ok(()) };
        for told in &question.told[following.told.len()..] {
            following.player.advance(told).map_err(|error| error.to_string())?;
            following.told.push(told.clone());
        }
        Ok(())
    }

    fn begin(&self, agent: &str) -> Result<Following, String> {
        let Workshop { machines, clock, memory, threads, .. } = &*self.workshop;
        let room = Room { circuit: memory / 4, reference: memory / 12 };
        let text = GameText {
            rules: self.game.rules.clone(),
            source: Arc::clone(&self.game.source),
            building: BUILDING,
            room,
            clock: Arc::clone(clock),
        };
        let machines = machines(text);
        machines.first();
        let spec: AgentSpec = agent.parse().map_err(|error: player::AgentError| error.to_string())?;
        let setup = Setup {
            machines,
            role: self.role,
            agent: spec.with_share(*threads, memory / 2),
            seed: self.seed.wrapping_add(self.role as u64),
            ponder: false,
            clock: Arc::clone(clock),
        };
        let player = Player::new(setup).map_err(|error| error.to_string())?;
        Ok(Following { agent: agent.to_owned(), told: Vec::new(), player })
    }
}

/// A decision as it is recorded.
pub(crate) fn thought_of(decision: &Decision) -> Thought {
    Thought {
        // A value is never told without anything behind it.
        value: decision.value.filter(|value| {
            value.is_finite() && (decision.proven || decision.simulations > 0 && !decision.unthought)
        }),
        ..arena::thought_of(decision, TOLD_MOVES)
    }
}
