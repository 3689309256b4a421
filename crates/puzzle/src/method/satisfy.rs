//! Planning as satisfiability (after Kautz and Selman, 1992): is there a plan of exactly so many
//! moves that scores more than what is known? The circuit, laid out in time, becomes clauses; a
//! solver answers; one more move is added to the same clauses.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use circuit::{Edge, Gate, GateId};
use game::{Goal, MoveId};
use rustsat::encodings::am1::{Encode, Ladder, Pairwise};
use rustsat::instances::{BasicVarManager, ManageVars};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Clause, Lit, TernaryVal};

use super::{Method, Progress};
use crate::unroll::Unrolled;
use crate::{Clock, Search, Space};

/// Games with more gates are not unrolled.
const MOST_GATES: usize = 150_000;
/// Up to so many moves exclude each other pair by pair.
const PAIRS_UP_TO: usize = 6;
/// Decisions between two looks at the clock.
const DECISIONS_AT_ONCE: u32 = 64;
/// The time allowed for one length in the first round; doubled in every further round. That there
/// is no plan of a length somewhat too short is often very hard to show, and of no use.
const FIRST_ALLOWANCE: Duration = Duration::from_millis(30);
/// The lengths of the first round; doubled in every further round.
const FIRST_LENGTHS: usize = 32;
/// Bytes of a clause with what the solver keeps beside it, about.
const CLAUSE_BYTES: usize = 64;

/// When the solver is to pause.
#[derive(Default)]
struct Pause {
    clock: Option<Clock>,
    until: Duration,
    calls: Cell<u32>,
    over: Cell<bool>,
}

impl batsat::Callbacks for Pause {
    fn stop(&self) -> bool {
        // The solver asks again on its way out, and wants to hear the same.
        if self.over.get() {
            return true;
        }
        let calls = self.calls.get().wrapping_add(1);
        self.calls.set(calls);
        if calls.is_multiple_of(DECISIONS_AT_ONCE)
            && let Some(clock) = &self.clock
        {
            self.over.set(clock() >= self.until);
        }
        self.over.get()
    }
}

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

/// Gates as clauses.
struct Encoding {
    solver: rustsat_batsat::Solver<Pause>,
    variables: BasicVarManager,
    /// The literal of each gate that has one.
    literals: Vec<Option<Lit>>,
    clauses: usize,
}

impl Encoding {
    fn new() -> Self {
        Self {
            solver: rustsat_batsat::Solver::default(),
            variables: BasicVarManager::default(),
            literals: Vec::new(),
            clauses: 0,
        }
    }

    fn add(&mut self, literals: &[Lit]) {
        self.clauses += 1;
        // The solver has no bound on memory of its own to complain about.
        let _ = self.solver.add_clause(Clause::from(literals));
    }

    /// The literal of an edge that is no constant.
    fn literal(&mut self, unrolled: &Unrolled, edge: Edge) -> Lit {
        if self.literals.len() < unrolled.gates.len() {
            self.literals.resize(unrolled.gates.len(), None);
        }
        let mut open = vec![edge.gate()];
        while let Some(&id) = open.last() {
            if self.literals[id.0 as usize].is_some() {
                open.pop();
                continue;
            }
            let gate = unrolled.gates.get(id);
            if let Gate::And(left, right) | Gate::Xor(left, right) = gate {
                let missing = [left, right].map(Edge::gate);
                let missing = missing.into_iter().filter(|id| self.literals[id.0 as usize].is_none());
                let before = open.len();
                open.extend(missing);
                if open.len() > before {
                    continue;
                }
            }
            open.pop();
            let out = self.variables.new_lit();
            match gate {
                Gate::And(left, right) => {
                    let (left, right) = (self.known(left), self.known(right));
                    self.add(&[!out, left]);
                    self.add(&[!out, right]);
                    self.add(&[out, !left, !right]);
                }
                Gate::Xor(left, right) => {
                    let (left, right) = (self.known(left), self.known(right));
                    self.add(&[!out, left, right]);
                    self.add(&[!out, !left, !right]);
                    self.add(&[out, !left, right]);
                    self.add(&[out, left, !right]);
                }
                // The constant is never an argument of a gate; asked for itself it is false.
                Gate::False => self.add(&[!out]),
                Gate::Base(_) | Gate::Does(..) => {}
            }
            self.literals[id.0 as usize] = Some(out);
        }
        self.known(edge)
    }

