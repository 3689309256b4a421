//! Expressions and comments in one tree, each with what stood before it.

use crate::{Expression, ExpressionKind, ParsedExpressions, SourceFile, Span};

/// What separates a node from what stands before it in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// At most blanks.
    None,
    /// A line break.
    Break,
    /// At least one blank line.
    Blank,
}

/// A word, a list or a comment.
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) span: Span,
    pub(super) gap: Gap,
    /// The columns it takes on one line, `None` if a comment inside or its writer forbids that.
    pub(super) width: Option<usize>,
}

pub(super) enum NodeKind {
    Word,
    Comment,
    List(Vec<Node>),
}

/// All top-level nodes of a sheet.
pub(super) fn build(source: &SourceFile, parsed: &ParsedExpressions) -> Vec<Node> {
    let mut builder = Builder { source, comments: &parsed.comments, at: 0 };
    builder.sequence(&parsed.expressions, source.text().len())
}

struct Builder<'a> {
    source: &'a SourceFile,
    /// Those that are not placed yet.
    comments: &'a [Span],
    /// The end of the last token.
    at: usize,
}

impl Builder<'_> {
    /// Expressions with the comments before, between and after them, up to `end`.
    fn sequence(&mut self, expressions: &[Expression], end: usize) -> Vec<Node> {
        let mut nodes = Vec::with_capacity(expressions.len());
        for expression in expressions {
            self.comments_before(expression.span.start as usize, &mut nodes);
            nodes.push(self.expression(expression));
        }
        self.comments_before(end, &mut nodes);
        nodes
    }

    fn comments_before(&mut self, end: usize, nodes: &mut Vec<Node>) {
        while let Some((&span, rest)) = self.comments.split_first()
            && (span.start as usize) < end
        {
            self.comments = rest;
            let gap = self.gap(span);
            self.at = span.end as usize;
            nodes.push(Node { kind: NodeKind::Comment, span, gap, width: None });
        }
    }

    fn expression(&mut self, expression: &Expression) -> Node {
        let span = expression.span;
        let gap = self.gap(span);
        let node = match &expression.kind {
            ExpressionKind::Word => {
                let width = self.source.slice(span).chars().count();
                Node { kind: NodeKind::Word, span, gap, width: Some(width) }
            }
            ExpressionKind::List(items) => {
                self.at = span.start as usize + 1;
                let nodes = self.sequence(items, span.end as usize);
                let widths: Option<usize> = nodes.iter().map(|node| node.width).sum();
                // Parentheses, and a blank between every two.
                let width = widths
                    .map(|width| width + 2 + nodes.len().saturating_sub(1))
                    .filter(|_| !self.is_stacked_rule(&nodes));
                Node { kind: NodeKind::List(nodes), span, gap, width }
            }
        };
        self.at = span.end as usize;
        node
    }

    /// Whether a rule has its first condition on a line of its own: whoever wrote it so wants the
    /// conditions below each other, however short they are.
    fn is_stacked_rule(&self, items: &[Node]) -> bool {
        match items {
            [name, _, condition, ..] => self.source.slice(name.span) == "<=" && condition.gap != Gap::None,
            _ => false,
        }
    }

    /// What stands between the last token and this one.
    fn gap(&self, span: Span) -> Gap {
        let bytes = &self.source.text().as_bytes()[self.at..span.start as usize];
        let mut breaks = 0;
        for (index, &byte) in bytes.iter().enumerate() {
            // Carriage return and line feed together are one break.
            let is_break = byte == b'\n' || (byte == b'\r' && bytes.get(index + 1) != Some(&b'\n'));
            breaks += usize::from(is_break);
        }
        match breaks {
            _ if self.at == 0 => Gap::Break,
            0 => Gap::None,
            1 => Gap::Break,
            _ => Gap::Blank,
        }
    }
}
