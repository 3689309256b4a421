//! Text to a [`Description`].

use gdl::{SourceFile, Span};

use super::tree::{Node, Tree};
use super::{
    Code, Description, Diagnostic, InteractionLine, MappingLine, Parameter, SpriteLine, TerminationLine, Word,
};

/// What could be read, and every fault of form that was found.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// What could be read.
    pub description: Description,
    /// The faults, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a description. Never fails: what cannot be read is reported and left out.
///
/// ```
/// let source = vgdl::SourceFile::new("inline", "\
/// BasicGame
///     SpriteSet
///         avatar > MovingAvatar
///     LevelMapping
///         A > avatar
///     InteractionSet
///         avatar wall > stepBack
///     TerminationSet
///         Timeout limit=10 win=True
/// ");
/// let parsed = vgdl::parse(&source);
/// assert!(parsed.diagnostics.is_empty());
/// assert_eq!(parsed.description.interactions[0].effect.text, "stepBack");
/// ```
pub fn parse(source: &SourceFile) -> Parsed {
    let mut diagnostics = Vec::new();
    for &span in source.invalid_utf8() {
        diagnostics.push(Diagnostic::new(Code::InvalidUtf8, span, "these bytes are not UTF-8"));
    }
    let tree = Tree::read(source, &mut diagnostics);
    let logged = diagnostics.iter().filter(|found| found.code == Code::UnevenIndentation).count() as u32;
    let mut reader = Reader { source, tree: &tree, diagnostics };
    let mut description = reader.description();
    description.logged = logged;
    let mut diagnostics = reader.diagnostics;
    diagnostics.sort_by_key(|found| found.span);
    Parsed { description, diagnostics }
}

/// A line's words, sorted by what they are.
struct Line {
    name: Word,
    /// Words that are neither names of the line nor parameters.
    classes: Vec<Word>,
    parameters: Vec<Parameter>,
    arrow: bool,
}

