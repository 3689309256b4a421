//! Proofs from the goal backwards, within a number of steps: all that is needed for one answer, and no more.
//!
//! What was cut short proves nothing, and refutes nothing either: a negation whose sentence could not be
//! refuted to the end is not taken to hold. So whatever is found follows from the rules.

use std::collections::HashSet;
use std::ops::ControlFlow;

use gdl::normal::{NormalLiteral, NormalSentence, NormalTerm};
use gdl::{SymbolId, keyword};

use super::clauses::{Clause, Clauses};

/// How many sentences a proof may rest on: proofs are recursive, and stacks are finite.
const DEEPEST_PROOF: usize = 400;
/// How deep terms may be nested, for the same reason.
pub(super) const DEEPEST_TERM: usize = 200;
/// How many steps are made between two looks at the time.
const STEPS_BETWEEN_LOOKS: u64 = 256;

/// What holds in a state, as far as it is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// The facts.
    pub(super) facts: HashSet<NormalTerm>,
    /// Beginnings of facts of which there may be more than are known; `None` stands for any.
    pub(super) incomplete: HashSet<Option<SymbolId>>,
}

impl Facts {
    /// Whether all facts are known that a term may stand for.
    fn is_complete(&self, term: Option<&NormalTerm>) -> bool {
        match term.and_then(beginning) {
            Some(name) => !self.incomplete.contains(&None) && !self.incomplete.contains(&Some(name)),
            None => self.incomplete.is_empty(),
        }
    }
}

/// The name that a term begins with; none for variables.
pub(super) fn beginning(term: &NormalTerm) -> Option<SymbolId> {
    match term {
        NormalTerm::Variable(_) => None,
        NormalTerm::Constant(name) | NormalTerm::Function(name, _) => Some(*name),
    }
}

/// What is taken as given.
#[derive(Clone, Copy, Debug)]
pub(super) struct World<'r> {
    pub(super) clauses: &'r Clauses,
    pub(super) truth: &'r Facts,
    /// The moves of all roles: pairs of a role and a move.
    pub(super) does: &'r [(NormalTerm, NormalTerm)],
}

/// A term with the place where the values of its variables begin.
type Placed<'r> = (&'r NormalTerm, u32);

/// What is still to be proven: conditions of one clause, then those of the clause that asked.
struct Goals<'g, 'r> {
    conditions: &'r [NormalLiteral],
    base: u32,
    rest: Option<&'g Goals<'g, 'r>>,
}

/// One search for proofs.
pub(super) struct Prover<'r, 'c> {
    world: World<'r>,
    values: Vec<Option<Placed<'r>>>,
    /// Variables that were given a value, in order.
    trail: Vec<u32>,
    steps: u64,
    may_go_on: &'c dyn Fn() -> bool,
    /// Something was left out: what was not found may hold all the same.
    pub(super) cut: bool,
}

type Found<'f> = &'f mut dyn FnMut(&Prover<'_, '_>) -> ControlFlow<()>;

impl<'r, 'c> Prover<'r, 'c> {
    /// A search of so many steps, as long as it may go on.
    pub(super) fn new(world: World<'r>, steps: u64, may_go_on: &'c dyn Fn() -> bool) -> Self {
        Self { world, values: Vec::new(), trail: Vec::new(), steps, may_go_on, cut: false }
    }

    /// Shows every proof of a clause's head whose arguments match, until there are enough.
    pub(super) fn prove(
        &mut self,
        clause: &'r Clause,
        arguments: &'r [NormalTerm],
        variables: usize,
        found: Found<'_>,
    ) {
        self.values.resize(variables, None);
        let _ = self.resolve(clause, (arguments, 0), None, 0, found);
    }

    /// The value of a variable of the question, if it has no variables itself.
    pub(super) fn value(&self, variable: u32) -> Option<NormalTerm> {
        self.values.get(variable as usize).copied().flatten().and_then(|term| self.ground(term, 0))
    }

    fn ground(&self, term: Placed<'r>, depth: usize) -> Option<NormalTerm> {
        if depth > DEEPEST_TERM {
            return None;
        }
        let (term, base) = self.looked_up(term);
        match term {
            NormalTerm::Variable(_) => None,
            NormalTerm::Constant(name) => Some(NormalTerm::Constant(*name)),
            NormalTerm::Function(name, arguments) => {
                let ground = arguments.iter().map(|argument| self.ground((argument, base), depth + 1));
                Some(NormalTerm::Function(*name, ground.collect::<Option<_>>()?))
            }
        }
    }

