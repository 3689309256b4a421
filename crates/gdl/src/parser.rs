//! Nested lists to a rule sheet. Faults are reported and the rule they stand in is left out.

use rustc_hash::FxHashSet;

use crate::expression::parse_expressions;
use crate::findings::Findings;
use crate::keyword::{AND, DISTINCT, IMPLIED_BY, NOT, OR, is_connective};
use crate::{
    Code, Diagnostic, Edit, Expression, ExpressionKind, Fix, Literal, LiteralKind, Rule, RuleSheet, Sentence,
    SourceFile, Span, SymbolId, Symbols, Term, TermKind,
};

/// A sheet as far as it could be read, and all faults of its syntax.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The rules that could be read.
    pub sheet: RuleSheet,
    /// Faults, in the order of the text, with their strict severities.
    pub diagnostics: Vec<Diagnostic>,
    /// The names in rules that could not be read: nothing is known of their definition and use,
    /// so that no check should call them missing.
    pub unread: FxHashSet<SymbolId>,
}

/// Reads a rule sheet. Never fails: see [`Parsed`].
///
/// ```
/// let source = gdl::SourceFile::new("inline", "(role white) (<= p (not)) (role black)");
/// let parsed = gdl::parse(&source);
/// assert_eq!(parsed.sheet.rules.len(), 2);
/// assert_eq!(parsed.diagnostics[0].code, gdl::Code::MalformedLiteral);
/// ```
pub fn parse(source: &SourceFile) -> Parsed {
    let expressions = parse_expressions(source);
    let mut parser = Parser { source, symbols: Symbols::new(), findings: Findings::default() };
    for &span in source.invalid_utf8() {
        parser.report(Code::InvalidUtf8, span, "these bytes are not UTF-8", "save the file as UTF-8");
    }
    let mut rules = Vec::with_capacity(expressions.expressions.len());
    let mut unread = FxHashSet::default();
    // By value: each expression is freed once it is read, which matters for sheets of 50 MB.
    let mut cut = expressions.cut.iter().copied().peekable();
    for (index, expression) in expressions.expressions.into_iter().enumerate() {
        let rule = match cut.next_if_eq(&index) {
            Some(_) => None,
            None => parser.rule(&expression),
        };
        match rule {
            Some(rule) => rules.push(rule),
            None => parser.words(&expression, &mut unread),
        }
    }
    let mut diagnostics = expressions.diagnostics;
    diagnostics.extend(parser.findings.finish());
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    Parsed { sheet: RuleSheet { symbols: parser.symbols, rules }, diagnostics, unread }
}

struct Parser<'a> {
    source: &'a SourceFile,
    symbols: Symbols,
    findings: Findings,
}

