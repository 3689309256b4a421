//! Relations that are defined and never asked for.

use super::Context;
use crate::findings::Findings;
use crate::{Code, Diagnostic, keyword};

/// `(percept role p)` lists what a role may see, as `base` and `input` list facts and moves. It has no meaning of its own: in sheets
/// without `sees` it is a name like any other.
const PERCEPT: (&str, usize) = ("percept", 2);

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    let has_percepts = context.sheet.rules_of(keyword::SEES).next().is_some();
    for (name, arity, relation) in context.graph.relations() {
        if relation.is_used || keyword::is_keyword(name) || context.unread.contains(&name) {
            continue;
        }
        if has_percepts && (context.name(name), arity) == PERCEPT {
            continue;
        }
        let Some(rule) = relation.first_definition else { continue };
        findings.add(Code::UnusedRelation, || {
            let head = &context.sheet.rules[rule as usize].head;
            let message = format!("no rule asks for `{}`", context.name(name));
            Diagnostic::new(Code::UnusedRelation, head.name_span, message)
                .with_help("remove its rules, or use it where it was meant to be used")
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::{Code, Mode, SourceFile, parse};

    fn unused(text: &str) -> usize {
        let source = SourceFile::new("t", text);
        let findings = crate::check(&source, &parse(&source), Mode::Strict);
        findings.iter().filter(|finding| finding.code == Code::UnusedRelation).count()
    }

    #[test]
    fn percepts_may_be_listed_where_there_are_some() {
        let listed = "(role a) (percept a up) (percept a down)";
        assert_eq!(unused(&format!("{listed} (<= (sees a up) (does a go))")), 0);
        assert_eq!(unused(&format!("{listed} (seen a up) (<= (sees a up) (does a go))")), 1);
        assert_eq!(unused(listed), 1);
        assert_eq!(unused("(role a) (percept up) (<= (sees a up) (does a go))"), 1);
    }
}
