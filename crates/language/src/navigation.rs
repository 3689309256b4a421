//! Where a name is defined and where it is used.

use gdl::keyword::{self, BASE, DOES, INIT, INPUT, LEGAL, NEXT, ROLE, SEES, TRUE};
use gdl::{Span, SymbolId, TokenKind, tokenize};

use crate::Document;
use crate::words::{Name, Use, Word};

impl Document {
    /// The word at a place, or right before it.
    pub fn word(&self, at: u32) -> Option<Word> {
        let after = self.words.partition_point(|word| word.span.start <= at);
        if let Some(word) = after.checked_sub(1).map(|before| self.words[before])
            && at <= word.span.end
        {
            return Some(word);
        }
        self.connective(at)
    }

    /// `<=`, `not` and the like are part of the tree's shape, not of its names.
    fn connective(&self, at: u32) -> Option<Word> {
        let text = self.source.text();
        let start = text[..text.floor_char_boundary((at as usize).min(text.len()))]
            .rfind('\n')
            .map_or(0, |end| end + 1);
        let tokens = tokenize(text.get(start..)?);
        let moved = |span: Span| Span::new(start + span.start as usize, start + span.end as usize);
        let token = tokens
            .map(|token| (token.kind, moved(token.span)))
            .take_while(|(_, span)| span.start <= at)
            .find(|(kind, span)| *kind == TokenKind::Word && at <= span.end)?;
        let symbol = self.parsed.sheet.symbols.get(self.source.slice(token.1))?;
        let word = Word {
            span: token.1,
            name: Name::Keyword(symbol),
            rule: u32::MAX,
            usage: Use::Condition,
            arity: 0,
        };
        keyword::is_keyword(symbol).then_some(word)
    }

    /// The words that name the same.
    pub(crate) fn named(&self, name: Name) -> impl Iterator<Item = &Word> {
        self.words.iter().filter(move |word| word.name == name)
    }

    /// Where the name at a place is defined: a relation by the heads of its rules, a fact of the state by `init`
    /// and `next`, a move by `legal`, a role by `role`, a variable where its rule has it first.
    pub fn definitions(&self, at: u32) -> Vec<Span> {
        let Some(word) = self.word(at) else { return Vec::new() };
        self.definitions_of(&word)
    }

    pub(crate) fn definitions_of(&self, word: &Word) -> Vec<Span> {
        let below = |keywords: &[SymbolId]| -> Vec<Span> {
            let stated = |other: &&Word| {
                matches!(other.usage, Use::Below(keyword) if keywords.contains(&keyword))
                    && self.is_in_head(other)
            };
            self.named(word.name).filter(stated).map(|other| other.span).collect()
        };
        match word.name {
            Name::Keyword(_) | Name::Relation(_) => self
                .named(word.name)
                .filter(|other| other.usage == Use::Head)
                .map(|other| other.span)
                .collect(),
            Name::Variable(..) => self.named(word.name).take(1).map(|other| other.span).collect(),
            Name::Term(_) => {
                let kinds: [&[SymbolId]; 4] = [&[INIT, NEXT], &[LEGAL], &[SEES], &[ROLE]];
                let own = match word.usage {
                    Use::Below(TRUE | INIT | NEXT | BASE) => below(kinds[0]),
                    Use::Below(DOES | LEGAL | INPUT) => below(kinds[1]),
                    Use::Below(SEES) => below(kinds[2]),
                    _ => Vec::new(),
                };
                // A name in another place is what it is elsewhere.
                let others = kinds.into_iter().map(below);
                [own].into_iter().chain(others).find(|found| !found.is_empty()).unwrap_or_default()
            }
        }
    }

    /// Whether a word stands in what its rule states.
    pub(crate) fn is_in_head(&self, word: &Word) -> bool {
        let rule = self.parsed.sheet.rules.get(word.rule as usize);
        rule.is_some_and(|rule| {
            rule.head.span.start <= word.span.start && word.span.end <= rule.head.span.end
        })
    }

    /// All places where the name at a place stands.
    pub fn references(&self, at: u32) -> Vec<Span> {
        let Some(word) = self.word(at) else { return Vec::new() };
        self.named(word.name).map(|other| other.span).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "(role me)\n(init (at 1))\n(succ 1 2)\n(<= (next (at ?y)) (does me go) (true (at ?x)) (succ ?x ?y))\n\
                        (<= (legal me go) (not (true (at 2))))\n(<= terminal (true (at 2)))\n(<= (at ?x) (succ ?x ?x))";

    fn at(document: &Document, needle: &str, offset: usize) -> u32 {
        (document.source().text().find(needle).expect("it is there") + offset) as u32
    }

    fn lines(document: &Document, spans: &[Span]) -> Vec<usize> {
        spans.iter().map(|span| document.source().line_column(span.start).line).collect()
    }

    #[test]
    fn names_lead_to_what_states_them() {
        let document = Document::new("t", TEXT);
        let definitions =
            |needle, offset| lines(&document, &document.definitions(at(&document, needle, offset)));
        // The fact of the state, not the relation of the same name.
        assert_eq!(definitions("(true (at", 7), [2, 4]);
        assert_eq!(definitions("(at ?x) (succ", 1), [7]);
        assert_eq!(definitions("(does me go", 10), [5]);
        assert_eq!(definitions("(does me go", 7), [1]);
        assert_eq!(definitions("(succ ?x ?y", 2), [3]);
        let variable = document.definitions(at(&document, "(succ ?x ?y", 10));
        assert_eq!(variable, [Span::new(TEXT.find("?y").unwrap(), TEXT.find("?y").unwrap() + 2)]);
        assert_eq!(definitions("(not", 1), [0; 0]);
        assert!(document.definitions(TEXT.len() as u32 + 9).is_empty());
    }

    #[test]
    fn references_keep_relations_terms_and_rules_apart() {
        let document = Document::new("t", TEXT);
        let references =
            |needle, offset| lines(&document, &document.references(at(&document, needle, offset)));
        assert_eq!(references("(true (at", 7), [2, 4, 4, 5, 6]);
        assert_eq!(references("(at ?x) (succ", 1), [7]);
        assert_eq!(references("(succ ?x ?y", 7), [4, 4]);
        assert_eq!(references("(does me go", 7), [1, 4, 5]);
    }
}
