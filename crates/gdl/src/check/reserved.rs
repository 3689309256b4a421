//! The places of the keywords: which may stand in a head, which in a body, which in a term.

use super::Context;
use crate::findings::Findings;
use crate::keyword::{BASE, DOES, INIT, INPUT, NEXT, ROLE, SEES, TRUE, is_connective, is_keyword};
use crate::{Code, Diagnostic, Edit, Literal, LiteralKind, Rule, Sentence, Term, TermKind};

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    for rule in &context.sheet.rules {
        check_head(context, rule, findings);
        check_terms(context, &rule.head, findings);
        for literal in &rule.body {
            check_literal(context, literal, findings);
        }
    }
}

fn check_head(context: &Context<'_>, rule: &Rule, findings: &mut Findings) {
    let head = &rule.head;
    let (message, help) = match head.name {
        TRUE => ("`true` cannot be stated: it is the state of play", "state `init` or `next` instead"),
        DOES => ("`does` cannot be stated: moves are made by the players", "state `legal` instead"),
        ROLE if !rule.body.is_empty() => {
            ("roles are not derived by rules", "write a fact `(role name)` for each role")
        }
        ROLE if head.arguments.iter().any(|term| matches!(term.kind, TermKind::Function(..))) => {
            ("a role is a plain name", "write `(role name)`")
        }
        _ => return,
    };
    findings.add(Code::ReservedHead, || {
        let diagnostic = Diagnostic::new(Code::ReservedHead, head.name_span, message).with_help(help);
        let meant = match (head.name, rule.body.is_empty()) {
            (TRUE, true) => "init",
            (TRUE, false) => "next",
            (DOES, _) => "legal",
            _ => "",
        };
        let diagnostic = match meant {
            "" => diagnostic,
            _ => diagnostic.with_fix(format!("write `{meant}`"), vec![Edit::new(head.name_span, meant)]),
        };
        match rule.body.first() {
            Some(literal) if head.name == ROLE => {
                let label = format!("a condition of `{}`", context.source.slice(head.span));
                diagnostic.with_label(literal.span, label)
            }
            _ => diagnostic,
        }
    });
}

fn check_literal(context: &Context<'_>, literal: &Literal, findings: &mut Findings) {
    match &literal.kind {
        LiteralKind::Sentence(sentence) => {
            check_condition(sentence, findings);
            check_terms(context, sentence, findings);
        }
        LiteralKind::Not(inner) => check_literal(context, inner, findings),
        LiteralKind::And(items) | LiteralKind::Or(items) => {
            items.iter().for_each(|item| check_literal(context, item, findings));
        }
        LiteralKind::Distinct(left, right) => {
            check_term(context, left, findings);
            check_term(context, right, findings);
        }
    }
}

fn check_condition(sentence: &Sentence, findings: &mut Findings) {
    let (message, help) = match sentence.name {
        INIT => (
            "`init` is not a condition",
            "give what it states a relation of its own and use that in both places",
        ),
        NEXT => (
            "`next` is not a condition",
            "ask for what makes it true next, or give that a relation of its own",
        ),
        BASE => (
            "`base` is not a condition",
            "give what it lists a relation of its own and use that in both places",
        ),
        INPUT => ("`input` is not a condition", "ask `legal` for what may be done, `does` for what is done"),
        SEES => ("`sees` is not a condition", "percepts go to the players; ask for what is to be seen"),
        _ => return,
    };
    findings.add(Code::ReservedBody, || {
        Diagnostic::new(Code::ReservedBody, sentence.name_span, message).with_help(help)
    });
}

fn check_terms(context: &Context<'_>, sentence: &Sentence, findings: &mut Findings) {
    sentence.arguments.iter().for_each(|term| check_term(context, term, findings));
}

fn check_term(context: &Context<'_>, term: &Term, findings: &mut Findings) {
    let TermKind::Function(name, arguments) = &term.kind else { return };
    if is_keyword(*name) {
        findings.add(Code::KeywordAsFunction, || {
            let text = context.symbols().name(*name);
            let message = format!("`{text}` has no meaning inside a term");
            let help = match is_connective(*name) {
                true => format!("write `{text}` around the whole condition"),
                false => "take it out of the term, or choose another name for the function".to_owned(),
            };
            Diagnostic::new(Code::KeywordAsFunction, context.name_span(term), message).with_help(help)
        });
    }
    arguments.iter().for_each(|term| check_term(context, term, findings));
}