impl Parser<'_> {
    fn report(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.report_with(code, span, message, help, None);
    }

    fn report_with(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: &str,
        fix: Option<Fix>,
    ) {
        self.findings
            .add(code, || Diagnostic { fix, ..Diagnostic::new(code, span, message).with_help(help) });
    }

    /// Collects every name in an expression.
    fn words(&mut self, expression: &Expression, names: &mut FxHashSet<SymbolId>) {
        match &expression.kind {
            ExpressionKind::Word => names.extend(self.word(expression)),
            ExpressionKind::List(items) => items.iter().for_each(|item| self.words(item, names)),
        }
    }

    fn rule(&mut self, expression: &Expression) -> Option<Rule> {
        let span = expression.span;
        match expression.list() {
            Some([first, parts @ ..]) if self.word(first) == Some(IMPLIED_BY) => {
                let [head, body @ ..] = parts else {
                    self.report(
                        Code::MalformedRule,
                        span,
                        "this rule has no head",
                        "write `(<= head condition ..)`",
                    );
                    return None;
                };
                if body.is_empty() {
                    let help = "write the fact without `<=`";
                    let fix = Fix::new(help, unwrap(span, head.span));
                    let message = "this rule has no body: it is a fact";
                    self.report_with(Code::RuleWithoutBody, span, message, help, Some(fix));
                }
                let head = self.head(head);
                let literals: Vec<_> =
                    body.iter().map(|literal| self.literal(literal, Within::Body)).collect();
                let body = literals.into_iter().collect::<Option<_>>()?;
                Some(Rule { head: head?, body, span })
            }
            _ => Some(Rule { head: self.head(expression)?, body: Vec::new(), span }),
        }
    }

    fn head(&mut self, expression: &Expression) -> Option<Sentence> {
        let first = match &expression.kind {
            ExpressionKind::Word => Some(expression),
            ExpressionKind::List(items) => items.first(),
        };
        if let Some(first) = first
            && let Some(name) = self.word(first)
            && is_connective(name)
        {
            let message = format!("`{}` cannot be what a rule states", self.symbols.name(name));
            let help = if name == IMPLIED_BY {
                "rules do not nest"
            } else {
                "state a relation; conditions belong in the body"
            };
            self.report(Code::MalformedRule, first.span, message, help);
            return None;
        }
        self.sentence(expression)
    }

    fn literal(&mut self, expression: &Expression, within: Within) -> Option<Literal> {
        let span = expression.span;
        let Some([first, parts @ ..]) = expression.list() else {
            if let Some(name) = self.word(expression)
                && is_connective(name)
            {
                let message = format!("`{}` stands alone", self.symbols.name(name));
                return self.malformed(span, message, "write it as the first word of a list");
            }
            let sentence = self.sentence(expression)?;
            return Some(Literal { kind: LiteralKind::Sentence(sentence), span });
        };
        let kind = match self.word(first) {
            Some(NOT) => {
                let [inner] = parts else {
                    let fix = self.sentence_without_parentheses(parts);
                    let (message, help) = ("`not` takes one sentence", "write `(not sentence)`");
                    self.report_with(Code::MalformedLiteral, span, message, help, fix);
                    return None;
                };
                let inner = self.literal(inner, Within::Other)?;
                if !matches!(inner.kind, LiteralKind::Sentence(_)) {
                    let message = "`not` stands before something that is not a sentence";
                    let help = match inner.kind {
                        LiteralKind::Not(_) => "two `not` cancel out: write the sentence itself",
                        LiteralKind::Distinct(..) => "use the same variable in both places instead",
                        _ => "give the condition a relation of its own and negate that",
                    };
                    let fix = self.negation_moved_inwards(span, &inner, within);
                    self.report_with(Code::NegatedCompound, first.span, message, help, fix);
                }
                LiteralKind::Not(Box::new(inner))
            }
            Some(name @ (AND | OR)) => {
                if parts.is_empty() {
                    let message = format!("`{}` has no parts", self.symbols.name(name));
                    return self.malformed(span, message, "remove it, or write its conditions");
                }
                if name == AND {
                    let help = "the conditions of a body are all needed already: write them side by side";
                    let inside = parts[0].span.to(parts[parts.len() - 1].span);
                    let fix = (within == Within::Body)
                        .then(|| Fix::new("write the conditions side by side", unwrap(span, inside)));
                    self.report_with(Code::NestedAnd, first.span, "`and` is not part of GDL", help, fix);
                }
                let within = if name == AND { within } else { Within::Other };
                let items: Vec<_> = parts.iter().map(|part| self.literal(part, within)).collect();
                let items = items.into_iter().collect::<Option<_>>()?;
                if name == AND { LiteralKind::And(items) } else { LiteralKind::Or(items) }
            }
            Some(DISTINCT) => {
                let [left, right] = parts else {
                    return self.malformed(span, "`distinct` takes two terms", "write `(distinct a b)`");
                };
                let (left, right) = (self.term(left), self.term(right));
                LiteralKind::Distinct(left?, right?)
            }
            Some(IMPLIED_BY) => {
                return self.malformed(
                    first.span,
                    "a rule stands inside a rule",
                    "close the rule before this one begins",
                );
            }
            _ => LiteralKind::Sentence(self.sentence(expression)?),
        };
        Some(Literal { kind, span })
    }

    /// `(not p a b)` means `(not (p a b))`.
    fn sentence_without_parentheses(&mut self, parts: &[Expression]) -> Option<Fix> {
        let [first, .., last] = parts else { return None };
        let name = self.word(first)?;
        if self.symbols.is_variable(name) || is_connective(name) {
            return None;
        }
        let (start, end) = (first.span.start as usize, last.span.end as usize);
        let edits = vec![Edit::new(Span::new(start, start), "("), Edit::new(Span::new(end, end), ")")];
        Some(Fix::new("put the sentence in parentheses", edits))
    }

    /// What a `not` before something else than a sentence means, in sentences.
    fn negation_moved_inwards(&self, span: Span, inner: &Literal, within: Within) -> Option<Fix> {
        let negated = |item: &Literal| match &item.kind {
            LiteralKind::Sentence(_) => Some(format!("(not {})", self.source.slice(item.span))),
            LiteralKind::Not(inner) => Some(self.source.slice(inner.span).to_owned()),
            _ => None,
        };
        let all = |items: &[Literal]| Some(items.iter().map(negated).collect::<Option<Vec<_>>>()?.join(" "));
        let text = match &inner.kind {
            LiteralKind::Not(sentence) => self.source.slice(sentence.span).to_owned(),
            LiteralKind::Or(items) if within == Within::Body => all(items)?,
            LiteralKind::And(items) => format!("(or {})", all(items)?),
            _ => return None,
        };
        let title = format!("write `{text}`");
        Some(Fix::new(title, vec![Edit::new(span, text)]))
    }

    fn malformed<T>(&mut self, span: Span, message: impl Into<String>, help: &str) -> Option<T> {
        self.report(Code::MalformedLiteral, span, message, help);
        None
    }

    fn sentence(&mut self, expression: &Expression) -> Option<Sentence> {
        let (name, name_span, arguments) = self.application(expression)?;
        Some(Sentence { name, name_span, arguments, span: expression.span })
    }

    fn term(&mut self, expression: &Expression) -> Option<Term> {
        let span = expression.span;
        if let ExpressionKind::Word = expression.kind {
            let name = self.word(expression)?;
            let kind = match self.symbols.is_variable(name) {
                true => TermKind::Variable(name),
                false => TermKind::Constant(name),
            };
            return Some(Term { kind, span });
        }
        let (name, _, arguments) = self.application(expression)?;
        let kind = match arguments.is_empty() {
            true => TermKind::Constant(name),
            false => TermKind::Function(name, arguments),
        };
        Some(Term { kind, span })
    }

    /// `name` or `(name argument ..)`.
    fn application(&mut self, expression: &Expression) -> Option<(SymbolId, Span, Vec<Term>)> {
        let (first, rest) = match &expression.kind {
            ExpressionKind::Word => (expression, &[][..]),
            ExpressionKind::List(items) => match &items[..] {
                [] => {
                    self.report(
                        Code::EmptyList,
                        expression.span,
                        "this list is empty",
                        "remove it, or write what it should hold",
                    );
                    return None;
                }
                [first, rest @ ..] => (first, rest),
            },
        };
        let Some(name) = self.word(first) else {
            self.report(
                Code::ListAsName,
                first.span,
                "a list stands where the name of a relation or function is needed",
                "remove one pair of parentheses, or put a name before it",
            );
            return None;
        };
        if self.symbols.is_variable(name) {
            let message =
                format!("the variable `{}` stands where a name is needed", self.symbols.spelling(name));
            self.report(
                Code::VariableAsName,
                first.span,
                message,
                "GDL has no variables for relations or functions",
            );
            return None;
        }
        let arguments: Vec<_> = rest.iter().map(|argument| self.term(argument)).collect();
        Some((name, first.span, arguments.into_iter().collect::<Option<_>>()?))
    }

    /// The symbol of a word, `None` for a list.
    fn word(&mut self, expression: &Expression) -> Option<SymbolId> {
        match expression.kind {
            ExpressionKind::Word => Some(self.symbols.intern(self.source.slice(expression.span))),
            ExpressionKind::List(_) => None,
        }
    }
}

