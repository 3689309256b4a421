//! The parts of a sheet, for a list of contents.

use gdl::keyword::{self, BASE, INIT, INPUT, LEGAL, NEXT, ROLE};
use gdl::{Rule, Span};

use crate::Document;

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// `role`.
    Role,
    /// `init`, `next`, `base`: what is true in states.
    State,
    /// `legal`, `input`.
    Moves,
    /// Another keyword.
    Keyword,
    /// A relation of the sheet.
    Relation,
}

/// A part of a sheet: rules of one relation that follow each other, or one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The relation, or what one rule states.
    pub name: String,
    /// How many facts and rules it has.
    pub detail: String,
    /// What it is.
    pub kind: EntryKind,
    /// The whole.
    pub span: Span,
    /// The head that stands for it.
    pub head: Span,
    /// The rules, if there are several.
    pub rules: Vec<Entry>,
}

impl Document {
    /// The parts of the sheet in order.
    pub fn outline(&self) -> Vec<Entry> {
        let rules = &self.parsed.sheet.rules;
        let runs = rules.chunk_by(|one, next| {
            (one.head.name, one.head.arguments.len()) == (next.head.name, next.head.arguments.len())
        });
        runs.map(|run| self.part(run)).collect()
    }

    fn part(&self, run: &[Rule]) -> Entry {
        let single = |rule: &Rule| Entry {
            name: gdl::print_sentence(&self.parsed.sheet.symbols, &rule.head),
            detail: if rule.body.is_empty() { "fact" } else { "rule" }.to_owned(),
            kind: kind(rule),
            span: rule.span,
            head: rule.head.span,
            rules: Vec::new(),
        };
        let (first, last) = (&run[0], &run[run.len() - 1]);
        if run.len() == 1 {
            return single(first);
        }
        let facts = run.iter().filter(|rule| rule.body.is_empty()).count();
        Entry {
            name: self.parsed.sheet.symbols.spelling(first.head.name).to_owned(),
            detail: counted(facts, run.len() - facts),
            kind: kind(first),
            span: first.span.to(last.span),
            head: first.head.span,
            rules: run.iter().map(single).collect(),
        }
    }
}

/// `3 facts, 1 rule`
pub(crate) fn counted(facts: usize, rules: usize) -> String {
    let count = |count: usize, noun: &str| match count {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ => Some(format!("{count} {noun}s")),
    };
    let parts: Vec<String> = [count(facts, "fact"), count(rules, "rule")].into_iter().flatten().collect();
    if parts.is_empty() { "no rules".to_owned() } else { parts.join(", ") }
}

fn kind(rule: &Rule) -> EntryKind {
    match rule.head.name {
        ROLE => EntryKind::Role,
        INIT | NEXT | BASE => EntryKind::State,
        LEGAL | INPUT => EntryKind::Moves,
        name if keyword::is_keyword(name) => EntryKind::Keyword,
        _ => EntryKind::Relation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_belong_together_are_one_part() {
        let document =
            Document::new("t", "(role a) (role b)\n(succ 1 2)\n(<= (succ ?x 1) (p ?x))\n(<= terminal (p 2))");
        let outline = document.outline();
        let names: Vec<_> = outline.iter().map(|entry| (entry.name.as_str(), entry.rules.len())).collect();
        assert_eq!(names, [("role", 2), ("succ", 2), ("terminal", 0)]);
        assert_eq!(outline[1].detail, "1 fact, 1 rule");
        assert_eq!(outline[1].rules[1].name, "(succ ?x 1)");
        for entry in outline.iter().flat_map(|entry| entry.rules.iter().chain([entry])) {
            assert!(entry.span.start <= entry.head.start && entry.head.end <= entry.span.end);
        }
    }
}
