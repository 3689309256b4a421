//! Where in a sheet a fault that shows in play comes from, as well as can be told.

use gdl::{RuleSheet, Span, SymbolId, Term, TermKind, keyword};

pub(super) struct Places<'a> {
    sheet: &'a RuleSheet,
}

impl<'a> Places<'a> {
    pub(super) fn new(sheet: &'a RuleSheet) -> Self {
        Self { sheet }
    }

    /// The fact that introduces a role.
    pub(super) fn role(&self, role: &str) -> Span {
        self.head(keyword::ROLE, |arguments| self.is(arguments.first(), role)).unwrap_or_else(|| self.start())
    }

    /// The first rule for the legal moves of a role.
    pub(super) fn legal(&self, role: &str) -> Option<Span> {
        self.head(keyword::LEGAL, |arguments| self.may_be(arguments.first(), role))
    }

    /// The rule by which a role may make a move of this name.
    pub(super) fn legal_rule(&self, role: &str, name: &str) -> Span {
        let named = |arguments: &[Term]| {
            self.may_be(arguments.first(), role) && self.may_have_name(arguments.get(1), name)
        };
        self.head(keyword::LEGAL, named).or_else(|| self.legal(role)).unwrap_or_else(|| self.role(role))
    }

    /// The first rule for the inputs of a role.
    pub(super) fn input(&self, role: &str) -> Option<Span> {
        self.head(keyword::INPUT, |arguments| self.may_be(arguments.first(), role))
    }

    /// The rule by which a fact of this name becomes true.
    pub(super) fn state_rule(&self, name: &str) -> Span {
        let named = |arguments: &[Term]| self.may_have_name(arguments.first(), name);
        let found = self.head(keyword::NEXT, named).or_else(|| self.head(keyword::INIT, named));
        found.unwrap_or_else(|| self.start())
    }

    /// The rule by which `base` lists facts of this name, or else its first rule.
    pub(super) fn base(&self, name: &str) -> Option<Span> {
        let named = self.head(keyword::BASE, |arguments| self.may_have_name(arguments.first(), name));
        named.or_else(|| self.head(keyword::BASE, |_| true))
    }

    /// The first rule for the end, or else the first role: there is none.
    pub(super) fn terminal(&self) -> Span {
        let found = self.head(keyword::TERMINAL, |_| true).or_else(|| self.head(keyword::ROLE, |_| true));
        found.unwrap_or_else(|| self.start())
    }

    /// The first rule for the goals of a role.
    pub(super) fn goal(&self, role: &str) -> Span {
        let found = self.head(keyword::GOAL, |arguments| self.may_be(arguments.first(), role));
        found.unwrap_or_else(|| self.role(role))
    }

    /// The first rule that can give a role this goal.
    pub(super) fn goal_of_value(&self, role: &str, value: u8) -> Span {
        let text = value.to_string();
        let found = self.head(keyword::GOAL, |arguments| {
            self.may_be(arguments.first(), role) && self.may_be(arguments.get(1), &text)
        });
        found.unwrap_or_else(|| self.goal(role))
    }

    /// What a role should be able to reach: the highest goal that the rules name for it. Where a
    /// value is a variable, as for a score, nobody can tell, and anything above 0 will do.
    pub(super) fn highest_goal(&self, role: &str) -> Option<u8> {
        let rules = self.sheet.rules.iter().filter(|rule| rule.head.name == keyword::GOAL);
        let values = rules.filter_map(|rule| match &rule.head.arguments[..] {
            [who, value] if self.may_be(Some(who), role) => match value.kind {
                TermKind::Variable(_) => Some(1),
                TermKind::Constant(name) => self.sheet.symbols.name(name).parse().ok(),
                TermKind::Function(..) => None,
            },
            _ => None,
        });
        values.filter(|&value: &u8| value <= 100).max()
    }

    /// The first rule whose head has the name that `text` begins with.
    pub(super) fn about(&self, text: &str) -> Span {
        let name = self.sheet.symbols.get(super::first_name(text));
        let found = name.and_then(|name| self.head(name, |_| true));
        found.unwrap_or_else(|| self.start())
    }

    fn head(&self, name: SymbolId, accept: impl Fn(&[Term]) -> bool) -> Option<Span> {
        let mut rules = self.sheet.rules.iter();
        let found = rules.find(|rule| rule.head.name == name && accept(&rule.head.arguments));
        found.map(|rule| rule.head.span)
    }

    fn start(&self) -> Span {
        self.sheet.rules.first().map_or(Span::default(), |rule| rule.head.span)
    }

    fn is(&self, term: Option<&Term>, name: &str) -> bool {
        matches!(term.map(|term| &term.kind), Some(&TermKind::Constant(symbol)) if self.sheet.symbols.name(symbol) == name)
    }

    fn may_be(&self, term: Option<&Term>, name: &str) -> bool {
        matches!(term.map(|term| &term.kind), Some(TermKind::Variable(_))) || self.is(term, name)
    }

    fn may_have_name(&self, term: Option<&Term>, name: &str) -> bool {
        match term.map(|term| &term.kind) {
            Some(TermKind::Variable(_)) => true,
            Some(TermKind::Constant(symbol) | TermKind::Function(symbol, _)) => {
                self.sheet.symbols.name(*symbol) == name
            }
            None => false,
        }
    }
}
