//! Where the match stands, and a legal move kept ready.
//!
//! When an answer is due the brain may be in the middle of a long call, and to find a legal move from the
//! beginning of a long match may take longer than a turn. So a thread of its own follows the moves one by
//! one as they are made and lists what is legal at once: one step and one list a turn, the least that
//! anybody can do, and all that an answer in time depends on. As it knows what is legal, it also judges
//! what hosts say was played.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use engine::Decision;
use game::{Dice, RoleId, RuleFault};
use machine::Machine;
use parking_lot::{Condvar, Mutex};

use crate::brain::{Board, Listed};
use crate::machines::Stock;
use crate::position::{self, Position};

/// How soon a legal move is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// Not at all: where time does not matter the brain is waited for.
    #[default]
    Never,
    /// Once the machines that are being built are there.
    Later,
    /// Now: who has no machine yet does without those that are being built.
    Now,
}

/// The moves made so far, as a player tells its fallback.
#[derive(Debug, Default)]
pub(crate) struct Course {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    history: Vec<Vec<String>>,
    need: Need,
    claim: Option<Claim>,
    /// What came of the last claim.
    verdict: Option<Verdict>,
    closed: bool,
}

/// What a host says was played.
#[derive(Debug)]
struct Claim {
    joint: Vec<String>,
    /// Whether a turn may have been missed before it.
    may_guess: bool,
}

/// What came of a claim.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// These joint moves were made: one, two, or none as the claim cannot be.
    Made(Vec<Vec<String>>),
    /// There is no machine, or it failed: whether the claim can be is not known.
    Unknown,
}

/// What is to be done next.
enum Task {
    /// To follow these joint moves and list what is legal.
    List(Vec<Vec<String>>),
    /// To follow these joint moves, and then to make what a host says if it can be.
    Judge(Vec<Vec<String>>, Claim),
    /// To look on for where the match stands.
    Recover,
}

impl Course {
    /// Says how soon a legal move is needed in every position from now on.
    pub(crate) fn need(&self, need: Need) {
        self.state.lock().need = need;
        self.changed.notify_all();
    }

    /// A legal joint move was made.
    pub(crate) fn follow(&self, joint: Vec<String>) {
        self.state.lock().history.push(joint);
        self.changed.notify_all();
    }

    /// A host speaks of a joint move. It is made if it is legal; or, if that may be guessed, after one that makes
    /// it so.
    pub(crate) fn claim(&self, joint: Vec<String>, may_guess: bool) {
        let mut state = self.state.lock();
        state.need = Need::Now;
        state.claim = Some(Claim { joint, may_guess });
        self.changed.notify_all();
    }

    /// What came of the last claim. Waits a moment for it; `None` if it is not known yet.
    pub(crate) fn verdict(&self, moment: Duration) -> Option<Verdict> {
        let mut state = self.state.lock();
        if state.verdict.is_none() {
            self.changed.wait_for(&mut state, moment);
        }
        state.verdict.take()
    }

    /// Nobody needs a move any more.
    pub(crate) fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_all();
    }

    /// Waits until there is something to do, with the joint moves beyond those known; `None` if there will
    /// be nothing. Who is lost does not wait.
    fn next(&self, known: usize, reached: Option<usize>, is_lost: bool) -> Option<Task> {
        let mut state = self.state.lock();
        loop {
            if state.closed {
                return None;
            }
            let joints = |state: &State| state.history[known..].to_vec();
            if let Some(claim) = state.claim.take() {
                return Some(Task::Judge(joints(&state), claim));
            }
            if state.need != Need::Never && reached != Some(state.history.len()) {
                return Some(Task::List(joints(&state)));
            }
            if is_lost {
                return Some(Task::Recover);
            }
            self.changed.wait(&mut state);
        }
    }

    /// Tells what came of a claim.
    fn judged(&self, verdict: Verdict) {
        let mut state = self.state.lock();
        if let Verdict::Made(made) = &verdict {
            state.history.extend(made.iter().cloned());
        }
        state.verdict = Some(verdict);
        self.changed.notify_all();
    }

    /// Waits a moment for it to be urgent; whether it is, or nobody cares any more.
    fn is_urgent(&self, moment: Duration) -> bool {
        let mut state = self.state.lock();
        let is_urgent = |state: &State| state.closed || state.need == Need::Now;
        if !is_urgent(&state) {
            self.changed.wait_for(&mut state, moment);
        }
        is_urgent(&state)
    }
}

/// How often a first machine is looked for.
const MOMENT: Duration = Duration::from_millis(5);

/// Who keeps a legal move ready.
pub(crate) struct Fallback {
    pub(crate) machines: Stock,
    pub(crate) role: RoleId,
    pub(crate) board: Arc<Board>,
    pub(crate) course: Arc<Course>,
    pub(crate) dice: Dice,
    pub(crate) position: Option<Box<dyn Position>>,
    pub(crate) history: Vec<Vec<String>>,
}

