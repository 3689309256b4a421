//! Breaks long bodies: variables that do not reach the head are eliminated one after the other.
//!
//! All conditions on such a variable become a relation of their own over the other variables they
//! mention. `h(x) <- a(x,u), b(u,v), c(v,w)` turns into `h(x) <- a(x,u), p(u)`,
//! `p(u) <- b(u,v), q(v)`, `q(v) <- c(v,w)`: sums instead of products. The rule as it was is kept
//! beside its split version; each user takes the one that suits.

use rustc_hash::FxHashMap;

use crate::program::{Atom, Program, RelationId, Rule, Skeleton};
use crate::term::Pattern;

/// Adds split versions to the rules that have one, and the rules of the new relations.
pub(crate) fn split(program: &mut Program) {
    let mut known = FxHashMap::default();
    let mut additional = Vec::new();
    for number in 0..program.rules.len() {
        let rule = program.rules[number].clone();
        if let Some(split) = split_rule(program, &rule, &mut known, &mut additional) {
            program.rules[number].split = Some(Box::new(split));
        }
    }
    program.rules.append(&mut additional);
}

/// A condition, to be treated alike whatever its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Positive(Atom),
    Negative(Atom),
    Distinct(Pattern, Pattern),
}

impl Condition {
    pub(crate) fn variables(&self) -> Vec<u32> {
        let mut list = Vec::new();
        let mut visit = |variable| {
            if !list.contains(&variable) {
                list.push(variable);
            }
        };
        match self {
            Condition::Positive(atom) | Condition::Negative(atom) => atom.variables(&mut visit),
            Condition::Distinct(left, right) => {
                left.variables(&mut visit);
                right.variables(&mut visit);
            }
        }
        list
    }
}

/// The conditions of a rule.
pub(crate) fn conditions_of(rule: &Rule) -> Vec<Condition> {
    let positive = rule.positive.iter().cloned().map(Condition::Positive);
    let negative = rule.negative.iter().cloned().map(Condition::Negative);
    let distinct = rule.distinct.iter().cloned().map(|(left, right)| Condition::Distinct(left, right));
    positive.chain(negative).chain(distinct).collect()
}

/// Conditions on a variable that can be taken out of a rule.
struct Bucket {
    members: Vec<bool>,
    /// What the new relation is over.
    scope: Vec<u32>,
    width: usize,
}

fn split_rule(
    program: &mut Program,
    rule: &Rule,
    known: &mut FxHashMap<Rule, RelationId>,
    additional: &mut Vec<Rule>,
) -> Option<Rule> {
    let mut head_variables = Vec::new();
    rule.head.variables(&mut |variable| head_variables.push(variable));
    let mut conditions = conditions_of(rule);
    let mut changed = false;
    while let Some(bucket) = best_bucket(&conditions, &head_variables) {
        let mut inside = Vec::new();
        let mut outside = Vec::new();
        for (condition, member) in conditions.into_iter().zip(&bucket.members) {
            if *member { inside.push(condition) } else { outside.push(condition) }
        }
        outside.push(Condition::Positive(auxiliary(program, &inside, &bucket.scope, known, additional)));
        conditions = outside;
        changed = true;
    }
    changed.then(|| assemble(rule.head.clone(), conditions, rule.variables))
}

