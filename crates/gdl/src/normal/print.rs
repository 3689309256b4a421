//! The text of normal rules: an aid for reading and for tests.

use super::{NormalLiteral, NormalRule, NormalSentence, NormalTerm};
use crate::{SymbolId, Symbols};

/// The canonical text of a normal rule.
pub fn print_normal_rule(symbols: &Symbols, rule: &NormalRule) -> String {
    let mut printer = Printer { symbols, variables: &rule.variables, out: String::new() };
    if rule.body.is_empty() {
        printer.sentence(&rule.head);
        return printer.out;
    }
    printer.out.push_str("(<= ");
    printer.sentence(&rule.head);
    for literal in &rule.body {
        printer.out.push(' ');
        printer.literal(literal);
    }
    printer.out.push(')');
    printer.out
}

struct Printer<'a> {
    symbols: &'a Symbols,
    variables: &'a [SymbolId],
    out: String,
}

impl Printer<'_> {
    fn literal(&mut self, literal: &NormalLiteral) {
        match literal {
            NormalLiteral::Holds(sentence) => self.sentence(sentence),
            NormalLiteral::Fails(sentence) => {
                self.out.push_str("(not ");
                self.sentence(sentence);
                self.out.push(')');
            }
            NormalLiteral::Distinct(left, right) => {
                self.out.push_str("(distinct ");
                self.term(left);
                self.out.push(' ');
                self.term(right);
                self.out.push(')');
            }
        }
    }

    fn sentence(&mut self, sentence: &NormalSentence) {
        self.application(sentence.name, &sentence.arguments);
    }

    fn term(&mut self, term: &NormalTerm) {
        match term {
            NormalTerm::Variable(number) => self.name(self.variables[*number as usize]),
            NormalTerm::Constant(name) => self.name(*name),
            NormalTerm::Function(name, arguments) => self.application(*name, arguments),
        }
    }

    fn application(&mut self, name: SymbolId, arguments: &[NormalTerm]) {
        if arguments.is_empty() {
            self.name(name);
            return;
        }
        self.out.push('(');
        self.name(name);
        for argument in arguments {
            self.out.push(' ');
            self.term(argument);
        }
        self.out.push(')');
    }

    fn name(&mut self, symbol: SymbolId) {
        self.out.push_str(self.symbols.spelling(symbol));
    }
}
