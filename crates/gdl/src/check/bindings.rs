//! Which variables a body gives values to, alternative by alternative, without multiplying its
//! `or` conditions out.
//!
//! A variable is bound in every alternative of a conjunction if it is so in one of its parts, and
//! in every alternative of a disjunction if it is so in all of its parts: the parts of a
//! conjunction choose their alternatives independently, so this is exact.

use rustc_hash::FxHashSet;

use crate::normal::is_conjunction;
use crate::{Literal, LiteralKind, Sentence, SymbolId};

/// A set of variables.
pub(super) type Names = FxHashSet<SymbolId>;

/// The variables that each alternative of all `items` together binds through sentences that
/// `counts` accepts.
pub(super) fn bound_by(items: &[Literal], counts: &impl Fn(&Sentence) -> bool) -> Names {
    let mut bound = Names::default();
    items.iter().for_each(|item| collect(item, false, counts, &mut bound));
    bound
}

fn collect(literal: &Literal, negated: bool, counts: &impl Fn(&Sentence) -> bool, bound: &mut Names) {
    match &literal.kind {
        LiteralKind::Sentence(sentence) => {
            if !negated && counts(sentence) {
                sentence.variables(&mut |variable, _| {
                    bound.insert(variable);
                });
            }
        }
        LiteralKind::Distinct(..) => {}
        LiteralKind::Not(inner) => collect(inner, !negated, counts, bound),
        LiteralKind::And(items) | LiteralKind::Or(items) if is_conjunction(literal, negated) => {
            items.iter().for_each(|item| collect(item, negated, counts, bound));
        }
        LiteralKind::And(items) | LiteralKind::Or(items) => {
            let mut branches = items.iter().map(|item| {
                let mut branch = Names::default();
                collect(item, negated, counts, &mut branch);
                branch
            });
            let mut common = branches.next().unwrap_or_default();
            for branch in branches {
                common.retain(|variable| branch.contains(variable));
            }
            bound.extend(common);
        }
    }
}

/// Calls `visit` with every sentence and `distinct` of a body, whether it is negated, and the
/// variables that are bound in all alternatives it is part of.
pub(super) fn visit_leaves<'a>(
    body: &'a [Literal],
    counts: &impl Fn(&Sentence) -> bool,
    visit: &mut impl FnMut(&'a Literal, bool, &Names),
) {
    conjunction(body, false, counts, &mut Names::default(), visit);
}

fn conjunction<'a>(
    items: &'a [Literal],
    negated: bool,
    counts: &impl Fn(&Sentence) -> bool,
    bound: &mut Names,
    visit: &mut impl FnMut(&'a Literal, bool, &Names),
) {
    let mut added = Names::default();
    items.iter().for_each(|item| collect(item, negated, counts, &mut added));
    added.retain(|&variable| bound.insert(variable));
    for item in items {
        leaves(item, negated, counts, bound, visit);
    }
    for variable in added {
        bound.remove(&variable);
    }
}

fn leaves<'a>(
    literal: &'a Literal,
    negated: bool,
    counts: &impl Fn(&Sentence) -> bool,
    bound: &mut Names,
    visit: &mut impl FnMut(&'a Literal, bool, &Names),
) {
    match &literal.kind {
        LiteralKind::Sentence(_) | LiteralKind::Distinct(..) => visit(literal, negated, bound),
        LiteralKind::Not(inner) => leaves(inner, !negated, counts, bound, visit),
        LiteralKind::And(items) | LiteralKind::Or(items) if is_conjunction(literal, negated) => {
            conjunction(items, negated, counts, bound, visit);
        }
        LiteralKind::And(items) | LiteralKind::Or(items) => {
            for item in items {
                conjunction(std::slice::from_ref(item), negated, counts, bound, visit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceFile, parse};

    fn bound(body: &str) -> Vec<String> {
        let sheet = parse(&SourceFile::new("t", format!("(<= p {body})"))).sheet;
        let names = bound_by(&sheet.rules[0].body, &|_| true);
        let mut names: Vec<_> = names.iter().map(|&name| sheet.symbols.name(name).to_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn all_alternatives_must_bind() {
        assert_eq!(bound("(q ?x) (not (r ?y)) (distinct ?z ?x)"), ["?x"]);
        assert_eq!(bound("(or (q ?x ?y) (r ?y))"), ["?y"]);
        assert_eq!(bound("(or (q ?x) (and (r ?x) (s ?y)) (t ?x)) (u ?z)"), ["?x", "?z"]);
        assert_eq!(bound("(not (and (not (q ?x)) (not (r ?x ?y))))"), ["?x"]);
    }

    #[test]
    fn a_leaf_sees_its_own_alternative() {
        let sheet =
            parse(&SourceFile::new("t", "(<= p (q ?a) (or (and (r ?x) (not (s ?x ?a))) (t ?y)))")).sheet;
        let mut seen = Vec::new();
        visit_leaves(&sheet.rules[0].body, &|_| true, &mut |_, negated, bound| {
            seen.push((negated, bound.len()))
        });
        assert_eq!(seen, [(false, 1), (false, 2), (true, 2), (false, 2)]);
    }
}
