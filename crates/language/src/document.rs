//! A text that was read, and what is told about it.

use gdl::{Edit, Fix, Mode, Parsed, SourceFile, Span};

use crate::words::{Word, words};
use crate::{Encoding, Finding, Lines};

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A rule sheet in GDL.
    Rules,
    /// The description of a video game in VGDL.
    VideoGame,
}

/// A text, read once.
#[derive(Clone, Debug)]
pub struct Document {
    pub(crate) source: SourceFile,
    kind: Kind,
    pub(crate) parsed: Parsed,
    pub(crate) words: Vec<Word>,
    findings: Vec<Finding>,
}

/// Whether a text is the description of a video game: by its name, or because its first word is a class of
/// games and not a rule.
pub fn is_video_game(source: &SourceFile) -> bool {
    if source.name().ends_with(".vgdl") {
        return true;
    }
    let lines = source.text().lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let first = lines.filter(|line| !line.is_empty()).find_map(|line| line.split_whitespace().next());
    first.is_some_and(|word| matches!(word, "BasicGame" | "GameSpace"))
}

impl Document {
    /// Reads a text and finds its faults, by the measure of the specification.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self::in_mode(SourceFile::new(name, text), Mode::Strict)
    }

    /// Reads a text and finds its faults by a measure of one's choice.
    pub fn in_mode(source: SourceFile, mode: Mode) -> Self {
        if is_video_game(&source) {
            let read = vgdl::parse(&source);
            let compiled = vgdl::compile(&read.description);
            let found = read.diagnostics.iter().chain(&compiled.diagnostics);
            let mut findings: Vec<Finding> = found.map(Finding::from).collect();
            findings.sort_by_key(|finding| finding.span);
            let parsed = gdl::parse(&SourceFile::new("", ""));
            return Self { source, kind: Kind::VideoGame, parsed, words: Vec::new(), findings };
        }
        let parsed = gdl::parse(&source);
        let findings = gdl::check(&source, &parsed, mode).iter().map(Finding::from).collect();
        let words = words(&source, &parsed);
        Self { source, kind: Kind::Rules, parsed, words, findings }
    }

    /// The text.
    pub fn source(&self) -> &SourceFile {
        &self.source
    }

    /// What the text is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// All that is told about the text, in its order: the same as `ludens check` without playouts.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The findings that can be mended by a change of the text, and that touch a span.
    pub fn fixes(&self, span: Span) -> impl Iterator<Item = (&Finding, &Fix)> {
        let touches = move |other: Span| other.start <= span.end && span.start <= other.end;
        self.findings.iter().filter_map(move |finding| {
            let fix = finding.fix.as_ref()?;
            let places = finding.labels.iter().map(|label| label.span).chain([finding.span]);
            places.into_iter().any(touches).then_some((finding, fix))
        })
    }

    /// The text in tidy form as the least change of whole lines; none if it is tidy, or if its parentheses
    /// do not match, so that nobody knows what belongs together.
    pub fn formatting(&self) -> Option<Edit> {
        let tidy = match self.kind {
            Kind::Rules => gdl::format(&self.source).ok()?,
            Kind::VideoGame => vgdl::format(&self.source),
        };
        let text = self.source.text();
        if tidy == text {
            return None;
        }
        // Editors keep the cursor and marks where nothing changes.
        let same = |left: &mut dyn Iterator<Item = &str>, right: &mut dyn Iterator<Item = &str>| {
            left.zip(right)
                .take_while(|(left, right)| left == right)
                .map(|(line, _)| line.len())
                .sum::<usize>()
        };
        let (old, new) = (text.split_inclusive('\n'), tidy.split_inclusive('\n'));
        let start = same(&mut old.clone(), &mut new.clone());
        let rest = same(
            &mut text[start..].split_inclusive('\n').rev(),
            &mut tidy[start..].split_inclusive('\n').rev(),
        );
        Some(Edit::new(Span::new(start, text.len() - rest), &tidy[start..tidy.len() - rest]))
    }

    /// The lines of the text, for places as editors count.
    pub fn lines(&self, encoding: Encoding) -> Lines {
        Lines::new(self.source.text(), encoding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatting_changes_only_lines_that_differ() {
        let text = "(role a)\n(role    b)\n(role c)\n";
        let document = Document::new("t", text);
        let edit = document.formatting().expect("it is not tidy");
        assert_eq!((edit.span, edit.text.as_str()), (Span::new(9, 21), "(role b)\n"));
        assert!(Document::new("t", "(role a)\n").formatting().is_none());
        assert!(Document::new("t", "(role a").formatting().is_none());
        for text in ["(role a)\n\n\n\n\n(role a)\n", "( role a )", "", "\n\n", "(a)(b)(a)\n(a)"] {
            let document = Document::new("t", text);
            let tidy = gdl::format(document.source()).expect("parentheses match");
            let changed = document.formatting().map(|edit| Fix::new("", vec![edit]).apply(text));
            assert_eq!(changed.unwrap_or_else(|| text.to_owned()), tidy);
        }
    }

    #[test]
    fn video_games_are_told_apart() {
        let document = Document::new("t", "# a game\nBasicGame\n    SpriteSet\n        a > Misile\n");
        assert_eq!(document.kind(), Kind::VideoGame);
        assert!(document.findings().iter().any(|finding| finding.code == "vgdl::unknown_class"));
        let slip = document.source().text().find("Misile").expect("it is there");
        let (_, fix) = document.fixes(Span::new(slip, slip)).next().expect("a fix");
        assert!(fix.apply(document.source().text()).contains("a > Missile\n"));
        assert!(document.formatting().is_none() && document.words.is_empty());
        assert_eq!(Document::new("t", "(role BasicGame)").kind(), Kind::Rules);
    }

    #[test]
    fn descriptions_are_known_by_name_or_by_their_first_word() {
        let is = |name: &str, text: &str| is_video_game(&SourceFile::new(name, text));
        assert!(is("a.txt", "# a game\n\nBasicGame square_size=9\n"));
        assert!(is("a.vgdl", ""));
        assert!(!is("a.kif", "(role x)"));
        assert!(!is("a.kif", "; BasicGame\n(role x)"));
    }

    #[test]
    fn fixes_are_offered_where_they_belong() {
        let text = "(role a)\n(<= (legal a go) (and (true on) (true on2)))\n";
        let document = Document::new("t", text);
        let at = text.find("and").expect("it is there");
        let (finding, fix) = document.fixes(Span::new(at, at)).next().expect("there is one");
        assert_eq!(finding.code, "gdl::nested_and");
        assert_eq!(fix.apply(text), "(role a)\n(<= (legal a go) (true on) (true on2))\n");
        assert!(document.fixes(Span::new(1, 2)).next().is_none());
    }
}
