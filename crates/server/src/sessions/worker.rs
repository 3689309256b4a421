//! The thread of one session: reads the rules, holds the player, and has it follow and think.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use gdl::normal::normalize;
use player::{AgentSpec, Clock, Decision, Followed, Limit, Player, PlayerError, Room, Setup, Told};
use protocol::News;

use super::LAST_RESORT;
use super::counters::{Counters, count};
use super::seats::Seats;
use super::session::{Order, Phase, Shared};
use crate::priority::{behind, step_back};
use crate::{GameText, MachineSource};

/// What is said when there is no legal move, or none is known: the game has a fault, and hosts go on.
pub(super) const NOTHING: &str = "noop";

/// What a worker is given.
pub(super) struct Brief {
    pub(super) rules: String,
    pub(super) role: String,
    pub(super) machines: MachineSource,
    pub(super) shared: Arc<Shared>,
    pub(super) counters: Arc<Counters>,
    pub(super) orders: Receiver<Order>,
    /// Stops the preparation.
    pub(super) stop: Arc<AtomicBool>,
    /// When the preparation has to end.
    pub(super) until: Duration,
    pub(super) ponder: bool,
    pub(super) share: Share,
    pub(super) seats: Arc<Seats>,
}

/// What a match may use.
pub(super) struct Share {
    pub(super) agent: AgentSpec,
    pub(super) seed: u64,
    pub(super) simulations: Option<u64>,
    pub(super) memory: usize,
    pub(super) threads: usize,
    pub(super) building: Duration,
    pub(super) clock: Clock,
}

impl Share {
    /// What machines may take of the memory: a half. What is looked at in building the circuit takes half of
    /// that, and the reference the rest: in building, in thinking and in the fallback.
    fn room(&self) -> Room {
        let machines = self.memory / 2;
        Room { circuit: machines / 2, reference: machines / 6 }
    }

    /// The agent with its share of the computer: half of the memory is for what it remembers of a search, where its own parameters do not say otherwise.
    fn agent(&self) -> AgentSpec {
        let text = self.agent.to_string();
        let mut spec = self.agent.clone();
        for (name, value) in [("threads", self.threads), ("memory", (self.memory >> 21).max(16))] {
            if !text.contains(&format!("{name}=")) {
                // Agents that do not search have no parameters.
                spec = spec.with(name, &value.to_string()).unwrap_or(spec);
            }
        }
        spec
    }
}

/// Runs a match to its end. Whatever happens, nobody is left waiting.
pub(super) fn run(brief: Brief) {
    let shared = Arc::clone(&brief.shared);
    // What an earlier match still holds has to be given back first.
    let Some(seat) = brief.seats.take_unless(&shared.ended) else { return };
    let run = || Worker::new(brief).map(|mut worker| worker.work());
    let why = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => return drop(seat),
        Ok(Err(why)) => why,
        Err(_) => "the match could not go on, which is a fault of ours".to_owned(),
    };
    drop(seat);
    shared.phase.send_replace(Phase::Unplayable(why));
}

struct Worker {
    brief: Brief,
    player: Player,
    roles: usize,
    /// Whether the rules say who sees what.
    has_percepts: bool,
    /// The faults that were counted: of threads, and of machines.
    counted: (u64, u64),
}

impl Worker {
    fn new(mut brief: Brief) -> Result<Self, String> {
        let text = std::mem::take(&mut brief.rules);
        let source: Arc<str> = text.as_str().into();
        let read = || normalize(&gdl::parse(&gdl::SourceFile::new("START", text)).sheet);
        let rules = behind(read).map_err(|_| "the rules could not be read".to_owned())?;
        let roles = rules.roles.len();
        let has_percepts = rules.has_percepts();
        if roles == 0 {
            return Err("the rules have no roles".to_owned());
        }
        let wanted = brief.role.to_lowercase();
        let Some(role) = rules.roles.iter().position(|&name| rules.symbols.name(name) == wanted) else {
            return Err(format!("the rules have no role `{}`", brief.role));
        };
        let share = &brief.share;
        let clock = Arc::clone(&share.clock);
        let (building, room) = (share.building, share.room());
        let agent = share.agent().for_rules(&source);
        let game = GameText { rules, source, building, room, clock: Arc::clone(&clock) };
        let source = &brief.machines;
        let machines = behind(|| source(game)).map_err(|_| "the machines could not be made".to_owned())?;
        let (seed, ponder) = (share.seed, brief.ponder);
        let setup = Setup { machines, role, agent, seed, ponder, clock };
        let player = Player::with_thinking_thread(setup, step_back).map_err(|error| error.to_string())?;
        let mut worker = Self { brief, player, roles, has_percepts, counted: (0, 0) };
        let (until, stop) = (worker.brief.until, Arc::clone(&worker.brief.stop));
        let prepared = worker.player.prepare_unless(Some(until), &stop);
        worker.count_faults();
        prepared.map_err(|error| error.to_string())?;
        worker.brief.shared.phase.send_replace(Phase::Ready);
        Ok(worker)
    }

    fn work(&mut self) {
        while let Ok(mut order) = self.brief.orders.recv() {
            let followed = self.follow(&order);
            let Some(wanted) = order.reply.take() else { continue };
            let reply = match followed {
                Some(reply) => reply,
                None => self.think(&order),
            };
            self.player.answered(&reply);
            self.count_faults();
            // Nobody is there if it is late or the host has hung up; one that asks again is told the same.
            if wanted.send(reply).is_err() {
                self.player.unheard();
            }
        }
        // Those that nobody asked for: thinking goes on between turns.
        self.count_faults();
    }

