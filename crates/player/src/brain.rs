//! The thread that thinks for one player.
//!
//! It takes commands one after the other and publishes what it would play again and again, so that
//! the player can answer at any moment, however long a step of the thinking takes. When a better
//! machine is ready it moves to that one between two slices of thinking.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use engine::{Budget, Clock, Decision, Engine, Event, Stop};
use game::{RoleId, RuleFault};
use parking_lot::{Condvar, Mutex};

use crate::AgentSpec;
use crate::machines::Stock;
use crate::player::Limit;

/// What a brain is told.
#[derive(Debug)]
pub(crate) enum Command {
    /// Think about the present position; with `answer` a decision is wanted.
    Think { turn: u64, limit: Limit, answer: bool },
    /// These moves were made.
    Advance(Vec<String>),
}

/// What a brain says.
#[derive(Debug, Default)]
pub(crate) struct Published {
    /// The last turn begun.
    pub(crate) turn: u64,
    /// The best move so far of that turn.
    pub(crate) decision: Option<Decision>,
    /// Whether the thinking of that turn is over.
    pub(crate) finished: bool,
    /// The last fault.
    pub(crate) fault: Option<RuleFault>,
    /// What a panic said, until somebody is told of it.
    pub(crate) failure: Option<String>,
    /// What the fallback found last.
    pub(crate) listed: Option<Listed>,
}

impl Published {
    /// Whether the brain has had its say in a turn.
    pub(crate) fn is_over(&self, turn: u64) -> bool {
        self.turn == turn && self.finished
    }

    /// What the fallback found after some joint moves.
    pub(crate) fn listed_after(&self, moves: usize) -> Option<&Listed> {
        self.listed.as_ref().filter(|listed| listed.moves == moves)
    }
}

/// A legal move of a position.
#[derive(Debug)]
pub(crate) struct Listed {
    /// How many joint moves led there.
    pub(crate) moves: usize,
    /// The move, if there is one.
    pub(crate) decision: Option<Decision>,
    /// What is wrong with the rules there.
    pub(crate) fault: Option<RuleFault>,
}

/// What a brain and its player share.
#[derive(Debug, Default)]
pub(crate) struct Board {
    pub(crate) published: Mutex<Published>,
    pub(crate) changed: Condvar,
    /// What happened to the engines.
    pub(crate) events: Mutex<Vec<Event>>,
    queue: Mutex<Queue>,
    queued: Condvar,
    /// Ends the thinking in progress: someone waits.
    interrupt: AtomicBool,
    /// How often a thread panicked.
    pub(crate) failures: AtomicU64,
    /// The player leaves, and every evaluation is to end.
    pub(crate) leaving: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct Queue {
    commands: VecDeque<Command>,
    closed: bool,
}

impl Board {
    /// Gives a command, and ends what is being thought about.
    pub(crate) fn tell(&self, command: Command) {
        let mut queue = self.queue.lock();
        queue.commands.push_back(command);
        self.interrupt.store(true, Ordering::Relaxed);
        self.queued.notify_all();
    }

    /// Notes what happened to an engine, once.
    fn note(&self, events: Vec<Event>) {
        let mut known = self.events.lock();
        for event in events {
            if !known.contains(&event) {
                known.push(event);
            }
        }
    }

    /// Ends the thinking in progress.
    pub(crate) fn interrupt(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// No more commands will come.
    pub(crate) fn close(&self) {
        self.leaving.store(true, Ordering::Relaxed);
        self.queue.lock().closed = true;
        self.interrupt.store(true, Ordering::Relaxed);
        self.queued.notify_all();
    }

    /// The next command. Without one, `None` if it is not to be waited for, or none will come.
    fn next(&self, wait: bool) -> Option<Command> {
        let mut queue = self.queue.lock();
        while wait && queue.commands.is_empty() && !queue.closed {
            self.queued.wait(&mut queue);
        }
        if queue.closed {
            return None;
        }
        let mut command = queue.commands.pop_front();
        // Nobody waits for a thought that something came after: whoever wanted it had to go on without.
        while matches!(command, Some(Command::Think { .. })) && !queue.commands.is_empty() {
            command = queue.commands.pop_front();
        }
        self.interrupt.store(!queue.commands.is_empty(), Ordering::Relaxed);
        command
    }
}

/// Everything a brain knows.
pub(crate) struct Brain {
    pub(crate) machines: Stock,
    pub(crate) role: RoleId,
    pub(crate) agent: AgentSpec,
    /// Who takes over when that one fails.
    pub(crate) plain: AgentSpec,
    pub(crate) seed: u64,
    pub(crate) ponder: bool,
    pub(crate) clock: Clock,
    pub(crate) board: Arc<Board>,
    pub(crate) mind: Option<Box<dyn Engine>>,
    pub(crate) history: Vec<Vec<String>>,
}

/// The first and the longest time between two publications.
const FIRST_SLICE: Duration = Duration::from_millis(5);
const LONGEST_SLICE: Duration = Duration::from_millis(100);

/// The part of the time, and the most of it, that is kept for making the last thought known.
const LEAD_PART: u32 = 50;
const MOST_LEAD: Duration = Duration::from_millis(1);

impl Brain {
    /// Takes commands until there is no one to give them.
    pub(crate) fn run(mut self) {
        let mut next = self.board.next(true);
        while let Some(command) = next {
            let obeyed = self.guarded(|brain| match command {
                Command::Think { turn, limit, answer } => brain.think(turn, limit, answer),
                Command::Advance(joint) => brain.advance(joint),
            });
            next = self.board.next(false).or_else(|| {
                self.guarded(|brain| {
                    if brain.ponder && obeyed {
                        brain.ponder_until_told();
                    }
                    Ok(())
                });
                self.board.next(true)
            });
        }
    }

