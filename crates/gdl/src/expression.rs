//! Tokens to nested lists, with recovery from parentheses that do not match.

use crate::findings::Findings;
use crate::lexer::{TokenKind, tokenize};
use crate::{Code, Diagnostic, Edit, SourceFile, Span};

/// How deep lists may be nested. Real sheets stay below 20; the bound keeps every later
/// walk over the tree within the stack.
pub const MAX_DEPTH: usize = 128;

/// A word or a list of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it is, parentheses included.
    pub span: Span,
}

/// What an [`Expression`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// A single word; its text is that of the span.
    Word,
    /// A parenthesised list.
    List(Vec<Expression>),
}

impl Expression {
    /// The elements of a list, `None` for a word.
    pub fn list(&self) -> Option<&[Expression]> {
        match &self.kind {
            ExpressionKind::Word => None,
            ExpressionKind::List(items) => Some(items),
        }
    }
}

/// The expressions of a text and the places where its parentheses are wrong.
#[derive(Clone, Debug, Default)]
pub struct ParsedExpressions {
    /// Expressions at the top level, in order.
    pub expressions: Vec<Expression>,
    /// Comments, in order.
    pub comments: Vec<Span>,
    /// Which of the expressions were nested too deep, in order: parts of them are missing.
    pub cut: Vec<usize>,
    /// Faults of nesting.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads nested lists.
///
/// When parentheses do not match, the text is read again on the assumption that a `(` in the
/// first column begins a new top-level expression: one missing parenthesis then costs one rule,
/// and its report points at the rule that lacks it.
///
/// ```
/// let source = gdl::SourceFile::new("inline", "(role white) ; a comment");
/// let parsed = gdl::parse_expressions(&source);
/// assert_eq!(source.slice(parsed.expressions[0].span), "(role white)");
/// assert_eq!(source.slice(parsed.comments[0]), "; a comment");
/// ```
pub fn parse_expressions(source: &SourceFile) -> ParsedExpressions {
    let plain = Reader::read(source, false);
    if plain.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::UnclosedParenthesis) {
        return Reader::read(source, true);
    }
    plain
}

struct Reader {
    output: ParsedExpressions,
    findings: Findings,
    open: Vec<(Span, Vec<Expression>)>,
    /// Parentheses opened beyond `MAX_DEPTH`, to be closed again.
    too_deep: usize,
    /// Whether the expression at hand was nested too deep.
    is_cut: bool,
}

impl Reader {
    fn read(source: &SourceFile, line_start_is_top_level: bool) -> ParsedExpressions {
        let mut reader = Reader {
            output: ParsedExpressions::default(),
            findings: Findings::default(),
            open: Vec::new(),
            too_deep: 0,
            is_cut: false,
        };
        let bytes = source.text().as_bytes();
        for token in tokenize(source.text()) {
            match token.kind {
                TokenKind::Comment => reader.output.comments.push(token.span),
                TokenKind::Open => {
                    let start = token.span.start as usize;
                    let at_line_start = start == 0 || bytes[start - 1] == b'\n' || bytes[start - 1] == b'\r';
                    if line_start_is_top_level && at_line_start {
                        reader.close_all();
                    }
                    reader.open(token.span);
                }
                TokenKind::Close => reader.close(token.span),
                TokenKind::Word => {
                    if reader.too_deep == 0 {
                        reader.push(Expression { kind: ExpressionKind::Word, span: token.span });
                    }
                }
            }
        }
        reader.close_all();
        reader.output.diagnostics = reader.findings.finish();
        reader.output
    }

    fn open(&mut self, span: Span) {
        if self.too_deep > 0 || self.open.len() >= MAX_DEPTH {
            if self.too_deep == 0 {
                self.findings.add(Code::NestedTooDeep, || {
                    let message = format!("lists are nested more than {MAX_DEPTH} deep");
                    Diagnostic::new(Code::NestedTooDeep, span, message).with_help(
                        "what stands deeper is not read; name the parts with relations of their own",
                    )
                });
            }
            self.is_cut = true;
            self.too_deep += 1;
        } else {
            self.open.push((span, Vec::new()));
        }
    }

