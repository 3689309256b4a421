//! Stratified negation: no relation may depend on its own negation.

use super::Context;
use super::graph::Edge;
use super::separation::{Separation, separations};
use crate::findings::Findings;
use crate::{Code, Diagnostic};

/// How many edges may be looked at to show cycles.
const CYCLE_BUDGET: usize = 1_000_000;

/// Longer cycles are shown in part.
const MAX_LABELS: usize = 8;

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    let graph = &context.graph;
    let is_offending = |edge: &Edge<'_>| edge.negated && graph.is_cyclic(edge);
    if !graph.edges().iter().any(is_offending) {
        return;
    }
    let separations = separations(context);
    let mut budget = CYCLE_BUDGET;
    for (edge, index) in graph.edges().iter().zip(0u32..) {
        if is_offending(edge) {
            findings.add(Code::UnstratifiedNegation, || {
                describe(context, edge, separations.of(index), &mut budget)
            });
        }
    }
}

fn describe(
    context: &Context<'_>,
    edge: &Edge<'_>,
    separation: Separation,
    budget: &mut usize,
) -> Diagnostic {
    let graph = &context.graph;
    let (head, body) = (context.name(graph.name(edge.head)), context.name(graph.name(edge.body)));
    let message = match edge.head == edge.body {
        true => format!("`{head}` depends on its own negation"),
        false => format!("`{head}` depends on the negation of `{body}`, which depends on `{head}`"),
    };
    let help = match separation {
        Separation::ByConstants => {
            "constants in the arguments keep the sentences apart, so the rules are still well defined; \
             to follow the specification, give the negated case a relation of its own"
        }
        Separation::None => {
            "whether these sentences hold may be undefined: break the cycle, for instance by asking \
             `true` for what decides it"
        }
        Separation::Unknown => "break the cycle, for instance by asking `true` for what decides it",
    };
    let mut diagnostic =
        Diagnostic::new(Code::UnstratifiedNegation, edge.sentence.span, message).with_help(help);
    let way = graph.way_within_component(edge.body, edge.head, budget).unwrap_or_default();
    for &index in way.iter().take(MAX_LABELS) {
        let step = graph.edge(index);
        let (from, to) = (context.name(graph.name(step.head)), context.name(graph.name(step.body)));
        let label = match step.negated {
            true => format!("`{from}` depends on the negation of `{to}` here"),
            false => format!("`{from}` depends on `{to}` here"),
        };
        diagnostic = diagnostic.with_label(step.sentence.span, label);
    }
    diagnostic
}
