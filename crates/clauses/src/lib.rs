//! Gates as clauses for a satisfiability solver that can be paused.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use circuit::{Edge, Gate, GateId, Gates};
use rustsat::encodings::am1::{Encode, Ladder, Pairwise};
use rustsat::instances::{BasicVarManager, ManageVars};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Clause, TernaryVal};

pub use rustsat::types::Lit;

/// A clock, as somebody else has it.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// How long the solver may take for an answer.
#[derive(Clone)]
pub enum Patience {
    /// Until a time by a clock.
    Until(Clock, Duration),
    /// So many decisions: the same on every computer.
    Decisions(u32),
}

impl std::fmt::Debug for Patience {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Patience::Until(_, until) => out.debug_tuple("Until").field(until).finish(),
            Patience::Decisions(most) => out.debug_tuple("Decisions").field(most).finish(),
        }
    }
}

/// Decisions between two looks at the clock.
const DECISIONS_AT_ONCE: u32 = 64;
/// Up to so many literals exclude each other pair by pair.
const PAIRS_UP_TO: usize = 6;
/// Bytes of a clause with what the solver keeps beside it, about.
const CLAUSE_BYTES: usize = 64;

/// When the solver is to pause.
#[derive(Default)]
struct Pause {
    patience: Option<Patience>,
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
        match &self.patience {
            Some(Patience::Until(clock, until)) if calls.is_multiple_of(DECISIONS_AT_ONCE) => {
                self.over.set(clock() >= *until);
            }
            Some(Patience::Decisions(most)) => self.over.set(calls >= *most),
            _ => {}
        }
        self.over.get()
    }
}

/// Gates as clauses.
pub struct Encoding {
    solver: rustsat_batsat::Solver<Pause>,
    variables: BasicVarManager,
    /// The literal of each gate that has one.
    literals: Vec<Option<Lit>>,
    clauses: usize,
}

impl std::fmt::Debug for Encoding {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Encoding").field("clauses", &self.clauses).finish_non_exhaustive()
    }
}

impl Default for Encoding {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoding {
    /// Without any clauses.
    pub fn new() -> Self {
        Self {
            solver: rustsat_batsat::Solver::default(),
            variables: BasicVarManager::default(),
            literals: Vec::new(),
            clauses: 0,
        }
    }

    /// At least one of some literals is true.
    pub fn add(&mut self, literals: &[Lit]) {
        self.clauses += 1;
        // The solver has no bound on memory of its own to complain about.
        let _ = self.solver.add_clause(Clause::from(literals));
    }

    /// The literal of an edge that is no constant.
    pub fn literal(&mut self, gates: &Gates, edge: Edge) -> Lit {
        if self.literals.len() < gates.len() {
            self.literals.resize(gates.len(), None);
        }
        let mut open = vec![edge.gate()];
        while let Some(&id) = open.last() {
            if self.literals[id.0 as usize].is_some() {
                open.pop();
                continue;
            }
            let gate = gates.get(id);
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

    /// At most one of some literals is true.
    pub fn at_most_one(&mut self, literals: &[Lit]) {
        let mut clauses = rustsat::instances::Cnf::new();
        let encoded = if literals.len() <= PAIRS_UP_TO {
            literals.iter().copied().collect::<Pairwise>().encode(&mut clauses, &mut self.variables)
        } else {
            literals.iter().copied().collect::<Ladder>().encode(&mut clauses, &mut self.variables)
        };
        // Running out of memory here ends in a plan that is refused.
        if encoded.is_ok() {
            for clause in clauses {
                self.clauses += 1;
                let _ = self.solver.add_clause(clause);
            }
        }
    }

    /// A literal that stands for nothing yet.
    pub fn fresh(&mut self) -> Lit {
        self.variables.new_lit()
    }

    /// Whether the clauses can be true together with some literals. `None` if there was no time to
    /// decide.
    pub fn solve(&mut self, assumptions: &[Lit], patience: Patience) -> Option<bool> {
        let pause = self.solver.batsat_mut().cb_mut();
        pause.patience = Some(patience);
        pause.calls.set(0);
        pause.over.set(false);
        match self.solver.solve_assumps(assumptions) {
            Ok(SolverResult::Sat) => Some(true),
            Ok(SolverResult::Unsat) => Some(false),
            Ok(SolverResult::Interrupted) | Err(_) => None,
        }
    }

    /// Whether an edge is true in the answer just found.
    pub fn holds(&self, edge: Edge) -> bool {
        match edge {
            Edge::TRUE => true,
            edge => {
                let literal = self.literals.get(edge.gate().0 as usize).copied().flatten();
                let value = |literal| matches!(self.solver.lit_val(literal), Ok(TernaryVal::True));
                literal.is_some_and(|literal| value(if edge.is_inverted() { !literal } else { literal }))
            }
        }
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> usize {
        self.clauses * CLAUSE_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_true_where_their_clauses_are() {
        let mut gates = Gates::new();
        let [one, two, three] = [0, 1, 2].map(|number| gates.base(number));
        let both = gates.and(one, two);
        let either = gates.xor(both, three);
        let mut encoding = Encoding::new();
        let wanted = encoding.literal(&gates, either);
        let literals = [one, two, three].map(|edge| encoding.literal(&gates, edge));
        encoding.at_most_one(&literals);
        let patience = || Patience::Decisions(1_000);
        assert_eq!(encoding.solve(&[wanted], patience()), Some(true));
        assert!(encoding.holds(three) && !encoding.holds(one) && encoding.holds(either));
        assert!(encoding.holds(!both) && encoding.holds(Edge::TRUE));
        assert_eq!(encoding.solve(&[wanted, literals[0]], patience()), Some(false));
        assert!(encoding.bytes() > 0);
    }

    #[test]
    fn who_has_no_patience_gets_no_answer() {
        // Seven pigeons in six holes.
        let mut encoding = Encoding::new();
        let mut holes = vec![Vec::new(); 6];
        for _ in 0..7 {
            let places: Vec<Lit> = holes.iter().map(|_| encoding.fresh()).collect();
            encoding.add(&places);
            holes.iter_mut().zip(&places).for_each(|(hole, &place)| hole.push(place));
        }
        holes.iter().for_each(|hole| encoding.at_most_one(hole));
        assert_eq!(encoding.solve(&[], Patience::Decisions(3)), None);
        assert_eq!(encoding.solve(&[], Patience::Decisions(10_000_000)), Some(false));
    }
}
