//! Relations that are defined and never asked for.

use super::Context;
use crate::findings::Findings;
use crate::{Code, Diagnostic, keyword};

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    for (name, _, relation) in context.graph.relations() {
        if relation.is_used || keyword::is_keyword(name) || context.unread.contains(&name) {
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
