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

/// Not recursive: rules may build terms that are nested as deep as memory allows.
fn print<'a>(terms: &TermStore, name: &impl Fn(SymbolId) -> &'a str, term: TermId, out: &mut String) {
    /// What is still to be printed: a term, or the end of one.
    enum Part {
        Term(TermId),
        End,
    }
    let mut parts = vec![Part::Term(term)];
    while let Some(part) = parts.pop() {
        let Part::Term(term) = part else {
            out.push(')');
            continue;
        };
        if !out.is_empty() {
            out.push(' ');
        }
        let arguments = terms.arguments(term);
        if !arguments.is_empty() {
            out.push('(');
            parts.push(Part::End);
        }
        out.push_str(name(SymbolId(terms.symbol(term))));
        parts.extend(arguments.iter().rev().map(|&argument| Part::Term(argument)));
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_print_and_read_back() {
        let mut symbols = Symbols::new();
        for name in ["f", "G", "a", "b"] {
            symbols.intern(name);
        }
        let mut terms = TermStore::new();
        let text = "(f (g a) b (f a (g (g b)) a))";
        let term = parse(&mut terms, &symbols, text).expect("all symbols are known");
        assert_eq!(canonical(&terms, &symbols, term), text);
        assert_eq!(spelled(&terms, &symbols, term), text.replace('g', "G"));
        assert_eq!(parse(&mut terms, &symbols, "(f unknown)"), None);
        assert_eq!(parse(&mut terms, &symbols, "a b"), None);
    }

    #[test]
    fn deep_terms_print() {
        let mut symbols = Symbols::new();
        let (function, constant) = (symbols.intern("s").0, symbols.intern("z").0);
        let mut terms = TermStore::new();
        let mut term = terms.intern(constant, &[]);
        for _ in 0..1_000_000 {
            term = terms.intern(function, &[term]);
        }
        assert_eq!(canonical(&terms, &symbols, term).len(), 4 * 1_000_000 + 1);
    }
}
