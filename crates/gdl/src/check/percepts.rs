//! Who is told what (GDL-II): roles that are told nothing, and moves of others that are told.
//!
//! Neither is a fault. A designer wants to know: what was to be hidden may be told by a rule for everybody, and
//! a role that was forgotten plays in the dark.

use super::{Context, has_keyword_arity};
use crate::findings::Findings;
use crate::keyword::{DOES, RANDOM, ROLE, SEES};
use crate::{Code, Diagnostic, Rule, Sentence, SymbolId, Term, TermKind};

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    let rules: Vec<&Rule> =
        context.sheet.rules_of(SEES).filter(|rule| has_keyword_arity(&rule.head)).collect();
    if rules.is_empty() || context.unread.contains(&SEES) || context.unread.contains(&ROLE) {
        return;
    }
    check_roles(context, &rules, findings);
    for rule in rules {
        check_moves(context, rule, findings);
    }
}

/// Whoever plays alone knows what it does; of others a role knows what it is told.
fn check_roles(context: &Context<'_>, rules: &[&Rule], findings: &mut Findings) {
    if context.roles.len() < 2 {
        return;
    }
    for role in context.sheet.rules_of(ROLE).filter_map(|rule| rule.head.arguments.first()) {
        let TermKind::Constant(name) = role.kind else { continue };
        let is_told = |rule: &&Rule| match rule.head.arguments.first().map(|term| &term.kind) {
            Some(TermKind::Constant(told)) => *told == name,
            Some(TermKind::Variable(_)) => true,
            _ => false,
        };
        if name == RANDOM || rules.iter().any(is_told) {
            continue;
        }
        findings.add(Code::UnseenRole, || {
            let message = format!("no rule tells `{}` anything of what others do", context.name(name));
            Diagnostic::new(Code::UnseenRole, role.span, message).with_help(
                "add a rule for `sees` if the role is to know its legal moves and the end of the game",
            )
        });
    }
}

fn check_moves(context: &Context<'_>, rule: &Rule, findings: &mut Findings) {
    let [role, percept] = &rule.head.arguments[..] else { return };
    let mut moves: Vec<&Sentence> = Vec::new();
    for literal in &rule.body {
        literal.sentences(&mut |sentence, negated| {
            if sentence.name == DOES && !negated && has_keyword_arity(sentence) {
                moves.push(sentence);
            }
        });
    }
    let told = moves.into_iter().find_map(|sentence| match &sentence.arguments[..] {
        [who, action] if !same(who, role) => shared_variable(action, percept).map(|name| (who, name)),
        _ => None,
    });
    let Some((who, name)) = told else { return };
    findings.add(Code::ToldMove, || {
        let text = |term: &Term| context.source.slice(term.span).to_owned();
        let message =
            format!("`{}` is told `{}` of what `{}` does", text(role), context.name(name), text(who));
        Diagnostic::new(Code::ToldMove, percept.span, message)
            .with_help("if it is to stay hidden, tell only what everybody may know")
    });
}

/// Whether both are the same name or the same variable.
fn same(left: &Term, right: &Term) -> bool {
    match (&left.kind, &right.kind) {
        (TermKind::Constant(left), TermKind::Constant(right))
        | (TermKind::Variable(left), TermKind::Variable(right)) => left == right,
        _ => false,
    }
}

/// A variable that occurs in both.
fn shared_variable(left: &Term, right: &Term) -> Option<SymbolId> {
    let mut names = Vec::new();
    left.variables(&mut |name, _| names.push(name));
    let mut shared = None;
    right.variables(&mut |name, _| {
        if names.contains(&name) {
            shared = shared.or(Some(name));
        }
    });
    shared
}
