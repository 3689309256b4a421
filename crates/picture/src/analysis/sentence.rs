//! The sentences of rules as the analysis sees them: which relation, and what stands at its places.

use gdl::normal::{NormalLiteral, NormalRule, NormalSentence, NormalTerm};
use gdl::{SymbolId, keyword};

/// What a relation speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Facts of a state: `init`, `true`, `next`.
    Fluent,
    /// What roles do: `legal`, `does`.
    Move,
    /// Anything else.
    Relation,
}

/// A relation; the same name with other arguments is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key {
    /// What it speaks of.
    pub(crate) kind: Kind,
    /// Its name.
    pub(crate) name: SymbolId,
    /// The number of its arguments.
    pub(crate) arity: usize,
}

/// One argument of a relation.
pub(crate) type Place = (Key, usize);

/// A sentence of a rule; the role of a move is left out.
pub(crate) struct Atom<'a> {
    pub(crate) key: Key,
    pub(crate) arguments: &'a [NormalTerm],
}

/// The relation of a term that is a fact or a move.
fn inner(kind: Kind, term: &NormalTerm) -> Option<Atom<'_>> {
    match term {
        NormalTerm::Variable(_) => None,
        NormalTerm::Constant(name) => Some(Atom { key: Key { kind, name: *name, arity: 0 }, arguments: &[] }),
        NormalTerm::Function(name, arguments) => {
            Some(Atom { key: Key { kind, name: *name, arity: arguments.len() }, arguments })
        }
    }
}

/// What a sentence says; nothing where it speaks of any fact or move.
pub(crate) fn atom(sentence: &NormalSentence) -> Option<Atom<'_>> {
    let arguments = &sentence.arguments[..];
    match (sentence.name, arguments) {
        (keyword::TRUE | keyword::INIT | keyword::NEXT, [fact]) => inner(Kind::Fluent, fact),
        (keyword::LEGAL | keyword::DOES, [_, action]) => inner(Kind::Move, action),
        (name, _) => {
            Some(Atom { key: Key { kind: Kind::Relation, name, arity: arguments.len() }, arguments })
        }
    }
}

/// The sentences that have to hold.
pub(crate) fn conditions(rule: &NormalRule) -> impl Iterator<Item = Atom<'_>> {
    rule.body.iter().filter_map(|literal| match literal {
        NormalLiteral::Holds(sentence) => atom(sentence),
        NormalLiteral::Fails(_) | NormalLiteral::Distinct(..) => None,
    })
}

/// Whether a relation is a state's or a move's, or a word of the language other than `role`.
pub(crate) fn changes(sentence: &NormalSentence) -> bool {
    let name = sentence.name;
    name != keyword::ROLE && keyword::relation_arity(name) == Some(sentence.arguments.len())
}
