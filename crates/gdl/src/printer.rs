//! The canonical text of a syntax tree: single blanks, `f` and never `(f)`, names as first spelled.

use std::fmt::Write;

use crate::{Literal, LiteralKind, Rule, RuleSheet, Sentence, SymbolId, Symbols, Term, TermKind};

/// A whole sheet, one rule a line.
///
/// ```
/// let source = gdl::SourceFile::new("inline", "( ROLE  White )(<= (TERMINAL)(true  (done)))");
/// assert_eq!(gdl::print_sheet(&gdl::parse(&source).sheet), "(role White)\n(<= terminal (true done))\n");
/// ```
pub fn print_sheet(sheet: &RuleSheet) -> String {
    let mut printer = Printer { symbols: &sheet.symbols, out: String::new() };
    for rule in &sheet.rules {
        printer.rule(rule);
        printer.out.push('\n');
    }
    printer.out
}

/// One rule or fact.
pub fn print_rule(symbols: &Symbols, rule: &Rule) -> String {
    let mut printer = Printer { symbols, out: String::new() };
    printer.rule(rule);
    printer.out
}

/// One sentence.
pub fn print_sentence(symbols: &Symbols, sentence: &Sentence) -> String {
    let mut printer = Printer { symbols, out: String::new() };
    printer.sentence(sentence);
    printer.out
}

/// One term.
pub fn print_term(symbols: &Symbols, term: &Term) -> String {
    let mut printer = Printer { symbols, out: String::new() };
    printer.term(term);
    printer.out
}

struct Printer<'a> {
    symbols: &'a Symbols,
    out: String,
}

impl Printer<'_> {
    fn name(&mut self, symbol: SymbolId) {
        self.out.push_str(self.symbols.spelling(symbol));
    }

    fn rule(&mut self, rule: &Rule) {
        if rule.body.is_empty() {
            self.sentence(&rule.head);
            return;
        }
        self.out.push_str("(<= ");
        self.sentence(&rule.head);
        self.each(&rule.body, Self::literal);
        self.out.push(')');
    }

    fn sentence(&mut self, sentence: &Sentence) {
        self.application(sentence.name, &sentence.arguments);
    }

    fn literal(&mut self, literal: &Literal) {
        match &literal.kind {
            LiteralKind::Sentence(sentence) => self.sentence(sentence),
            LiteralKind::Not(inner) => {
                self.out.push_str("(not ");
                self.literal(inner);
                self.out.push(')');
            }
            LiteralKind::And(items) => self.connective("and", items),
            LiteralKind::Or(items) => self.connective("or", items),
            LiteralKind::Distinct(left, right) => {
                self.out.push_str("(distinct ");
                self.term(left);
                self.out.push(' ');
                self.term(right);
                self.out.push(')');
            }
        }
    }

    fn connective(&mut self, name: &str, items: &[Literal]) {
        write!(self.out, "({name}").expect("strings take all writes");
        self.each(items, Self::literal);
        self.out.push(')');
    }

    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Variable(name) | TermKind::Constant(name) => self.name(*name),
            TermKind::Function(name, arguments) => self.application(*name, arguments),
        }
    }

    fn application(&mut self, name: SymbolId, arguments: &[Term]) {
        if arguments.is_empty() {
            self.name(name);
            return;
        }
        self.out.push('(');
        self.name(name);
        self.each(arguments, Self::term);
        self.out.push(')');
    }

    fn each<T>(&mut self, items: &[T], print: impl Fn(&mut Self, &T)) {
        for item in items {
            self.out.push(' ');
            print(self, item);
        }
    }
}
