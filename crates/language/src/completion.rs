//! Names that may be meant where somebody is writing.

use gdl::keyword::{
    self, BASE, DOES, GOAL, IMPLIED_BY, INIT, INPUT, LEGAL, NEXT, ROLE, SEES, TERMINAL, TRUE,
};
use gdl::normal::normalize;
use gdl::{Span, SymbolId, TokenKind, tokenize};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::Document;
use crate::domains::{Domains, Holder};
use crate::words::{Name, Use, is_named_by};

/// What a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    /// A word of the language.
    Keyword,
    /// A relation.
    Relation,
    /// A fact, a move or another function.
    Function,
    /// A role or another value.
    Value,
    /// A variable of the rule.
    Variable,
}

/// A name that may be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: CompletionKind,
    /// What else is known of it.
    pub detail: String,
    /// What is to be replaced by it.
    pub span: Span,
}

/// The lists that are open at a place: the first word of each, and the number of the part that is written.
struct Open {
    lists: Vec<(Option<SymbolId>, usize)>,
    /// Where the rule begins.
    start: usize,
}

type Names = IndexMap<(SymbolId, CompletionKind), String, FxBuildHasher>;

impl Document {
    /// Names that may stand at a place, those that fit best first. The start of the word that is there already
    /// is for the editor to compare.
    pub fn completions(&self, at: u32) -> Vec<Completion> {
        let text = self.source.text();
        let at = text.floor_char_boundary((at as usize).min(text.len()));
        if self.kind() == crate::Kind::VideoGame || self.is_in_comment(at) {
            return Vec::new();
        }
        let start =
            text[..at].rfind(|letter: char| letter <= ' ' || "();".contains(letter)).map_or(0, |end| end + 1);
        let open = self.open_at(start);
        let mut names = Names::default();
        if !text[start..at].starts_with('?') {
            self.fitting(&open, &mut names);
        }
        let is_term = !matches!(open.lists.last(), None | Some((_, 0)));
        if is_term || text[start..at].starts_with('?') {
            self.variables(&open, start, &mut names);
        }
        let span = Span::new(start, at);
        let completion = |((symbol, kind), detail): ((SymbolId, CompletionKind), String)| Completion {
            name: self.parsed.sheet.symbols.spelling(symbol).to_owned(),
            kind,
            detail,
            span,
        };
        names.into_iter().map(completion).collect()
    }

    fn is_in_comment(&self, at: usize) -> bool {
        let line = self.source.text()[..at].rfind('\n').map_or(0, |end| end + 1);
        self.source.text()[line..at].contains(';')
    }

    /// Which lists are open; a `(` in the first column begins a rule.
    fn open_at(&self, at: usize) -> Open {
        let text = self.source.text();
        let before = &text[..at];
        let start = match before.rfind("\n(") {
            Some(newline) => newline + 1,
            None => 0,
        };
        let mut lists: Vec<(Option<SymbolId>, usize)> = Vec::new();
        for token in tokenize(&before[start..]) {
            match token.kind {
                TokenKind::Comment => {}
                TokenKind::Open => lists.push((None, 0)),
                TokenKind::Close => {
                    lists.pop();
                    if let Some(last) = lists.last_mut() {
                        last.1 += 1;
                    }
                }
                TokenKind::Word => {
                    if let Some(last) = lists.last_mut() {
                        if last.1 == 0 {
                            last.0 = self.parsed.sheet.symbols.get(&before[start..][token.span.range()]);
                        }
                        last.1 += 1;
                    }
                }
            }
        }
        Open { lists, start }
    }

    /// Names by the lists they stand in.
    fn fitting(&self, open: &Open, names: &mut Names) {
        let Some(&(head, part)) = open.lists.last() else {
            return names.extend([((TERMINAL, CompletionKind::Keyword), help(TERMINAL))]);
        };
        // Right after a parenthesis the list around it decides; otherwise its own first word.
        let (around, part, is_first) = match part {
            0 => match open.lists.len().checked_sub(2).map(|outer| open.lists[outer]) {
                Some((around, part)) => (around, part, true),
                None => return self.heads(names),
            },
            _ => (head, part, false),
        };
        match around {
            Some(IMPLIED_BY) if part == 1 => self.heads(names),
            Some(keyword::NOT | keyword::AND | keyword::OR | IMPLIED_BY) => self.conditions(is_first, names),
            Some(word) if keyword::is_keyword(word) && is_named_by(word, part - 1) => self.below(word, names),
            Some(word) if keyword::begins_with_role(word) && part == 1 => self.below(ROLE, names),
            Some(word) if !is_first && !keyword::is_keyword(word) => {
                self.arguments(open, word, part - 1, names)
            }
            _ => self.terms(names),
        }
    }

    /// What a rule may state.
    fn heads(&self, names: &mut Names) {
        for keyword in [IMPLIED_BY, LEGAL, NEXT, INIT, GOAL, TERMINAL, ROLE, BASE, INPUT, SEES] {
            names.insert((keyword, CompletionKind::Keyword), help(keyword));
        }
        self.relations(false, names);
    }