/// Where a literal stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// Beside other conditions that all have to hold.
    Body,
    /// Under `or` or `not`.
    Other,
}

/// Leaves of a list only what is inside.
fn unwrap(list: Span, inside: Span) -> Vec<Edit> {
    let before = Span { start: list.start, end: inside.start };
    let after = Span { start: inside.end, end: list.end };
    vec![Edit::new(before, ""), Edit::new(after, "")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print_sheet;

    fn codes(text: &str) -> Vec<(Code, u32)> {
        let parsed = parse(&SourceFile::new("t", text));
        parsed.diagnostics.iter().map(|diagnostic| (diagnostic.code, diagnostic.span.start)).collect()
    }

    fn reprint(text: &str) -> String {
        print_sheet(&parse(&SourceFile::new("t", text)).sheet)
    }

    #[test]
    fn canonical_text() {
        assert_eq!(reprint("( ROLE  Xplayer )(OPEN)"), "(role Xplayer)\nOPEN\n");
        assert_eq!(reprint("(<= (p ?X) (q ?x) (not (or (r) s)))"), "(<= (p ?X) (q ?X) (not (or r s)))\n");
        assert_eq!(reprint("(<= (legal r m))"), "(legal r m)\n");
    }

    #[test]
    fn all_faults_in_one_run() {
        let text = "(<=)\n()\n(<= (p) (not a b))\n((a) b)\n(?x y)\n(<= (not p) q)\n(<= p (distinct a))";
        assert_eq!(
            codes(text),
            [
                (Code::MalformedRule, 0),
                (Code::EmptyList, 5),
                (Code::MalformedLiteral, 16),
                (Code::ListAsName, 28),
                (Code::VariableAsName, 36),
                (Code::MalformedRule, 47),
                (Code::MalformedLiteral, 63),
            ]
        );
    }

    #[test]
    fn fixes_leave_nothing_to_be_mended() {
        for (broken, mended) in [
            ("(<= (p a))", "(p a)"),
            ("(<= p (and q (r ?x)))", "(<= p q (r ?x))"),
            ("(<= p (not (not q)))", "(<= p q)"),
            ("(<= p (not (or q (r a))))", "(<= p (not q) (not (r a)))"),
            ("(<= p (not (and q (not r))) s)", "(<= p (or (not q) r) s)"),
            ("(<= p (not cell 1 1))", "(<= p (not (cell 1 1)))"),
            ("(role a))", "(role a)"),
            ("(role a)\n(<= p (not q)\n(role b)", "(role a)\n(<= p (not q))\n(role b)"),
        ] {
            let parsed = parse(&SourceFile::new("t", broken));
            let fix = parsed.diagnostics[0].fix.as_ref().expect(broken);
            assert_eq!(fix.apply(broken), mended);
            let code = parsed.diagnostics[0].code;
            assert!(codes(mended).iter().all(|&(found, _)| found != code), "{mended}");
        }
        // Where an `and` is needed it stays.
        assert!(parse(&SourceFile::new("t", "(<= p (or (and q r) s))")).diagnostics[0].fix.is_none());
    }

    #[test]
    fn faulty_rules_are_left_out_and_the_rest_kept() {
        assert_eq!(reprint("(role a) (<= p (not)) (role b)"), "(role a)\n(role b)\n");
    }
}