/// The cheapest set of conditions worth a relation of its own.
fn best_bucket(conditions: &[Condition], head_variables: &[u32]) -> Option<Bucket> {
    let variables: Vec<Vec<u32>> = conditions.iter().map(Condition::variables).collect();
    let mut hidden: Vec<u32> = variables.iter().flatten().copied().collect();
    hidden.sort_unstable();
    hidden.dedup();
    hidden.retain(|variable| !head_variables.contains(variable));

    let mut best: Option<Bucket> = None;
    for &eliminated in &hidden {
        let members: Vec<bool> = variables.iter().map(|list| list.contains(&eliminated)).collect();
        let inside = || variables.iter().zip(&members).filter(|(_, member)| **member).map(|(list, _)| list);
        let outside = |variable: u32| {
            head_variables.contains(&variable)
                || variables.iter().zip(&members).any(|(list, member)| !member && list.contains(&variable))
        };
        let mut all: Vec<u32> = inside().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        let scope: Vec<u32> = all.iter().copied().filter(|&variable| outside(variable)).collect();
        // Nothing is gained if what is left has no choices to make, or if the new relation is wider
        // than those it is made of.
        let still_hidden =
            hidden.iter().any(|&variable| !all.contains(&variable) || scope.contains(&variable));
        let widest = inside().map(Vec::len).max().unwrap_or(0);
        if !still_hidden || scope.len() > widest {
            continue;
        }
        let bound = |variable: &u32| {
            conditions.iter().zip(&variables).zip(&members).any(|((condition, list), member)| {
                *member && matches!(condition, Condition::Positive(_)) && list.contains(variable)
            })
        };
        if !all.iter().all(bound) {
            continue;
        }
        if best.as_ref().is_none_or(|best| (all.len(), scope.len()) < (best.width, best.scope.len())) {
            best = Some(Bucket { members, scope, width: all.len() });
        }
    }
    best
}

/// The head of the relation that stands for the conditions; the same conditions give the same one.
fn auxiliary(
    program: &mut Program,
    conditions: &[Condition],
    scope: &[u32],
    known: &mut FxHashMap<Rule, RelationId>,
    additional: &mut Vec<Rule>,
) -> Atom {
    let arguments: Vec<Pattern> = scope.iter().map(|&variable| Pattern::Variable(variable)).collect();
    let placeholder = Atom { relation: RelationId(u32::MAX), arguments: arguments.clone() };
    let mut rule = assemble(placeholder, conditions.to_vec(), 0);
    renumber(&mut rule);
    let relation = *known.entry(rule.clone()).or_insert_with(|| {
        let name = program.symbols.intern(&format!("part#{}", additional.len() + 1));
        let relation = program.relation(name, &vec![Skeleton::Any; scope.len()]);
        rule.head.relation = relation;
        additional.push(rule);
        relation
    });
    Atom { relation, arguments }
}

/// The rule of a head and its conditions.
pub(crate) fn assemble(head: Atom, conditions: Vec<Condition>, variables: u32) -> Rule {
    let mut rule = Rule {
        head,
        positive: Vec::new(),
        negative: Vec::new(),
        distinct: Vec::new(),
        variables,
        split: None,
    };
    for condition in conditions {
        match condition {
            Condition::Positive(atom) => rule.positive.push(atom),
            Condition::Negative(atom) => rule.negative.push(atom),
            Condition::Distinct(left, right) => rule.distinct.push((left, right)),
        }
    }
    rule
}

/// Numbers the variables in the order of their appearance.
pub(crate) fn renumber(rule: &mut Rule) {
    let mut order: FxHashMap<u32, u32> = FxHashMap::default();
    let mut rename = |variable: &mut u32| {
        let next = order.len() as u32;
        *variable = *order.entry(*variable).or_insert(next);
    };
    let atoms = std::iter::once(&mut rule.head).chain(&mut rule.positive).chain(&mut rule.negative);
    for pattern in atoms.flat_map(|atom| &mut atom.arguments) {
        rename_pattern(pattern, &mut rename);
    }
    for (left, right) in &mut rule.distinct {
        rename_pattern(left, &mut rename);
        rename_pattern(right, &mut rename);
    }
    rule.variables = order.len() as u32;
}

fn rename_pattern(pattern: &mut Pattern, rename: &mut impl FnMut(&mut u32)) {
    match pattern {
        Pattern::Variable(variable) => rename(variable),
        Pattern::Constant(_) => {}
        Pattern::Function(_, arguments) => {
            arguments.iter_mut().for_each(|argument| rename_pattern(argument, rename));
        }
    }
}
