//! Answers questions about rules that are the same in every state, from the question down: lists grow without bound, so
//! they cannot be written out.

use std::rc::Rc;

use gdl::normal::{NormalLiteral, NormalSentence, NormalTerm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Index, Key, key};
use crate::term::{TermId, Terms};

/// The question cannot be answered: it comes back to itself, or takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refused;

/// Terms compared in all.
const MOST_STEPS: usize = 4_000_000;
/// Questions inside questions.
const MOST_DEPTH: usize = 500;

type Answers = Vec<Vec<TermId>>;
type Bindings = Vec<Option<TermId>>;

/// Questions and their answers.
pub(super) struct Evaluator<'a> {
    index: &'a Index<'a>,
    pub(super) terms: Terms,
    /// The answers; none as long as a question is being answered.
    known: FxHashMap<(Key, Bindings), Option<Rc<Answers>>>,
    steps: usize,
    depth: usize,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(index: &'a Index<'a>) -> Self {
        Evaluator { index, terms: Terms::default(), known: FxHashMap::default(), steps: 0, depth: 0 }
    }

    /// The term, if all its variables are bound.
    pub(super) fn build(&mut self, term: &NormalTerm, bindings: &Bindings) -> Option<TermId> {
        match term {
            NormalTerm::Variable(variable) => bindings[*variable as usize],
            NormalTerm::Constant(name) => Some(self.terms.constant(*name)),
            NormalTerm::Function(name, arguments) => {
                let built: Option<Vec<TermId>> =
                    arguments.iter().map(|term| self.build(term, bindings)).collect();
                Some(self.terms.intern(*name, &built?))
            }
        }
    }

    /// All ways to meet the conditions.
    pub(super) fn solutions(
        &mut self,
        literals: &[NormalLiteral],
        bindings: Bindings,
    ) -> Result<Vec<Bindings>, Refused> {
        let mut bound: FxHashSet<u32> =
            (0..).zip(&bindings).filter(|(_, value)| value.is_some()).map(|(variable, _)| variable).collect();
        let mut open: Vec<&NormalLiteral> = literals.iter().collect();
        let mut found = vec![bindings];
        while !open.is_empty() && !found.is_empty() {
            let literal = open.swap_remove(next(&open, &bound).ok_or(Refused)?);
            let mut extended = Vec::new();
            for bindings in found {
                self.meet(literal, bindings, &mut extended)?;
            }
            literal.variables(&mut |variable| {
                bound.insert(variable);
            });
            found = extended;
        }
        Ok(found)
    }

    fn meet(
        &mut self,
        literal: &NormalLiteral,
        bindings: Bindings,
        out: &mut Vec<Bindings>,
    ) -> Result<(), Refused> {
        self.step()?;
        match literal {
            NormalLiteral::Distinct(left, right) => {
                if self.build(left, &bindings) != self.build(right, &bindings) {
                    out.push(bindings);
                }
            }
            NormalLiteral::Fails(sentence) => {
                if self.ask(sentence, &bindings)?.is_empty() {
                    out.push(bindings);
                }
            }
            NormalLiteral::Holds(sentence) => {
                for answer in self.ask(sentence, &bindings)?.iter() {
                    let mut bindings = bindings.clone();
                    if self.fit(sentence, answer.iter().copied().map(Some), &mut bindings)? {
                        out.push(bindings);
                    }
                }
            }
        }
        Ok(())
    }

    fn ask(&mut self, sentence: &NormalSentence, bindings: &Bindings) -> Result<Rc<Answers>, Refused> {
        let given: Bindings = sentence.arguments.iter().map(|term| self.build(term, bindings)).collect();
        let question = (key(sentence), given.clone());
        match self.known.get(&question) {
            Some(Some(answers)) => return Ok(Rc::clone(answers)),
            Some(None) => return Err(Refused),
            None => {}
        }
        if self.depth >= MOST_DEPTH {
            return Err(Refused);
        }
        self.depth += 1;
        self.known.insert(question.clone(), None);
        let index = self.index;
        let mut answers = Answers::new();
        let mut seen = FxHashSet::default();
        for rule in index.of(question.0) {
            let mut bindings = vec![None; rule.variables.len()];
            if !self.fit(&rule.head, given.iter().copied(), &mut bindings)? {
                continue;
            }
            for solution in self.solutions(&rule.body, bindings)? {
                let answer: Option<Vec<TermId>> =
                    rule.head.arguments.iter().map(|term| self.build(term, &solution)).collect();
                let answer = answer.ok_or(Refused)?;
                if seen.insert(answer.clone()) {
                    answers.push(answer);
                }
            }
        }
        self.depth -= 1;
        let answers = Rc::new(answers);
        self.known.insert(question, Some(Rc::clone(&answers)));
        Ok(answers)
    }

    /// Whether a sentence can be what is given; binds its variables.
    fn fit(
        &mut self,
        sentence: &NormalSentence,
        given: impl Iterator<Item = Option<TermId>>,
        bindings: &mut Bindings,
    ) -> Result<bool, Refused> {
        for (term, value) in sentence.arguments.iter().zip(given) {
            if let Some(value) = value
                && !self.fit_term(term, value, bindings)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn fit_term(
        &mut self,
        term: &NormalTerm,
        value: TermId,
        bindings: &mut Bindings,
    ) -> Result<bool, Refused> {
        self.step()?;
        match term {
            NormalTerm::Variable(variable) => Ok(*bindings[*variable as usize].get_or_insert(value) == value),
            NormalTerm::Constant(name) => {
                Ok(self.terms.name(value) == *name && self.terms.arguments(value).is_empty())
            }
            NormalTerm::Function(name, arguments) => {
                let values = self.terms.arguments(value).to_vec();
                if self.terms.name(value) != *name || values.len() != arguments.len() {
                    return Ok(false);
                }
                for (term, value) in arguments.iter().zip(values) {
                    if !self.fit_term(term, value, bindings)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    fn step(&mut self) -> Result<(), Refused> {
        self.steps += 1;
        if self.steps > MOST_STEPS { Err(Refused) } else { Ok(()) }
    }
}

/// The condition that is best met next: one that is only a test, otherwise the one with the fewest open arguments.
fn next(open: &[&NormalLiteral], bound: &FxHashSet<u32>) -> Option<usize> {
    let unbound = |term: &NormalTerm| {
        let mut unbound = false;
        term.variables(&mut |variable| unbound |= !bound.contains(&variable));
        unbound
    };
    let cost = |literal: &NormalLiteral| match literal {
        NormalLiteral::Holds(sentence) => {
            let open = sentence.arguments.iter().filter(|term| unbound(term)).count();
            // With nothing given a list may be any.
            let given = sentence.arguments.len() - open;
            Some(if open == 0 { 0 } else { 1 + open + if given == 0 { 100 } else { 0 } })
        }
        NormalLiteral::Fails(sentence) => (!sentence.arguments.iter().any(unbound)).then_some(0),
        NormalLiteral::Distinct(left, right) => (!unbound(left) && !unbound(right)).then_some(0),
    };
    let costs = open.iter().enumerate().filter_map(|(place, literal)| Some((cost(literal)?, place)));
    costs.min().map(|(_, place)| place)
}
