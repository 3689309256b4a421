//! What a name is, in a few lines.

use gdl::keyword::{self, BASE, DOES, INIT, INPUT, LEGAL, NEXT, ROLE, SEES, TRUE};
use gdl::normal::normalize;
use gdl::{Span, SymbolId};

use crate::Document;
use crate::domains::{Domain, Domains, Holder};
use crate::outline::counted;
use crate::words::{Name, Use, Word};

/// How many values of an argument are listed.
const MAX_LISTED: usize = 12;

/// What is told about a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The word.
    pub span: Span,
    /// In Markdown.
    pub text: String,
}

/// What a name in a term is: by where it stands, or by where it stands elsewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    State,
    Move,
    Percept,
    Role,
    Value,
}

impl Document {
    /// What the word at a place is.
    pub fn hover(&self, at: u32) -> Option<Hover> {
        let word = self.word(at)?;
        let text = match word.name {
            Name::Keyword(symbol) => self.keyword(symbol),
            Name::Relation(symbol) => self.relation(symbol, word.arity),
            Name::Term(symbol) => self.term(symbol, &word),
            Name::Variable(rule, symbol) => self.variable(rule, symbol),
        };
        Some(Hover { span: word.span, text })
    }

    fn spelling(&self, symbol: SymbolId) -> &str {
        self.parsed.sheet.symbols.spelling(symbol)
    }

    fn domains(&self) -> Domains {
        Domains::new(normalize(&self.parsed.sheet))
    }

    fn keyword(&self, symbol: SymbolId) -> String {
        let help = keyword::HELP.get(symbol.0 as usize).copied().unwrap_or_default();
        let count = |facts: bool| {
            self.parsed.sheet.rules_of(symbol).filter(|rule| rule.body.is_empty() == facts).count()
        };
        match keyword::is_connective(symbol) || [TRUE, DOES].contains(&symbol) || symbol == keyword::RANDOM {
            true => help.to_owned(),
            false => format!("{help}\n\nIn this sheet: {}.", counted(count(true), count(false))),
        }
    }

    fn relation(&self, symbol: SymbolId, arity: usize) -> String {
        let rules = self.parsed.sheet.rules_of(symbol).filter(|rule| rule.head.arguments.len() == arity);
        let (facts, derived): (Vec<_>, Vec<_>) = rules.partition(|rule| rule.body.is_empty());
        let asked = self
            .named(Name::Relation(symbol))
            .filter(|word| word.usage == Use::Condition && word.arity == arity)
            .count();
        let mut text = format!("**relation** `{}`{}", self.spelling(symbol), arguments(arity));
        let first = facts.iter().chain(&derived).map(|rule| rule.span).min();
        text += &format!("\n\n{}; {}.", counted(facts.len(), derived.len()), asked_for(asked));
        match first {
            Some(first) => {
                text += &self.comment_above(first);
                text += &self.listed(&self.domains(), Holder::Relation(symbol, arity), arity);
            }
            None => text += "\n\nNo rule defines it, so it never holds.",
        }
        text
    }

    fn term(&self, symbol: SymbolId, word: &Word) -> String {
        let part = self.part_of(word);
        let name = self.spelling(symbol);
        let among = |keywords: &[SymbolId], head: bool| {
            let counts = |other: &&Word| {
                matches!(other.usage, Use::Below(keyword) if keywords.contains(&keyword))
                    && self.is_in_head(other) == head
                    && other.arity == word.arity
            };
            self.named(word.name).filter(counts).count()
        };
        let stated = |keyword: SymbolId| {
            let count = among(&[keyword], true);
            format!("{count} × `{}`", self.spelling(keyword))
        };
        let mut text = match part {
            Part::State => format!(
                "**fact of the state** `{name}`{}\n\nStated by {} and {}; {}.",
                arguments(word.arity),
                stated(INIT),
                stated(NEXT),
                asked_for(among(&[TRUE], false)),
            ),
            Part::Move => format!(
                "**move** `{name}`{}\n\nAllowed by {}; {}.",
                arguments(word.arity),
                stated(LEGAL),
                asked_for(among(&[DOES], false)),
            ),
            Part::Percept => {
                format!("**percept** `{name}`{}\n\nTold by {}.", arguments(word.arity), stated(SEES))
            }
            Part::Role => {
                let roles = self.parsed.sheet.roles();
                let place = roles.iter().position(|&role| role == symbol).map_or(0, |at| at + 1);
                format!("**role** `{name}`, {place} of {}", roles.len())
            }
            Part::Value => {
                let places = self.named(word.name).count();
                let kind = if word.arity == 0 { "value" } else { "function" };
                format!("**{kind}** `{name}`{}\n\nStands in {places} places.", arguments(word.arity))
            }
        };
        if let (Part::State | Part::Move | Part::Role, Some(&first)) =
            (part, self.definitions_of(word).first())
        {
            let rules = self.parsed.sheet.rules.iter();
            let rule =
                rules.map(|rule| rule.span).find(|rule| rule.start <= first.start && first.end <= rule.end);
            text += &rule.map(|rule| self.comment_above(rule)).unwrap_or_default();
        }
        let holder = match part {
            Part::State => Holder::State(symbol, word.arity),
            Part::Move => Holder::Move(symbol, word.arity),
            _ => return text,
        };
        text + &self.listed(&self.domains(), holder, word.arity)
    }

