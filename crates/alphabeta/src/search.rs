//! A search in a match: deeper and deeper from the present position, in slices.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use engine::{Budget, Evaluator, Stop};
use game::{Expansion, MoveId, RoleId, RuleFault, Simulator};

use crate::children::{Interrupted, Joints};
use crate::evaluators::Even;
use crate::guard::Guard;
use crate::table::Table;
use crate::value::{EVEN, Proven, worth_of};
use crate::worker::{RootMove, Work, Worker};
use crate::{Driver, Judge, Learner, Options};

/// Stack of a thread that helps. Only what is used of it is taken.
const STACK_BYTES: usize = 64 << 20;

/// Joint moves of the best line, at most.
const LONGEST_LINE: usize = 64;

/// Pieces of learning without a look at the clock, where nobody tells the time.
const MOST_PIECES: u32 = 100_000;

/// A move and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub id: MoveId,
    /// What it is worth to the depth reached, or a bound of that; `None` if it was not looked at.
    pub value: Option<f64>,
    /// What is proven of it.
    pub proven: Proven,
    /// Positions looked at behind it.
    pub positions: u64,
}

/// What a search has to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The place of the best move.
    pub best: usize,
    /// All moves.
    pub candidates: Vec<Candidate>,
    /// What the position is worth to the role, if anything was found out.
    pub value: Option<f64>,
    /// The depth that was looked through in full.
    pub depth: u16,
    /// Joint moves thought best from here on.
    pub line: Vec<Vec<MoveId>>,
    /// Positions in the table, and its bytes.
    pub remembered: (usize, usize),
    /// Whether there is nothing more to find out.
    pub is_finished: bool,
}

impl Advice {
    /// Whether the best move is proven to be as good as any.
    pub fn is_proven(&self) -> bool {
        let sure = self.candidates[self.best].proven.least;
        self.candidates.len() == 1 || self.candidates.iter().all(|other| other.proven.most <= sure)
    }
}

/// The best move of a depth.
#[derive(Clone, Copy, Debug)]
struct Standing {
    place: usize,
    value: f64,
}

/// A search for one role in one match.
pub struct Search<G: Simulator> {
    game: Arc<G>,
    workspace: G::Workspace,
    options: Options,
    table: Arc<Table<G::State>>,
    learner: Option<Box<dyn Learner<G::State>>>,
    workers: Vec<Worker<G>>,
    role: RoleId,
    root: G::State,
    /// What can be done at the root, once it was looked at.
    expansion: Option<Expansion>,
    /// The depth that is being looked through, and with which windows.
    depth: u16,
    driver: Driver,
    standing: Option<Standing>,
    /// The depth that was looked through in full.
    reached: u16,
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
    fn expand(&mut self) -> Result<&Expansion, RuleFault> {
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
        self.learn(budget)?;
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
    fn learn(&mut self, budget: &Budget<'_>) -> Result<(), RuleFault> {
        let Some(mut learner) = self.learner.take() else { return Ok(()) };
        let half = budget.left().map(|left| (budget.clock)() + left / 2);
        for _ in 0..MOST_PIECES {
            if let Some(evaluator) = learner.work()? {
                self.set_evaluator(evaluator);
                return Ok(());
            }
            let is_told = budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
            if is_told || half.is_some_and(|half: Duration| (budget.clock)() >= half) {
                break;
            }
        }
        self.learner = Some(learner);
        Ok(())
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
    fn is_finished(&self) -> bool {
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

    /// What it would play; `None` if the game is over.
    pub fn advice(&mut self) -> Result<Option<Advice>, RuleFault> {
        let role = self.role;
        let expansion = self.expand()?;
        if expansion.is_terminal() {
            return Ok(None);
        }
        let legal = expansion.legal(role).to_vec();
        if legal.is_empty() {
            return Err(RuleFault::NoLegalMove(role));
        }
        let nothing = RootMove { value: None, proven: Proven::NOTHING, positions: 0 };
        let known = |place: usize| self.workers[0].root.get(place).copied().unwrap_or(nothing);
        let candidate = |(place, &id): (usize, &MoveId)| {
            let RootMove { value, proven, positions } = known(place);
            Candidate { id, value, proven, positions }
        };
        let candidates: Vec<Candidate> = legal.iter().enumerate().map(candidate).collect();
        let thought = self.standing.map_or(0, |standing| standing.place.min(candidates.len() - 1));
        // Nothing is played that is proven worse than something else.
        let sure = candidates.iter().map(|candidate| candidate.proven.least).max().unwrap_or_default();
        let worth = |candidate: &Candidate| candidate.value.unwrap_or(f64::NEG_INFINITY);
        let best = if candidates[thought].proven.most >= sure && candidates[thought].proven.least >= sure {
            thought
        } else if candidates[thought].proven.most <= sure {
            let surest =
                candidates.iter().enumerate().filter(|(_, candidate)| candidate.proven.least == sure);
            let surest = surest.max_by(|one, other| worth(one.1).total_cmp(&worth(other.1)));
            surest.map_or(thought, |(place, _)| place)
        } else {
            thought
        };
        let line = self.line(best)?;
        Ok(Some(Advice {
            best,
            candidates,
            value: self.standing.map(|standing| standing.value),
            depth: self.reached,
            line,
            remembered: (self.table.len(), self.table.bytes()),
            is_finished: self.is_finished(),
        }))
    }

    /// What the table thinks best from here on, after a move.
    fn line(&mut self, best: usize) -> Result<Vec<Vec<MoveId>>, RuleFault> {
        let mut line: Vec<Vec<MoveId>> = Vec::new();
        let mut state = self.root.clone();
        let mut joints = Joints::default();
        let mut expansion = Expansion::new();
        let longest = LONGEST_LINE.min(usize::from(self.depth));
        while line.len() < longest {
            self.game.expand(&mut self.workspace, &state, &mut expansion)?;
            if expansion.is_terminal() || expansion.stuck_role().is_some() {
                break;
            }
            joints.list(expansion.choices(), self.role);
            let known = self.table.get(self.table.key(&state, self.role)).map(|entry| entry.best);
            let (own, reply) = match known {
                Some((own, reply)) if !line.is_empty() || usize::from(own) == best => {
                    (own.into(), reply.into())
                }
                _ if line.is_empty() => (best, 0),
                _ => break,
            };
            if own >= joints.own_count() || reply >= joints.reply_count() {
                break;
            }
            let mut joint = Vec::new();
            joints.push(own, reply, &mut joint);
            state = self.game.apply(&mut self.workspace, &state, &joint)?;
            line.push(joint);
        }
        Ok(line)
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