impl Fallback {
    /// Follows the moves until no move is needed any more.
    pub(crate) fn run(mut self) {
        let mut reached = None;
        loop {
            let is_lost = self.position.as_ref().is_some_and(|position| position.is_lost());
            let Some(task) = self.course.next(self.history.len(), reached, is_lost) else { return };
            match task {
                Task::List(joints) => {
                    let moves = self.history.len() + joints.len();
                    let listed = self.guarded(|this| this.list(joints));
                    reached = Some(moves);
                    self.publish(moves, listed);
                }
                Task::Recover => {
                    let listed = self.guarded(Self::recover);
                    if reached == Some(self.history.len()) {
                        self.publish(self.history.len(), listed);
                    }
                }
                Task::Judge(joints, claim) => {
                    let verdict = match self.guarded(|this| this.judge(joints, claim)) {
                        Ok(Some(made)) => Verdict::Made(made),
                        Ok(None) | Err(_) => Verdict::Unknown,
                    };
                    if let Verdict::Made(made) = &verdict {
                        self.history.extend(made.iter().cloned());
                    }
                    self.course.judged(verdict);
                }
            }
        }
    }

    /// Makes known what is legal after so many joint moves.
    fn publish(&self, moves: usize, listed: Result<Option<Decision>, Option<RuleFault>>) {
        let (decision, fault) = match listed {
            Ok(decision) => (decision, None),
            Err(fault) => (None, fault),
        };
        self.board.published.lock().listed = Some(Listed { moves, decision, fault });
        self.board.changed.notify_all();
    }

    /// Does something that may fail, by a fault of the rules or one of ours. Without a position the next
    /// one is reached from the start.
    fn guarded<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, RuleFault>,
    ) -> Result<T, Option<RuleFault>> {
        let outcome = match catch_unwind(AssertUnwindSafe(|| work(self))) {
            Ok(outcome) => outcome.map_err(Some),
            // It was told on the standard error when it happened.
            Err(_) => {
                self.board.failures.fetch_add(1, Ordering::Relaxed);
                Err(None)
            }
        };
        if outcome.is_err() {
            self.position = None;
        }
        outcome
    }

    /// A legal move after some more joint moves.
    fn list(&mut self, joints: Vec<Vec<String>>) -> Result<Option<Decision>, RuleFault> {
        self.follow(joints)?;
        let (role, dice) = (self.role, &mut self.dice);
        Ok(self.position.as_ref().and_then(|position| position.any(role, dice)))
    }

    /// A legal move once it was looked on for where the match stands, on a better machine if there is one by now.
    fn recover(&mut self) -> Result<Option<Decision>, RuleFault> {
        self.follow(Vec::new())?;
        if let Some(position) = self.position.as_mut().filter(|position| position.is_lost()) {
            position.recover()?;
        }
        self.list(Vec::new())
    }

    /// Makes what a host says was played after some more joint moves, if it can be; `None` without a machine.
    fn judge(
        &mut self,
        joints: Vec<Vec<String>>,
        claim: Claim,
    ) -> Result<Option<Vec<Vec<String>>>, RuleFault> {
        self.follow(joints)?;
        let Some(position) = &mut self.position else { return Ok(None) };
        // What was said before and would end the game is the same question once more.
        if !claim.may_guess && position.ends_with(&claim.joint)? {
            return Ok(Some(Vec::new()));
        }
        if position.advance(&claim.joint)? {
            return Ok(Some(vec![claim.joint]));
        }
        let missed = if claim.may_guess { position.missing(&claim.joint)? } else { None };
        Ok(Some(match missed {
            Some(missed) if position.advance(&missed)? && position.advance(&claim.joint)? => {
                vec![missed, claim.joint]
            }
            _ => Vec::new(),
        }))
    }

    /// Goes to the position after some more joint moves, on the best machine there is.
    fn follow(&mut self, joints: Vec<Vec<String>>) -> Result<(), RuleFault> {
        let known = self.history.len();
        self.history.extend(joints);
        let machine = match self.position {
            None => self.first_machine(),
            Some(_) => self.machines.best(),
        };
        let before = self.position.as_ref().map(|position| position.machine());
        // On a better machine the whole way takes less time than a step on the one before.
        if let Some(machine) = machine.filter(|machine| before.is_none_or(|before| machine.kind() > before)) {
            self.position = Some(position::on(&self.machines.own(&machine), self.role, &self.history)?);
        } else if let Some(position) = &mut self.position {
            for joint in &self.history[known..] {
                position.advance(joint)?;
            }
        }
        Ok(())
    }

    /// The first machine. Machines are built behind everything else, which on a crowded processor may take
    /// longer than a turn: then one is made here.
    fn first_machine(&self) -> Option<Machine> {
        loop {
            let machine = self.machines.best();
            if machine.is_some() || self.machines.failure().is_some() {
                return machine;
            }
            if self.board.leaving.load(Ordering::Relaxed) {
                return None;
            }
            if self.course.is_urgent(MOMENT) {
                return self.machines.plain();
            }
        }
    }
}
