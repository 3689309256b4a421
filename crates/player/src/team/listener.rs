//! What a player has heard from its helpers.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Weak};
use std::time::Duration;

use engine::Clock;
use engine::team::{HelperId, Line, News, Order, PlayedLeaves, Report, RootReport};
use parking_lot::{Condvar, Mutex};

/// How long it is listened at a time.
const LISTEN: Duration = Duration::from_millis(50);

/// How long a helper may be silent before another may take its place.
const SILENCE: Duration = Duration::from_secs(5);

/// Listens to helpers, and remembers the last that each said.
pub(crate) struct Listener {
    pub(super) line: Box<dyn Line>,
    pub(super) heard: Mutex<Heard>,
    pub(super) changed: Condvar,
    clock: Clock,
    /// Helpers that are listened to, the first that come.
    most: usize,
}

#[derive(Default)]
pub(super) struct Heard {
    pub(super) helpers: BTreeMap<HelperId, Known>,
    /// The number of the assignment that counts.
    pub(super) number: u64,
    /// Batches of leaves that somebody waits for, and what came of them.
    pub(super) batches: HashMap<u64, Option<PlayedLeaves>>,
    pub(super) next_batch: u64,
}

/// A helper.
#[derive(Default)]
pub(super) struct Known {
    /// What it thinks of the moves.
    pub(super) root: Option<RootReport>,
    /// The assignment whose leaves it can play out.
    pub(super) ready: Option<u64>,
    /// The batch it is at.
    pub(super) batch: Option<u64>,
    /// When it was heard of last.
    heard: Duration,
    /// Whether it did not answer in time, and has not been heard of since.
    pub(super) is_missed: bool,
}

impl Listener {
    /// Begins to listen, to so many helpers at most.
    pub(crate) fn open(line: Box<dyn Line>, most: usize, clock: Clock) -> Arc<Self> {
        let (heard, changed) = (Mutex::default(), Condvar::new());
        let listener = Arc::new(Self { line, heard, changed, clock, most });
        let held = Arc::downgrade(&listener);
        let listening = std::thread::Builder::new().name("helpers".to_owned()).spawn(move || listen(&held));
        // Without a thread there are no helpers, and the player plays alone.
        drop(listening);
        listener
    }

    fn take(&self, report: Report) {
        let now = (self.clock)();
        let mut heard = self.heard.lock();
        let Heard { helpers, batches, .. } = &mut *heard;
        if !helpers.contains_key(&report.helper) && helpers.len() >= self.most {
            // One that is gone makes way: it did not answer, or nothing was asked of it and it is silent for long.
            let is_gone = |known: &Known| known.is_missed || now > known.heard + SILENCE;
            let gone =
                helpers.iter().filter(|(_, known)| is_gone(known)).min_by_key(|(_, known)| known.heard);
            let Some(gone) = gone.map(|(id, _)| id.clone()) else { return };
            helpers.remove(&gone);
        }
        let known = helpers.entry(report.helper).or_default();
        (known.is_missed, known.heard) = (false, now);
        let mut end = |batch: u64, played: Option<PlayedLeaves>| {
            if known.batch == Some(batch) {
                known.batch = None;
            }
            match (batches.get_mut(&batch), played) {
                (Some(place), Some(played)) => *place = Some(played),
                // Whoever waits sees that nobody is at it.
                (Some(_), None) => drop(batches.remove(&batch)),
                (None, _) => {}
            }
        };
        match report.news {
            News::Ready { number } => {
                // What it was at before is done, or was lost when it went away.
                if known.ready.replace(number) != Some(number) {
                    known.batch = None;
                }
            }
            News::Root(root) => known.root = Some(root),
            News::Played(played) => end(played.batch, Some(played)),
            News::Lost { batch } => {
                end(batch, None);
                known.ready = None;
            }
        }
        self.changed.notify_all();
    }

    /// What helpers think of the moves of an assignment.
    pub(super) fn roots(&self, number: u64) -> Vec<RootReport> {
        let heard = self.heard.lock();
        let roots = heard.helpers.values().filter_map(|known| known.root.as_ref());
        roots.filter(|root| root.number == number).cloned().collect()
    }

    /// From now on another assignment counts.
    pub(super) fn begin(&self, number: u64) {
        self.heard.lock().number = number;
    }

    /// Waits until all helpers that are there have said something. Those that have not after some time are not waited
    /// for again until they are heard of.
    pub(super) fn wait_for_all(
        &self,
        mut left: Duration,
        is_over: &dyn Fn() -> bool,
        has_said: impl Fn(&Known) -> bool,
    ) {
        /// How often it is asked whether it is over.
        const PART: Duration = Duration::from_millis(20);
        let is_done = |known: &Known| known.is_missed || has_said(known);
        let expected = self.line.expected().min(self.most);
        let mut heard = self.heard.lock();
        while heard.helpers.len() < expected || !heard.helpers.values().all(is_done) {
            if left.is_zero() || is_over() {
                break;
            }
            if self.changed.wait_for(&mut heard, PART).timed_out() {
                left = left.saturating_sub(PART);
            }
        }
        if left.is_zero() {
            let missing = heard.helpers.values_mut().filter(|known| !is_done(known));
            missing.for_each(|known| known.is_missed = true);
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.line.tell(None, Order::End);
    }
}

fn listen(listener: &Weak<Listener>) {
    // Whoever drops the last other hold on it need not wait for longer than this listens.
    while let Some(listener) = listener.upgrade() {
        if let Some(report) = listener.line.hear(LISTEN) {
            listener.take(report);
        }
    }
}
