//! Whether the trail ever forbids a chain that visits nothing twice: the rules for the trail are tried out on one sequence
//! of all elements, and looked at whether they treat all elements alike.

use gdl::normal::{NormalLiteral, NormalTerm};
use gdl::{SymbolId, keyword};
use rustc_hash::{FxHashMap, FxHashSet};

use super::chain::Chain;
use super::element::{Elements, MOST_ELEMENTS, most_nodes};
use super::evaluate::Evaluator;
use super::link::{BEFORE, ELEMENT, Operation};
use super::{Index, Key, exchange, is_keyword, key, replace, sentence};
use crate::term::TermId;

/// Stands for the element in the trail of a start; no rule has so many variables.
const MARK: NormalTerm = NormalTerm::Variable(u32::MAX);

/// Whether the trails of a chain can be dropped.
pub(super) fn admits(index: &Index<'_>, chain: &Chain<'_>) -> bool {
    try_out(index, chain).is_some()
}

fn try_out(index: &Index<'_>, chain: &Chain<'_>) -> Option<()> {
    let relations = relations_of_trail(index, chain)?;
    let operations: Vec<&Operation> = chain.links.iter().map(|link| &link.operation).collect();
    let (changes, checks): (Vec<&Operation>, Vec<&Operation>) =
        operations.into_iter().partition(|operation| operation.changes());
    let change = *changes.first()?;
    let has_elements = change.has_element || checks.iter().any(|check| check.has_element);
    // Counted are either elements or steps.
    if has_elements != change.has_element {
        return None;
    }
    let elements = if has_elements { Some(Elements::of(index, chain)?) } else { None };

    let mut starts: Vec<NormalTerm> = Vec::new();
    for start in &chain.starts {
        let trail = chain.trails.trail(start);
        let own = elements.as_ref().and_then(|elements| elements.at_start(chain, start));
        let trail = own.map_or_else(|| trail.clone(), |own| exchange(trail, &own, &MARK));
        let mut fixed = true;
        trail.variables(&mut |variable| fixed &= variable == u32::MAX);
        if !fixed {
            return None;
        }
        if !starts.contains(&trail) {
            starts.push(trail);
        }
    }

    let mut evaluator = Evaluator::new(index);
    let (count, sequence) = match &elements {
        None => (most_nodes(index, chain)?, Vec::new()),
        Some(elements) => {
            let alike = Alike { index, relations: &relations, chain, starts: &starts };
            let sequence = alike.sequence(&elements.terms, &mut evaluator)?;
            (sequence.len(), sequence)
        }
    };
    if count > MOST_ELEMENTS {
        return None;
    }
    let run = Run { change, checks: &checks, count, sequence: &sequence };
    starts.iter().all(|start| run.from(start, &mut evaluator).is_some()).then_some(())
}

/// One sequence of all elements.
struct Run<'a> {
    change: &'a Operation,
    checks: &'a [&'a Operation],
    count: usize,
    sequence: &'a [TermId],
}

impl Run<'_> {
    /// Whether all conditions are met all the time.
    fn from(&self, start: &NormalTerm, evaluator: &mut Evaluator<'_>) -> Option<()> {
        // Where the path starts counts as visited.
        let mut first = 0;
        start.variables(&mut |_| first = 1);
        let own = self.sequence.first().copied();
        let start = replace(start, &|_| NormalTerm::Variable(ELEMENT));
        let mut trail = evaluator.build(&start, &vec![own])?;
        for place in first..=self.count {
            let element = self.sequence.get(place).copied();
            for check in self.checks {
                // When all have been visited nobody asks for another one.
                if !check.has_element || element.is_some() {
                    apply(check, element, trail, evaluator)?;
                }
            }
            if place < self.count {
                trail = apply(self.change, element, trail, evaluator)??;
            }
        }
        Some(())
    }
}

/// What becomes of a trail: `None` if it is forbidden, nothing if it is not handed on.
fn apply(
    operation: &Operation,
    element: Option<TermId>,
    trail: TermId,
    evaluator: &mut Evaluator<'_>,
) -> Option<Option<TermId>> {
    let mut bindings = vec![None; operation.variables];
    bindings[ELEMENT as usize] = element;
    bindings[BEFORE as usize] = Some(trail);
    let solutions = evaluator.solutions(&operation.conditions, bindings).ok()?;
    let solution = solutions.first()?;
    match &operation.after {
        Some(after) => Some(Some(evaluator.build(after, solution)?)),
        None => Some(None),
    }
}

