//! Whoever helps a player think.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engine::team::{Assignment, HelperId, Leaves, MoveReport, News, Order, Report, RootReport, Work};
use engine::{Budget, Clock, Engine, Seat, Settings, Stop, replay};
use game::{Dice, Game, RoleId};
use machine::{ErasedGame, ErasedState, ErasedWorkspace, Machine, MachineKind};

use super::play_out::play_out;
use super::{FindMachine, HELPERS};
use crate::engines;

/// How long a helper thinks before it looks whether there is something new.
const SLICE: Duration = Duration::from_millis(20);
/// How long a helper that has nothing to do waits for an order.
const IDLE: Duration = Duration::from_millis(200);
/// How long a helper remembers a match that it hears nothing of.
const MEMORY: Duration = Duration::from_secs(120);

/// A helper's end of the line.
pub trait Post {
    /// How a player is told from another.
    type From: Clone + PartialEq;
    /// Waits so long for an order.
    fn next(&mut self, patience: Duration) -> Posted<Self::From>;
    /// Says something to a player.
    fn say(&mut self, to: &Self::From, report: Report);
}

/// What came.
#[derive(Clone, Debug, PartialEq)]
pub enum Posted<From> {
    /// An order of a player.
    Order(From, Order),
    /// Nothing in that time.
    Nothing,
    /// Nothing ever will.
    Closed,
}

/// Thinks for one player at a time, whichever asks first.
pub struct Helper {
    id: HelperId,
    find: FindMachine,
    clock: Clock,
    stop: Arc<AtomicBool>,
    /// Parameters that it chooses for itself.
    own: Vec<(String, String)>,
}

/// A match that is helped in.
struct Shift<From> {
    from: From,
    number: u64,
    /// How long the assignment holds.
    ends: Duration,
    kind: MachineKind,
    work: ShiftWork,
}

enum ShiftWork {
    Root(Box<RootWork>),
    Tree(Box<TreeWork>),
}

struct RootWork {
    engine: Box<dyn Engine>,
    history: Vec<Vec<String>>,
    role: RoleId,
    simulations: Option<u64>,
    every: Option<Duration>,
    next_report: Duration,
    /// Whether all was said.
    is_over: bool,
}

struct TreeWork {
    game: Arc<ErasedGame>,
    workspace: ErasedWorkspace,
    root: ErasedState,
}

impl Helper {
    /// A helper that gets its machines from somebody; it ends soon after the flag is set.
    pub fn new(id: HelperId, find: FindMachine, clock: Clock, stop: Arc<AtomicBool>) -> Self {
        Self { id, find, clock, stop, own: Vec::new() }
    }

    /// The same with another value of a parameter than players say, such as its own memory.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.own.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Does what it is told until there is nobody to tell it anything.
    pub fn work<P: Post>(mut self, mut post: P) {
        let mut shift: Option<Shift<P::From>> = None;
        while !self.stop.load(Ordering::Relaxed) {
            let now = (self.clock)();
            shift = shift.filter(|shift| now < shift.ends + MEMORY);
            let thinks = shift.as_ref().is_some_and(|shift| shift.has_to_think(now));
            match post.next(if thinks { Duration::ZERO } else { IDLE }) {
                Posted::Closed => return,
                Posted::Order(from, order) => {
                    let taken = AssertUnwindSafe(|| self.take(&mut shift, from, order, &mut post));
                    if catch_unwind(taken).is_err() {
                        // A fault of ours; who was helped goes on alone.
                        shift = None;
                    }
                }
                Posted::Nothing => {
                    let thought = AssertUnwindSafe(|| {
                        let Some(Shift { from, number, ends, work: ShiftWork::Root(root), .. }) = &mut shift
                        else {
                            return true;
                        };
                        let news = root.think(*number, *ends, &self.clock, &self.stop);
                        if let Some(Some(report)) = &news {
                            let news = News::Root(report.clone());
                            post.say(from, Report { helper: self.id.clone(), news });
                        }
                        news.is_some()
                    });
                    if !thinks {
                        continue;
                    }
                    if !catch_unwind(thought).unwrap_or(false) {
                        shift = None;
                    }
                }
            }
        }
    }

    fn take<P: Post>(
        &mut self,
        shift: &mut Option<Shift<P::From>>,
        from: P::From,
        order: Order,
        post: &mut P,
    ) {
        let now = (self.clock)();
        let is_own = shift.as_ref().is_some_and(|shift| shift.from == from);
        match order {
            Order::Think(assignment) => {
                let is_busy = shift.as_ref().is_some_and(|shift| now < shift.ends);
                if is_own || !is_busy {
                    *shift = self.begin(shift.take().filter(|_| is_own), &from, assignment);
                    if let Some(Shift { number, work: ShiftWork::Tree(_), .. }) = shift {
                        let news = News::Ready { number: *number };
                        post.say(&from, Report { helper: self.id.clone(), news });
                    }
                }
            }
            Order::Play(leaves) => {
                let news = match shift {
                    Some(shift) if is_own => shift.play_out(&leaves),
                    _ => News::Lost { batch: leaves.batch },
                };
                post.say(&from, Report { helper: self.id.clone(), news });
            }
            Order::End if is_own => *shift = None,
            Order::End => {}
        }
    }