    /// Does something that may fail, by a fault of the rules or one of ours; whether it went well. After
    /// a panic the match goes on with an agent that only knows what is legal, and whoever waits is told.
    fn guarded(&mut self, work: impl FnOnce(&mut Self) -> Result<(), RuleFault>) -> bool {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(self)));
        if matches!(outcome, Ok(Ok(()))) {
            return true;
        }
        let mut published = self.board.published.lock();
        match outcome {
            Ok(result) => published.fault = result.err(),
            Err(panic) => {
                self.board.failures.fetch_add(1, Ordering::Relaxed);
                published.failure = Some(panic_message(&*panic));
                self.mind = None;
                self.ponder = false;
                self.agent = self.plain.clone();
            }
        }
        published.finished = true;
        self.board.changed.notify_all();
        false
    }

    /// The mind on the best machine there is.
    fn refresh(&mut self) -> Result<(), RuleFault> {
        let machine = match self.mind {
            None => self.machines.first(),
            Some(_) => self.machines.best(),
        };
        let known = self.mind.as_ref().map(|mind| mind.machine());
        if let Some(machine) = machine.filter(|machine| known.is_none_or(|known| machine.kind() > known)) {
            let machine = self.machines.own(&machine);
            let made = self.agent.make(&machine, &self.history, self.seed, &self.clock)?;
            self.board.note(made.events);
            self.mind = Some(made.engine);
        }
        Ok(())
    }

    fn think(&mut self, turn: u64, limit: Limit, answer: bool) -> Result<(), RuleFault> {
        let clock = Arc::clone(&self.clock);
        let begun = clock();
        // What is not known by the time of the limit is not asked for any more.
        let lead = |until: Duration| (until.saturating_sub(begun) / LEAD_PART).min(MOST_LEAD);
        let limit = Limit { until: limit.until.map(|until| until.saturating_sub(lead(until))), ..limit };
        {
            let mut published = self.board.published.lock();
            let (listed, failure) = (published.listed.take(), published.failure.take());
            *published = Published { turn, listed, failure, ..Published::default() };
        }
        self.refresh()?;
        if let Some(mind) = &mut self.mind {
            mind.begin_turn();
        }
        let mut slice = FIRST_SLICE;
        let mut left = limit.simulations;
        loop {
            self.refresh()?;
            let Some(mind) = &mut self.mind else { break };
            // A first answer before anything else.
            let decision = mind.decide(self.role)?;
            let (done, forced) = decision
                .as_ref()
                .map_or((0, true), |decision| (decision.simulations, decision.proven && answer));
            self.publish(turn, decision, begun, false);
            if forced || left == Some(0) || limit.until.is_some_and(|until| clock() >= until) {
                break;
            }
            let slice_end = clock() + slice;
            let until = if limit.simulations.is_some() {
                limit.until
            } else {
                Some(limit.until.map_or(slice_end, |until| until.min(slice_end)))
            };
            let stop = Some(&self.board.interrupt);
            let turn_ends = limit.until;
            let budget = Budget { clock: &|| clock(), until, simulations: left, stop, turn_ends };
            let Some(mind) = &mut self.mind else { break };
            let end = mind.think(&budget)?;
            self.board.note(mind.events());
            slice = (slice * 2).min(LONGEST_SLICE);
            if let Some(most) = limit.simulations {
                // Simulations of an earlier machine of this turn are not counted: rare, and the
                // budget is meant for one machine.
                let now = mind.decide(self.role)?.map_or(done, |decision| decision.simulations);
                left = Some(most.saturating_sub(now));
            }
            if end != Stop::Time || limit.until.is_some_and(|until| clock() >= until) {
                break;
            }
        }
        let decision = match &mut self.mind {
            Some(mind) => mind.decide(self.role)?,
            None => None,
        };
        self.publish(turn, decision, begun, true);
        Ok(())
    }

    fn publish(&self, turn: u64, decision: Option<Decision>, begun: Duration, finished: bool) {
        let elapsed = (self.clock)().saturating_sub(begun);
        let mut published = self.board.published.lock();
        if published.turn == turn {
            published.decision = decision.map(|decision| Decision { elapsed, ..decision });
            published.finished = finished;
        }
        self.board.changed.notify_all();
    }

    fn advance(&mut self, joint: Vec<String>) -> Result<(), RuleFault> {
        let followed = self.mind.as_mut().map_or(Ok(true), |mind| mind.advance(&joint));
        self.history.push(joint);
        if !matches!(followed, Ok(true)) {
            // It is still where it was, or what it went by does not hold: another one is made where the match stands.
            self.mind = None;
        }
        followed.map(|_| ())
    }

    /// Thinks on others' time.
    fn ponder_until_told(&mut self) {
        let clock = Arc::clone(&self.clock);
        while !self.board.interrupt.load(Ordering::Relaxed) {
            if self.refresh().is_err() {
                return;
            }
            let Some(mind) = &mut self.mind else { return };
            let until = Some(clock() + LONGEST_SLICE);
            let stop = Some(&self.board.interrupt);
            let budget = Budget { clock: &|| clock(), until, simulations: None, stop, turn_ends: None };
            // A fault found now is found again when it matters.
            match mind.think(&budget) {
                Ok(Stop::Time) => {}
                Ok(_) | Err(_) => return,
            }
        }
    }
}

/// What a panic says, from what it was caught with.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a word").to_owned()
}
