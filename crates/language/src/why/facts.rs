//! Sentences without variables, found by what is known of their arguments.

use gdl::SymbolId;
use gdl::normal::{NormalSentence, NormalTerm};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A relation.
pub(super) type Relation = (SymbolId, usize);

/// What is simply so: facts of the sheet, of the state, and moves.
#[derive(Debug, Default)]
pub(super) struct Facts {
    all: IndexSet<NormalSentence, FxBuildHasher>,
    by_relation: FxHashMap<Relation, Vec<u32>>,
    /// By an argument, or by an argument of the only argument: states hold terms in one relation.
    by_argument: FxHashMap<(Relation, u16, NormalTerm), Vec<u32>>,
}

/// The places that facts are found by.
fn places(sentence: &NormalSentence) -> impl Iterator<Item = (u16, &NormalTerm)> {
    let inner = match sentence.arguments.last() {
        Some(NormalTerm::Function(_, arguments)) => &arguments[..],
        _ => &[],
    };
    let outer = sentence.arguments.iter().zip(0u16..).map(|(term, at)| (at, term));
    outer.chain(inner.iter().zip(1_000u16..).map(|(term, at)| (at, term)))
}

pub(super) fn relation(sentence: &NormalSentence) -> Relation {
    (sentence.name, sentence.arguments.len())
}

pub(super) fn is_ground(term: &NormalTerm) -> bool {
    match term {
        NormalTerm::Variable(_) => false,
        NormalTerm::Constant(_) => true,
        NormalTerm::Function(_, arguments) => arguments.iter().all(is_ground),
    }
}

impl Facts {
    pub(super) fn add(&mut self, fact: NormalSentence) {
        let (number, is_new) = self.all.insert_full(fact.clone());
        if is_new {
            let relation = relation(&fact);
            self.by_relation.entry(relation).or_default().push(number as u32);
            for (at, term) in places(&fact) {
                self.by_argument.entry((relation, at, term.clone())).or_default().push(number as u32);
            }
        }
    }

    pub(super) fn contains(&self, fact: &NormalSentence) -> bool {
        self.all.contains(fact)
    }

    pub(super) fn get(&self, number: u32) -> &NormalSentence {
        &self.all[number as usize]
    }

    /// All facts of a relation.
    pub(super) fn of(&self, relation: Relation) -> &[u32] {
        self.by_relation.get(&relation).map_or(&[], Vec::as_slice)
    }

    /// Facts among which are all that match: by the argument that leaves the fewest.
    pub(super) fn candidates(&self, wanted: &NormalSentence) -> &[u32] {
        let relation = relation(wanted);
        let known = places(wanted).filter(|(_, term)| is_ground(term));
        let lists = known.map(|(at, term)| {
            self.by_argument.get(&(relation, at, term.clone())).map_or(&[][..], Vec::as_slice)
        });
        lists.min_by_key(|list| list.len()).unwrap_or_else(|| self.of(relation))
    }
}
