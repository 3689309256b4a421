//! Numbers of arguments: those of the keywords are fixed, every other name has one.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::Context;
use crate::findings::Findings;
use crate::keyword::relation_arity;
use crate::{Code, Diagnostic, Literal, LiteralKind, Sentence, Span, SymbolId, Term, TermKind};

/// Where a name stands. The kinds do not mix: `cell` may be a relation and a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Relation,
    Function,
}

/// How often a name has a number of arguments, and where first.
struct Arity<'a> {
    count: usize,
    uses: usize,
    first: Place<'a>,
}

/// Where a name stands; that of a function is looked up only when it is needed.
#[derive(Clone, Copy)]
enum Place<'a> {
    Name(Span),
    Function(&'a Term),
}

impl Place<'_> {
    fn span(self, context: &Context<'_>) -> Span {
        match self {
            Place::Name(span) => span,
            Place::Function(term) => context.name_span(term),
        }
    }
}

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    let mut names = Names::default();
    for rule in &context.sheet.rules {
        names.sentence(&rule.head, context, findings);
        for literal in &rule.body {
            names.literal(literal, context, findings);
        }
    }
    names.report(context, findings);
}

#[derive(Default)]
struct Names<'a> {
    uses: IndexMap<(Kind, SymbolId, usize), (usize, Place<'a>), FxBuildHasher>,
}

impl<'a> Names<'a> {
    fn literal(&mut self, literal: &'a Literal, context: &Context<'_>, findings: &mut Findings) {
        match &literal.kind {
            LiteralKind::Sentence(sentence) => self.sentence(sentence, context, findings),
            LiteralKind::Not(inner) => self.literal(inner, context, findings),
            LiteralKind::And(items) | LiteralKind::Or(items) => {
                items.iter().for_each(|item| self.literal(item, context, findings));
            }
            LiteralKind::Distinct(left, right) => {
                self.term(left);
                self.term(right);
            }
        }
    }

    fn sentence(&mut self, sentence: &'a Sentence, context: &Context<'_>, findings: &mut Findings) {
        let count = sentence.arguments.len();
        match relation_arity(sentence.name) {
            None => self.note(Kind::Relation, sentence.name, count, Place::Name(sentence.name_span)),
            Some(expected) if expected == count => {}
            Some(expected) => findings.add(Code::KeywordArity, || {
                let name = context.symbols().name(sentence.name);
                let message = format!("`{name}` takes {}, here it has {count}", arguments(expected));
                let form = match (expected, name) {
                    (0, _) => format!("`{name}`"),
                    (1, "role") => "`(role name)`".to_owned(),
                    (1, _) => format!("`({name} fact)`"),
                    (_, "goal") => "`(goal role number)`".to_owned(),
                    (_, "sees") => "`(sees role percept)`".to_owned(),
                    _ => format!("`({name} role move)`"),
                };
                Diagnostic::new(Code::KeywordArity, sentence.name_span, message)
                    .with_help(format!("write {form}"))
            }),
        }
        sentence.arguments.iter().for_each(|term| self.term(term));
    }

    fn term(&mut self, term: &'a Term) {
        if let TermKind::Function(name, arguments) = &term.kind {
            self.note(Kind::Function, *name, arguments.len(), Place::Function(term));
            arguments.iter().for_each(|term| self.term(term));
        }
    }

    fn note(&mut self, kind: Kind, name: SymbolId, count: usize, place: Place<'a>) {
        self.uses.entry((kind, name, count)).or_insert((0, place)).0 += 1;
    }

    fn report(self, context: &Context<'_>, findings: &mut Findings) {
        let mut by_name: IndexMap<(Kind, SymbolId), Vec<Arity<'_>>, FxBuildHasher> = IndexMap::default();
        for ((kind, name, count), (uses, first)) in self.uses {
            by_name.entry((kind, name)).or_default().push(Arity { count, uses, first });
        }
        for ((kind, name), arities) in by_name {
            // The most frequent arity is taken to be the one that is meant; of equals the first.
            let Some(meant) = arities.iter().rev().max_by_key(|arity| arity.uses) else { continue };
            for arity in arities.iter().filter(|arity| arity.count != meant.count) {
                findings.add(Code::ArityMismatch, || {
                    let noun = if kind == Kind::Relation { "relation" } else { "function" };
                    let name = context.name(name);
                    let message = format!(
                        "the {noun} `{name}` has {} here and {} elsewhere",
                        arguments(arity.count),
                        meant.count
                    );
                    Diagnostic::new(Code::ArityMismatch, arity.first.span(context), message)
                        .with_label(
                            meant.first.span(context),
                            format!("here it has {}", arguments(meant.count)),
                        )
                        .with_help(format!("give all uses of `{name}` the same arguments, or another name"))
                });
            }
        }
    }
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}