    /// A term, or what the variable that it is stands for.
    fn looked_up(&self, mut term: Placed<'r>) -> Placed<'r> {
        while let NormalTerm::Variable(variable) = term.0 {
            match self.values[(term.1 + variable) as usize] {
                Some(value) => term = value,
                None => break,
            }
        }
        term
    }

    /// Counts a step; whether it may be made.
    fn step(&mut self) -> bool {
        let may = self.steps > 0 && (!self.steps.is_multiple_of(STEPS_BETWEEN_LOOKS) || (self.may_go_on)());
        self.steps = if may { self.steps - 1 } else { 0 };
        self.cut |= !may;
        may
    }

    /// Tries a clause for a sentence, and then the rest.
    fn resolve(
        &mut self,
        clause: &'r Clause,
        (arguments, base): (&'r [NormalTerm], u32),
        rest: Option<&Goals<'_, 'r>>,
        depth: usize,
        found: Found<'_>,
    ) -> ControlFlow<()> {
        if !self.step() {
            return ControlFlow::Break(());
        }
        let (own, mark) = (self.values.len(), self.trail.len());
        self.values.resize(own + clause.variables, None);
        let mut pairs = clause.head.arguments.iter().zip(arguments);
        let mut flow = ControlFlow::Continue(());
        if pairs.all(|(head, asked)| self.unify((head, own as u32), (asked, base), 0)) {
            flow = self.solve(
                &Goals { conditions: &clause.conditions, base: own as u32, rest },
                depth + 1,
                found,
            );
        }
        self.undo(mark);
        self.values.truncate(own);
        flow
    }

    fn solve(&mut self, goals: &Goals<'_, 'r>, depth: usize, found: Found<'_>) -> ControlFlow<()> {
        let Some((condition, others)) = goals.conditions.split_first() else {
            return match goals.rest {
                Some(rest) => self.solve(rest, depth, found),
                None => found(self),
            };
        };
        if depth > DEEPEST_PROOF {
            self.cut = true;
            return ControlFlow::Continue(());
        }
        let base = goals.base;
        let after = Goals { conditions: others, base, rest: goals.rest };
        match condition {
            NormalLiteral::Holds(sentence) => self.holds(sentence, base, &after, depth, found),
            NormalLiteral::Fails(sentence) => {
                if self.is_refuted(sentence, base, depth) {
                    return self.solve(&after, depth + 1, found);
                }
                ControlFlow::Continue(())
            }
            NormalLiteral::Distinct(left, right) => {
                let mark = self.trail.len();
                let is_same = self.unify((left, base), (right, base), 0);
                self.undo(mark);
                if is_same { ControlFlow::Continue(()) } else { self.solve(&after, depth + 1, found) }
            }
        }
    }

    /// Whether no proof of a sentence exists, as far as that could be found out to the end.
    fn is_refuted(&mut self, sentence: &'r NormalSentence, base: u32, depth: usize) -> bool {
        let (before, mut is_proven) = (std::mem::take(&mut self.cut), false);
        let nothing = Goals { conditions: &[], base, rest: None };
        let mark = self.trail.len();
        let _ = self.holds(sentence, base, &nothing, depth + 1, &mut |_| {
            is_proven = true;
            ControlFlow::Break(())
        });
        self.undo(mark);
        let is_refuted = !is_proven && !self.cut;
        // A proof is one whatever was left out.
        self.cut = before || (self.cut && !is_proven);
        is_refuted
    }

    fn holds(
        &mut self,
        sentence: &'r NormalSentence,
        base: u32,
        after: &Goals<'_, 'r>,
        depth: usize,
        found: Found<'_>,
    ) -> ControlFlow<()> {
        let world = self.world;
        let arguments = &sentence.arguments[..];
        match (sentence.name, arguments) {
            (keyword::TRUE, [fact]) => {
                let asked = self.looked_up((fact, base)).0;
                if !world.truth.is_complete(Some(asked)) {
                    self.cut = true;
                }
                let name = beginning(asked);
                for known in &world.truth.facts {
                    if name.is_none() || beginning(known) == name {
                        self.matching(&[((fact, base), known)], after, depth, found)?;
                    }
                }
                ControlFlow::Continue(())
            }
            (keyword::DOES, [role, action]) => {
                for (who, what) in world.does {
                    self.matching(&[((role, base), who), ((action, base), what)], after, depth, found)?;
                }
                ControlFlow::Continue(())
            }
            (name, arguments) => {
                for clause in world.clauses.of(name, arguments.len()) {
                    self.resolve(clause, (arguments, base), Some(after), depth, found)?;
                }
                ControlFlow::Continue(())
            }
        }
    }

    /// Goes on if terms match what is given.
    fn matching(
        &mut self,
        pairs: &[(Placed<'r>, &'r NormalTerm)],
        after: &Goals<'_, 'r>,
        depth: usize,
        found: Found<'_>,
    ) -> ControlFlow<()> {
        if !self.step() {
            return ControlFlow::Break(());
        }
        let mark = self.trail.len();
        let mut flow = ControlFlow::Continue(());
        // What is given has no variables, so it does not matter where they would begin.
        if pairs.iter().all(|&(asked, given)| self.unify(asked, (given, 0), 0)) {
            flow = self.solve(after, depth + 1, found);
        }
        self.undo(mark);
        flow
    }

    fn unify(&mut self, left: Placed<'r>, right: Placed<'r>, depth: usize) -> bool {
        if depth > DEEPEST_TERM {
            self.cut = true;
            return false;
        }
        let (left, right) = (self.looked_up(left), self.looked_up(right));
        match (left.0, right.0) {
            (NormalTerm::Variable(a), NormalTerm::Variable(b)) if left.1 + a == right.1 + b => true,
            (NormalTerm::Variable(variable), _) => self.bind(left.1 + variable, right),
            (_, NormalTerm::Variable(variable)) => self.bind(right.1 + variable, left),
            (NormalTerm::Constant(a), NormalTerm::Constant(b)) => a == b,
            (NormalTerm::Function(a, first), NormalTerm::Function(b, second)) => {
                let alike = a == b && first.len() == second.len();
                alike
                    && first.iter().zip(second).all(|(x, y)| self.unify((x, left.1), (y, right.1), depth + 1))
            }
            _ => false,
        }
    }

    fn bind(&mut self, variable: u32, value: Placed<'r>) -> bool {
        self.values[variable as usize] = Some(value);
        self.trail.push(variable);
        true
    }

    fn undo(&mut self, mark: usize) {
        for variable in self.trail.drain(mark..) {
            if let Some(value) = self.values.get_mut(variable as usize) {
                *value = None;
            }
        }
    }
}
