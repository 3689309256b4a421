//! The recursion restriction: a rule may hand on to a relation it is in a cycle with only what is
//! ground, what stands in its own head, or what relations outside the cycle limit. Without it a
//! recursion through functions can go on for ever.

use rustc_hash::FxHashSet;

use super::Context;
use super::bindings::{Names, visit_leaves};
use super::canonical::term_key;
use super::graph::RelationId;
use crate::findings::Findings;
use crate::{Code, Diagnostic, LiteralKind, Rule, Sentence, Term, TermKind};

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    let graph = &context.graph;
    let building = components_with_functions(context);
    let mut last_checked = None;
    for edge in graph.edges() {
        // Edges come in the order of the rules: one visit for each rule is enough.
        if edge.negated || !graph.is_cyclic(edge) || last_checked == Some(edge.rule) {
            continue;
        }
        last_checked = Some(edge.rule);
        let rule = &context.sheet.rules[edge.rule as usize];
        let builds_terms = building.contains(&graph.component(edge.head));
        check_rule(context, rule, edge.head, builds_terms, findings);
    }
}

fn check_rule(
    context: &Context<'_>,
    rule: &Rule,
    head: RelationId,
    builds_terms: bool,
    findings: &mut Findings,
) {
    let is_in_cycle = |sentence: &Sentence| {
        let relation = context.graph.relation(sentence.name, sentence.arguments.len());
        relation.is_some_and(|relation| context.graph.component(relation) == context.graph.component(head))
    };
    let limits = |sentence: &Sentence| !is_in_cycle(sentence);
    let head_arguments: FxHashSet<Vec<u32>> = rule.head.arguments.iter().map(term_key).collect();
    let mut reported: FxHashSet<Vec<u32>> = FxHashSet::default();
    visit_leaves(&rule.body, &limits, &mut |literal, negated, bound| {
        let LiteralKind::Sentence(sentence) = &literal.kind else { return };
        if negated || !is_in_cycle(sentence) {
            return;
        }
        for argument in &sentence.arguments {
            if is_bound(argument, bound) {
                continue;
            }
            let key = term_key(argument);
            if !head_arguments.contains(&key) && reported.insert(key) {
                let diagnostic = || describe(context, rule, sentence, argument, builds_terms);
                findings.add(Code::UnrestrictedRecursion, diagnostic);
            }
        }
    });
}

fn is_bound(argument: &Term, bound: &Names) -> bool {
    let mut is_bound = true;
    argument.variables(&mut |variable, _| is_bound &= bound.contains(&variable));
    is_bound
}

fn describe(
    context: &Context<'_>,
    rule: &Rule,
    sentence: &Sentence,
    argument: &Term,
    builds_terms: bool,
) -> Diagnostic {
    let (head, body) = (context.name(rule.head.name), context.name(sentence.name));
    let text = context.source.slice(argument.span);
    let message = format!("nothing outside the recursion of `{head}` limits `{text}`");
    let help = match builds_terms {
        true => {
            "the recursion could build ever larger terms: add a condition on a relation outside the cycle \
             that holds for all values it may have"
        }
        false => {
            "no rule of this recursion builds a term, so it is finite all the same; to follow the \
             specification, add a condition on a relation outside the cycle"
        }
    };
    let label = match rule.head.name == sentence.name {
        true => format!("`{body}` is defined by itself here"),
        false => format!("`{head}` and `{body}` are defined by each other"),
    };
    Diagnostic::new(Code::UnrestrictedRecursion, argument.span, message)
        .with_label(rule.head.name_span, label)
        .with_help(help)
}

/// The components in which a rule builds a term around a variable.
fn components_with_functions(context: &Context<'_>) -> FxHashSet<u32> {
    let builds = |term: &Term| matches!(term.kind, TermKind::Function(..)) && !term.is_ground();
    let heads = context.graph.heads().zip(&context.sheet.rules);
    heads
        .filter(|(_, rule)| !rule.body.is_empty() && rule.head.arguments.iter().any(builds))
        .map(|((_, head), _)| context.graph.component(head))
        .collect()
}
