//! The syntax tree of a rule sheet.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::{Span, SymbolId, Symbols};

/// A whole game description.
#[derive(Clone, Debug)]
pub struct RuleSheet {
    /// The names used in it.
    pub symbols: Symbols,
    /// Facts and rules in the order of the text.
    pub rules: Vec<Rule>,
}

/// `(<= head body..)`, or a fact: a rule without a body.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What follows.
    pub head: Sentence,
    /// From what it follows: all of these.
    pub body: Vec<Literal>,
    /// The whole rule.
    pub span: Span,
}

/// A relation with its arguments.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// The relation.
    pub name: SymbolId,
    /// Where its name stands.
    pub name_span: Span,
    /// Its arguments.
    pub arguments: Vec<Term>,
    /// The whole sentence.
    pub span: Span,
}

/// A condition of a rule.
#[derive(Clone, Debug)]
pub struct Literal {
    /// What it asks.
    pub kind: LiteralKind,
    /// Where it stands.
    pub span: Span,
}

/// What a [`Literal`] asks.
#[derive(Clone, Debug)]
pub enum LiteralKind {
    /// The sentence holds.
    Sentence(Sentence),
    /// The literal does not hold.
    Not(Box<Literal>),
    /// All hold.
    And(Vec<Literal>),
    /// At least one holds.
    Or(Vec<Literal>),
    /// The terms differ.
    Distinct(Term, Term),
}

/// An argument.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it stands.
    pub span: Span,
}

/// What a [`Term`] is.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// `?x`
    Variable(SymbolId),
    /// `x`; numbers are constants too.
    Constant(SymbolId),
    /// `(f a b)`, with at least one argument.
    Function(SymbolId, Vec<Term>),
}

impl RuleSheet {
    /// Whether both sheets have the same rules in the same order: names are compared without
    /// regard to case, places are not compared.
    pub fn same_rules(&self, other: &RuleSheet) -> bool {
        let same = Same { left: &self.symbols, right: &other.symbols };
        same.all(&self.rules, &other.rules, |same, a, b| {
            same.sentence(&a.head, &b.head) && same.all(&a.body, &b.body, Same::literal)
        })
    }

    /// The facts and rules whose head is this relation.
    pub fn rules_of(&self, name: SymbolId) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |rule| rule.head.name == name)
    }

    /// The roles in order, as far as they are given by plain facts.
    pub fn roles(&self) -> Vec<SymbolId> {
        let mut roles = IndexSet::<SymbolId, FxBuildHasher>::default();
        for rule in self.rules_of(crate::keyword::ROLE).filter(|rule| rule.body.is_empty()) {
            if let [Term { kind: TermKind::Constant(role), .. }] = rule.head.arguments[..] {
                roles.insert(role);
            }
        }
        roles.into_iter().collect()
    }
}

impl Literal {
    /// Calls `visit` with every sentence inside and whether it stands under a `not`
    /// (an even number of them cancels out).
    pub fn sentences<'a>(&'a self, visit: &mut impl FnMut(&'a Sentence, bool)) {
        self.walk(false, &mut |literal, negated| {
            if let LiteralKind::Sentence(sentence) = &literal.kind {
                visit(sentence, negated);
            }
        });
    }

    /// Calls `visit` with this literal and all inside it, and whether each is negated.
    pub fn walk<'a>(&'a self, negated: bool, visit: &mut impl FnMut(&'a Literal, bool)) {
        visit(self, negated);
        match &self.kind {
            LiteralKind::Sentence(_) | LiteralKind::Distinct(..) => {}
            LiteralKind::Not(inner) => inner.walk(!negated, visit),
            LiteralKind::And(items) | LiteralKind::Or(items) => {
                for item in items {
                    item.walk(negated, visit);
                }
            }
        }
    }
}

impl Term {
    /// Calls `visit` with every variable inside and its place.
    pub fn variables(&self, visit: &mut impl FnMut(SymbolId, Span)) {
        match &self.kind {
            TermKind::Variable(name) => visit(*name, self.span),
            TermKind::Constant(_) => {}
            TermKind::Function(_, arguments) => arguments.iter().for_each(|term| term.variables(visit)),
        }
    }

    /// Whether it has no variables.
    pub fn is_ground(&self) -> bool {
        let mut ground = true;
        self.variables(&mut |_, _| ground = false);
        ground
    }
}

impl Sentence {
    /// Calls `visit` with every variable inside and its place.
    pub fn variables(&self, visit: &mut impl FnMut(SymbolId, Span)) {
        self.arguments.iter().for_each(|term| term.variables(visit));
    }
}

/// Structural comparison between two symbol tables.
struct Same<'a> {
    left: &'a Symbols,
    right: &'a Symbols,
}

impl Same<'_> {
    fn all<T>(&self, a: &[T], b: &[T], same: impl Fn(&Self, &T, &T) -> bool) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(self, a, b))
    }

    fn name(&self, a: SymbolId, b: SymbolId) -> bool {
        self.left.name(a) == self.right.name(b)
    }

    fn sentence(&self, a: &Sentence, b: &Sentence) -> bool {
        self.name(a.name, b.name) && self.all(&a.arguments, &b.arguments, Self::term)
    }

    fn literal(&self, a: &Literal, b: &Literal) -> bool {
        use LiteralKind::{And, Distinct, Not, Or, Sentence};
        match (&a.kind, &b.kind) {
            (Sentence(a), Sentence(b)) => self.sentence(a, b),
            (Not(a), Not(b)) => self.literal(a, b),
            (And(a), And(b)) | (Or(a), Or(b)) => self.all(a, b, Self::literal),
            (Distinct(a1, a2), Distinct(b1, b2)) => self.term(a1, b1) && self.term(a2, b2),
            _ => false,
        }
    }

    fn term(&self, a: &Term, b: &Term) -> bool {
        use TermKind::{Constant, Function, Variable};
        match (&a.kind, &b.kind) {
            (Variable(a), Variable(b)) | (Constant(a), Constant(b)) => self.name(*a, *b),
            (Function(f, a), Function(g, b)) => self.name(*f, *g) && self.all(a, b, Self::term),
            _ => false,
        }
    }
}