    /// What a body may ask for.
    fn conditions(&self, with_arguments: bool, names: &mut Names) {
        self.relations(!with_arguments, names);
        if with_arguments {
            for keyword in [TRUE, DOES, keyword::NOT, keyword::OR, keyword::DISTINCT, ROLE, LEGAL, GOAL] {
                names.insert((keyword, CompletionKind::Keyword), help(keyword));
            }
        } else {
            names.insert((TERMINAL, CompletionKind::Keyword), help(TERMINAL));
        }
    }

    fn relations(&self, only_bare: bool, names: &mut Names) {
        for word in &self.words {
            if let Name::Relation(symbol) = word.name
                && (!only_bare || word.arity == 0)
            {
                let detail = || format!("relation, {}", arguments(word.arity));
                names.entry((symbol, CompletionKind::Relation)).or_insert_with(detail);
            }
        }
    }

    /// What stands below a keyword elsewhere: facts below `true`, moves below `does`.
    fn below(&self, keyword: SymbolId, names: &mut Names) {
        let group: &[SymbolId] = match keyword {
            INIT | NEXT | TRUE | BASE => &[INIT, NEXT, TRUE, BASE],
            LEGAL | DOES | INPUT => &[LEGAL, DOES, INPUT],
            SEES => &[SEES],
            _ => &[ROLE],
        };
        for word in &self.words {
            if let (Name::Term(symbol), Use::Below(other)) = (word.name, word.usage)
                && group.contains(&other)
            {
                let kind = if word.arity == 0 { CompletionKind::Value } else { CompletionKind::Function };
                names.entry((symbol, kind)).or_insert_with(|| arguments(word.arity));
            }
        }
    }

    /// The values that an argument has elsewhere.
    fn arguments(&self, open: &Open, name: SymbolId, argument: usize, names: &mut Names) {
        let domains = Domains::new(normalize(&self.parsed.sheet));
        let outer = open.lists.len().checked_sub(2).and_then(|outer| open.lists[outer].0);
        let group = |word: &crate::Word| match (word.name, outer) {
            (Name::Term(symbol), Some(INIT | NEXT | TRUE | BASE)) => Some(Holder::State(symbol, word.arity)),
            (Name::Term(symbol), Some(LEGAL | DOES | INPUT)) => Some(Holder::Move(symbol, word.arity)),
            (Name::Relation(symbol), _) => Some(Holder::Relation(symbol, word.arity)),
            _ => None,
        };
        let holders = self.words.iter().filter(|word| word.name.symbol() == name).filter_map(group);
        for holder in holders {
            for &value in domains.of(holder, argument).into_iter().flat_map(|domain| &domain.values) {
                names.insert((value, CompletionKind::Value), String::new());
            }
        }
    }

    fn terms(&self, names: &mut Names) {
        for word in &self.words {
            if let Name::Term(symbol) = word.name {
                let kind = if word.arity == 0 { CompletionKind::Value } else { CompletionKind::Function };
                names.entry((symbol, kind)).or_insert_with(|| arguments(word.arity));
            }
        }
    }

    /// The variables of the rule that is being written, without the word at hand.
    fn variables(&self, open: &Open, at: usize, names: &mut Names) {
        let text = self.source.text();
        let end = text[at..].find("\n(").map_or(text.len(), |newline| at + newline);
        for token in tokenize(&text[open.start..end]) {
            let word = &text[open.start..end][token.span.range()];
            if token.kind == TokenKind::Word
                && word.len() > 1
                && word.starts_with('?')
                && open.start + token.span.start as usize != at
                && let Some(symbol) = self.parsed.sheet.symbols.get(word)
            {
                names.insert((symbol, CompletionKind::Variable), String::new());
            }
        }
    }
}

fn help(keyword: SymbolId) -> String {
    keyword::HELP.get(keyword.0 as usize).copied().unwrap_or_default().to_owned()
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names offered at the mark `|`.
    fn names(text: &str) -> Vec<String> {
        let sheet = "(role me)\n(role you)\n(succ 1 2)\n(init (at 1))\n(legal me (go 1))\n";
        let at = sheet.len() + text.find('|').expect("a mark");
        let document = Document::new("t", format!("{sheet}{}", text.replace('|', "")));
        document.completions(at as u32).into_iter().map(|completion| completion.name).collect()
    }

    #[test]
    fn the_place_decides_what_fits() {
        assert_eq!(names("(<= terminal (true (|"), ["at"]);
        assert_eq!(names("(<= terminal (does me (|"), ["go"]);
        assert_eq!(names("(<= terminal (does |"), ["me", "you"]);
        assert_eq!(
            names("(<= (p ?x ?long) (succ ?x ?|) (q ?other))\n(<= (r ?not) (r ?not))"),
            ["?x", "?long", "?other"]
        );
        assert_eq!(names("(<= (p ?x) (succ |)"), ["1", "?x"]);
        assert_eq!(names("(<= (p ?x) (true (at |"), ["1", "?x"]);
        assert!(names("(<= p (su|").starts_with(&["succ".to_owned()]));
        assert!(names("(|").contains(&"legal".to_owned()) && names("(|").contains(&"succ".to_owned()));
        assert!(names("; (|").is_empty());
        assert_eq!(names("|"), ["terminal"]);
    }
}
