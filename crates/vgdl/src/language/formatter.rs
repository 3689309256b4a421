//! Tidy text: four blanks a level, one blank between words, comments kept.

use gdl::SourceFile;

use super::Code;
use super::tree::{Tree, words};

/// The description with even indentation and single blanks. What it means does not change. A text
/// with lines that are not below the first one stays as it is: indented anew they could be read.
///
/// ```
/// let source = vgdl::SourceFile::new("inline", "BasicGame\n  SpriteSet   # all\n     a  >   Immovable\n");
/// assert_eq!(vgdl::format(&source), "BasicGame\n    SpriteSet # all\n        a > Immovable\n");
/// ```
pub fn format(source: &SourceFile) -> String {
    let mut diagnostics = Vec::new();
    let tree = Tree::read(source, &mut diagnostics);
    if diagnostics.iter().any(|found| found.code == Code::NotBelowGame) {
        return source.text().to_owned();
    }
    let mut out = String::with_capacity(source.text().len() * 2);
    let mut nodes = tree.nodes.iter().peekable();
    let mut start = 0;
    let mut depth = 0;
    for line in source.text().split('\n') {
        let content = line.split('#').next().unwrap_or("");
        let comment = line[content.len()..].trim_end();
        match words(content, start).first() {
            Some(first) if nodes.peek().is_some_and(|node| node.words[0] == *first) => {
                if let Some(node) = nodes.next() {
                    depth = node.depth;
                    indent(&mut out, depth);
                    let words: Vec<&str> = node.words.iter().map(|&span| source.slice(span)).collect();
                    out.push_str(&words.join(" "));
                }
                if !comment.is_empty() {
                    out.push(' ');
                }
            }
            _ if !comment.is_empty() => indent(&mut out, depth),
            _ => {}
        }
        out.push_str(comment);
        out.push('\n');
        start += line.len() + 1;
    }
    let end = out.trim_end().len();
    out.truncate(end);
    out.push('\n');
    out
}

fn indent(out: &mut String, depth: usize) {
    for _ in 0..depth {
        out.push_str("    ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::parse;

    #[test]
    fn tidy_text_means_the_same_and_stays_as_it_is() {
        let text = "BasicGame  square_size=4 # size\n\tSpriteSet\n\t\ta >\n\t\t\tb  >  Missile speed=1\n\n\tInteractionSet\n\t\ta  EOS >  killSprite\n\t\t\tb a > stepBack\n";
        let tidy = format(&SourceFile::new("t", text));
        let again = format(&SourceFile::new("t", tidy.clone()));
        assert_eq!(tidy, again);
        let strip = |text: &str| {
            format!("{:?}", parse(&SourceFile::new("t", text)).description)
                .split("span")
                .map(|part| part.split('}').skip(1).collect::<String>())
                .collect::<String>()
        };
        assert_eq!(strip(text), strip(&tidy));
        assert!(tidy.contains("        a EOS > killSprite\n            b a > stepBack\n"));
    }
}
