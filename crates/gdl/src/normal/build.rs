//! One alternative of one rule to its normal form: variables numbered, equalities solved.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::alternatives::{Allowance, Flat};
use super::{NormalLiteral, NormalRule, NormalSentence, NormalTerm};
use crate::{MAX_DEPTH, Sentence, Span, SymbolId, Term, TermKind};

/// The normal rule of one alternative, `None` if it can never fire.
pub(crate) fn build(
    head: &Sentence,
    body: &[Flat<'_>],
    span: Span,
    allowance: &mut Allowance,
) -> Result<Option<NormalRule>, String> {
    let mut work = RuleWork {
        numbers: FxHashMap::default(),
        names: Vec::new(),
        values: Vec::new(),
        copies: &mut allowance.copies,
    };
    work.rule(head, body, span)
}

/// The variables of the rule at work and what they were unified with.
struct RuleWork<'a> {
    numbers: FxHashMap<SymbolId, u32>,
    names: Vec<SymbolId>,
    values: Vec<Option<NormalTerm>>,
    copies: &'a mut usize,
}

impl RuleWork<'_> {
    fn rule(&mut self, head: &Sentence, body: &[Flat<'_>], span: Span) -> Result<Option<NormalRule>, String> {
        // Equalities first: they decide what the variables stand for everywhere else.
        for literal in body {
            if let Flat::Distinct(left, right, true) = literal {
                let (left, right) = (self.term(left)?, self.term(right)?);
                if !self.unify(&left, &right)? {
                    return Ok(None);
                }
            }
        }
        let head = self.sentence(head)?;
        let mut literals: IndexSet<NormalLiteral, FxBuildHasher> = IndexSet::default();
        for literal in body {
            literals.insert(match *literal {
                Flat::Sentence(sentence, false) => NormalLiteral::Holds(self.sentence(sentence)?),
                Flat::Sentence(sentence, true) => NormalLiteral::Fails(self.sentence(sentence)?),
                Flat::Distinct(_, _, true) => continue,
                Flat::Distinct(left, right, false) => {
                    let (left, right) = (self.term(left)?, self.term(right)?);
                    if left == right {
                        return Ok(None);
                    }
                    if never_same(&left, &right) {
                        continue;
                    }
                    NormalLiteral::Distinct(left, right)
                }
            });
        }
        let body = literals.into_iter().collect();
        let variables = std::mem::take(&mut self.names);
        Ok(Some(renumber(NormalRule { head, body, variables, span })))
    }

    fn sentence(&mut self, sentence: &Sentence) -> Result<NormalSentence, String> {
        let arguments = sentence.arguments.iter().map(|term| self.term(term)).collect::<Result<_, _>>()?;
        Ok(NormalSentence { name: sentence.name, arguments })
    }

    fn term(&mut self, term: &Term) -> Result<NormalTerm, String> {
        self.term_at(term, 0)
    }

    fn term_at(&mut self, term: &Term, depth: usize) -> Result<NormalTerm, String> {
        match &term.kind {
            TermKind::Constant(name) => Ok(NormalTerm::Constant(*name)),
            TermKind::Function(name, arguments) => {
                let arguments = arguments.iter().map(|term| self.term_at(term, depth + 1));
                Ok(NormalTerm::Function(*name, arguments.collect::<Result<_, _>>()?))
            }
            TermKind::Variable(name) => {
                let next = self.names.len() as u32;
                let number = *self.numbers.entry(*name).or_insert(next);
                if number == next {
                    self.names.push(*name);
                    self.values.push(None);
                }
                self.value(number, depth)
            }
        }
    }

    /// What a variable stands for, all the way down.
    fn value(&mut self, variable: u32, depth: usize) -> Result<NormalTerm, String> {
        let root = self.root(variable);
        match self.values[root as usize].clone() {
            Some(value) => self.resolve(&value, depth),
            None => Ok(NormalTerm::Variable(root)),
        }
    }

    fn resolve(&mut self, term: &NormalTerm, depth: usize) -> Result<NormalTerm, String> {
        *self.copies = self.copies.checked_sub(1).ok_or("its equalities make terms that are too large")?;
        if depth > MAX_DEPTH {
            return Err(format!("its equalities make terms nested more than {MAX_DEPTH} deep"));
        }
        match term {
            NormalTerm::Constant(_) => Ok(term.clone()),
            NormalTerm::Variable(number) => self.value(*number, depth),
            NormalTerm::Function(name, arguments) => {
                let arguments = arguments.iter().map(|term| self.resolve(term, depth + 1));
                Ok(NormalTerm::Function(*name, arguments.collect::<Result<_, _>>()?))
            }
        }
    }

    /// The last variable in a chain of variables that stand for each other. Halves the way for
    /// the next time: chains may be as long as the sheet.
    fn root(&mut self, mut variable: u32) -> u32 {
        while let Some(NormalTerm::Variable(next)) = self.values[variable as usize] {
            if let Some(NormalTerm::Variable(after)) = self.values[next as usize] {
                self.values[variable as usize] = Some(NormalTerm::Variable(after));
            }
            variable = next;
        }
        variable
    }

    fn unify(&mut self, left: &NormalTerm, right: &NormalTerm) -> Result<bool, String> {
        let (left, right) = (self.resolve(left, 0)?, self.resolve(right, 0)?);
        match (&left, &right) {
            (NormalTerm::Variable(a), NormalTerm::Variable(b)) if a == b => Ok(true),
            (NormalTerm::Variable(variable), value) | (value, NormalTerm::Variable(variable)) => {
                let mut occurs = false;
                value.variables(&mut |inner| occurs |= inner == *variable);
                // No term contains itself.
                if occurs {
                    return Ok(false);
                }
                self.values[*variable as usize] = Some(value.clone());
                Ok(true)
            }
            (NormalTerm::Constant(a), NormalTerm::Constant(b)) => Ok(a == b),
            (NormalTerm::Function(f, a), NormalTerm::Function(g, b)) if f == g && a.len() == b.len() => {
                for (a, b) in a.iter().zip(b) {
                    if !self.unify(a, b)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// Whether no values of the variables make the terms equal.
fn never_same(left: &NormalTerm, right: &NormalTerm) -> bool {
    match (left, right) {
        (NormalTerm::Variable(_), _) | (_, NormalTerm::Variable(_)) => false,
        (NormalTerm::Constant(a), NormalTerm::Constant(b)) => a != b,
        (NormalTerm::Function(f, a), NormalTerm::Function(g, b)) => {
            f != g || a.len() != b.len() || a.iter().zip(b).any(|(a, b)| never_same(a, b))
        }
        _ => true,
    }
}

/// Numbers the variables that are left from 0 in the order of their appearance.
pub(super) fn renumber(mut rule: NormalRule) -> NormalRule {
    let mut order: IndexSet<u32, FxBuildHasher> = IndexSet::default();
    let mut note = |variable: u32| {
        order.insert(variable);
    };
    rule.head.variables(&mut note);
    rule.body.iter().for_each(|literal| literal.variables(&mut note));
    let rename = |variable: &mut u32| {
        *variable = order.get_index_of(variable).expect("all were noted") as u32;
    };
    rename_sentence(&mut rule.head, &rename);
    for literal in &mut rule.body {
        match literal {
            NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => {
                rename_sentence(sentence, &rename);
            }
            NormalLiteral::Distinct(left, right) => {
                rename_term(left, &rename);
                rename_term(right, &rename);
            }
        }
    }
    rule.variables = order.iter().map(|&old| rule.variables[old as usize]).collect();
    rule
}

fn rename_sentence(sentence: &mut NormalSentence, rename: &impl Fn(&mut u32)) {
    sentence.arguments.iter_mut().for_each(|term| rename_term(term, rename));
}

fn rename_term(term: &mut NormalTerm, rename: &impl Fn(&mut u32)) {
    match term {
        NormalTerm::Variable(variable) => rename(variable),
        NormalTerm::Constant(_) => {}
        NormalTerm::Function(_, arguments) => arguments.iter_mut().for_each(|term| rename_term(term, rename)),
    }
}