    fn part_of(&self, word: &Word) -> Part {
        let own = |usage: Use| match usage {
            Use::Below(TRUE | INIT | NEXT | BASE) => Some(Part::State),
            Use::Below(DOES | LEGAL | INPUT) => Some(Part::Move),
            Use::Below(SEES) => Some(Part::Percept),
            Use::Below(ROLE) => Some(Part::Role),
            _ => None,
        };
        let elsewhere = || {
            let same = self.named(word.name).filter(|other| other.arity == word.arity);
            same.filter_map(|other| own(other.usage)).next()
        };
        let role = || self.parsed.sheet.roles().contains(&word.name.symbol()).then_some(Part::Role);
        own(word.usage).or_else(role).or_else(elsewhere).unwrap_or(Part::Value)
    }

    fn variable(&self, rule: u32, symbol: SymbolId) -> String {
        let name = self.spelling(symbol);
        let Some(rule) = self.parsed.sheet.rules.get(rule as usize) else {
            return format!("**variable** `{name}`");
        };
        let head = gdl::print_sentence(&self.parsed.sheet.symbols, &rule.head);
        let domain = self.domains().of_variable(rule.span, symbol);
        let mut text = format!("**variable** `{name}` of the rule for `{head}`");
        if let Some(values) = self.values(&domain) {
            text += &format!("\n\nMay be {values}.");
        }
        text
    }

    /// The comment that stands right above a rule.
    fn comment_above(&self, rule: Span) -> String {
        let text = &self.source.text()[..rule.start as usize];
        let above = text.rfind('\n').map_or("", |end| &text[..end]);
        let comments = above.lines().rev().map(str::trim).take_while(|line| line.starts_with(';'));
        let mut lines: Vec<&str> = comments.map(|line| line.trim_start_matches(';').trim()).collect();
        lines.reverse();
        if lines.is_empty() { String::new() } else { format!("\n\n{}", lines.join("\n")) }
    }

    /// The values of each argument, a line each.
    fn listed(&self, domains: &Domains, holder: Holder, arity: usize) -> String {
        let line = |at: usize| {
            let values = self.values(domains.of(holder, at)?)?;
            Some(format!("\n- argument {}: {values}", at + 1))
        };
        let lines: String = (0..arity).filter_map(line).collect();
        if lines.is_empty() { lines } else { format!("\n{lines}") }
    }

    /// `a`, `b`, `c`: nothing if that is not known.
    fn values(&self, domain: &Domain) -> Option<String> {
        if domain.is_open || domain.values.is_empty() {
            return None;
        }
        let names = domain.values.iter().take(MAX_LISTED).map(|&value| format!("`{}`", self.spelling(value)));
        let mut text = names.collect::<Vec<_>>().join(", ");
        if let Some(more) = domain.values.len().checked_sub(MAX_LISTED).filter(|&more| more > 0) {
            text += &format!(" and {more} more");
        }
        Some(text)
    }
}

fn arguments(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " of 1 argument".to_owned(),
        _ => format!(" of {count} arguments"),
    }
}

fn asked_for(count: usize) -> String {
    match count {
        0 => "no condition asks for it".to_owned(),
        1 => "1 condition asks for it".to_owned(),
        _ => format!("{count} conditions ask for it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "(role me)\n(role you)\n; (succ a b): b follows a.\n(succ 1 2)\n(succ 2 3)\n(init (at 1))\n\
                        (<= (next (at ?y)) (does me go) (true (at ?x)) (succ ?x ?y))\n(legal me go)\n";

    fn hover(needle: &str, offset: usize) -> String {
        let at = TEXT.find(needle).expect("it is there") + offset;
        Document::new("t", TEXT).hover(at as u32).map(|hover| hover.text).unwrap_or_default()
    }

    #[test]
    fn every_kind_of_name_is_told() {
        assert_eq!(
            hover("(succ ?x", 2),
            "**relation** `succ` of 2 arguments\n\n2 facts; 1 condition asks for it.\n\n(succ a b): b follows a.\n\n\
             - argument 1: `1`, `2`\n- argument 2: `2`, `3`"
        );
        assert_eq!(
            hover("(true (at", 7),
            "**fact of the state** `at` of 1 argument\n\nStated by 1 × `init` and 1 × `next`; 1 condition asks for it.\n\n\
             - argument 1: `1`, `2`, `3`"
        );
        assert_eq!(hover("go)", 1), "**move** `go`\n\nAllowed by 1 × `legal`; 1 condition asks for it.");
        assert_eq!(hover("me go", 1), "**role** `me`, 1 of 2");
        assert_eq!(hover("?y", 1), "**variable** `?y` of the rule for `(next (at ?y))`\n\nMay be `2`, `3`.");
        assert_eq!(hover("(init", 2), "`(init f)`: what is true at the beginning.\n\nIn this sheet: 1 fact.");
        assert_eq!(hover("<=", 1), "`(<= head body..)`: a rule.");
        assert_eq!(hover("1 2", 0), "**value** `1`\n\nStands in 2 places.");
        assert_eq!(hover(") (does", 1), "");
    }
}
