//! Where at most one choice of some variables is possible, each condition on them is a question of its own.
//!
//! A king is on one square. "The king is on some square that is not threatened if I leave this one" is: there is a
//! king, and not: the king is on a square that is threatened if I leave this one. The second is a relation over
//! the square that is left alone. What its rules ask of the king is treated alike, as far down as relations
//! are not recursive: so the question "who threatens the king?" is reached, which has few answers.

use gdl::keyword;
use rustc_hash::FxHashMap;

use super::unify::{Substitution, is_flat, unfold};
use crate::program::{Atom, Program, RelationId, Rule, Skeleton};
use crate::split::{Condition, assemble, conditions_of, renumber};
use crate::term::Pattern;

/// Makes relations out of the conditions on what is unique.
pub(super) struct Projector<'a> {
    pub program: &'a mut Program,
    /// The rules as they were, and after them the new ones.
    pub rules: Vec<Rule>,
    /// The rules of each relation that may be looked into.
    pub rules_of: FxHashMap<RelationId, Vec<u32>>,
    pub known: FxHashMap<Rule, RelationId>,
    /// How many new rules there may be.
    pub most: usize,
}

impl Projector<'_> {
    /// The rule with every condition on the inner variables of a unit as a relation over the others. `None` if one
    /// of them cannot be made one.
    pub(super) fn project(&mut self, rule: &Rule, unit: &[usize], inner: &[u32]) -> Option<Rule> {
        let atoms: Vec<Atom> = unit.iter().map(|&place| rule.positive[place].clone()).collect();
        let conditions = conditions_of(rule);
        let touches =
            |condition: &Condition| condition.variables().iter().any(|variable| inner.contains(variable));
        let mut result = Vec::new();
        let mut exists = false;
        for (place, condition) in conditions.into_iter().enumerate() {
            // Positive conditions come first, in their order.
            if place < rule.positive.len() && unit.contains(&place) {
                continue;
            }
            if !touches(&condition) {
                result.push(condition);
                continue;
            }
            result.push(match condition {
                Condition::Distinct(left, right) => self.differs(&atoms, inner, &left, &right)?,
                Condition::Negative(atom) => {
                    Condition::Negative(self.auxiliary(&atoms, inner, Some(Condition::Positive(atom))))
                }
                other => {
                    exists = true;
                    Condition::Positive(self.auxiliary(&atoms, inner, Some(other)))
                }
            });
        }
        if !exists {
            result.push(Condition::Positive(self.auxiliary(&atoms, inner, None)));
        }
        Some(assemble(rule.head.clone(), result, rule.variables))
    }

    /// The condition that a part of what is unique differs from something.
    fn differs(
        &mut self,
        unit: &[Atom],
        inner: &[u32],
        left: &Pattern,
        right: &Pattern,
    ) -> Option<Condition> {
        let is_inner =
            |pattern: &Pattern| matches!(pattern, Pattern::Variable(variable) if inner.contains(variable));
        let flat = |pattern: &Pattern| !matches!(pattern, Pattern::Function(..));
        let (part, other) = if is_inner(left) { (left, right) } else { (right, left) };
        if !is_inner(part) || !flat(other) || is_inner(other) {
            return None;
        }
        let mut variables = inner.to_vec();
        other.variables(&mut |variable| variables.push(variable));
        unit.iter().for_each(|atom| atom.variables(&mut |variable| variables.push(variable)));
        let mut same = Substitution::new(variables.iter().max().map_or(0, |most| most + 1));
        if !same.replace(part, other) {
            return None;
        }
        let unit: Vec<Atom> = unit.iter().map(|atom| same.atom(atom)).collect();
        let inner: Vec<u32> =
            inner.iter().copied().filter(|&variable| Pattern::Variable(variable) != *part).collect();
        Some(Condition::Negative(self.auxiliary(&unit, &inner, None)))
    }

    /// The relation of a unit that meets a condition, over all but the inner variables.
    fn auxiliary(&mut self, unit: &[Atom], inner: &[u32], condition: Option<Condition>) -> Atom {
        let mut conditions: Vec<Condition> = condition.into_iter().collect();
        conditions.extend(unit.iter().cloned().map(Condition::Positive));
        let mut scope: Vec<u32> = Vec::new();
        for variable in conditions.iter().flat_map(Condition::variables) {
            if !inner.contains(&variable) && !scope.contains(&variable) {
                scope.push(variable);
            }
        }
        let arguments: Vec<Pattern> = scope.iter().map(|&variable| Pattern::Variable(variable)).collect();
        // The unit first: its places are known.
        conditions.rotate_right(unit.len());
        let placeholder = Atom { relation: RelationId(u32::MAX), arguments: arguments.clone() };
        let mut rule = assemble(placeholder, conditions, 0);
        renumber(&mut rule);
        if let Some(&relation) = self.known.get(&rule) {
            return Atom { relation, arguments };
        }
        let name = self.program.symbols.intern(&format!("unique#{}", self.known.len() + 1));
        let relation = self.program.relation(name, &vec![Skeleton::Any; scope.len()]);
        self.known.insert(rule.clone(), relation);
        rule.head.relation = relation;
        self.define(rule, unit.len());
        Atom { relation, arguments }
    }

    /// Adds the rules of a relation whose conditions are a unit and at most one more.
    fn define(&mut self, rule: Rule, unit: usize) {
        // What is asked of a move has as many answers as there are moves already.
        let is_move =
            rule.positive.first().is_some_and(|atom| self.program.predicate(atom.relation) == keyword::DOES);
        let looks_in = |atom: &&Atom| !is_move && is_flat(atom) && rule.positive.len() == unit + 1;
        let open = rule.positive.get(unit).filter(looks_in);
        let bodies = open.and_then(|atom| self.rules_of.get(&atom.relation)).cloned().unwrap_or_default();
        let (Some(atom), false) = (open, bodies.is_empty() || self.rules.len() > self.most) else {
            self.add(rule);
            return;
        };
        for number in bodies {
            let Some((substitution, body)) = unfold(atom, &self.rules[number as usize], rule.variables)
            else {
                continue;
            };
            let mut conditions: Vec<Condition> = rule.positive[..unit]
                .iter()
                .map(|atom| Condition::Positive(substitution.atom(atom)))
                .collect();
            for condition in body {
                if !conditions.contains(&condition) {
                    conditions.push(condition);
                }
            }
            let mut unfolded = assemble(substitution.atom(&rule.head), conditions, 0);
            renumber(&mut unfolded);
            self.push(unfolded, unit);
        }
    }

    /// Adds a rule that begins with a unit.
    fn push(&mut self, rule: Rule, unit: usize) {
        let single = rule.positive.len() == unit + 1 && rule.negative.is_empty() && rule.distinct.is_empty();
        if single {
            self.define(rule, unit);
            return;
        }
        let places: Vec<usize> = (0..unit).collect();
        let inner = hidden(&rule, &places);
        let rule = self.project(&rule, &places, &inner).unwrap_or(rule);
        self.add(rule);
    }

    /// Adds a rule of a new relation, which may be looked into in turn: it is not derived from itself.
    fn add(&mut self, rule: Rule) {
        self.rules_of.entry(rule.head.relation).or_default().push(self.rules.len() as u32);
        self.rules.push(rule);
    }
}

/// The variables of some conditions that the head of the rule does not have.
pub(super) fn hidden(rule: &Rule, places: &[usize]) -> Vec<u32> {
    let mut head = Vec::new();
    rule.head.variables(&mut |variable| head.push(variable));
    let mut inner = Vec::new();
    for &place in places {
        rule.positive[place].variables(&mut |variable| {
            if !head.contains(&variable) && !inner.contains(&variable) {
                inner.push(variable);
            }
        });
    }
    inner
}
