//! Terms as text and back.

use datalog::{TermId, TermStore};
use gdl::{Expression, ExpressionKind, SourceFile, SymbolId, Symbols};

/// Canonical lower-case KIF.
pub(super) fn canonical(terms: &TermStore, symbols: &Symbols, term: TermId) -> String {
    let mut out = String::new();
    print(terms, &|symbol| symbols.name(symbol), term, &mut out);
    out
}

/// KIF in the spelling of the rules.
pub(super) fn spelled(terms: &TermStore, symbols: &Symbols, term: TermId) -> String {
    let mut out = String::new();
    print(terms, &|symbol| symbols.spelling(symbol), term, &mut out);
    out
}

fn print<'a>(terms: &TermStore, name: &impl Fn(SymbolId) -> &'a str, term: TermId, out: &mut String) {
    let arguments = terms.arguments(term);
    let symbol = name(SymbolId(terms.symbol(term)));
    if arguments.is_empty() {
        out.push_str(symbol);
        return;
    }
    out.push('(');
    out.push_str(symbol);
    for &argument in arguments {
        out.push(' ');
        print(terms, name, argument, out);
    }
    out.push(')');
}

/// The number that a term is, if it is one below 256.
pub(super) fn number(terms: &TermStore, symbols: &Symbols, term: TermId) -> Option<u8> {
    if !terms.arguments(term).is_empty() {
        return None;
    }
    symbols.name(SymbolId(terms.symbol(term))).parse().ok()
}

/// The term that a text stands for; `None` if it is not one term over known symbols.
pub(super) fn parse(terms: &mut TermStore, symbols: &Symbols, text: &str) -> Option<TermId> {
    let source = SourceFile::new("term", text);
    let parsed = gdl::parse_expressions(&source);
    match &parsed.expressions[..] {
        [expression] if parsed.diagnostics.is_empty() => build(terms, symbols, &source, expression),
        _ => None,
    }
}

fn build(
    terms: &mut TermStore,
    symbols: &Symbols,
    source: &SourceFile,
    expression: &Expression,
) -> Option<TermId> {
    let (name, arguments) = match &expression.kind {
        ExpressionKind::Word => (expression, &[][..]),
        ExpressionKind::List(items) => items.split_first()?,
    };
    let ExpressionKind::Word = name.kind else { return None };
    let symbol = symbols.get(source.slice(name.span))?;
    if symbols.is_variable(symbol) {
        return None;
    }
    let arguments: Option<Vec<TermId>> =
        arguments.iter().map(|argument| build(terms, symbols, source, argument)).collect();
    Some(terms.intern(symbol.0, &arguments?))
}