    fn count_faults(&mut self) {
        let now = (self.player.failures(), self.player.machine_faults());
        add(&self.brief.counters.agent_faults, now.0 - self.counted.0);
        add(&self.brief.counters.machine_faults, now.1 - self.counted.1);
        self.counted = now;
    }

    /// Goes to where the host says the match is; the answer, if it was given before.
    fn follow(&mut self, order: &Order) -> Option<String> {
        let counters = &self.brief.counters;
        let now = (self.brief.share.clock)();
        // What cannot be followed in most of the time must not take all of it. However little it is to think, it has to know
        // where the match stands.
        let left = order.deadline.saturating_sub(now);
        let until = order.deadline.saturating_sub(left / 4);
        let told = match self.has_percepts {
            true => seen(&order.news, self.player.has_answered()),
            false => told(&order.news, self.roles),
        };
        let followed = self.player.follow_until(told, until, &self.brief.shared.ended);
        self.brief.shared.view.lock().turn = self.player.moves_made();
        match followed {
            Followed::Again(reply) => {
                count(&counters.repeated_plays);
                return Some(reply);
            }
            Followed::Replaced => {
                count(&counters.replaced_moves);
                self.brief.shared.replaced.fetch_add(1, Ordering::Relaxed);
            }
            Followed::Guessed => count(&counters.skipped_plays),
            Followed::Impossible => {
                tracing::warn!("the host speaks of moves that cannot be; playing on");
            }
            Followed::Unjudged => count(&counters.unjudged_plays),
            Followed::Here | Followed::Made => {}
        }
        None
    }

    fn think(&mut self, order: &Order) -> String {
        self.brief.shared.view.lock().thinking = true;
        let (before, begin) = (self.player.fallbacks(), (self.brief.share.clock)());
        let limit = Limit { until: Some(order.until), simulations: self.brief.share.simulations };
        let mut chosen = self.player.choose_unless(limit, &order.stop);
        if order.until < order.deadline && is_lost(&chosen) {
            // However little it is to think: who does not know where the match stands has the clock to find out.
            let limit = Limit { until: Some(order.deadline), ..limit };
            chosen = self.player.choose_unless(limit, &order.stop);
        }
        let seconds = (self.brief.share.clock)().saturating_sub(begin).as_secs_f64();
        let counters = &self.brief.counters;
        let (reply, decision) = match chosen {
            Ok(decision) => {
                add(&counters.fallback_moves, self.player.fallbacks() - before);
                (decision.spelling.clone(), Some(decision))
            }
            Err(error) => {
                tracing::warn!(%error, "no move was chosen");
                // What is a fault of ours is counted by itself.
                add(&counters.fallback_moves, u64::from(!matches!(error, PlayerError::Failed(_))));
                let legal = self.player.legal_move(order.deadline + LAST_RESORT);
                let reply = legal.as_ref().map_or_else(|| NOTHING.to_owned(), |legal| legal.spelling.clone());
                (reply, legal)
            }
        };
        self.show(decision, &reply, seconds);
        reply
    }

    fn show(&self, decision: Option<Decision>, reply: &str, seconds: f64) {
        let simulations = decision.as_ref().map_or(0, |decision| decision.simulations);
        add(&self.brief.counters.simulations, simulations);
        let unthought = decision.as_ref().is_some_and(|decision| decision.unthought);
        add(&self.brief.counters.unthought_moves, u64::from(unthought));
        let possible = decision.as_ref().and_then(|decision| decision.possible).unwrap_or_default();
        add(&self.brief.counters.inconsistent_steps, possible.inconsistent);
        let mut view = self.brief.shared.view.lock();
        view.thinking = false;
        view.reply = Some(reply.to_owned());
        view.value = decision.as_ref().and_then(|decision| decision.value);
        view.simulations = simulations;
        view.simulations_per_second = simulations as f64 / seconds.max(1e-3);
        view.tuning = decision.as_ref().and_then(|decision| decision.tuning.clone());
        let line = decision.map_or(Vec::new(), |decision| decision.line);
        view.line = line.iter().map(|joint| joint.join(" ")).collect();
    }
}

/// What a message says of the turn before, in a game with so many roles.
fn told(news: &News, roles: usize) -> Told {
    match news {
        News::First => Told::Nothing,
        News::Moves(_) => news.joint(roles).map_or(Told::Unclear, |joint| Told::Moves { joint, turn: None }),
        // With one role, one's own move is all there is.
        News::Seen { turn, last_move: Some(own), .. } if roles == 1 => {
            Told::Moves { joint: vec![own.clone()], turn: Some(*turn) }
        }
        News::Seen { .. } => Told::Unclear,
    }
}

/// What a message says of the turn before, in a game in which the rules say who sees what. An older host sends the
/// list of what was seen in the place of the joint move; that may be empty, as it is in the first turn.
fn seen(news: &News, has_answered: bool) -> Told {
    match news {
        News::First if !has_answered => Told::Nothing,
        News::First => Told::Seen { turn: None, own: None, percepts: Vec::new() },
        News::Moves(percepts) => Told::Seen { turn: None, own: None, percepts: percepts.clone() },
        News::Seen { turn, last_move, percepts } => {
            Told::Seen { turn: Some(*turn), own: last_move.clone(), percepts: percepts.clone() }
        }
    }
}

/// Whether no position was known in time, or none that agrees with what was told.
fn is_lost(chosen: &Result<Decision, PlayerError>) -> bool {
    match chosen {
        Ok(decision) => decision.possible.is_some_and(|possible| possible.inconsistent > 0),
        Err(error) => *error == PlayerError::TooLate,
    }
}

fn add(counter: &AtomicU64, number: u64) {
    counter.fetch_add(number, Ordering::Relaxed);
}
