//! Lines and their indentation: what is below what.
//!
//! A tab counts as one column. A line belongs to the nearest line above it that is indented less;
//! lines of one block need not be indented alike, which is reported and read all the same.

use gdl::{SourceFile, Span};

use super::{Code, Diagnostic};

/// A line with the lines below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// Column of its first letter.
    pub(crate) indent: usize,
    /// Its words, comments left out.
    pub(crate) words: Vec<Span>,
    /// The lines below it, as indexes into [`Tree::nodes`].
    pub(crate) children: Vec<usize>,
    /// The line it is below.
    pub(crate) parent: Option<usize>,
    /// Number of lines it is below.
    pub(crate) depth: usize,
}

impl Node {
    /// From the first word to the last.
    pub(crate) fn span(&self) -> Span {
        match (self.words.first(), self.words.last()) {
            (Some(first), Some(last)) => first.to(*last),
            _ => Span::default(),
        }
    }
}

/// All lines that are not empty. The first is the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
}

impl Tree {
    pub(crate) fn read(source: &SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut tree = Self::default();
        let mut start = 0;
        for line in source.text().split('\n') {
            let content = line.split('#').next().unwrap_or("");
            let words = words(content, start);
            if let Some(first) = words.first() {
                let indent = content[..first.start as usize - start].chars().count();
                tree.insert(indent, words, diagnostics);
            }
            start += line.len() + 1;
        }
        tree
    }

    fn insert(&mut self, indent: usize, words: Vec<Span>, diagnostics: &mut Vec<Diagnostic>) {
        let mut node = Node { indent, words, children: Vec::new(), parent: None, depth: 0 };
        let index = self.nodes.len();
        if let Some(mut above) = index.checked_sub(1) {
            while self.nodes[above].indent >= indent {
                match self.nodes[above].parent {
                    Some(parent) => above = parent,
                    None => {
                        diagnostics.push(
                            Diagnostic::new(
                                Code::NotBelowGame,
                                node.span(),
                                "this line is not indented below the game's line",
                            )
                            .with_help("indent every line more than the first one"),
                        );
                        return;
                    }
                }
            }
            if let Some(&sibling) = self.nodes[above].children.first()
                && self.nodes[sibling].indent != indent
            {
                diagnostics.push(
                    Diagnostic::new(
                        Code::UnevenIndentation,
                        node.span(),
                        format!(
                            "this line is indented by {indent}, the first of its block by {}",
                            self.nodes[sibling].indent
                        ),
                    )
                    .with_label(self.nodes[sibling].span(), "the first line of the block")
                    .with_help("indent the lines of a block alike; a tab counts as one column"),
                );
            }
            node.parent = Some(above);
            node.depth = self.nodes[above].depth + 1;
            self.nodes[above].children.push(index);
        }
        self.nodes.push(node);
    }
}

/// The words of a line that starts at byte `start`.
pub(crate) fn words(line: &str, start: usize) -> Vec<Span> {
    let mut words = Vec::new();
    let mut open = None;
    for (at, letter) in line.char_indices().chain([(line.len(), ' ')]) {
        let blank = letter <= ' ' || letter.is_whitespace();
        match (blank, open) {
            (false, None) => open = Some(at),
            (true, Some(from)) => {
                words.push(Span::new(start + from, start + at));
                open = None;
            }
            _ => {}
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Tree, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let tree = Tree::read(&SourceFile::new("t", text), &mut diagnostics);
        (tree, diagnostics)
    }

    #[test]
    fn a_line_belongs_to_the_nearest_line_that_is_indented_less() {
        let (tree, diagnostics) = read("a\n  b # no\n    c\n  d\n\n   \n# e\n");
        assert!(diagnostics.is_empty());
        assert_eq!(tree.nodes.len(), 4);
        assert_eq!(tree.nodes[0].children, [1, 3]);
        assert_eq!(tree.nodes[1].children, [2]);
        assert_eq!(tree.nodes[2].depth, 2);
    }

    #[test]
    fn a_tab_is_one_column_and_uneven_blocks_are_reported() {
        let (tree, diagnostics) = read("a\n\t\tb\n    c\n   d\n");
        assert_eq!(tree.nodes[1].children, [2, 3]);
        assert_eq!(diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(), [Code::UnevenIndentation]);
    }

    #[test]
    fn lines_beside_the_root_are_left_out() {
        let (tree, diagnostics) = read("a\nb\n c\n");
        assert_eq!(tree.nodes.len(), 2);
        assert_eq!(diagnostics[0].code, Code::NotBelowGame);
        assert_eq!(diagnostics[0].span, Span::new(2, 3));
    }
}
