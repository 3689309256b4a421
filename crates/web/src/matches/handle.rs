//! What others know of a match that is being conducted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

use parking_lot::Mutex;
use referee::MatchRecord;
use tokio::sync::watch;

use super::orders::Order;
use super::seat::Terms;

/// A match as it is at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Published {
    pub(crate) terms: Terms,
    pub(crate) record: Arc<MatchRecord>,
    /// How many moves each role has now.
    pub(crate) choices: Vec<usize>,
    /// Which these are.
    pub(crate) legal: Vec<Vec<String>>,
    /// What was chosen in this turn.
    pub(crate) chosen: Vec<Option<String>>,
    /// Who is being waited for, people apart.
    pub(crate) thinking: Vec<bool>,
    /// How many moves each role had, turn by turn.
    pub(crate) choices_before: Vec<Vec<usize>>,
    pub(crate) fault: Option<String>,
    /// When people must have chosen.
    pub(crate) deadline: Option<Instant>,
}

/// A match that is being conducted.
pub(crate) struct Handle {
    orders: Mutex<Sender<Order>>,
    published: Mutex<Option<Arc<Published>>>,
    version: watch::Sender<u64>,
    resting: AtomicBool,
}

impl Handle {
    pub(super) fn new(orders: Sender<Order>) -> Self {
        let (version, _) = watch::channel(0);
        Self {
            orders: Mutex::new(orders),
            published: Mutex::default(),
            version,
            resting: AtomicBool::new(false),
        }
    }

    /// Tells the conductor something; whether it is there.
    pub(super) fn order(&self, order: Order) -> bool {
        self.orders.lock().send(order).is_ok()
    }

    pub(super) fn publish(&self, published: Published) {
        *self.published.lock() = Some(Arc::new(published));
        self.version.send_modify(|version| *version += 1);
    }

    /// The match cannot even begin.
    pub(super) fn broken(&self, terms: &Terms, fault: String) {
        let roles = terms.seats.len();
        self.publish(Published {
            terms: terms.clone(),
            record: Arc::default(),
            choices: Vec::new(),
            legal: vec![Vec::new(); roles],
            chosen: vec![None; roles],
            thinking: vec![false; roles],
            choices_before: Vec::new(),
            fault: Some(fault),
            deadline: None,
        });
    }

    pub(super) fn rests(&self) {
        self.resting.store(true, Ordering::Relaxed);
        // Watchers look again, and wake the match if they are still there.
        self.version.send_modify(|version| *version += 1);
    }

    pub(super) fn is_resting(&self) -> bool {
        self.resting.load(Ordering::Relaxed)
    }

    /// Whether somebody watches.
    pub(super) fn is_wanted(&self) -> bool {
        self.version.receiver_count() > 0
    }

    /// Versions as they come.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// The match as it is now, and its version; waits for the first.
    pub(crate) async fn now(&self) -> Option<(u64, Arc<Published>)> {
        let mut version = self.version.subscribe();
        // The channel is never closed as long as the handle is there.
        let number = *version.wait_for(|&version| version > 0).await.ok()?;
        self.published.lock().clone().map(|published| (number, published))
    }
}
