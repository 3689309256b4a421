//! Rules as data.

use crate::{TermId, TermStore};

/// A relation of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationId(pub u32);

impl RelationId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a relation.
#[derive(Clone, Debug)]
pub struct RelationInfo {
    /// Its name, for messages.
    pub name: String,
    /// Its number of arguments.
    pub arity: usize,
    /// Its tuples are put in by the caller rather than derived by rules alone.
    pub is_input: bool,
}

/// A term with variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A variable of the rule.
    Variable(u32),
    /// A ground term.
    Term(TermId),
    /// A function of patterns, at least one of them not ground.
    Compound(u32, Vec<Pattern>),
}

impl Pattern {
    /// `symbol(arguments..)`, interned if it is ground.
    pub fn compound(store: &mut TermStore, symbol: u32, arguments: Vec<Pattern>) -> Pattern {
        let ground: Option<Vec<TermId>> = arguments
            .iter()
            .map(|argument| match argument {
                Pattern::Term(term) => Some(*term),
                _ => None,
            })
            .collect();
        match ground {
            Some(terms) => Pattern::Term(store.intern(symbol, &terms)),
            None => Pattern::Compound(symbol, arguments),
        }
    }

    /// Calls `visit` with every variable inside.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Pattern::Variable(variable) => visit(*variable),
            Pattern::Term(_) => {}
            Pattern::Compound(_, arguments) => {
                arguments.iter().for_each(|argument| argument.variables(visit));
            }
        }
    }
}

/// A relation applied to patterns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// As many as its arity.
    pub arguments: Vec<Pattern>,
}

impl Atom {
    /// Calls `visit` with every variable inside.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        self.arguments.iter().for_each(|argument| argument.variables(visit));
    }
}

/// A condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// The atom holds.
    Holds(Atom),
    /// The atom does not hold.
    Fails(Atom),
    /// The terms differ.
    Distinct(Pattern, Pattern),
}

/// A head that follows from all literals of the body. Every variable occurs in a literal that
/// holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// From what.
    pub body: Vec<Literal>,
    /// The number of variables.
    pub variables: usize,
}

/// A set of rules.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The relations, by their ids.
    pub relations: Vec<RelationInfo>,
    /// The rules.
    pub rules: Vec<Rule>,
}
