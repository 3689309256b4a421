//! What a variable may stand for, by following it through the rules: more terms than really, never fewer.

use gdl::keyword;
use gdl::normal::{NormalLiteral, NormalRule, NormalSentence, NormalTerm};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::link::Trails;
use super::{Index, Key, key};

/// A place in the facts of a relation: an argument of the relation, of the function that stands there, and so on.
type Place = (Key, Vec<Step>);
/// An argument of a function or relation.
type Step = (Key, usize);

/// With more terms or places than this nothing is said.
const MOST: usize = 2_000;

/// The terms a variable may stand for, found in one of these conditions on it.
pub(super) fn values<'b>(
    index: &Index<'_>,
    conditions: impl Iterator<Item = &'b NormalLiteral>,
    variable: u32,
    chain: &Trails,
) -> Option<Vec<NormalTerm>> {
    let mut flow = Flow { index, chain, open: IndexSet::default(), found: IndexSet::default() };
    flow.follow(conditions, variable, &[])?;
    let mut place = 0;
    while let Some((relation, path)) = flow.open.get_index(place).cloned() {
        flow.enter(relation, &path)?;
        place += 1;
        if flow.found.len() + flow.open.len() > MOST {
            return None;
        }
    }
    Some(flow.found.into_iter().collect())
}

struct Flow<'i, 'a> {
    index: &'i Index<'a>,
    /// Relations whose rules are about to change: nothing is read off them.
    chain: &'i Trails,
    open: IndexSet<Place, FxBuildHasher>,
    found: IndexSet<NormalTerm, FxBuildHasher>,
}

impl Flow<'_, '_> {
    /// What stands at a place comes from the heads of the relation.
    fn enter(&mut self, relation: Key, path: &[Step]) -> Option<()> {
        let sources: &[Key] = match relation {
            (keyword::TRUE, 1) => &[(keyword::INIT, 1), (keyword::NEXT, 1)],
            (keyword::DOES, 2) => &[(keyword::LEGAL, 2)],
            _ => &[relation],
        };
        for &source in sources {
            if self.chain.has(source) {
                return None;
            }
            for rule in self.index.of(source) {
                self.take(rule, &rule.head.arguments[path[0].1], &path[1..])?;
            }
        }
        Some(())
    }

    /// What stands at a place within a term of a head.
    fn take(&mut self, rule: &NormalRule, term: &NormalTerm, path: &[Step]) -> Option<()> {
        match (term, path) {
            (NormalTerm::Variable(variable), _) => self.follow(rule.body.iter(), *variable, path),
            // A place inside of a term that is built otherwise: nothing stands there.
            (NormalTerm::Constant(_), [_, ..]) => Some(()),
            (NormalTerm::Function(name, arguments), [(function, place), rest @ ..]) => {
                match *function == (*name, arguments.len()) {
                    true => self.take(rule, &arguments[*place], rest),
                    false => Some(()),
                }
            }
            (_, []) => {
                let mut ground = true;
                term.variables(&mut |_| ground = false);
                ground.then(|| {
                    self.found.insert(term.clone());
                })
            }
        }
    }

    /// A variable stands for what one of the conditions on it allows.
    fn follow<'b>(
        &mut self,
        conditions: impl Iterator<Item = &'b NormalLiteral>,
        variable: u32,
        path: &[Step],
    ) -> Option<()> {
        let mut best: Option<(bool, Place)> = None;
        for literal in conditions {
            let NormalLiteral::Holds(sentence) = literal else { continue };
            let relation = key(sentence);
            let Some(mut place) = find(sentence, variable) else { continue };
            if self.chain.has(relation) {
                continue;
            }
            place.extend(path);
            // Facts say most.
            let facts = self.index.facts(relation).is_some();
            if best.as_ref().is_none_or(|(known, _)| facts && !known) {
                best = Some((facts, (relation, place)));
            }
        }
        self.open.insert(best?.1);
        Some(())
    }
}

/// Where a variable stands in a sentence.
fn find(sentence: &NormalSentence, variable: u32) -> Option<Vec<Step>> {
    fn within(holder: Key, terms: &[NormalTerm], variable: u32) -> Option<Vec<Step>> {
        terms.iter().enumerate().find_map(|(place, term)| match term {
            NormalTerm::Variable(other) => (*other == variable).then(|| vec![(holder, place)]),
            NormalTerm::Constant(_) => None,
            NormalTerm::Function(name, arguments) => {
                let mut path = within((*name, arguments.len()), arguments, variable)?;
                path.insert(0, (holder, place));
                Some(path)
            }
        })
    }
    within(key(sentence), &sentence.arguments, variable)
}
