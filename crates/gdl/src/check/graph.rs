//! The dependency graph of the specification: which relation is defined by which others.

use indexmap::IndexMap;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxBuildHasher;

use crate::keyword::{DOES, TRUE};
use crate::{RuleSheet, Sentence, SymbolId};

/// A relation: a name with a number of arguments. Names with several arities are reported
/// elsewhere; here each arity is a relation of its own, as reasoners have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RelationId(pub(super) u32);

/// What is known of a relation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RelationUse {
    /// The first rule that defines it.
    pub(super) first_definition: Option<u32>,
    /// Whether a body asks for it.
    pub(super) is_used: bool,
}

/// A sentence in the body of a rule: an edge of the graph.
#[derive(Clone, Copy)]
pub(super) struct Edge<'a> {
    pub(super) head: RelationId,
    pub(super) body: RelationId,
    pub(super) negated: bool,
    pub(super) rule: u32,
    pub(super) sentence: &'a Sentence,
}

/// The relations of a sheet and their dependencies.
pub(super) struct Graph<'a> {
    relations: IndexMap<(SymbolId, usize), RelationUse, FxBuildHasher>,
    /// The relation that each rule defines.
    heads: Vec<RelationId>,
    /// In the order of the text.
    edges: Vec<Edge<'a>>,
    outgoing: Grouped,
    incoming: Grouped,
    /// For each relation, the strongly connected component it is in.
    components: Vec<u32>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(sheet: &'a RuleSheet) -> Self {
        let mut relations: IndexMap<(SymbolId, usize), RelationUse, FxBuildHasher> = IndexMap::default();
        let mut heads = Vec::with_capacity(sheet.rules.len());
        let mut edges = Vec::new();
        for (rule, index) in sheet.rules.iter().zip(0u32..) {
            let entry = relations.entry((rule.head.name, rule.head.arguments.len()));
            let head = RelationId(entry.index() as u32);
            entry.or_default().first_definition.get_or_insert(index);
            heads.push(head);
            for literal in &rule.body {
                literal.sentences(&mut |sentence, negated| {
                    let entry = relations.entry((sentence.name, sentence.arguments.len()));
                    let body = RelationId(entry.index() as u32);
                    entry.or_default().is_used = true;
                    edges.push(Edge { head, body, negated, rule: index, sentence });
                });
            }
        }
        let outgoing = Grouped::new(relations.len(), &edges, |edge| edge.head);
        let incoming = Grouped::new(relations.len(), &edges, |edge| edge.body);
        let components = components(relations.len(), &edges);
        Self { relations, heads, edges, outgoing, incoming, components }
    }

    /// All relations with their name, arity and use.
    pub(super) fn relations(&self) -> impl Iterator<Item = (SymbolId, usize, RelationUse)> {
        self.relations.iter().map(|(&(name, arity), &info)| (name, arity, info))
    }

    /// A relation, if the sheet has it.
    pub(super) fn relation(&self, name: SymbolId, arity: usize) -> Option<RelationId> {
        self.relations.get_index_of(&(name, arity)).map(|index| RelationId(index as u32))
    }

    pub(super) fn name(&self, relation: RelationId) -> SymbolId {
        self.relations.get_index(relation.0 as usize).expect("ids come from this graph").0.0
    }

    /// The rules with the relation they define.
    pub(super) fn heads(&self) -> impl Iterator<Item = (u32, RelationId)> {
        (0u32..).zip(self.heads.iter().copied())
    }

    pub(super) fn edges(&self) -> &[Edge<'a>] {
        &self.edges
    }

    pub(super) fn edge(&self, index: u32) -> &Edge<'a> {
        &self.edges[index as usize]
    }

    /// The edges of all rules that define a relation, by their numbers.
    pub(super) fn outgoing(&self, relation: RelationId) -> &[u32] {
        self.outgoing.of(relation)
    }

    pub(super) fn component(&self, relation: RelationId) -> u32 {
        self.components[relation.0 as usize]
    }

    /// Whether the edge lies on a cycle.
    pub(super) fn is_cyclic(&self, edge: &Edge<'_>) -> bool {
        self.component(edge.head) == self.component(edge.body)
    }

    /// For each relation the edge that leads on to the nearest relation named in `targets`, `None`
    /// where there is no way.
    pub(super) fn ways_to(&self, targets: &[SymbolId]) -> Vec<Option<u32>> {
        let mut ways = vec![None; self.relations.len()];
        let mut queue: Vec<RelationId> = Vec::new();
        for (index, (name, _)) in self.relations.keys().enumerate() {
            if targets.contains(name) {
                queue.push(RelationId(index as u32));
            }
        }
        let mut next = 0;
        while let Some(&relation) = queue.get(next) {
            next += 1;
            for &index in self.incoming.of(relation) {
                let head = self.edge(index).head;
                // The state and the moves are given; a rule that states them is reported as such.
                if ways[head.0 as usize].is_none() && ![TRUE, DOES].contains(&self.name(head)) {
                    ways[head.0 as usize] = Some(index);
                    if !targets.contains(&self.name(head)) {
                        queue.push(head);
                    }
                }
            }
        }
        ways
    }

    /// The edges of a shortest way between two relations of one component, the first edge first.
    /// Takes one step from `budget` for every edge looked at, and gives up when it is spent.
    pub(super) fn way_within_component(
        &self,
        from: RelationId,
        to: RelationId,
        budget: &mut usize,
    ) -> Option<Vec<u32>> {
        let mut came_by: rustc_hash::FxHashMap<u32, u32> = rustc_hash::FxHashMap::default();
        let mut queue = vec![from];
        let mut next = 0;
        while from != to && !came_by.contains_key(&to.0) {
            let &relation = queue.get(next)?;
            next += 1;
            for &index in self.outgoing(relation) {
                *budget = budget.checked_sub(1)?;
                let edge = self.edge(index);
                if self.is_cyclic(edge) && edge.body != from && !came_by.contains_key(&edge.body.0) {
                    came_by.insert(edge.body.0, index);
                    queue.push(edge.body);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = to;
        while at != from {
            let index = came_by[&at.0];
            way.push(index);
            at = self.edge(index).head;
        }
        way.reverse();
        Some(way)
    }
}

/// Strongly connected components. Kosaraju's algorithm, since petgraph's version of it does not
/// recurse: a chain of a million relations must not overflow the stack.
fn components(relations: usize, edges: &[Edge<'_>]) -> Vec<u32> {
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(relations, edges.len());
    for _ in 0..relations {
        graph.add_node(());
    }
    for edge in edges {
        graph.add_edge(NodeIndex::new(edge.head.0 as usize), NodeIndex::new(edge.body.0 as usize), ());
    }
    let mut components = vec![0; relations];
    for (members, number) in petgraph::algo::kosaraju_scc(&graph).into_iter().zip(0u32..) {
        for member in members {
            components[member.index()] = number;
        }
    }
    components
}

/// Edge numbers grouped by one of their ends.
struct Grouped {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Grouped {
    fn new(relations: usize, edges: &[Edge<'_>], end: impl Fn(&Edge<'_>) -> RelationId) -> Self {
        let mut starts = vec![0u32; relations + 1];
        for edge in edges {
            starts[end(edge).0 as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut free = starts.clone();
        let mut grouped = vec![0u32; edges.len()];
        for (index, edge) in edges.iter().enumerate() {
            let slot = &mut free[end(edge).0 as usize];
            grouped[*slot as usize] = index as u32;
            *slot += 1;
        }
        Self { starts, edges: grouped }
    }

    fn of(&self, relation: RelationId) -> &[u32] {
        let index = relation.0 as usize;
        &self.edges[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceFile, parse};

    #[test]
    fn cycles_and_ways() {
        let text = "(<= a b) (<= b c) (<= c (not a)) (<= c d) (<= e a)";
        let sheet = parse(&SourceFile::new("t", text)).sheet;
        let graph = Graph::new(&sheet);
        let cyclic: Vec<_> = graph.edges().iter().map(|edge| graph.is_cyclic(edge)).collect();
        assert_eq!(cyclic, [true, true, true, false, false]);
        let (a, c) = (graph.edge(0).head, graph.edge(2).head);
        assert_eq!(graph.way_within_component(a, c, &mut 100), Some(vec![0, 1]));
        assert_eq!(graph.way_within_component(a, a, &mut 100), Some(vec![]));
        assert_eq!(graph.way_within_component(a, c, &mut 1), None);
        let d = sheet.symbols.get("d").expect("it occurs");
        assert_eq!(graph.ways_to(&[d]), [Some(0), Some(1), Some(3), None, Some(4)]);
    }

    #[test]
    fn a_long_chain_does_not_recurse() {
        let text: String = (0..200_000).map(|n| format!("(<= p{n} p{})", n + 1)).collect();
        let sheet = parse(&SourceFile::new("t", text)).sheet;
        assert_eq!(Graph::new(&sheet).components.len(), 200_001);
    }
}