    /// Begins with an assignment, or goes on with what is known of the match.
    fn begin<From>(
        &mut self,
        before: Option<Shift<From>>,
        from: &From,
        assignment: Assignment,
    ) -> Option<Shift<From>>
    where
        From: Clone,
    {
        let now = (self.clock)();
        let ends = now + Duration::from_millis(assignment.milliseconds);
        if let Some(shift) = before {
            let machine = (self.find)(&assignment.rules)?;
            let is_best = machine.kind() <= shift.kind;
            if is_best && shift.number == assignment.number {
                return Some(Shift { ends, ..shift });
            }
            if is_best
                && let ShiftWork::Root(mut root) = shift.work
                && root.follow(&assignment, now).is_some()
            {
                let work = ShiftWork::Root(root);
                return Some(Shift { number: assignment.number, ends, work, ..shift });
            }
            return self.begin_anew(&machine, from, &assignment, ends);
        }
        let machine = (self.find)(&assignment.rules)?;
        self.begin_anew(&machine, from, &assignment, ends)
    }

    fn begin_anew<From: Clone>(
        &self,
        machine: &Machine,
        from: &From,
        assignment: &Assignment,
        ends: Duration,
    ) -> Option<Shift<From>> {
        let work = match assignment.work {
            Work::Tree => {
                let game = machine.erased();
                let mut workspace = game.workspace();
                let root = replay(&*game, &mut workspace, &assignment.history).ok()?;
                ShiftWork::Tree(Box::new(TreeWork { game, workspace, root }))
            }
            Work::Root { .. } => ShiftWork::Root(Box::new(self.root(machine, assignment)?)),
        };
        let (from, number, kind) = (from.clone(), assignment.number, machine.kind());
        Some(Shift { from, number, ends, kind, work })
    }

    /// A search of its own in the position of an assignment.
    fn root(&self, machine: &Machine, assignment: &Assignment) -> Option<RootWork> {
        let registry = engines::registry();
        let mut settings = Settings::new(registry.engine(engines::TREE_SEARCH).ok()?.parameters.clone());
        let alone = (HELPERS.name().to_owned(), "0".to_owned());
        for (name, value) in assignment.settings.iter().chain(&self.own).chain([&alone]) {
            // What this version does not know is as usual.
            let _ = settings.set(name, value);
        }
        let seed = Dice::stream(assignment.seed, fingerprint(&self.id.0)).bits();
        let (history, clock) = (&assignment.history[..], &self.clock);
        let seat = Seat { machine, history, settings: &settings, seed, clock, helpers: None };
        let engine = registry.make(engines::TREE_SEARCH, &seat).ok()?.engine;
        let mut root = RootWork {
            engine,
            history: assignment.history.clone(),
            role: RoleId(assignment.role),
            simulations: None,
            every: None,
            next_report: Duration::ZERO,
            is_over: false,
        };
        root.follow(assignment, (self.clock)())?;
        Some(root)
    }
}

/// A number for a name, the same everywhere.
fn fingerprint(name: &str) -> u64 {
    name.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

impl<From> Shift<From> {
    fn has_to_think(&self, now: Duration) -> bool {
        match &self.work {
            ShiftWork::Root(root) => !root.is_over && (now < self.ends || root.has_to_report()),
            ShiftWork::Tree(_) => false,
        }
    }

    fn play_out(&mut self, leaves: &Leaves) -> News {
        let played = match &mut self.work {
            ShiftWork::Tree(tree) if leaves.number == self.number => {
                play_out(&tree.game, &mut tree.workspace, &tree.root, leaves)
            }
            _ => None,
        };
        played.map_or(News::Lost { batch: leaves.batch }, News::Played)
    }
}

impl RootWork {
    /// Goes to the position of an assignment; `None` if there is no way.
    fn follow(&mut self, assignment: &Assignment, now: Duration) -> Option<()> {
        let Work::Root { every_milliseconds, simulations } = assignment.work else { return None };
        let made = assignment.history.strip_prefix(&self.history[..])?;
        for joint in made {
            self.engine.advance(joint).ok().filter(|known| *known)?;
        }
        self.history.clone_from(&assignment.history);
        self.role = RoleId(assignment.role);
        self.simulations = simulations;
        self.every = every_milliseconds.map(Duration::from_millis);
        self.next_report = now + self.every.unwrap_or_default();
        self.is_over = false;
        self.engine.begin_turn();
        Some(())
    }

    /// Whether something is to be said when the time is over.
    fn has_to_report(&self) -> bool {
        self.every.is_none()
    }

    /// Thinks for a moment; what there is to say, or `None` if it cannot go on.
    fn think(
        &mut self,
        number: u64,
        ends: Duration,
        clock: &Clock,
        stop: &AtomicBool,
    ) -> Option<Option<RootReport>> {
        let now = clock();
        let until = self.simulations.is_none().then(|| (now + SLICE).min(ends));
        let simulations = self.simulations;
        let budget = Budget { clock: &|| clock(), until, simulations, stop: Some(stop), turn_ends: None };
        let stopped =
            if now < ends || simulations.is_some() { self.engine.think(&budget).ok()? } else { Stop::Time };
        let now = clock();
        self.is_over = stopped != Stop::Time || (now >= ends && self.has_to_report());
        let is_due = self.every.is_some() && now >= self.next_report;
        if !self.is_over && !is_due {
            return Some(None);
        }
        self.next_report = now + self.every.unwrap_or_default();
        let decision = self.engine.decide(self.role).ok()??;
        let told = |thought: engine::Thought| MoveReport {
            text: thought.text,
            value: thought.value,
            visits: thought.visits,
            proven: thought.proven,
        };
        let moves = decision.moves.into_iter().map(told).collect();
        let (simulations, is_final) = (decision.simulations, self.is_over);
        Some(Some(RootReport { number, simulations, moves, is_final }))
    }
}
