//! Planning as satisfiability (after Kautz and Selman, 1992): is there a plan of exactly so many
//! moves that scores more than what is known? The circuit, laid out in time, becomes clauses; a
//! solver answers; one more move is added to the same clauses.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use circuit::Edge;
use clauses::{Encoding, Lit, Patience};
use game::{Goal, MoveId};

use super::{Method, Progress};
use crate::unroll::Unrolled;
use crate::{Search, Space};

/// Games with more gates are not unrolled.
const MOST_GATES: usize = 150_000;
/// The time allowed for one length in the first round; doubled in every further round. That there
/// is no plan of a length somewhat too short is often very hard to show, and of no use.
const FIRST_ALLOWANCE: Duration = Duration::from_millis(30);
/// The lengths of the first round; doubled in every further round.
const FIRST_LENGTHS: usize = 32;

/// Plans of growing length by a satisfiability solver.
pub struct Satisfy {
    space: Arc<Space>,
    most_bytes: usize,
    /// What the plan is to reach at least.
    target: Goal,
    encoding: Encoding,
    unrolled: Unrolled,
    /// That the game goes on, for each step.
    going_on: Vec<Lit>,
    /// The greatest length so far.
    length: usize,
    /// Lengths that were left undecided for want of time.
    undecided: VecDeque<usize>,
    /// All lengths are in the clauses: no game is longer.
    complete: bool,
    allowance: Duration,
    /// The length that was being looked at, and the time spent on it.
    current: Option<(usize, Duration)>,
    begun: bool,
    /// The greatest length of this round.
    lengths: usize,
    /// How many undecided lengths are left in this round.
    rest: usize,
    clauses_full: bool,
}

impl std::fmt::Debug for Satisfy {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Satisfy")
            .field("target", &self.target)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

impl Satisfy {
    /// A solver for the plans of a space that takes at most so many bytes, about; `None` if the
    /// game is too large for it.
    pub fn new(space: Arc<Space>, most_bytes: usize) -> Option<Self> {
        (space.circuit().gates.len() <= MOST_GATES).then(|| Self {
            target: space.ceiling(),
            encoding: Encoding::new(),
            unrolled: Unrolled::new(space.circuit(), |base| space.start().get(base)),
            going_on: Vec::new(),
            length: 0,
            undecided: VecDeque::new(),
            complete: false,
            allowance: FIRST_ALLOWANCE,
            current: None,
            begun: false,
            lengths: FIRST_LENGTHS,
            rest: 0,
            clauses_full: false,
            most_bytes,
            space,
        })
    }

    /// That the game is over at a time and the target reached.
    fn success(&mut self, length: usize) -> Edge {
        let step = self.unrolled.steps()[length].clone();
        let mut reached = Edge::FALSE;
        for (_, edge) in step.goals.iter().filter(|(value, _)| *value >= self.target.0) {
            reached = self.unrolled.gates.or(reached, *edge);
        }
        self.unrolled.gates.and(reached, step.terminal)
    }

    /// Asks for a plan of a length. `None` if there was no time to decide.
    fn ask(&mut self, length: usize, until: Duration, search: &Search<'_>) -> Option<bool> {
        let success = self.success(length);
        if success == Edge::FALSE {
            return Some(false);
        }
        // The game goes on up to the last move; the literal before that follows from it.
        let mut assumptions: Vec<Lit> =
            length.checked_sub(1).map(|last| self.going_on[last]).into_iter().collect();
        if success != Edge::TRUE {
            assumptions.push(self.encoding.literal(&self.unrolled.gates, success));
        }
        let patience = Patience::Until(Arc::clone(&search.clock), until);
        let answer = self.encoding.solve(&assumptions, patience);
        if answer == Some(true) {
            self.offer(length, search);
        }
        answer
    }

    /// Reads the moves of a plan off the solver, and makes sure of it.
    fn offer(&self, length: usize, search: &Search<'_>) {
        let steps = self.unrolled.steps()[..length].iter();
        let line: Option<Vec<MoveId>> = steps
            .map(|step| {
                step.moves
                    .iter()
                    .find(|&&(_, edge, _)| self.encoding.holds(edge))
                    .map(|&(number, ..)| MoveId(number))
            })
            .collect();
        let Some(line) = line else { return };
        if let Some(score) = crate::replay::score(&**self.space.machine(), self.space.start(), &line) {
            search.offer("satisfiability", score, || line);
        }
    }