    fn close(&mut self, span: Span) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else if let Some((start, items)) = self.open.pop() {
            self.push(Expression { kind: ExpressionKind::List(items), span: start.to(span) });
        } else {
            self.findings.add(Code::UnexpectedParenthesis, || {
                Diagnostic::new(Code::UnexpectedParenthesis, span, "this `)` closes nothing")
                    .with_help("remove it, or add the `(` that it should close")
                    .with_fix("remove this `)`", vec![Edit::new(span, "")])
            });
        }
    }

    /// Closes what is still open, and reports the outermost of it.
    fn close_all(&mut self) {
        if let Some(&(outermost, _)) = self.open.first() {
            let missing = self.open.len() + self.too_deep;
            let innermost = self.open.last();
            let end = innermost
                .map_or(outermost.end, |(start, items)| items.last().map_or(start.end, |last| last.span.end))
                as usize;
            self.findings.add(Code::UnclosedParenthesis, || {
                let message = match missing {
                    1 => "this `(` is never closed".to_owned(),
                    _ => format!("this `(` is never closed: {missing} `)` are missing"),
                };
                Diagnostic::new(Code::UnclosedParenthesis, outermost, message)
                    .with_help("add the missing `)` at the end of this rule")
                    .with_fix(
                        "close it at the end of the rule",
                        vec![Edit::new(Span::new(end, end), ")".repeat(missing))],
                    )
            });
        }
        self.too_deep = 0;
        while let Some((start, items)) = self.open.pop() {
            let span = items.last().map_or(start, |last| start.to(last.span));
            self.push(Expression { kind: ExpressionKind::List(items), span });
        }
    }

    fn push(&mut self, expression: Expression) {
        match self.open.last_mut() {
            Some((_, items)) => items.push(expression),
            None => {
                if std::mem::take(&mut self.is_cut) {
                    self.output.cut.push(self.output.expressions.len());
                }
                self.output.expressions.push(expression);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ParsedExpressions {
        parse_expressions(&SourceFile::new("t", text))
    }

    #[test]
    fn lists_nest() {
        let parsed = read("a (b (c)) ; d");
        assert_eq!(parsed.expressions.len(), 2);
        assert_eq!(parsed.expressions[1].span, Span::new(2, 9));
        assert_eq!(parsed.comments, [Span::new(10, 13)]);
    }

    #[test]
    fn a_missing_parenthesis_costs_one_rule() {
        let parsed = read("(role a)\n(<= x (y)\n(role b)\n(z");
        assert_eq!(parsed.expressions.len(), 4);
        let places: Vec<_> = parsed.diagnostics.iter().map(|d| (d.code, d.span.start)).collect();
        assert_eq!(places, [(Code::UnclosedParenthesis, 9), (Code::UnclosedParenthesis, 28)]);
    }

    #[test]
    fn an_extra_parenthesis_is_reported_where_it_stands() {
        let parsed = read("(role a))\n(role b)");
        assert_eq!(parsed.expressions.len(), 2);
        assert_eq!(parsed.diagnostics[0].span, Span::new(8, 9));
    }

    #[test]
    fn depth_is_bounded() {
        let deep = format!("{}{} (role a)", "(".repeat(5000), ")".repeat(5000));
        let parsed = read(&deep);
        assert_eq!(parsed.diagnostics.len(), 1);
        assert_eq!(parsed.diagnostics[0].code, Code::NestedTooDeep);
        assert_eq!(parsed.expressions.len(), 2);
        assert_eq!(parsed.cut, [0]);
        assert_eq!(read(&"(".repeat(100_000)).expressions.len(), 1);
    }
}
