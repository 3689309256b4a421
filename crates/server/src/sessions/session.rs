//! One match as the network sees it: its settings, the way to its worker, and what it shows.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use parking_lot::Mutex;
use protocol::{News, Start};
use serde::Serialize;
use tokio::sync::{oneshot, watch};

use super::caller::Owner;

/// How far a match is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The rules are being read and the machine built.
    Building,
    /// It can be played.
    Ready,
    /// It cannot be played; says why.
    Unplayable(String),
}

/// A PLAY for the worker.
pub(super) struct Order {
    pub(super) news: News,
    /// When to end thinking.
    pub(super) until: Duration,
    /// When the move has to be there.
    pub(super) deadline: Duration,
    /// Set when it is no longer wanted.
    pub(super) stop: Arc<AtomicBool>,
    /// Where the answer goes; nobody is there any more if it is late. None if the turn was played already, and is
    /// only to be followed.
    pub(super) reply: Option<oneshot::Sender<String>>,
}

/// What a worker shows of its match.
#[derive(Clone, Debug, Default, Serialize)]
pub struct View {
    /// Joint moves made.
    pub turn: usize,
    /// Whether it is thinking.
    pub thinking: bool,
    /// The last move sent.
    pub reply: Option<String>,
    /// What the last position was worth, 0 to 100.
    pub value: Option<f64>,
    /// Simulations of the last turn.
    pub simulations: u64,
    /// And how many a second.
    pub simulations_per_second: f64,
    /// Which settings were chosen for the game, and why, if the agent chooses.
    pub tuning: Option<String>,
    /// What is expected to happen.
    pub line: Vec<String>,
}

/// What the worker and the network share.
pub(super) struct Shared {
    /// The flag that stops what the worker is doing now.
    stop: Mutex<Arc<AtomicBool>>,
    /// Set when the match is over.
    pub(super) ended: AtomicBool,
    pub(super) phase: watch::Sender<Phase>,
    /// Moves that the host replaced.
    pub(super) replaced: AtomicU32,
    pub(super) view: Mutex<View>,
}

/// What a match is known by: two hosts may give the same name to different matches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct MatchKey {
    pub(super) owner: Owner,
    pub(super) match_id: String,
}

/// A match.
pub(super) struct Session {
    /// Who began it, and may speak of it.
    pub(super) owner: Owner,
    pub(super) match_id: String,
    pub(super) role: String,
    pub(super) start_clock: Duration,
    pub(super) play_clock: Duration,
    /// The fingerprint of the rules.
    rules: u64,
    orders: Mutex<Option<mpsc::Sender<Order>>>,
    pub(super) shared: Arc<Shared>,
    /// When a host was last heard of, by the clock of all sessions.
    heard: Mutex<Duration>,
    pub(super) played: AtomicBool,
}

impl Session {
    /// A session, and where its worker gets its orders. The rules have a fingerprint.
    pub(super) fn new(
        owner: Owner,
        start: &Start,
        rules: u64,
        now: Duration,
    ) -> (Self, mpsc::Receiver<Order>) {
        let (orders, receiver) = mpsc::channel();
        let shared = Shared {
            stop: Mutex::default(),
            ended: AtomicBool::new(false),
            phase: watch::Sender::new(Phase::Building),
            replaced: AtomicU32::new(0),
            view: Mutex::default(),
        };
        let session = Self {
            owner,
            match_id: start.match_id.clone(),
            role: start.role.clone(),
            start_clock: start.start_clock,
            play_clock: start.play_clock,
            rules,
            orders: Mutex::new(Some(orders)),
            shared: Arc::new(shared),
            heard: Mutex::new(now),
            played: AtomicBool::new(false),
        };
        (session, receiver)
    }

    /// Whether a START is the one that began this match, sent once more.
    pub(super) fn is_begun_by(&self, start: &Start, rules: u64) -> bool {
        let same_clocks = self.start_clock == start.start_clock && self.play_clock == start.play_clock;
        let same_game = self.role == start.role && self.rules == rules;
        !self.played.load(Ordering::Relaxed) && same_clocks && same_game
    }

    /// The flag that stops the worker's present work.
    pub(super) fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.shared.stop.lock())
    }

    /// Gives the worker a turn to think about until a time, and stops what it is doing. `None` if it is no more.
    pub(super) fn order(
        &self,
        news: News,
        until: Duration,
        deadline: Duration,
    ) -> Option<oneshot::Receiver<String>> {
        self.played.store(true, Ordering::Relaxed);
        let (reply, receiver) = oneshot::channel();
        let orders = self.orders.lock();
        let mut stop = self.shared.stop.lock();
        stop.store(true, Ordering::Relaxed);
        *stop = Arc::default();
        let order = Order { news, until, deadline, stop: Arc::clone(&stop), reply: Some(reply) };
        orders.as_ref()?.send(order).ok()?;
        Some(receiver)
    }

    /// Tells the worker of a turn that was played already.
    pub(super) fn follow(&self, news: News, until: Duration) {
        self.played.store(true, Ordering::Relaxed);
        let order = Order { news, until, deadline: until, stop: Arc::default(), reply: None };
        // A match that is over is not followed.
        let _ = self.orders.lock().as_ref().map(|orders| orders.send(order));
    }

    /// Ends the match: the worker stops and its thread ends.
    pub(super) fn end(&self) {
        self.orders.lock().take();
        self.shared.ended.store(true, Ordering::Relaxed);
        self.shared.stop.lock().store(true, Ordering::Relaxed);
    }

    pub(super) fn hear(&self, now: Duration) {
        *self.heard.lock() = now;
    }

    /// How long no host has spoken of it.
    pub(super) fn silence(&self, now: Duration) -> Duration {
        now.saturating_sub(*self.heard.lock())
    }

    /// The longest silence of a host that still plays: the slowest other player, and its grace. Until the
    /// first PLAY they have the start clock, then the play clock.
    pub(super) fn patience(&self) -> Duration {
        let played = self.played.load(Ordering::Relaxed);
        2 * if played { self.play_clock } else { self.start_clock } + Duration::from_secs(10)
    }

    /// Where it is kept.
    pub(super) fn key(&self) -> MatchKey {
        MatchKey { owner: self.owner, match_id: self.match_id.clone() }
    }

    pub(super) fn replaced(&self) -> u32 {
        self.shared.replaced.load(Ordering::Relaxed)
    }
}
