//! Which places of moves speak of the same things as places of facts: a variable stands at both, in one
//! rule or by way of one relation between.

use gdl::normal::{NormalLiteral, NormalRules, NormalTerm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::sentence::{Kind, Place, atom};
use super::tables::Tables;

/// Places that share a variable in some rule. Relations that are the same in every state are left out:
/// successors would link everything.
pub(crate) struct Links {
    near: FxHashMap<Place, FxHashSet<Place>>,
}

impl Links {
    pub(crate) fn new(rules: &NormalRules, tables: &Tables) -> Self {
        let mut near: FxHashMap<Place, FxHashSet<Place>> = FxHashMap::default();
        for rule in &rules.rules {
            let mut places: FxHashMap<u32, Vec<Place>> = FxHashMap::default();
            let body = rule.body.iter().filter_map(|literal| match literal {
                NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => atom(sentence),
                NormalLiteral::Distinct(..) => None,
            });
            for sentence in body.chain(atom(&rule.head)) {
                if tables.contains_key(&sentence.key) {
                    continue;
                }
                for (index, term) in sentence.arguments.iter().enumerate() {
                    let mut add = |variable| places.entry(variable).or_default().push((sentence.key, index));
                    match term {
                        NormalTerm::Constant(_) => {}
                        term => term.variables(&mut add),
                    }
                }
            }
            for group in places.values() {
                for &place in group {
                    near.entry(place).or_default().extend(group.iter().filter(|other| **other != place));
                }
            }
        }
        Self { near }
    }

    /// Whether a place of a move and a place of a fact share a variable.
    pub(crate) fn linked(&self, from: Place, to: Place) -> bool {
        let Some(near) = self.near.get(&from) else { return false };
        let by_relation = |place: &Place| {
            place.0.kind == Kind::Relation && self.near.get(place).is_some_and(|near| near.contains(&to))
        };
        near.contains(&to) || near.iter().any(by_relation)
    }
}