/// The relations that conditions on the trail depend on; `None` if they may differ from state to state.
fn relations_of_trail(index: &Index<'_>, chain: &Chain<'_>) -> Option<Vec<Key>> {
    let conditions = chain.links.iter().flat_map(|link| &link.operation.conditions);
    let mut all: Vec<Key> = conditions.filter_map(sentence).map(key).collect();
    let mut seen: FxHashSet<Key> = all.iter().copied().collect();
    all.sort();
    all.dedup();
    let mut place = 0;
    while let Some(&relation) = all.get(place) {
        if chain.trails.has(relation) || (is_keyword(relation) && relation != (keyword::ROLE, 1)) {
            return None;
        }
        let literals = index.of(relation).iter().flat_map(|rule| &rule.body);
        for used in literals.filter_map(sentence).map(key) {
            if seen.insert(used) {
                all.push(used);
            }
        }
        place += 1;
    }
    Some(all)
}

/// Whether the rules for the trail treat all elements alike.
struct Alike<'a> {
    index: &'a Index<'a>,
    relations: &'a [Key],
    chain: &'a Chain<'a>,
    starts: &'a [NormalTerm],
}

impl Alike<'_> {
    /// All elements in some order, if no order differs from another one.
    fn sequence(&self, elements: &[NormalTerm], evaluator: &mut Evaluator<'_>) -> Option<Vec<TermId>> {
        if self.rules_differ(elements) {
            return None;
        }
        elements.iter().map(|element| evaluator.build(element, &Vec::new())).collect()
    }

    /// Whether anything but the same facts for each of these elements looks into them. Who does not know the
    /// outermost name of a term cannot tell it from another one but by comparing the whole.
    fn rules_differ(&self, elements: &[NormalTerm]) -> bool {
        let name = |element: &NormalTerm| match element {
            NormalTerm::Constant(name) | NormalTerm::Function(name, _) => Some(*name),
            NormalTerm::Variable(_) => None,
        };
        let names: FxHashSet<SymbolId> = elements.iter().filter_map(name).collect();
        let mut holes: FxHashMap<(Key, Vec<NormalTerm>), usize> = FxHashMap::default();
        for &relation in self.relations {
            let mut seen = FxHashSet::default();
            for rule in self.index.of(relation) {
                let mut inside = FxHashSet::default();
                rule.head.arguments.iter().for_each(|term| mentioned(term, &mut inside));
                rule.body.iter().for_each(|literal| mentioned_in(literal, &mut inside));
                if inside.is_disjoint(&names) || !seen.insert(&rule.head) {
                    continue;
                }
                let mut pattern = rule.head.arguments.clone();
                let holes_in = pattern
                    .iter_mut()
                    .filter(|term| elements.contains(term))
                    .map(|term| *term = MARK)
                    .count();
                let mut left = FxHashSet::default();
                pattern.iter().for_each(|term| mentioned(term, &mut left));
                if !rule.body.is_empty() || holes_in != 1 || !left.is_disjoint(&names) {
                    return true;
                }
                *holes.entry((relation, pattern)).or_default() += 1;
            }
        }
        if holes.values().any(|&known| known != elements.len()) {
            return true;
        }
        let mut inside = FxHashSet::default();
        for operation in self.chain.links.iter().map(|link| &link.operation) {
            operation.conditions.iter().for_each(|literal| mentioned_in(literal, &mut inside));
            operation.after.iter().for_each(|term| mentioned(term, &mut inside));
        }
        self.starts.iter().for_each(|term| mentioned(term, &mut inside));
        !inside.is_disjoint(&names)
    }
}

/// The names in a term.
fn mentioned(term: &NormalTerm, out: &mut FxHashSet<SymbolId>) {
    match term {
        NormalTerm::Variable(_) => {}
        NormalTerm::Constant(name) => {
            out.insert(*name);
        }
        NormalTerm::Function(name, arguments) => {
            out.insert(*name);
            arguments.iter().for_each(|term| mentioned(term, out));
        }
    }
}

fn mentioned_in(literal: &NormalLiteral, out: &mut FxHashSet<SymbolId>) {
    match literal {
        NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => {
            sentence.arguments.iter().for_each(|term| mentioned(term, out));
        }
        NormalLiteral::Distinct(left, right) => {
            mentioned(left, out);
            mentioned(right, out);
        }
    }
}