    fn known(&self, edge: Edge) -> Lit {
        let GateId(index) = edge.gate();
        let literal = self.literals[index as usize].unwrap_or_else(|| Lit::positive(0));
        if edge.is_inverted() { !literal } else { literal }
    }

    /// That the game goes on at a time: it is not over, and exactly one move is made, a legal one.
    /// The clauses hold only if the literal returned does, as a plan may end here.
    fn going_on(&mut self, unrolled: &Unrolled, time: usize, before: Option<Lit>) -> Lit {
        let goes_on = self.variables.new_lit();
        if let Some(before) = before {
            self.add(&[!goes_on, before]);
        }
        let step = unrolled.steps()[time].clone();
        match step.terminal {
            Edge::FALSE => {}
            Edge::TRUE => self.add(&[!goes_on]),
            terminal => {
                let terminal = self.literal(unrolled, terminal);
                self.add(&[!goes_on, !terminal]);
            }
        }
        let mut made = Vec::new();
        for (_, does, legal) in step.moves {
            let legal = (legal != Edge::TRUE).then(|| self.literal(unrolled, legal));
            if does == Edge::TRUE {
                legal.iter().for_each(|&legal| self.add(&[!goes_on, legal]));
                return goes_on;
            }
            let does = self.literal(unrolled, does);
            made.push(does);
            legal.iter().for_each(|&legal| self.add(&[!does, legal]));
        }
        let mut clauses = rustsat::instances::Cnf::new();
        let encoded = if made.len() <= PAIRS_UP_TO {
            made.iter().copied().collect::<Pairwise>().encode(&mut clauses, &mut self.variables)
        } else {
            made.iter().copied().collect::<Ladder>().encode(&mut clauses, &mut self.variables)
        };
        // Running out of memory here ends in a plan that is refused.
        if encoded.is_ok() {
            for clause in clauses {
                self.clauses += 1;
                let _ = self.solver.add_clause(clause);
            }
        }
        made.push(!goes_on);
        self.add(&made);
        goes_on
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
            assumptions.push(self.encoding.literal(&self.unrolled, success));
        }
        let pause = self.encoding.solver.batsat_mut().cb_mut();
        pause.clock = Some(Arc::clone(&search.clock));
        pause.until = until;
        pause.over.set(false);
        match self.encoding.solver.solve_assumps(&assumptions) {
            Ok(SolverResult::Sat) => {
                self.offer(length, search);
                Some(true)
            }
            Ok(SolverResult::Unsat) => Some(false),
            Ok(SolverResult::Interrupted) | Err(_) => None,
        }
    }

    /// Reads the moves of a plan off the solver, and makes sure of it.
    fn offer(&self, length: usize, search: &Search<'_>) {
        let made = |edge: Edge| match edge {
            Edge::TRUE => true,
            edge => {
                let literal = self.encoding.literals.get(edge.gate().0 as usize).copied().flatten();
                literal.is_some_and(|literal| {
                    matches!(self.encoding.solver.lit_val(literal), Ok(TernaryVal::True))
                })
            }
        };
        let steps = self.unrolled.steps()[..length].iter();
        let line: Option<Vec<MoveId>> = steps
            .map(|step| {
                step.moves.iter().find(|&&(_, edge, _)| made(edge)).map(|&(number, ..)| MoveId(number))
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
        let goes_on = self.encoding.going_on(&self.unrolled, time, before);
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
        self.unrolled.gates.bytes() + self.encoding.clauses * CLAUSE_BYTES
    }
}
