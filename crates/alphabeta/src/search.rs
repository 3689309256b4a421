//! A search in a match: deeper and deeper from the present position, in slices.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engine::{Budget, Evaluator, Stop};
use game::{Expansion, MoveId, RoleId, RuleFault, Simulator};

use crate::children::Interrupted;
use crate::evaluators::Even;
use crate::guard::Guard;
use crate::table::Table;
use crate::value::{EVEN, Proven, worth_of};
use crate::worker::{Work, Worker};
use crate::{Driver, Judge, Learner, Options};

/// Stack of a thread that helps. Only what is used of it is taken.
const STACK_BYTES: usize = 64 << 20;

/// Pieces of learning without a look at the clock, where nobody tells the time.
const MOST_PIECES: u32 = 100_000;

/// The best move of a depth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) place: usize,
    pub(crate) value: f64,
}

/// A search for one role in one match.
pub struct Search<G: Simulator> {
    pub(crate) game: Arc<G>,
    pub(crate) workspace: G::Workspace,
    options: Options,
    pub(crate) table: Arc<Table<G::State>>,
    learner: Option<Box<dyn Learner<G::State>>>,
    pub(crate) workers: Vec<Worker<G>>,
    pub(crate) role: RoleId,
    pub(crate) root: G::State,
    /// What can be done at the root, once it was looked at.
    expansion: Option<Expansion>,
    /// The depth that is being looked through, and with which windows.
    pub(crate) depth: u16,
    driver: Driver,
    pub(crate) standing: Option<Standing>,
    /// The depth that was looked through in full.
    pub(crate) reached: u16,
    proven: Proven,
}

