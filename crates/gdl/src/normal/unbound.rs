//! Variables that no condition binds: which of them have an agreed meaning, and that meaning.

use rustc_hash::FxHashMap;

use super::build::renumber;
use super::{NormalFault, NormalLiteral, NormalRule, NormalRules, NormalSentence, NormalTerm};
use crate::keyword;

/// What an unbound variable amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unbound {
    /// It stands in the role position of the head: it ranges over the roles.
    Role,
    /// It occurs in one negated sentence only: there is none such.
    NoneSuch,
    /// Nothing says what it ranges over.
    Unsafe,
}

/// Where a variable occurs.
#[derive(Clone, Copy, Default)]
struct Places {
    bound: bool,
    /// Literals that do not bind it.
    negated: u32,
    head_or_distinct: bool,
}

/// The unbound variables of a rule in the order of their numbers.
pub(crate) fn unbound(rule: &NormalRule) -> Vec<(u32, Unbound)> {
    let mut places = vec![Places::default(); rule.variables.len()];
    rule.head.variables(&mut |variable| places[variable as usize].head_or_distinct = true);
    let mut last_seen: FxHashMap<u32, usize> = FxHashMap::default();
    for (index, literal) in rule.body.iter().enumerate() {
        match literal {
            NormalLiteral::Holds(sentence) => {
                sentence.variables(&mut |variable| places[variable as usize].bound = true);
            }
            NormalLiteral::Fails(sentence) => sentence.variables(&mut |variable| {
                if last_seen.insert(variable, index) != Some(index) {
                    places[variable as usize].negated += 1;
                }
            }),
            NormalLiteral::Distinct(..) => {
                literal.variables(&mut |variable| places[variable as usize].head_or_distinct = true);
            }
        }
    }
    let role = match rule.head.arguments.first() {
        Some(NormalTerm::Variable(variable)) if keyword::begins_with_role(rule.head.name) => Some(*variable),
        _ => None,
    };
    let unbound = (0u32..).zip(&places).filter(|(_, places)| !places.bound);
    unbound
        .map(|(variable, places)| match places {
            _ if role == Some(variable) => (variable, Unbound::Role),
            Places { head_or_distinct: false, negated: 1, .. } => (variable, Unbound::NoneSuch),
            _ => (variable, Unbound::Unsafe),
        })
        .collect()
}

/// Adds a rule to the output, mended if it has unbound variables, or reports it.
pub(super) fn close(mut rule: NormalRule, output: &mut NormalRules, auxiliaries: &mut usize) {
    let unbound = unbound(&rule);
    if let Some((variable, _)) = unbound.iter().find(|(_, kind)| *kind == Unbound::Unsafe) {
        let name = output.symbols.spelling(rule.variables[*variable as usize]);
        let message = format!("nothing in its body binds the variable `{name}`");
        output.faults.push(NormalFault { span: rule.span, message });
        return;
    }
    if unbound.is_empty() {
        output.rules.push(rule);
        return;
    }
    let mut none_such = vec![false; rule.variables.len()];
    for (variable, kind) in unbound {
        match kind {
            Unbound::NoneSuch => none_such[variable as usize] = true,
            Unbound::Role | Unbound::Unsafe => {
                let arguments = vec![NormalTerm::Variable(variable)];
                rule.body.push(NormalLiteral::Holds(NormalSentence { name: keyword::ROLE, arguments }));
            }
        }
    }
    for literal in &mut rule.body {
        let NormalLiteral::Fails(sentence) = literal else { continue };
        let mut known = indexmap::IndexSet::<u32, rustc_hash::FxBuildHasher>::default();
        let mut has_local = false;
        sentence.variables(&mut |variable| match none_such[variable as usize] {
            true => has_local = true,
            false => {
                known.insert(variable);
            }
        });
        if !has_local {
            continue;
        }
        let arguments = known.into_iter().map(NormalTerm::Variable).collect();
        let head = NormalSentence { name: auxiliary_name(output, auxiliaries), arguments };
        let sentence = std::mem::replace(sentence, head.clone());
        output.rules.push(renumber(NormalRule {
            head,
            body: vec![NormalLiteral::Holds(sentence)],
            variables: rule.variables.clone(),
            span: rule.span,
        }));
    }
    output.rules.push(renumber(rule));
}

/// A name that the sheet does not have.
fn auxiliary_name(output: &mut NormalRules, auxiliaries: &mut usize) -> crate::SymbolId {
    loop {
        *auxiliaries += 1;
        let name = format!("exists#{auxiliaries}");
        if output.symbols.get(&name).is_none() {
            return output.symbols.intern(&name);
        }
    }
}
