//! The rules of a game as proofs need them: by what they are about, and conditions in an order that binds.

use std::collections::{HashMap, HashSet};

use gdl::SymbolId;
use gdl::normal::{NormalLiteral, NormalRule, NormalRules, NormalSentence};

/// A fact or a rule.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) head: NormalSentence,
    /// Negations and differences stand after what binds their variables.
    pub(super) conditions: Vec<NormalLiteral>,
    /// How many variables there are.
    pub(super) variables: usize,
}

/// All clauses, facts before rules and short rules before long ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Clauses {
    by_head: HashMap<(SymbolId, usize), Vec<Clause>>,
}

impl Clauses {
    pub(super) fn new(rules: &NormalRules) -> Self {
        let mut by_head: HashMap<_, Vec<Clause>> = HashMap::new();
        for rule in &rules.rules {
            let key = (rule.head.name, rule.head.arguments.len());
            by_head.entry(key).or_default().push(clause(rule));
        }
        by_head.values_mut().for_each(|clauses| clauses.sort_by_key(|clause| clause.conditions.len()));
        Self { by_head }
    }

    /// The clauses about a relation.
    pub(super) fn of(&self, name: SymbolId, arity: usize) -> &[Clause] {
        self.by_head.get(&(name, arity)).map_or(&[], Vec::as_slice)
    }
}

fn clause(rule: &NormalRule) -> Clause {
    let (mut bound, mut conditions) = (HashSet::new(), Vec::with_capacity(rule.body.len()));
    let (binding, mut waiting): (Vec<&NormalLiteral>, Vec<&NormalLiteral>) =
        rule.body.iter().partition(|literal| matches!(literal, NormalLiteral::Holds(_)));
    for literal in binding {
        conditions.push(literal.clone());
        literal.variables(&mut |variable| {
            bound.insert(variable);
        });
        waiting.retain(|literal| {
            let mut is_bound = true;
            literal.variables(&mut |variable| is_bound &= bound.contains(&variable));
            if is_bound {
                conditions.push((*literal).clone());
            }
            !is_bound
        });
    }
    // "There is none such" of variables that nothing binds, and what has no variables and stands alone.
    conditions.extend(waiting.into_iter().cloned());
    Clause { head: rule.head.clone(), conditions, variables: rule.variables.len() }
}
