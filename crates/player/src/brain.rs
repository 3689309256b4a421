//! The thread that thinks for one player.
//!
//! It takes commands one after the other and publishes what it would play again and again, so that
//! the player can answer at any moment, however long a step of the thinking takes. When a better
//! machine is ready it moves to that one between two slices of thinking.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use game::RuleFault;
use parking_lot::{Condvar, Mutex};
use search::{Budget, Stop};

use crate::AgentSpec;
use crate::machines::{Clock, Machines};
use crate::mind::{self, Mind};
use crate::player::Limit;
use crate::report::Decision;

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
    /// What the scout found last.
    pub(crate) listed: Option<Listed>,
}

impl Published {
    /// Whether the brain has had its say in a turn.
    pub(crate) fn is_over(&self, turn: u64) -> bool {
        self.turn == turn && self.finished
    }

    /// What the scout found after some joint moves.
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
}

/// What a brain and its player share.
#[derive(Debug, Default)]
pub(crate) struct Board {
    pub(crate) published: Mutex<Published>,
    pub(crate) changed: Condvar,
    queue: Mutex<Queue>,
    queued: Condvar,
    /// Ends the thinking in progress: someone waits.
    interrupt: AtomicBool,
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

    /// Ends the thinking in progress.
    pub(crate) fn interrupt(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// No more commands will come.
    pub(crate) fn close(&self) {
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
    pub(crate) machines: Arc<Machines>,
    pub(crate) role: usize,
    pub(crate) agent: AgentSpec,
    pub(crate) seed: u64,
    pub(crate) ponder: bool,
    pub(crate) clock: Clock,
    pub(crate) board: Arc<Board>,
    pub(crate) mind: Option<Box<dyn Mind>>,
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
            let fault = match command {
                Command::Think { turn, limit, answer } => self.think(turn, limit, answer).err(),
                Command::Advance(joint) => self.advance(joint).err(),
            };
            let faulty = fault.is_some();
            if let Some(fault) = fault {
                let mut published = self.board.published.lock();
                published.fault = Some(fault);
                published.finished = true;
                self.board.changed.notify_all();
            }
            next = self.board.next(false).or_else(|| {
                if self.ponder && !faulty {
                    self.ponder_until_told();
                }
                self.board.next(true)
            });
        }
    }

    /// The mind on the best machine there is.
    fn refresh(&mut self) -> Result<(), RuleFault> {
        let offer = match self.mind {
            None => self.machines.first_offer(),
            Some(_) => self.machines.best_offer(),
        };
        let known = self.mind.as_ref().map(|mind| mind.machine());
        if let Some(offer) = offer.filter(|offer| known.is_none_or(|known| offer.kind > known)) {
            self.mind = Some(mind::make(&offer, &self.agent, &self.history, self.seed, &self.clock)?);
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
            let listed = published.listed.take();
            *published = Published { turn, listed, ..Published::default() };
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
            let budget = Budget { clock: &|| clock(), until, simulations: left, stop };
            let Some(mind) = &mut self.mind else { break };
            let end = mind.think(&budget)?;
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
        if followed.is_err() {
            // It is still where it was: what it would say is about another position.
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
            let budget =
                Budget { clock: &|| clock(), until, simulations: None, stop: Some(&self.board.interrupt) };
            // A fault found now is found again when it matters.
            match mind.think(&budget) {
                Ok(Stop::Time) => {}
                Ok(_) | Err(_) => return,
            }
        }
    }
}
