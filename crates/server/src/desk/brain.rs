//! The thread of one match: follows what the host says, and has its mind think.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use gdl::normal::{NormalRules, normalize};
use protocol::{News, tidy};

use super::counters::{Counters, count};
use super::seat::{Instead, Order, Phase, Shared};
use super::track::{Follow, Track};
use crate::minds::Plain;
use crate::priority::behind;
use crate::{Clock, Mind, MindError, MindMaker, Setup, Thought};

/// What is said when there is no legal move, or none is known: the game has a fault, and hosts go on.
const NOTHING: &str = "noop";

/// What a brain is given.
pub(super) struct Brief {
    pub(super) rules: String,
    pub(super) role: String,
    pub(super) maker: MindMaker,
    pub(super) shared: Arc<Shared>,
    pub(super) counters: Arc<Counters>,
    pub(super) orders: Receiver<Order>,
    /// Stops the preparation.
    pub(super) stop: Arc<AtomicBool>,
    /// When the preparation has to end.
    pub(super) until: Duration,
    pub(super) ponder: bool,
    pub(super) share: Share,
}

/// What a match may use.
pub(super) struct Share {
    pub(super) seed: u64,
    pub(super) memory: usize,
    pub(super) threads: usize,
    pub(super) building: Duration,
    pub(super) clock: Clock,
}

/// Runs a match to its end.
pub(super) fn run(brief: Brief) {
    let shared = Arc::clone(&brief.shared);
    match Brain::new(brief) {
        Ok(mut brain) => brain.work(),
        Err(why) => {
            shared.phase.send_replace(Phase::Unplayable(why));
        }
    }
}

struct Brain {
    brief: Brief,
    setup: Setup,
    mind: Box<dyn Mind>,
    /// The joint moves made so far.
    history: Vec<Vec<String>>,
    last: Option<Last>,
}

/// The last PLAY, and what was answered.
struct Last {
    news: News,
    reply: String,
    instead: Instead,
}

impl Last {
    /// What the host was told.
    fn sent(&self) -> String {
        self.instead.lock().clone().unwrap_or_else(|| self.reply.clone())
    }
}

/// What a PLAY asks for.
enum Task {
    /// A move for the position that is reached now.
    Think,
    /// What was answered before.
    Repeat(String),
}

impl Brain {
    fn new(mut brief: Brief) -> Result<Self, String> {
        let text = std::mem::take(&mut brief.rules);
        let source: Arc<str> = text.as_str().into();
        let rules: NormalRules = normalize(&gdl::parse(&gdl::SourceFile::new("START", text)).sheet);
        if rules.roles.is_empty() {
            return Err("the rules have no roles".to_owned());
        }
        let wanted = brief.role.to_lowercase();
        let Some(role) = rules.roles.iter().position(|&name| rules.symbols.name(name) == wanted) else {
            return Err(format!("the rules have no role `{}`", brief.role));
        };
        let Share { seed, memory, threads, building, ref clock } = brief.share;
        let (rules, clock, ponder) = (Arc::new(rules), Arc::clone(clock), brief.ponder);
        let setup = Setup { rules, source, role, seed, memory, threads, ponder, building, clock };
        let maker = &brief.maker;
        let mind = behind(|| maker(setup.clone())).map_err(|_| "the mind could not be made".to_owned())?;
        let mut brain = Self { brief, setup, mind, history: Vec::new(), last: None };
        let (until, stop) = (brain.brief.until, Arc::clone(&brain.brief.stop));
        match brain.guarded(|mind| mind.prepare(until, &stop)) {
            // Not being ready in time is no reason to give up.
            Ok(()) | Err(MindError::NotReady) => {}
            Err(error) => return Err(error.to_string()),
        }
        brain.brief.shared.phase.send_replace(Phase::Ready);
        Ok(brain)
    }

    fn work(&mut self) {
        while let Ok(order) = self.brief.orders.recv() {
            let task = self.follow(&order.news);
            let reply = match task {
                Task::Repeat(reply) => reply,
                Task::Think => self.think(&order),
            };
            // The desk may have answered already.
            let _ = order.reply.send(reply.clone());
            self.last = Some(Last { news: order.news, reply, instead: order.instead });
        }
    }

