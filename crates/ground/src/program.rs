//! Rules over flat relations: what all passes of this crate work on.
//!
//! A relation here is a predicate together with the shape of its arguments: `(true (cell ?x ?y b))`
//! and `(true (control ?p))` belong to two relations, with three columns and one.

use gdl::{SymbolId, Symbols, keyword};
use rustc_hash::FxHashMap;

use crate::term::{Pattern, TermId, Terms};

/// A relation, by its place in [`Program::relations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RelationId(pub u32);

impl RelationId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The shape of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Skeleton {
    /// Some constant: one column.
    Constant,
    /// Any term at all: one column that holds whole terms.
    Any,
    /// A function: the columns of its arguments.
    Function(SymbolId, Vec<Skeleton>),
}

impl Skeleton {
    pub(crate) fn width(&self) -> usize {
        match self {
            Skeleton::Constant | Skeleton::Any => 1,
            Skeleton::Function(_, arguments) => arguments.iter().map(Skeleton::width).sum(),
        }
    }

    pub(crate) fn has_any(&self) -> bool {
        match self {
            Skeleton::Constant => false,
            Skeleton::Any => true,
            Skeleton::Function(_, arguments) => arguments.iter().any(Skeleton::has_any),
        }
    }

    pub(crate) fn depth(&self) -> usize {
        match self {
            Skeleton::Constant | Skeleton::Any => 0,
            Skeleton::Function(_, arguments) => 1 + arguments.iter().map(Skeleton::depth).max().unwrap_or(0),
        }
    }

    /// Appends the argument whose columns are the first of `columns`; returns the rest.
    pub(crate) fn print<'a>(
        &self,
        symbols: &Symbols,
        terms: &Terms,
        columns: &'a [TermId],
        out: &mut String,
    ) -> &'a [TermId] {
        match self {
            Skeleton::Constant | Skeleton::Any => {
                if let Some(&term) = columns.first() {
                    terms.print(symbols, term, out);
                }
                columns.get(1..).unwrap_or(&[])
            }
            Skeleton::Function(name, arguments) => {
                out.push('(');
                out.push_str(symbols.name(*name));
                let mut rest = columns;
                for argument in arguments {
                    out.push(' ');
                    rest = argument.print(symbols, terms, rest, out);
                }
                out.push(')');
                rest
            }
        }
    }
}

/// A predicate with the shape of its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub predicate: SymbolId,
    pub skeletons: Vec<Skeleton>,
    pub width: usize,
}

/// A relation with a pattern for each column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Atom {
    pub relation: RelationId,
    pub arguments: Vec<Pattern>,
}

impl Atom {
    pub(crate) fn variables(&self, visit: &mut impl FnMut(u32)) {
        self.arguments.iter().for_each(|pattern| pattern.variables(visit));
    }

    pub(crate) fn is_bound(&self, bound: &[bool]) -> bool {
        self.arguments.iter().all(|pattern| pattern.is_bound(bound))
    }
}

/// A head that follows from all its conditions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rule {
    pub head: Atom,
    pub positive: Vec<Atom>,
    pub negative: Vec<Atom>,
    pub distinct: Vec<(Pattern, Pattern)>,
    /// Variables are numbered below this.
    pub variables: u32,
    /// The same rule broken into smaller ones: its head and what of its body is left.
    pub split: Option<Box<Rule>>,
}

/// All rules of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub symbols: Symbols,
    pub terms: Terms,
    pub roles: Vec<TermId>,
    /// The role that is chance.
    pub chance: Option<usize>,
    /// Whether the rules say what is seen.
    pub has_percepts: bool,
    pub relations: Vec<Relation>,
    pub rules: Vec<Rule>,
    known: FxHashMap<(SymbolId, Vec<Skeleton>), RelationId>,
}

impl Program {
    /// The relation of a predicate with this shape; new ones are added.
    pub(crate) fn relation(&mut self, predicate: SymbolId, skeletons: &[Skeleton]) -> RelationId {
        let next = RelationId(self.relations.len() as u32);
        let id = *self.known.entry((predicate, skeletons.to_vec())).or_insert(next);
        if id == next {
            let width = skeletons.iter().map(Skeleton::width).sum();
            self.relations.push(Relation { predicate, skeletons: skeletons.to_vec(), width });
        }
        id
    }

    pub(crate) fn find_relation(&self, predicate: SymbolId, skeletons: &[Skeleton]) -> Option<RelationId> {
        self.known.get(&(predicate, skeletons.to_vec())).copied()
    }

    pub(crate) fn predicate(&self, relation: RelationId) -> SymbolId {
        self.relations[relation.index()].predicate
    }

    /// The relation that gets every row of this one: what is `next` may be `true`, what is `legal`
    /// may be done.
    pub(crate) fn feeds(&self, relation: RelationId) -> Option<RelationId> {
        let Relation { predicate, skeletons, .. } = &self.relations[relation.index()];
        let target = fed_predicate(*predicate)?;
        self.find_relation(target, skeletons)
    }

    /// An atom as canonical lower-case KIF.
    pub(crate) fn print(&self, terms: &Terms, relation: RelationId, columns: &[TermId]) -> String {
        let Relation { predicate, skeletons, .. } = &self.relations[relation.index()];
        let mut out = String::new();
        if skeletons.is_empty() {
            out.push_str(self.symbols.name(*predicate));
            return out;
        }
        out.push('(');
        out.push_str(self.symbols.name(*predicate));
        let mut rest = columns;
        for skeleton in skeletons {
            out.push(' ');
            rest = skeleton.print(&self.symbols, terms, rest, &mut out);
        }
        out.push(')');
        out
    }

    /// The last argument of an atom as canonical lower-case KIF: the fact of `true`, the move of `does`.
    pub(crate) fn print_last_argument(
        &self,
        terms: &Terms,
        relation: RelationId,
        columns: &[TermId],
    ) -> String {
        let mut out = String::new();
        if let Some(skeleton) = self.relations[relation.index()].skeletons.last() {
            let start = columns.len().saturating_sub(skeleton.width());
            skeleton.print(&self.symbols, terms, &columns[start..], &mut out);
        }
        out
    }
}

/// The predicate that a predicate's facts also belong to, as far as reachability goes.
pub(crate) fn fed_predicate(predicate: SymbolId) -> Option<SymbolId> {
    match predicate {
        keyword::NEXT | keyword::INIT => Some(keyword::TRUE),
        keyword::LEGAL => Some(keyword::DOES),
        _ => None,
    }
}
