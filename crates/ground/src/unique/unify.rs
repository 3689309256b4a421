//! Puts the body of a rule in the place of its head.

use crate::flatten::never_same;
use crate::program::{Atom, Rule};
use crate::split::{Condition, assemble, conditions_of};
use crate::term::Pattern;

/// What variables stand for.
#[derive(Clone, Debug)]
pub(super) struct Substitution(Vec<Option<Pattern>>);

impl Substitution {
    /// Every one of so many variables stands for itself.
    pub(super) fn new(variables: u32) -> Self {
        Substitution(vec![None; variables as usize])
    }

    fn resolve(&self, pattern: &Pattern) -> Pattern {
        let mut current = pattern.clone();
        while let Pattern::Variable(variable) = current {
            match &self.0[variable as usize] {
                Some(other) => current = other.clone(),
                None => return current,
            }
        }
        current
    }

    /// Makes two patterns the same; `false` if they never are. There are no functions in them.
    pub(super) fn unify(&mut self, left: &Pattern, right: &Pattern) -> bool {
        match (self.resolve(left), self.resolve(right)) {
            (left, right) if left == right => true,
            // The variables of the caller have the smaller numbers and stay.
            (Pattern::Variable(a), Pattern::Variable(b)) => {
                self.0[a.max(b) as usize] = Some(Pattern::Variable(a.min(b)));
                true
            }
            (Pattern::Variable(variable), other) | (other, Pattern::Variable(variable)) => {
                self.0[variable as usize] = Some(other);
                true
            }
            _ => false,
        }
    }

    /// Puts a pattern in the place of a variable that stands for itself.
    pub(super) fn replace(&mut self, variable: &Pattern, by: &Pattern) -> bool {
        let Pattern::Variable(variable) = variable else { return false };
        self.0[*variable as usize] = Some(by.clone());
        true
    }

    fn pattern(&self, pattern: &Pattern) -> Pattern {
        match self.resolve(pattern) {
            Pattern::Function(name, arguments) => {
                Pattern::Function(name, arguments.iter().map(|argument| self.pattern(argument)).collect())
            }
            other => other,
        }
    }

    pub(super) fn atom(&self, atom: &Atom) -> Atom {
        Atom {
            relation: atom.relation,
            arguments: atom.arguments.iter().map(|argument| self.pattern(argument)).collect(),
        }
    }

    /// A condition; `None` if it never holds, nothing in it if it always does.
    pub(super) fn condition(&self, condition: &Condition) -> Option<Option<Condition>> {
        Some(Some(match condition {
            Condition::Positive(atom) => Condition::Positive(self.atom(atom)),
            Condition::Negative(atom) => Condition::Negative(self.atom(atom)),
            Condition::Distinct(left, right) => {
                let (left, right) = (self.pattern(left), self.pattern(right));
                if left == right {
                    return None;
                }
                if never_same(&left, &right) {
                    return Some(None);
                }
                Condition::Distinct(left, right)
            }
        }))
    }
}

/// Whether an atom is made of variables and constants only.
pub(super) fn is_flat(atom: &Atom) -> bool {
    atom.arguments.iter().all(|argument| !matches!(argument, Pattern::Function(..)))
}

/// The body of a rule for an atom that it may derive, with the substitution that makes the rule's head the
/// atom. `None` if the rule does not derive it. Variables below `variables` are the caller's.
pub(super) fn unfold(atom: &Atom, rule: &Rule, variables: u32) -> Option<(Substitution, Vec<Condition>)> {
    let mut substitution = Substitution::new(variables + rule.variables);
    for (left, right) in atom.arguments.iter().zip(&rule.head.arguments) {
        if !substitution.unify(left, &shift(right, variables)) {
            return None;
        }
    }
    let mut body = Vec::new();
    for condition in conditions_of(rule) {
        if let Some(condition) = substitution.condition(&shifted(condition, variables))? {
            body.push(condition);
        }
    }
    Some((substitution, body))
}

/// A rule with one pattern made another; `None` if it never holds then.
pub(super) fn with(rule: &Rule, left: &Pattern, right: &Pattern) -> Option<Rule> {
    let mut substitution = Substitution::new(rule.variables);
    if !substitution.unify(left, right) {
        return None;
    }
    let mut conditions = Vec::new();
    for condition in conditions_of(rule) {
        conditions.extend(substitution.condition(&condition)?);
    }
    Some(assemble(substitution.atom(&rule.head), conditions, rule.variables))
}

fn shifted(condition: Condition, by: u32) -> Condition {
    let atom = |atom: Atom| Atom {
        relation: atom.relation,
        arguments: atom.arguments.iter().map(|argument| shift(argument, by)).collect(),
    };
    match condition {
        Condition::Positive(inner) => Condition::Positive(atom(inner)),
        Condition::Negative(inner) => Condition::Negative(atom(inner)),
        Condition::Distinct(left, right) => Condition::Distinct(shift(&left, by), shift(&right, by)),
    }
}

fn shift(pattern: &Pattern, by: u32) -> Pattern {
    match pattern {
        Pattern::Variable(variable) => Pattern::Variable(variable + by),
        Pattern::Constant(term) => Pattern::Constant(*term),
        Pattern::Function(name, arguments) => {
            Pattern::Function(*name, arguments.iter().map(|argument| shift(argument, by)).collect())
        }
    }
}
