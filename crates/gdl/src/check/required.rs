//! What every game needs: roles, moves and goals for each of them, and an end.

use rustc_hash::FxHashSet;

use super::Context;
use crate::findings::Findings;
use crate::keyword::{GOAL, LEGAL, ROLE, TERMINAL};
use crate::{Code, Diagnostic, Span, SymbolId, TermKind};

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    let sheet = context.sheet;
    // What the whole sheet lacks is shown where it begins.
    let beginning = sheet.rules.first().map_or(Span::default(), |rule| rule.head.span);
    let is_missing = |name| !context.unread.contains(&name);
    if context.roles.is_empty() && is_missing(ROLE) {
        findings.add(Code::MissingRole, || {
            Diagnostic::new(Code::MissingRole, beginning, "the game has no roles")
                .with_help("name its players by facts, such as `(role white)`")
        });
    }
    if sheet.rules_of(TERMINAL).next().is_none() && is_missing(TERMINAL) {
        findings.add(Code::MissingTerminal, || {
            Diagnostic::new(Code::MissingTerminal, beginning, "the game has no end: no rule for `terminal`")
                .with_help("say when it is over: `(<= terminal condition ..)`")
        });
    }
    if is_missing(LEGAL) {
        check_each_role(context, LEGAL, Code::MissingLegal, findings);
    }
    if is_missing(GOAL) {
        check_each_role(context, GOAL, Code::MissingGoal, findings);
    }
}

/// Every role must be the first argument of some head of the relation.
fn check_each_role(context: &Context<'_>, relation: SymbolId, code: Code, findings: &mut Findings) {
    let mut served = FxHashSet::default();
    for rule in context.sheet.rules_of(relation) {
        match rule.head.arguments.first().map(|term| &term.kind) {
            Some(TermKind::Variable(_)) => return,
            Some(TermKind::Constant(role)) => {
                served.insert(*role);
            }
            _ => {}
        }
    }
    let mut seen = FxHashSet::default();
    for rule in context.sheet.rules_of(ROLE).filter(|rule| rule.body.is_empty()) {
        let [argument] = &rule.head.arguments[..] else { continue };
        let TermKind::Constant(role) = argument.kind else { continue };
        if served.contains(&role) || !seen.insert(role) {
            continue;
        }
        findings.add(code, || {
            let name = context.name(role);
            let (message, help) = match code {
                Code::MissingLegal => (
                    format!("the role `{name}` has no legal moves"),
                    format!("write rules for `(legal {name} ..)`; a role that waits has a move for that"),
                ),
                _ => {
                    (format!("the role `{name}` has no goals"), format!("write rules for `(goal {name} ..)`"))
                }
            };
            Diagnostic::new(code, argument.span, message).with_help(help)
        });
    }
}