struct Reader<'a> {
    source: &'a SourceFile,
    tree: &'a Tree,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn description(&mut self) -> Description {
        let mut description = Description::default();
        let Some(root) = self.tree.nodes.first() else {
            self.report(Code::EmptyDescription, Span::default(), "there is no game here");
            return description;
        };
        let line = self.line(root, 1);
        description.class = line.name;
        description.parameters = line.parameters;
        if !["BasicGame", "GameSpace"].contains(&description.class.text.as_str()) {
            let message = format!("`{}` is no kind of game", description.class.text);
            self.diagnostics.push(
                Diagnostic::new(Code::UnknownGameClass, description.class.span, message)
                    .with_help("start the description with `BasicGame`"),
            );
        }
        let mut seen: [Option<Span>; 4] = [None; 4];
        for &index in &root.children {
            let node = &self.tree.nodes[index];
            let name = self.word(node.words[0]);
            let known = SETS.iter().position(|&set| set == name.text && node.words.len() == 1);
            let Some(set) = known else {
                self.unknown_set(node, &name);
                continue;
            };
            if let Some(first) = seen[set].replace(name.span) {
                self.diagnostics.push(
                    Diagnostic::new(Code::RepeatedSet, name.span, format!("`{}` stands twice", name.text))
                        .with_label(first, "the first one"),
                );
            }
            match set {
                0 => description.sprites.extend(self.sprites(&node.children)),
                1 => self.each(&node.children, &mut description.mappings, Self::mapping),
                2 => self.each(&node.children, &mut description.interactions, Self::interaction),
                _ => self.each(&node.children, &mut description.terminations, Self::termination),
            }
        }
        for (set, seen) in SETS.iter().zip(seen) {
            if seen.is_none() && *set != "LevelMapping" {
                self.report(Code::MissingSet, root.span(), format!("there is no `{set}`"));
            }
        }
        description
    }

    fn unknown_set(&mut self, node: &Node, name: &Word) {
        let known = super::nearest(&name.text, SETS.iter().copied());
        let mut found = Diagnostic::new(
            Code::UnknownSet,
            node.span(),
            format!("`{}` is no set of a description; what stands below it is not read", name.text),
        );
        if let Some(known) = known {
            found = found.with_help(format!("write `{known}` alone on its line"));
        }
        self.diagnostics.push(found);
    }

    /// The lines of a set whose lines take no blocks.
    fn each<T>(&mut self, nodes: &[usize], out: &mut Vec<T>, read: fn(&mut Self, &Node) -> Option<T>) {
        for &index in nodes {
            let node = &self.tree.nodes[index];
            out.extend(read(self, node));
            self.ignored(node);
        }
    }

    fn ignored(&mut self, node: &Node) {
        for &below in &node.children {
            let below = &self.tree.nodes[below];
            self.diagnostics.push(
                Diagnostic::new(
                    Code::IgnoredBlock,
                    below.span(),
                    "this line is indented below the one above it, and is not read",
                )
                .with_label(node.span(), "this line takes no block")
                .with_help("indent both lines alike"),
            );
            self.ignored(below);
        }
    }

    fn sprites(&mut self, nodes: &[usize]) -> Vec<SpriteLine> {
        let mut lines = Vec::new();
        for (place, &index) in nodes.iter().enumerate() {
            let node = &self.tree.nodes[index];
            let line = self.line(node, 1);
            if !line.arrow {
                let mut found = Diagnostic::new(
                    Code::MissingArrow,
                    node.span(),
                    "a sprite is defined by its name, `>` and its class, with blanks between",
                );
                if place + 1 < nodes.len() {
                    found = found.with_help("the lines below it in this block are not read either");
                }
                self.diagnostics.push(found);
                break;
            }
            self.several(&line.classes);
            lines.push(SpriteLine {
                name: line.name,
                class: line.classes.into_iter().last(),
                parameters: line.parameters,
                children: self.sprites(&node.children),
            });
        }
        lines
    }

    fn mapping(&mut self, node: &Node) -> Option<MappingLine> {
        let key = self.word(node.words[0]);
        let character = key.text.chars().next()?;
        if key.text.chars().nth(1).is_some() {
            self.report(
                Code::MappingKey,
                key.span,
                format!("only `{character}` is mapped, the rest of `{}` is not read", key.text),
            );
        }
        let sprites: Vec<Word> = node.words.iter().skip(2).map(|&span| self.word(span)).collect();
        if node.words.get(1).is_none_or(|&span| self.source.slice(span) != ">") {
            self.report(
                Code::MissingArrow,
                node.span(),
                "a character is mapped by itself, `>` and the sprites",
            );
            return None;
        }
        if sprites.is_empty() {
            self.report(
                Code::MappingWithoutSprite,
                node.span(),
                format!("`{character}` is mapped to no sprite"),
            );
        }
        Some(MappingLine { character, span: key.span, sprites })
    }

    fn interaction(&mut self, node: &Node) -> Option<InteractionLine> {
        let arrow = node.words.iter().position(|&span| self.source.slice(span) == ">");
        let Some(arrow) = arrow else {
            self.report(
                Code::MissingArrow,
                node.span(),
                "an interaction is two sprites, `>` and an effect, with blanks between",
            );
            return None;
        };
        let line = self.line(node, arrow.max(1));
        let second: Vec<Word> = node.words[..arrow].iter().skip(1).map(|&span| self.word(span)).collect();
        if arrow == 0 || second.is_empty() {
            self.report(Code::MissingPartner, node.span(), "an interaction needs two sprites before the `>`");
            return None;
        }
        self.several(&line.classes);
        let Some(effect) = line.classes.into_iter().last() else {
            self.report(Code::MissingEffect, node.span(), "there is no effect after the `>`");
            return None;
        };
        Some(InteractionLine { first: line.name, second, effect, parameters: line.parameters })
    }

    fn termination(&mut self, node: &Node) -> Option<TerminationLine> {
        let line = self.line(node, 1);
        Some(TerminationLine { class: line.name, parameters: line.parameters })
    }

    /// Sorts the words from `from` on; the first word is the name.
    fn line(&mut self, node: &Node, from: usize) -> Line {
        let name = self.word(node.words[0]);
        let mut line = Line { name, classes: Vec::new(), parameters: Vec::new(), arrow: false };
        for &span in node.words.iter().skip(from) {
            let text = self.source.slice(span);
            if let Some((name, rest)) = text.split_once('=') {
                self.parameter(span, name, rest, &mut line.parameters);
            } else if text == ">" {
                line.arrow = true;
            } else {
                line.classes.push(self.word(span));
            }
        }
        line
    }

    fn parameter(&mut self, span: Span, name: &str, rest: &str, parameters: &mut Vec<Parameter>) {
        let split = span.start as usize + name.len();
        let value = rest.split('=').next().unwrap_or("");
        let name = Word { text: name.to_owned(), span: Span::new(span.start as usize, split) };
        let value = Word { text: value.to_owned(), span: Span::new(split + 1, split + 1 + value.len()) };
        if name.text.is_empty() || value.text.is_empty() {
            self.report(Code::MissingValue, span, "write a parameter as `name=value`, without blanks");
            return;
        }
        if let Some(old) = parameters.iter_mut().find(|old| old.name.text == name.text) {
            self.diagnostics.push(
                Diagnostic::new(
                    Code::RepeatedParameter,
                    span,
                    format!("`{}` is given twice; the last one counts", name.text),
                )
                .with_label(old.name.span.to(old.value.span), "the first one"),
            );
            *old = Parameter { name, value };
            return;
        }
        parameters.push(Parameter { name, value });
    }

    fn several(&mut self, classes: &[Word]) {
        if let [first, .., last] = classes {
            self.diagnostics.push(
                Diagnostic::new(
                    Code::SeveralClasses,
                    last.span,
                    format!("the line names several classes; `{}` counts", last.text),
                )
                .with_label(first.span, "the first one"),
            );
        }
    }

    fn word(&self, span: Span) -> Word {
        Word { text: self.source.slice(span).to_owned(), span }
    }

    fn report(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, span, message));
    }
}

const SETS: [&str; 4] = ["SpriteSet", "LevelMapping", "InteractionSet", "TerminationSet"];
