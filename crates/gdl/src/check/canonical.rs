//! Terms and rules as sequences of numbers, for comparing them by hash.

use rustc_hash::FxHashMap;

use crate::{Literal, LiteralKind, Rule, Sentence, SymbolId, Term, TermKind};

/// Numbers that no symbol and no count of parts has: they keep the kinds apart.
const VARIABLE: u32 = u32::MAX;
const FUNCTION: u32 = u32::MAX - 1;
const SENTENCE: u32 = u32::MAX - 2;
const NOT: u32 = u32::MAX - 3;
const AND: u32 = u32::MAX - 4;
const OR: u32 = u32::MAX - 5;
const DISTINCT: u32 = u32::MAX - 6;

/// Equal for terms that are the same, wherever they stand.
pub(super) fn term_key(term: &Term) -> Vec<u32> {
    let mut writer = Writer { out: Vec::new(), number: |symbol: SymbolId| symbol.0 };
    writer.term(term);
    writer.out
}

/// Equal for rules that are the same up to the names of their variables.
pub(super) fn rule_key(rule: &Rule) -> Vec<u32> {
    let mut numbers: FxHashMap<SymbolId, u32> = FxHashMap::default();
    let number = |symbol: SymbolId| {
        let next = numbers.len() as u32;
        *numbers.entry(symbol).or_insert(next)
    };
    let mut writer = Writer { out: Vec::new(), number };
    writer.sentence(&rule.head);
    rule.body.iter().for_each(|literal| writer.literal(literal));
    writer.out
}

struct Writer<F> {
    out: Vec<u32>,
    /// The number of a variable.
    number: F,
}

impl<F: FnMut(SymbolId) -> u32> Writer<F> {
    fn sentence(&mut self, sentence: &Sentence) {
        self.out.extend([SENTENCE, sentence.name.0, sentence.arguments.len() as u32]);
        sentence.arguments.iter().for_each(|term| self.term(term));
    }

    fn literal(&mut self, literal: &Literal) {
        match &literal.kind {
            LiteralKind::Sentence(sentence) => self.sentence(sentence),
            LiteralKind::Not(inner) => {
                self.out.push(NOT);
                self.literal(inner);
            }
            LiteralKind::And(items) => self.all(AND, items),
            LiteralKind::Or(items) => self.all(OR, items),
            LiteralKind::Distinct(left, right) => {
                self.out.push(DISTINCT);
                self.term(left);
                self.term(right);
            }
        }
    }

    fn all(&mut self, kind: u32, items: &[Literal]) {
        self.out.extend([kind, items.len() as u32]);
        items.iter().for_each(|item| self.literal(item));
    }

    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Variable(name) => {
                let number = (self.number)(*name);
                self.out.extend([VARIABLE, number]);
            }
            TermKind::Constant(name) => self.out.push(name.0),
            TermKind::Function(name, arguments) => {
                self.out.extend([FUNCTION, name.0, arguments.len() as u32]);
                arguments.iter().for_each(|term| self.term(term));
            }
        }
    }
}