impl<G: Simulator> std::fmt::Debug for Search<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Search")
            .field("depth", &self.depth)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<G: Simulator> Search<G> {
    /// A search for a role, from a position.
    pub fn new(
        game: &Arc<G>,
        root: G::State,
        role: RoleId,
        judge: Judge<G::State>,
        options: Options,
        seed: u64,
    ) -> Self {
        let table = Arc::new(Table::new(options.bytes, game.state_bytes()));
        let (evaluator, learner): (Arc<dyn Evaluator<G::State>>, _) = match judge {
            Judge::Ready(evaluator) => (evaluator, None),
            Judge::Learning(learner) => (Arc::new(Even), Some(learner)),
        };
        let worker = |number| Worker::new(game, &table, Arc::clone(&evaluator), options, (seed, number));
        let mut workers: Vec<Worker<G>> = (0..options.threads.max(1)).map(worker).collect();
        workers.iter_mut().for_each(|worker| worker.begin(role));
        Self {
            workspace: game.workspace(),
            game: Arc::clone(game),
            options,
            table,
            learner,
            workers,
            role,
            root,
            expansion: None,
            depth: 1,
            driver: Driver::new(options.driver, options.precision, options.aspiration, None),
            standing: None,
            reached: 0,
            proven: Proven::NOTHING,
        }
    }

    /// The game.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// What was done so far, in all threads.
    pub fn work(&self) -> Work {
        self.workers.iter().map(Worker::work).fold(Work::default(), |sum, work| Work {
            positions: sum.positions + work.positions,
            nodes: sum.nodes + work.nodes,
            estimates: sum.estimates + work.estimates,
            calls: sum.calls + work.calls,
        })
    }

    /// What is proven of what the role gets.
    pub fn proven(&self) -> Proven {
        self.proven
    }

    /// Whether it still learns how to evaluate.
    pub fn is_learning(&self) -> bool {
        self.learner.is_some()
    }

    /// The role it thinks for.
    pub fn role(&self) -> RoleId {
        self.role
    }

    /// Thinks for another role from now on.
    pub fn set_role(&mut self, role: RoleId) {
        if role != self.role {
            self.role = role;
            self.begin_anew();
        }
    }

    /// Evaluates in another way from now on. What is proven stays.
    pub fn set_evaluator(&mut self, evaluator: Arc<dyn Evaluator<G::State>>) {
        self.table.forget_estimates();
        self.workers.iter_mut().for_each(|worker| worker.set_evaluator(Arc::clone(&evaluator)));
        self.learner = None;
        self.begin_depth(1, None);
        self.reached = 0;
        self.standing = None;
    }

    fn begin_anew(&mut self) {
        self.expansion = None;
        self.standing = None;
        self.reached = 0;
        self.proven = Proven::NOTHING;
        self.begin_depth(1, None);
        self.table.grow_old();
        self.workers.iter_mut().for_each(|worker| worker.begin(self.role));
    }

    fn begin_depth(&mut self, depth: u16, guess: Option<f64>) {
        let Options { driver, precision, aspiration, .. } = self.options;
        self.depth = depth;
        self.driver = Driver::new(driver, precision, aspiration, guess);
    }

    /// Follows a joint move. What was found out about where it leads is kept.
    pub fn advance(&mut self, joint: &[MoveId]) -> Result<(), RuleFault> {
        self.root = self.game.apply(&mut self.workspace, &self.root, joint)?;
        self.begin_anew();
        Ok(())
    }

    /// What can be done at the root.
    pub(crate) fn expand(&mut self) -> Result<&Expansion, RuleFault> {
        let expansion = match self.expansion.take() {
            Some(expansion) => expansion,
            None => {
                let mut expansion = Expansion::new();
                self.game.expand(&mut self.workspace, &self.root, &mut expansion)?;
                expansion
            }
        };
        Ok(self.expansion.insert(expansion))
    }

    /// Thinks for a while.
    pub fn run(&mut self, budget: &Budget<'_>) -> Result<Stop, RuleFault> {
        let expansion = self.expand()?;
        if expansion.is_terminal() {
            return Ok(Stop::Proven);
        }
        if let Some(role) = expansion.stuck_role() {
            return Err(RuleFault::NoLegalMove(role));
        }
        self.learn(budget);
        let is_over = AtomicBool::new(false);
        let Some(expansion) = self.expansion.clone() else { return Ok(Stop::Proven) };
        let mut helpers = self.workers.split_off(1);
        let depth = self.depth;
        let (root, options, role_guess) =
            (self.root.clone(), self.options, self.standing.map(|standing| standing.value));
        let stop = std::thread::scope(|scope| {
            for (number, worker) in helpers.iter_mut().enumerate() {
                let (root, expansion, is_over) = (&root, &expansion, &is_over);
                // Half of them one step deeper than the others: they find out different things.
                let depth = depth + (number % 2 == 0) as u16;
                let work =
                    move || help(worker, root, expansion, depth, role_guess, options, (budget, is_over));
                // Who cannot be started does not help.
                let _ = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
            }
            let stop = self.deepen(&expansion, budget, &is_over);
            is_over.store(true, Ordering::Relaxed);
            stop
        });
        self.workers.append(&mut helpers);
        stop
    }

    /// Goes on learning how to evaluate, for half of the time.
    fn learn(&mut self, budget: &Budget<'_>) {
        let Some(mut learner) = self.learner.take() else { return };
        let half = budget.left().map(|left| (budget.clock)() + left / 2);
        for _ in 0..MOST_PIECES {
            match learner.work() {
                Ok(None) => {}
                Ok(Some(evaluator)) => return self.set_evaluator(evaluator),
                // Random games go everywhere. A fault on the way of the match is met by the search.
                Err(_) => return,
            }
            let is_told = budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
            if is_told || half.is_some_and(|half: Duration| (budget.clock)() >= half) {
                break;
            }
        }
        self.learner = Some(learner);
    }

    /// Looks deeper and deeper.
    fn deepen(
        &mut self,
        expansion: &Expansion,
        budget: &Budget<'_>,
        is_over: &AtomicBool,
    ) -> Result<Stop, RuleFault> {
        let guard = Guard::new(budget, is_over, self.workers[0].work());
        loop {
            if self.is_finished() {
                return Ok(Stop::Proven);
            }
            let window = self.driver.window();
            let worker = &mut self.workers[0];
            let found =
                match worker.look_into_root(&guard, &self.root, expansion.choices(), self.depth, window) {
                    Ok(found) => found,
                    Err(Interrupted::Stopped) => return Ok(guard.reason()),
                    Err(Interrupted::Fault(fault)) => return Err(fault),
                };
            let place = worker.root_best;
            self.proven = self.proven.both(found.proven);
            let value = self.driver.tell(found.value);
            // Below the window no move was found to be best.
            let is_better = self.standing.is_none_or(|standing| found.value >= standing.value);
            if found.value > window.0 && (value.is_some() || is_better) || self.standing.is_none() {
                self.standing = Some(Standing { place, value: found.value });
            }
            if let Some(value) = value {
                self.reached = self.depth;
                if let Some(standing) = &mut self.standing {
                    standing.value = value;
                }
                self.begin_depth(self.depth + 1, Some(value));
            }
        }
    }

    /// Whether there is nothing more to find out: all is proven, and a win that is known cannot come sooner.
    pub(crate) fn is_finished(&self) -> bool {
        if self.depth > self.options.look_ahead {
            return true;
        }
        let is_settled = self.proven.is_settled() && !self.options.same_depth;
        let Some(standing) = self.standing.filter(|_| is_settled) else { return false };
        let (all, left) = (worth_of(self.proven.least) - EVEN, standing.value - EVEN);
        let discount = self.options.discount.0;
        if all <= 0.0 || left <= 0.0 || discount >= 1.0 {
            return true;
        }
        let steps = (left / all).ln() / discount.ln();
        f64::from(self.reached) + 0.5 >= steps
    }
}

/// Looks deeper and deeper for the sake of the table alone.
fn help<G: Simulator>(
    worker: &mut Worker<G>,
    root: &G::State,
    expansion: &Expansion,
    first_depth: u16,
    mut guess: Option<f64>,
    options: Options,
    (budget, is_over): (&Budget<'_>, &AtomicBool),
) {
    let guard = Guard::new(budget, is_over, worker.work());
    for depth in first_depth..=options.look_ahead {
        let mut driver = Driver::new(options.driver, options.precision, options.aspiration, guess);
        guess = loop {
            let found = worker.look_into_root(&guard, root, expansion.choices(), depth, driver.window());
            let Ok(found) = found else { return };
            if let Some(value) = driver.tell(found.value) {
                break Some(value);
            }
        };
    }
}
