//! What the specification asks of a rule sheet, one file for each rule of well-formedness.
//!
//! Every check reads the syntax tree and the [`graph`] of dependencies between relations. All of
//! them together take time roughly linear in the size of the sheet; where an explanation could
//! cost more, it has a budget and is left out beyond.

mod arity;
mod bindings;
mod canonical;
mod dependencies;
mod duplicates;
mod goal_values;
mod graph;
mod percepts;
mod recursion;
mod required;
mod reserved;
mod safety;
mod separation;
mod similar;
mod stratification;
mod undefined;
mod unknown_role;
mod unused;

use graph::Graph;
use rustc_hash::FxHashSet;

use crate::findings::Findings;
use crate::{
    Diagnostic, Mode, Parsed, RuleSheet, Sentence, SourceFile, Span, SymbolId, Symbols, Term, TokenKind,
    keyword, tokenize,
};

/// What the checks look at.
struct Context<'a> {
    source: &'a SourceFile,
    sheet: &'a RuleSheet,
    graph: Graph<'a>,
    roles: Vec<SymbolId>,
    /// Names in rules that could not be read: they may well be defined or used there.
    unread: &'a FxHashSet<SymbolId>,
}

impl Context<'_> {
    fn symbols(&self) -> &Symbols {
        &self.sheet.symbols
    }

    /// A name as the sheet spells it.
    fn name(&self, symbol: SymbolId) -> &str {
        self.sheet.symbols.spelling(symbol)
    }

    /// Where the name of a term stands: the term itself, or the function's name in its list.
    fn name_span(&self, term: &Term) -> Span {
        let start = term.span.start as usize;
        let word = tokenize(self.source.slice(term.span)).find(|token| token.kind == TokenKind::Word);
        word.map_or(term.span, |word| {
            Span::new(start + word.span.start as usize, start + word.span.end as usize)
        })
    }
}

/// Whether a keyword has as many arguments as it should; where it has not, nothing more is said of
/// what those are.
fn has_keyword_arity(sentence: &Sentence) -> bool {
    keyword::relation_arity(sentence.name) == Some(sentence.arguments.len())
}

/// All findings about a sheet: the faults of its syntax and of its form, in the order of the
/// text, with the severities they have in `mode`.
///
/// ```
/// use gdl::{Code, Mode, Severity};
/// let text = "(role robot) (legal robot wait) (goal ?who 100) terminal";
/// let source = gdl::SourceFile::new("inline", text);
/// let parsed = gdl::parse(&source);
/// let findings = gdl::check(&source, &parsed, Mode::Strict);
/// assert_eq!(findings.len(), 1);
/// assert_eq!((findings[0].code, findings[0].severity), (Code::UnboundRole, Severity::Error));
/// assert_eq!(source.slice(findings[0].span), "?who");
/// // What a player can make sense of, it is warned of and plays.
/// assert!(!gdl::check(&source, &parsed, Mode::Lenient).iter().any(|finding| finding.is_error()));
/// ```
pub fn check(source: &SourceFile, parsed: &Parsed, mode: Mode) -> Vec<Diagnostic> {
    let sheet = &parsed.sheet;
    let graph = Graph::new(sheet);
    let context = Context { source, sheet, graph, roles: sheet.roles(), unread: &parsed.unread };
    let mut findings = Findings::default();
    for check in [
        arity::check,
        reserved::check,
        safety::check,
        stratification::check,
        recursion::check,
        dependencies::check,
        required::check,
        goal_values::check,
        undefined::check,
        unknown_role::check,
        unused::check,
        percepts::check,
        duplicates::check,
    ] {
        check(&context, &mut findings);
    }
    let mut all = parsed.diagnostics.clone();
    all.extend(findings.finish());
    all.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    all.into_iter().map(|diagnostic| diagnostic.in_mode(mode)).collect()
}
