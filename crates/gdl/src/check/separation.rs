//! Whether constants keep the sentences of an unstratified cycle apart.
//!
//! `(<= (goal ?r 0) (not (goal ?r 100)))` negates `goal` in a rule for `goal`, but no sentence
//! depends on its own negation: `(goal ?r 0)` and `(goal ?r 100)` are never the same. To see that,
//! the graph is drawn again between rules instead of relations, with an edge where a condition
//! could be met by a head. A cycle of ground sentences is a cycle there as well, so that without a
//! negated edge on a cycle the rules are locally stratified and have one meaning.

use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Context;
use crate::{Sentence, Term, TermKind};

/// How many pairs of condition and head are compared.
const PAIR_BUDGET: usize = 2_000_000;

/// What the arguments say of a negated edge on a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separation {
    /// No sentence depends on its own negation through this edge.
    ByConstants,
    /// A sentence may depend on its own negation.
    None,
    /// The sheet is too large to tell.
    Unknown,
}

/// The answer for each negated edge.
pub(super) struct Separations {
    /// `None` when the budget was spent.
    offending: Option<FxHashSet<u32>>,
}

impl Separations {
    /// The answer for an edge of the dependency graph that is negated and cyclic.
    pub(super) fn of(&self, edge: u32) -> Separation {
        match &self.offending {
            None => Separation::Unknown,
            Some(offending) if offending.contains(&edge) => Separation::None,
            Some(_) => Separation::ByConstants,
        }
    }
}

/// Looks at all cyclic edges of the dependency graph.
pub(super) fn separations(context: &Context<'_>) -> Separations {
    Separations { offending: offending_edges(context, PAIR_BUDGET) }
}

fn offending_edges(context: &Context<'_>, mut budget: usize) -> Option<FxHashSet<u32>> {
    let graph = &context.graph;
    let rules = &context.sheet.rules;
    // Facts depend on nothing and close no cycle.
    let mut by_head: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (rule, head) in graph.heads() {
        if !rules[rule as usize].body.is_empty() {
            by_head.entry(head.0).or_default().push(rule);
        }
    }
    let mut rule_graph: DiGraph<(), ()> = DiGraph::with_capacity(rules.len(), 0);
    for _ in rules {
        rule_graph.add_node(());
    }
    let mut negated = Vec::new();
    for (edge, index) in graph.edges().iter().zip(0u32..) {
        if !graph.is_cyclic(edge) {
            continue;
        }
        for &rule in by_head.get(&edge.body.0).into_iter().flatten() {
            budget = budget.checked_sub(1)?;
            if may_match(edge.sentence, &rules[rule as usize].head) {
                rule_graph.add_edge(NodeIndex::new(edge.rule as usize), NodeIndex::new(rule as usize), ());
                if edge.negated {
                    negated.push((index, edge.rule, rule));
                }
            }
        }
    }
    let mut components = vec![0u32; rules.len()];
    for (members, number) in petgraph::algo::kosaraju_scc(&rule_graph).into_iter().zip(0u32..) {
        for member in members {
            components[member.index()] = number;
        }
    }
    let is_cyclic = |from: u32, to: u32| components[from as usize] == components[to as usize];
    Some(negated.into_iter().filter(|&(_, from, to)| is_cyclic(from, to)).map(|(edge, ..)| edge).collect())
}

/// Whether some values of the variables might make the sentences the same: exact for sentences
/// in which no variable occurs twice.
fn may_match(left: &Sentence, right: &Sentence) -> bool {
    left.name == right.name && all_may_match(&left.arguments, &right.arguments)
}

fn all_may_match(left: &[Term], right: &[Term]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| terms_may_match(left, right))
}

fn terms_may_match(left: &Term, right: &Term) -> bool {
    match (&left.kind, &right.kind) {
        (TermKind::Variable(_), _) | (_, TermKind::Variable(_)) => true,
        (TermKind::Constant(left), TermKind::Constant(right)) => left == right,
        (TermKind::Function(f, left), TermKind::Function(g, right)) => f == g && all_may_match(left, right),
        _ => false,
    }
}
