//! Several methods side by side: each works for a slice of time in turn, and those that find
//! something get more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use game::Goal;
use parking_lot::Mutex;

use crate::method::{METHODS, Method, Progress, Tally};
use crate::{Board, Clock, Found, PuzzleError, Search, Space};

/// How a portfolio may work.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Threads that work at the same time.
    pub threads: usize,
    /// Bytes for all methods together, about.
    pub bytes: usize,
    /// The same seed gives the same chance events; when what is found still depends on the clock.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { threads: 1, bytes: 2 << 30, seed: 1 }
    }
}

/// The first slice of every method; later ones grow with what was used already.
const FIRST_SLICE: Duration = Duration::from_millis(20);
/// Whoever found something better lately is given so much more of the time.
const REWARD: f64 = 3.0;

/// A method and what it has used and achieved.
struct Member {
    method: Box<dyn Method>,
    used: Duration,
    share: f64,
    /// Whether the last improvement was its own.
    improved: bool,
}

impl Member {
    fn report(&self, ended: bool) -> Report {
        let method = &self.method;
        Report { method: method.name(), used: self.used, ended, tally: method.tally() }
    }
}

/// Methods that look for a plan side by side.
pub struct Portfolio {
    board: Board,
    /// Those that wait for their turn.
    waiting: Mutex<Vec<Member>>,
    /// What was spent on methods, also those that have ended.
    report: Mutex<Vec<Report>>,
    /// Set when a method panics, so that the threads beside it end as well.
    failed: AtomicBool,
    options: Options,
}

/// Says so when the thread that holds it panics.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// What a method has used.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The method.
    pub method: &'static str,
    /// Its time.
    pub used: Duration,
    /// Whether it has nothing more to do.
    pub ended: bool,
    /// The states it has met.
    pub tally: Tally,
}

impl std::fmt::Debug for Portfolio {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Portfolio").field("board", &self.board).finish_non_exhaustive()
    }
}

impl Portfolio {
    /// The methods for a game that has a circuit.
    pub fn new(space: &Arc<Space>, options: Options) -> Self {
        let members = METHODS.iter().filter(|entry| entry.share > 0.0);
        let methods = members.filter_map(|entry| Some((entry.share, entry.make(space, &options)?)));
        Self::of(methods.collect(), space.ceiling(), options)
    }

    /// Only the methods named, with equal shares.
    pub fn named(space: &Arc<Space>, options: Options, names: &[String]) -> Result<Self, PuzzleError> {
        let mut methods = Vec::new();
        for name in names {
            let entry = METHODS.iter().find(|entry| entry.name == name);
            let entry = entry.ok_or_else(|| PuzzleError::UnknownMethod(name.clone()))?;
            methods.extend(entry.make(space, &options).map(|method| (1.0, method)));
        }
        if methods.is_empty() {
            return Err(PuzzleError::NothingSuits);
        }
        Ok(Self::of(methods, space.ceiling(), options))
    }

    /// Any methods, each with its share of the time, for a game in which nothing scores more than
    /// the ceiling.
    pub fn of(methods: Vec<(f64, Box<dyn Method>)>, ceiling: Goal, options: Options) -> Self {
        let member = |(share, method)| Member { method, used: Duration::ZERO, share, improved: false };
        Self {
            board: Board::new(ceiling),
            waiting: Mutex::new(methods.into_iter().map(member).collect()),
            report: Mutex::new(Vec::new()),
            failed: AtomicBool::new(false),
            options,
        }
    }

    /// What is known.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The best plan so far.
    pub fn best(&self) -> Option<Found> {
        self.board.best()
    }

    /// What every method has used.
    pub fn report(&self) -> Vec<Report> {
        let mut all = self.report.lock().clone();
        for member in self.waiting.lock().iter() {
            all.push(member.report(false));
        }
        all.sort_by_key(|report| std::cmp::Reverse(report.used));
        all
    }

    /// Bytes in use by the methods that wait, about.
    pub fn bytes(&self) -> usize {
        self.waiting.lock().iter().map(|member| member.method.bytes()).sum()
    }

    /// Works until the time has come, the best plan is known to be the best there is, or no method
    /// has anything left to do; the last is said by `true`.
    ///
    /// # Panics
    /// If a method does, in whatever thread; the others end after their slice of time.
    pub fn work(&self, until: Duration, clock: &Clock, stop: &AtomicBool) -> bool {
        let search = Search { clock: Arc::clone(clock), stop, board: &self.board };
        std::thread::scope(|scope| {
            for _ in 1..self.options.threads.max(1) {
                scope.spawn(|| self.work_alone(until, &search));
            }
            self.work_alone(until, &search);
        });
        self.board.is_settled() || self.waiting.lock().is_empty()
    }

    /// Takes the method that is most behind its share, again and again.
    fn work_alone(&self, until: Duration, search: &Search<'_>) {
        let _alarm = Alarm(&self.failed);
        while !search.is_over(until) && !self.failed.load(Ordering::Relaxed) {
            let Some(mut member) = self.take() else { return };
            let begin = (search.clock)();
            let slice = FIRST_SLICE.max(member.used / 4).min(until.saturating_sub(begin));
            let before = self.board.score();
            let progress = member.method.work(begin + slice, search);
            member.used += (search.clock)().saturating_sub(begin);
            if self.board.score() > before {
                let finder = self.board.best().map(|found| found.method);
                member.improved = finder == Some(member.method.name());
                let others = &mut *self.waiting.lock();
                others.iter_mut().for_each(|other| other.improved = finder == Some(other.method.name()));
            }
            match progress {
                Progress::Working => self.waiting.lock().push(member),
                Progress::Ended => {
                    self.report.lock().push(member.report(true));
                }
            }
        }
    }

    fn take(&self) -> Option<Member> {
        let mut waiting = self.waiting.lock();
        let behind = |member: &Member| {
            member.used.as_secs_f64() / member.share / if member.improved { REWARD } else { 1.0 }
        };
        let index =
            (0..waiting.len()).min_by(|&a, &b| behind(&waiting[a]).total_cmp(&behind(&waiting[b])))?;
        Some(waiting.remove(index))
    }
}