    /// Adds the clauses of one more move, if there can be one.
    fn lengthen(&mut self) -> bool {
        let time = self.length;
        let terminal = self.unrolled.steps()[time].terminal;
        let stuck = self.unrolled.steps()[time].moves.is_empty();
        if terminal == Edge::TRUE || stuck {
            self.complete = true;
            return false;
        }
        let before = self.going_on.last().copied();
        let goes_on = going_on(&mut self.encoding, &self.unrolled, time, before);
        self.going_on.push(goes_on);
        self.unrolled.advance(self.space.circuit());
        self.length += 1;
        true
    }

    /// Every length was decided, or cannot be: aims lower if that makes sense.
    fn conclude(&mut self, search: &Search<'_>) -> Progress {
        if !self.undecided.is_empty() || !self.complete {
            return Progress::Ended;
        }
        let goals = &self.space.circuit().roles[0].goals;
        let lower = goals.iter().map(|goal| goal.value).filter(|&value| value < self.target.0).max();
        let lower = Goal(lower.unwrap_or(0));
        search.bound(self.name(), lower);
        if search.board.is_better(lower) && lower.0 > 0 {
            self.target = lower;
            // The clauses stay true; only the question changes.
            self.undecided = (0..=self.length).collect();
            self.rest = self.undecided.len();
            self.allowance = FIRST_ALLOWANCE;
            return Progress::Working;
        }
        Progress::Ended
    }

    /// The length to be asked about next: a longer plan, or one that was left undecided.
    fn next_length(&mut self) -> Option<usize> {
        if !self.complete && !self.clauses_full && self.length < self.lengths {
            if self.bytes() > self.most_bytes {
                self.clauses_full = true;
            } else if !std::mem::replace(&mut self.begun, true) || self.lengthen() {
                return Some(self.length);
            }
        }
        if self.rest == 0 {
            if self.undecided.is_empty() && (self.complete || self.clauses_full) {
                return None;
            }
            self.rest = self.undecided.len();
            self.allowance *= 2;
            self.lengths *= 2;
            return self.next_length();
        }
        self.rest -= 1;
        self.undecided.pop_front()
    }
}

/// That the game goes on at a time: it is not over, and exactly one move is made, a legal one.
/// The clauses hold only if the literal returned does, as a plan may end here.
fn going_on(encoding: &mut Encoding, unrolled: &Unrolled, time: usize, before: Option<Lit>) -> Lit {
    let goes_on = encoding.fresh();
    if let Some(before) = before {
        encoding.add(&[!goes_on, before]);
    }
    let step = unrolled.steps()[time].clone();
    match step.terminal {
        Edge::FALSE => {}
        Edge::TRUE => encoding.add(&[!goes_on]),
        terminal => {
            let terminal = encoding.literal(&unrolled.gates, terminal);
            encoding.add(&[!goes_on, !terminal]);
        }
    }
    let mut made = Vec::new();
    for (_, does, legal) in step.moves {
        let legal = (legal != Edge::TRUE).then(|| encoding.literal(&unrolled.gates, legal));
        if does == Edge::TRUE {
            legal.iter().for_each(|&legal| encoding.add(&[!goes_on, legal]));
            return goes_on;
        }
        let does = encoding.literal(&unrolled.gates, does);
        made.push(does);
        legal.iter().for_each(|&legal| encoding.add(&[!does, legal]));
    }
    encoding.at_most_one(&made);
    made.push(!goes_on);
    encoding.add(&made);
    goes_on
}

impl Method for Satisfy {
    fn name(&self) -> &'static str {
        "satisfiability"
    }

    fn work(&mut self, until: Duration, search: &Search<'_>) -> Progress {
        while !search.is_over(until) {
            if !search.board.is_better(self.target) {
                return Progress::Ended;
            }
            let Some((length, spent)) =
                self.current.take().or_else(|| Some((self.next_length()?, Duration::ZERO)))
            else {
                if self.conclude(search) == Progress::Ended {
                    return Progress::Ended;
                }
                continue;
            };
            let begin = (search.clock)();
            let left = self.allowance.saturating_sub(spent);
            let answer = self.ask(length, until.min(begin + left), search);
            let spent = spent + (search.clock)().saturating_sub(begin);
            if answer.is_none() && spent < self.allowance {
                self.current = Some((length, spent));
            } else if answer.is_none() {
                self.undecided.push_back(length);
            }
        }
        Progress::Working
    }

    fn bytes(&self) -> usize {
        self.unrolled.gates.bytes() + self.encoding.bytes()
    }
}
