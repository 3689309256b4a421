//! What is said of a role that no `role` fact names: mostly a slip of spelling.

use rustc_hash::FxHashSet;

use super::similar::Similar;
use super::{Context, has_keyword_arity};
use crate::findings::Findings;
use crate::keyword::{ROLE, begins_with_role};
use crate::{Code, Diagnostic, Edit, Sentence, SymbolId, TermKind};

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    // Without roles nothing can be said; that is reported as such.
    if context.roles.is_empty() || context.unread.contains(&ROLE) {
        return;
    }
    // Roles may not be derived by rules, but who writes one means it.
    let mut roles: FxHashSet<SymbolId> = FxHashSet::default();
    for rule in context.sheet.rules_of(ROLE) {
        match rule.head.arguments.first().map(|term| &term.kind) {
            Some(TermKind::Constant(name) | TermKind::Function(name, _)) => {
                roles.insert(*name);
            }
            Some(TermKind::Variable(_)) => return,
            None => {}
        }
    }
    let mut similar = Similar::new(context.symbols(), context.roles.iter().copied());
    let mut check = |sentence: &Sentence| {
        if !begins_with_role(sentence.name) || !has_keyword_arity(sentence) {
            return;
        }
        let Some(argument) = sentence.arguments.first() else { return };
        let name = match argument.kind {
            TermKind::Variable(_) => return,
            TermKind::Constant(name) if roles.contains(&name) => return,
            TermKind::Constant(name) | TermKind::Function(name, _) => name,
        };
        findings.add(Code::UnknownRole, || {
            let text = context.source.slice(argument.span);
            let near = similar.to(context.symbols().name(name));
            let help = match near {
                Some(role) => format!("did you mean `{role}`?"),
                None => format!("add `(role {text})`, or name a role that exists"),
            };
            let message = format!("there is no role `{text}`");
            let diagnostic = Diagnostic::new(Code::UnknownRole, argument.span, message).with_help(help);
            match near {
                Some(role) => {
                    let edits = vec![Edit::new(context.name_span(argument), role)];
                    diagnostic.with_fix(format!("write `{role}`"), edits)
                }
                None => diagnostic,
            }
        });
    };
    for rule in &context.sheet.rules {
        check(&rule.head);
        rule.body.iter().for_each(|literal| literal.sentences(&mut |sentence, _| check(sentence)));
    }
}
