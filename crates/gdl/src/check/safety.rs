//! Safety: every variable of a rule gets its values from a positive condition of the body.
//!
//! The specification asks it of each rule; with `or`, of each alternative. What the normal form
//! can mend has codes of its own ([`Code::UnboundRole`], [`Code::UnsafeNegation`]).

use rustc_hash::{FxHashMap, FxHashSet};

use super::Context;
use super::bindings::{Names, bound_by, visit_leaves};
use crate::findings::Findings;
use crate::normal::{Allowance, Flat, Unbound, alternatives, build, unbound};
use crate::{Code, Diagnostic, Edit, Literal, LiteralKind, Rule, Sentence, Span, SymbolId};

/// For how many variables of one rule the alternative that does not bind them is looked for.
const MAX_EXPLAINED: usize = 10;

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    let mut allowance = Allowance::default();
    for rule in &context.sheet.rules {
        match allowance.admit(rule) {
            Err(message) => too_complex(rule, &message, findings),
            Ok(()) if is_plainly_safe(rule) => {}
            Ok(()) => check_alternatives(context, rule, &mut allowance, findings),
        }
    }
}

fn too_complex(rule: &Rule, message: &str, findings: &mut Findings) {
    findings.add(Code::TooComplex, || {
        Diagnostic::new(
            Code::TooComplex,
            rule.head.span,
            format!("this rule cannot be worked with: {message}"),
        )
        .with_help("give parts of its conditions relations of their own")
    });
}

/// Decides almost all rules without multiplying them out. Equalities bind variables in ways that
/// only the normal form knows.
fn is_plainly_safe(rule: &Rule) -> bool {
    let bound = bound_by(&rule.body, &|_| true);
    let mut is_safe = true;
    rule.head.variables(&mut |variable, _| is_safe &= bound.contains(&variable));
    visit_leaves(&rule.body, &|_| true, &mut |literal, negated, bound: &Names| match &literal.kind {
        LiteralKind::Distinct(..) if negated => is_safe = false,
        LiteralKind::Distinct(left, right) => {
            left.variables(&mut |variable, _| is_safe &= bound.contains(&variable));
            right.variables(&mut |variable, _| is_safe &= bound.contains(&variable));
        }
        LiteralKind::Sentence(sentence) => {
            sentence.variables(&mut |variable, _| is_safe &= bound.contains(&variable));
        }
        _ => {}
    });
    is_safe
}

fn check_alternatives(
    context: &Context<'_>,
    rule: &Rule,
    allowance: &mut Allowance,
    findings: &mut Findings,
) {
    let mut reported: FxHashSet<(SymbolId, Code)> = FxHashSet::default();
    for alternative in alternatives(rule) {
        let normal = match build(&rule.head, &alternative, rule.span, allowance) {
            Ok(Some(normal)) => normal,
            Ok(None) => continue,
            Err(message) => {
                too_complex(rule, &message, findings);
                return;
            }
        };
        let mut places = None;
        for (number, kind) in unbound(&normal) {
            let variable = normal.variables[number as usize];
            let code = match kind {
                Unbound::Role => Code::UnboundRole,
                Unbound::NoneSuch => Code::UnsafeNegation,
                Unbound::Unsafe => Code::UnsafeRule,
            };
            if reported.insert((variable, code)) {
                let places = places.get_or_insert_with(|| first_places(&rule.head, &alternative));
                let place = places.get(&variable).copied();
                // The first few are explained; the search for an alternative is not free.
                let explain = reported.len() <= MAX_EXPLAINED;
                findings.add(code, || describe(context, rule, variable, code, place, explain));
            }
        }
    }
}

/// In which part of a rule a variable stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Head,
    Sentence,
    Distinct,
}

/// The first place of each variable in one alternative.
fn first_places(head: &Sentence, alternative: &[Flat<'_>]) -> FxHashMap<SymbolId, (Span, Part)> {
    let mut places = FxHashMap::default();
    head.variables(&mut |variable, span| {
        places.entry(variable).or_insert((span, Part::Head));
    });
    for literal in alternative {
        match literal {
            Flat::Sentence(sentence, _) => sentence.variables(&mut |variable, span| {
                places.entry(variable).or_insert((span, Part::Sentence));
            }),
            Flat::Distinct(left, right, _) => {
                for term in [left, right] {
                    term.variables(&mut |variable, span| {
                        places.entry(variable).or_insert((span, Part::Distinct));
                    });
                }
            }
        }
    }
    places
}

fn describe(
    context: &Context<'_>,
    rule: &Rule,
    variable: SymbolId,
    code: Code,
    place: Option<(Span, Part)>,
    explain: bool,
) -> Diagnostic {
    let name = context.name(variable);
    let (span, part) = place.unwrap_or((rule.head.span, Part::Head));
    let (message, help) = match (code, part) {
        (Code::UnboundRole, _) => (
            format!("no condition binds the role `{name}`"),
            format!("add `(role {name})` to the body; that is how it is read"),
        ),
        (Code::UnsafeNegation, _) => (
            format!("`{name}` occurs in this negated condition only"),
            format!(
                "bind `{name}` by another condition, or define a relation for what must not be; \
                 it is read as \"there is no such `{name}`\""
            ),
        ),
        (_, Part::Head) if rule.body.is_empty() => (
            format!("a fact has no body to bind its variable `{name}`"),
            format!("write a fact for each value, or a rule whose body binds `{name}`"),
        ),
        (_, Part::Head) => (
            format!("no condition binds the variable `{name}` of the head"),
            format!("add a condition that holds for the values `{name}` should have"),
        ),
        (_, Part::Distinct) => (
            format!("no condition binds `{name}`, so `distinct` has nothing to compare"),
            format!("add a condition that holds for the values `{name}` should have"),
        ),
        (_, Part::Sentence) => (
            format!("no condition without `not` binds `{name}`"),
            format!("add a condition that holds for the values `{name}` should have"),
        ),
    };
    let mut diagnostic = Diagnostic::new(code, span, message).with_help(help);
    if code == Code::UnboundRole {
        diagnostic = diagnostic.with_fix(format!("add `(role {name})`"), with_condition(rule, name));
    }
    if explain && let Some(branch) = rule.body.iter().find_map(|literal| branch_without(literal, variable)) {
        return diagnostic.with_label(branch.span, format!("in this alternative nothing binds `{name}`"));
    }
    diagnostic
}

/// Adds the condition that a variable is a role.
fn with_condition(rule: &Rule, name: &str) -> Vec<Edit> {
    let (start, end) = (rule.span.start as usize, rule.span.end as usize);
    let last = rule.body.last().map_or(rule.head.span, |literal| literal.span);
    match rule.span == rule.head.span {
        false => {
            let at = last.end as usize;
            vec![Edit::new(Span::new(at, at), format!(" (role {name})"))]
        }
        true => vec![
            Edit::new(Span::new(start, start), "(<= "),
            Edit::new(Span::new(end, end), format!(" (role {name}))")),
        ],
    }
}

/// The first alternative of an `or` that leaves the variable unbound while another binds it.
fn branch_without(literal: &Literal, variable: SymbolId) -> Option<&Literal> {
    match &literal.kind {
        LiteralKind::Or(items) => {
            let binds = |item: &Literal| bound_by(std::slice::from_ref(item), &|_| true).contains(&variable);
            match items.iter().any(binds) {
                true => items.iter().find(|item| !binds(item)),
                false => None,
            }
        }
        LiteralKind::And(items) => items.iter().find_map(|item| branch_without(item, variable)),
        _ => None,
    }
}
