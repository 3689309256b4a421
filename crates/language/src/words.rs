//! Every name of a sheet: where it stands, and what it is there.

use gdl::keyword::{BASE, DOES, INIT, INPUT, LEGAL, NEXT, ROLE, SEES, TRUE, is_keyword};
use gdl::{
    Literal, LiteralKind, Parsed, Rule, Sentence, SourceFile, Span, SymbolId, Term, TermKind, TokenKind,
    tokenize,
};

/// What a word names. Relations and terms do not mix: `cell` may be both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// A word with a meaning of its own.
    Keyword(SymbolId),
    /// A relation.
    Relation(SymbolId),
    /// A constant or a function: facts of the state, moves, roles and values.
    Term(SymbolId),
    /// A variable of one rule, by the number of the rule.
    Variable(u32, SymbolId),
}

/// How a word stands in its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Use {
    /// The rule states it.
    Head,
    /// The rule asks for it.
    Condition,
    /// It stands in a term, right below this keyword: a fact of the state, a move, a percept or a role.
    Below(SymbolId),
    /// It stands elsewhere in a term.
    Inside,
}

/// A word of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Where it stands.
    pub span: Span,
    /// What it names.
    pub name: Name,
    /// The rule it stands in, by number.
    pub(crate) rule: u32,
    pub(crate) usage: Use,
    /// How many arguments it has.
    pub(crate) arity: usize,
}

impl Name {
    /// The symbol.
    pub fn symbol(self) -> SymbolId {
        match self {
            Name::Keyword(symbol)
            | Name::Relation(symbol)
            | Name::Term(symbol)
            | Name::Variable(_, symbol) => symbol,
        }
    }
}

/// The words of all rules that could be read, in the order of the text.
pub(crate) fn words(source: &SourceFile, parsed: &Parsed) -> Vec<Word> {
    let mut reader = Reader { source, rule: 0, words: Vec::new() };
    for (rule, number) in parsed.sheet.rules.iter().zip(0..) {
        reader.rule = number;
        reader.rule(rule);
    }
    reader.words.sort_by_key(|word| word.span);
    reader.words
}

/// Where the name of a term stands: the term itself, or the function's name in its list.
pub(crate) fn name_span(source: &SourceFile, term: &Term) -> Span {
    let start = term.span.start as usize;
    let word = tokenize(source.slice(term.span)).find(|token| token.kind == TokenKind::Word);
    word.map_or(term.span, |word| Span::new(start + word.span.start as usize, start + word.span.end as usize))
}

/// Which argument of a keyword is a fact, a move, a percept or a role.
pub(crate) fn is_named_by(keyword: SymbolId, argument: usize) -> bool {
    match argument {
        0 => [ROLE, BASE, INIT, TRUE, NEXT].contains(&keyword),
        1 => [INPUT, LEGAL, DOES, SEES].contains(&keyword),
        _ => false,
    }
}

struct Reader<'a> {
    source: &'a SourceFile,
    rule: u32,
    words: Vec<Word>,
}

impl Reader<'_> {
    fn rule(&mut self, rule: &Rule) {
        self.sentence(&rule.head, Use::Head);
        rule.body.iter().for_each(|literal| self.literal(literal));
    }

    fn literal(&mut self, literal: &Literal) {
        match &literal.kind {
            LiteralKind::Sentence(sentence) => self.sentence(sentence, Use::Condition),
            LiteralKind::Not(inner) => self.literal(inner),
            LiteralKind::And(items) | LiteralKind::Or(items) => {
                items.iter().for_each(|item| self.literal(item))
            }
            LiteralKind::Distinct(left, right) => {
                self.term(left, Use::Inside);
                self.term(right, Use::Inside);
            }
        }
    }

    fn sentence(&mut self, sentence: &Sentence, usage: Use) {
        let name = match is_keyword(sentence.name) {
            true => Name::Keyword(sentence.name),
            false => Name::Relation(sentence.name),
        };
        self.add(sentence.name_span, name, usage, sentence.arguments.len());
        for (at, argument) in sentence.arguments.iter().enumerate() {
            let below = is_keyword(sentence.name) && is_named_by(sentence.name, at);
            self.term(argument, if below { Use::Below(sentence.name) } else { Use::Inside });
        }
    }

    fn term(&mut self, term: &Term, usage: Use) {
        match &term.kind {
            TermKind::Variable(name) => {
                self.add(term.span, Name::Variable(self.rule, *name), Use::Inside, 0);
            }
            TermKind::Constant(name) => {
                self.add(name_span(self.source, term), Name::Term(*name), usage, 0);
            }
            TermKind::Function(name, arguments) => {
                self.add(name_span(self.source, term), Name::Term(*name), usage, arguments.len());
                arguments.iter().for_each(|argument| self.term(argument, Use::Inside));
            }
        }
    }

    fn add(&mut self, span: Span, name: Name, usage: Use, arity: usize) {
        self.words.push(Word { span, name, rule: self.rule, usage, arity });
    }
}