    /// Lets the mind do something. A panic of it costs strength, not the match: a plain mind takes
    /// its place.
    fn guarded<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Mind) -> Result<T, MindError>,
    ) -> Result<T, MindError> {
        match catch_unwind(AssertUnwindSafe(|| work(&mut *self.mind))) {
            Ok(outcome) => outcome,
            Err(_) => {
                count(&self.brief.counters.mind_faults);
                tracing::error!("the mind has failed; a plain one goes on");
                let mut plain = Plain::new(self.setup.clone());
                for joint in &self.history {
                    plain.advance(joint)?;
                }
                self.mind = Box::new(plain);
                Err(MindError::NotReady)
            }
        }
    }

    /// Brings the mind to where the host says the match is.
    fn follow(&mut self, news: &News) -> Task {
        let roles = self.setup.rules.roles.len();
        let joint = match news {
            News::First => None,
            News::Moves(_) => news.joint(roles),
            // With one role, one's own move is all there is.
            News::Seen { last_move, .. } if roles == 1 => last_move.clone().map(|own| vec![own]),
            News::Seen { .. } => None,
        };
        let repeated = self.last.as_ref().filter(|last| last.news == *news).map(Last::sent);
        let Some(joint) = joint else {
            return match repeated {
                Some(reply) if *news == News::First => self.repeat(reply),
                _ => Task::Think,
            };
        };
        let own = joint.get(self.setup.role).map(|text| folded(text));
        let sent = self.last.as_ref().map(|last| folded(&last.sent()));
        let is_own = own == sent;
        // The same joint move twice in a row happens, but not with another move than was sent.
        if let (Some(reply), false) = (&repeated, is_own) {
            return self.repeat(reply.clone());
        }
        match self.guarded(|mind| mind.advance(&joint)) {
            Ok(()) => {
                if sent.is_some() && !is_own {
                    count(&self.brief.counters.replaced_moves);
                    self.brief.shared.replaced.fetch_add(1, Ordering::Relaxed);
                }
                self.made(joint);
            }
            Err(error) => match repeated {
                Some(reply) => return self.repeat(reply),
                None => self.catch_up(joint, &error),
            },
        }
        Task::Think
    }

    fn repeat(&mut self, reply: String) -> Task {
        count(&self.brief.counters.repeated_plays);
        Task::Repeat(reply)
    }

    fn made(&mut self, joint: Vec<String>) {
        self.history.push(joint);
        self.brief.shared.view.lock().turn = self.history.len();
    }

    /// A joint move is not legal where we are: perhaps a PLAY was missed. Looks for a turn that
    /// explains it.
    fn catch_up(&mut self, joint: Vec<String>, error: &MindError) {
        let missing = || -> Result<Option<Vec<String>>, MindError> {
            let mut track = Track::by_reference(&self.setup.rules, self.setup.memory)?;
            self.history.iter().try_for_each(|joint| track.advance(joint))?;
            track.missing(&joint)
        };
        match missing() {
            Ok(Some(missed)) => {
                count(&self.brief.counters.skipped_plays);
                for joint in [missed, joint] {
                    if self.guarded(|mind| mind.advance(&joint)).is_ok() {
                        self.made(joint);
                    }
                }
            }
            _ => tracing::warn!(%error, "the host speaks of moves that cannot be; playing on"),
        }
    }

    fn think(&mut self, order: &Order) -> String {
        let fallback = self.guarded(|mind| mind.fallback()).ok().or_else(|| self.plain_move());
        *self.brief.shared.fallback.lock() = fallback.clone();
        self.brief.shared.view.lock().thinking = true;
        let begin = (self.setup.clock)();
        let thought = self.guarded(|mind| mind.choose(order.until, &order.stop));
        let elapsed = (self.setup.clock)().saturating_sub(begin).as_secs_f64();
        let reply = match &thought {
            Ok(thought) => thought.reply.clone(),
            Err(error) => {
                tracing::warn!(%error, "no move was chosen");
                fallback.or_else(|| self.guarded(|mind| mind.fallback()).ok()).unwrap_or(NOTHING.to_owned())
            }
        };
        self.show(thought.unwrap_or_default(), &reply, elapsed);
        reply
    }

    /// A legal move by plain means, for when no machine is ready: they are built behind everything else,
    /// which on a crowded processor may take longer than a clock.
    fn plain_move(&self) -> Option<String> {
        let mut plain = Plain::new(self.setup.clone());
        self.history.iter().try_for_each(|joint| plain.advance(joint)).ok()?;
        plain.fallback().ok()
    }

    fn show(&self, thought: Thought, reply: &str, seconds: f64) {
        self.brief.counters.simulations.fetch_add(thought.simulations, Ordering::Relaxed);
        self.brief.counters.unthought_moves.fetch_add(u64::from(thought.unthought), Ordering::Relaxed);
        let mut view = self.brief.shared.view.lock();
        view.thinking = false;
        view.reply = Some(reply.to_owned());
        view.value = thought.value;
        view.simulations = thought.simulations;
        view.simulations_per_second = thought.simulations as f64 / seconds.max(1e-3);
        view.line = thought.line;
    }
}

/// A move to be compared: hosts change case and blanks.
fn folded(text: &str) -> String {
    tidy(text).to_lowercase()
}
