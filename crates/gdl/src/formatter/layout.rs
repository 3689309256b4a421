//! Nodes to lines.

use super::LINE_WIDTH;
use super::node::{Gap, Node, NodeKind};
use crate::SourceFile;

/// No line is indented further: lists nested a hundred deep would drift out of sight and their
/// indentation outweigh the text.
const MAX_INDENT: usize = 48;

/// How far conditions are indented: they stand below the head after `(<= `.
const RULE_INDENT: usize = 4;

/// The text of a whole sheet.
pub(super) fn lay_out(source: &SourceFile, nodes: &[Node]) -> String {
    let mut layout = Layout { source, out: String::with_capacity(source.text().len()), column: 0, lines: 0 };
    let mut previous: Option<&Node> = None;
    for node in nodes {
        if let Some(previous) = previous {
            if layout.may_share_line(previous, node) {
                layout.put(" ");
            } else {
                layout.new_line(0, node.gap == Gap::Blank);
            }
        }
        layout.node(node, 0);
        previous = Some(node);
    }
    if !layout.out.is_empty() {
        layout.out.push('\n');
    }
    layout.out
}

/// How the parts of a list that does not fit on a line are placed.
enum Style {
    /// Each on a line of its own, this far in; the first `beside` stand in the first line.
    Stacked { indent: usize, beside: usize },
    /// As many on each line as fit, this far in.
    Filled { indent: usize },
}

struct Layout<'a> {
    source: &'a SourceFile,
    out: String,
    /// Columns of the current line that are taken.
    column: usize,
    /// How many lines were begun.
    lines: usize,
}

impl Layout<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn new_line(&mut self, indent: usize, after_blank_line: bool) {
        self.out.push_str(if after_blank_line { "\n\n" } else { "\n" });
        self.lines += 1;
        self.column = indent.min(MAX_INDENT);
        self.out.extend(std::iter::repeat_n(' ', self.column));
    }

    /// Whether a top-level node goes on in the line of the one before it.
    fn may_share_line(&self, previous: &Node, node: &Node) -> bool {
        if node.gap != Gap::None || matches!(previous.kind, NodeKind::Comment) {
            return false;
        }
        if matches!(node.kind, NodeKind::Comment) {
            return true;
        }
        let is_short_fact = |node: &Node| node.width.is_some() && !self.is_rule(node);
        // After a fact that took several lines a new one begins.
        let previous_is_whole = previous.width.is_some_and(|width| width <= LINE_WIDTH);
        is_short_fact(previous)
            && is_short_fact(node)
            && previous_is_whole
            && node.width.is_some_and(|width| self.column + 1 + width <= LINE_WIDTH)
    }

    fn first_word(&self, node: &Node) -> Option<&str> {
        match &node.kind {
            NodeKind::List(items) => match items.first() {
                Some(Node { kind: NodeKind::Word, span, .. }) => Some(self.source.slice(*span)),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_rule(&self, node: &Node) -> bool {
        self.first_word(node) == Some("<=")
    }

    /// Puts a node where the line stands; `closers` parentheses follow it directly.
    fn node(&mut self, node: &Node, closers: usize) {
        let fits = node.width.is_some_and(|width| self.column + width + closers <= LINE_WIDTH);
        match &node.kind {
            NodeKind::List(items) if !fits && !items.is_empty() => self.broken(node, items, closers),
            _ => self.flat(node),
        }
    }

    fn flat(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::Word => self.put(self.source.slice(node.span)),
            NodeKind::Comment => self.put(self.source.slice(node.span).trim_end()),
            NodeKind::List(items) => {
                self.put("(");
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.put(" ");
                    }
                    self.flat(item);
                }
                self.put(")");
            }
        }
    }

    fn style(&self, node: &Node) -> Style {
        let name = self.first_word(node);
        let after_name = self.column + name.map_or(1, |name| name.chars().count() + 2);
        match name {
            Some("<=") => Style::Stacked { indent: self.column + RULE_INDENT, beside: 2 },
            Some(name) if ["or", "and", "not"].iter().any(|word| word.eq_ignore_ascii_case(name)) => {
                Style::Stacked { indent: after_name, beside: 2 }
            }
            Some(name) if name.len() <= 16 => Style::Filled { indent: after_name },
            _ => Style::Filled { indent: self.column + RULE_INDENT },
        }
    }

    fn broken(&mut self, node: &Node, items: &[Node], closers: usize) {
        let style = self.style(node);
        self.put("(");
        let mut must_break = false;
        for (index, item) in items.iter().enumerate() {
            let is_last = index + 1 == items.len();
            let closers = if is_last { closers + 1 } else { 0 };
            let is_comment = matches!(item.kind, NodeKind::Comment);
            // A comment keeps its place; what follows it needs a new line, and so does what follows
            // a part that took several.
            let (indent, breaks, blank_line) = match &style {
                _ if is_comment && item.gap == Gap::None => (0, false, false),
                Style::Stacked { indent, beside } => {
                    let breaks = is_comment || must_break || index >= *beside;
                    (*indent, breaks, index > 0 && item.gap == Gap::Blank)
                }
                Style::Filled { indent } => {
                    let fits =
                        item.width.is_some_and(|width| self.column + 1 + width + closers <= LINE_WIDTH);
                    let breaks = is_comment || must_break || (index > 1 && !fits);
                    (*indent, breaks, false)
                }
            };
            if breaks {
                self.new_line(indent, blank_line);
            } else if index > 0 || is_comment {
                self.put(" ");
            }
            let line = self.lines;
            self.node(item, closers);
            must_break = is_comment || self.lines > line;
        }
        if items.last().is_some_and(|last| matches!(last.kind, NodeKind::Comment)) {
            let (Style::Stacked { indent, .. } | Style::Filled { indent }) = style;
            self.new_line(indent, false);
        }
        self.put(")");
    }
}
