//! A legal move, kept ready.
//!
//! When an answer is due the brain may be in the middle of a long call, and to find a legal move from the
//! beginning of a long match may take longer than a turn. So the scout, a thread of its own, follows the
//! moves one by one as they are made and lists what is legal at once: one step and one list a turn, the
//! least that anybody can do, and all that an answer in time depends on.

use std::sync::Arc;

use game::RuleFault;
use parking_lot::{Condvar, Mutex};

use crate::brain::{Board, Listed};
use crate::machines::Machines;
use crate::mind::Mind;
use crate::report::Decision;

/// The moves made so far, as a player tells its scout.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    course: Mutex<Course>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Course {
    history: Vec<Vec<String>>,
    /// Whether time matters. Where it does not the brain is waited for, and nobody else is needed.
    wanted: bool,
    closed: bool,
}

impl Trail {
    /// Says whether a legal move is wanted in every position from now on.
    pub(crate) fn want(&self, wanted: bool) {
        self.course.lock().wanted = wanted;
        self.changed.notify_all();
    }

    /// A joint move was made.
    pub(crate) fn follow(&self, joint: Vec<String>) {
        self.course.lock().history.push(joint);
        self.changed.notify_all();
    }

    /// Nobody needs a move any more.
    pub(crate) fn close(&self) {
        self.course.lock().closed = true;
        self.changed.notify_all();
    }

    /// Waits until a move is wanted in a position other than the one reached, and gives the joint moves
    /// beyond those known; `None` if no move will be wanted.
    fn next(&self, known: usize, reached: Option<usize>) -> Option<Vec<Vec<String>>> {
        let mut course = self.course.lock();
        while !course.closed && (!course.wanted || reached == Some(course.history.len())) {
            self.changed.wait(&mut course);
        }
        (!course.closed).then(|| course.history[known..].to_vec())
    }
}

/// Who keeps a legal move ready.
pub(crate) struct Scout {
    machines: Arc<Machines>,
    role: usize,
    board: Arc<Board>,
    trail: Arc<Trail>,
    mind: Option<Box<dyn Mind>>,
    history: Vec<Vec<String>>,
}

impl Scout {
    pub(crate) fn new(machines: Arc<Machines>, role: usize, board: Arc<Board>, trail: Arc<Trail>) -> Self {
        Self { machines, role, board, trail, mind: None, history: Vec::new() }
    }

    /// Follows the moves until no move is wanted any more.
    pub(crate) fn run(mut self) {
        let mut reached = None;
        while let Some(joints) = self.trail.next(self.history.len(), reached) {
            let moves = self.history.len() + joints.len();
            // A fault is the brain's to tell; without a mind the next position is reached from the start.
            let decision = self.list(joints).unwrap_or_else(|_| {
                self.mind = None;
                None
            });
            reached = Some(moves);
            self.board.published.lock().listed = Some(Listed { moves, decision });
            self.board.changed.notify_all();
        }
    }

    /// A legal move after some more joint moves.
    fn list(&mut self, joints: Vec<Vec<String>>) -> Result<Option<Decision>, RuleFault> {
        let known = self.history.len();
        self.history.extend(joints);
        let offer = match self.mind {
            None => self.machines.first_offer(),
            Some(_) => self.machines.best_offer(),
        };
        let before = self.mind.as_ref().map(|mind| mind.machine());
        // On a better machine the whole way takes less time than a step on the one before.
        if let Some(offer) = offer.filter(|offer| before.is_none_or(|before| offer.kind > before)) {
            self.mind = Some(offer.machine.plain_mind(offer.kind, &self.history)?);
        } else if let Some(mind) = &mut self.mind {
            for joint in &self.history[known..] {
                mind.advance(joint)?;
            }
        }
        match &mut self.mind {
            Some(mind) => mind.decide(self.role),
            None => Ok(None),
        }
    }
}
