//! Goal values are whole numbers from 0 to 100.

use super::Context;
use crate::findings::Findings;
use crate::keyword::GOAL;
use crate::{Code, Diagnostic, TermKind};

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    for rule in context.sheet.rules_of(GOAL) {
        let [_, value] = &rule.head.arguments[..] else { continue };
        let is_value = match value.kind {
            // Its values come from the body and are known only in play.
            TermKind::Variable(_) => true,
            TermKind::Constant(name) => is_goal_value(context.symbols().name(name)),
            TermKind::Function(..) => false,
        };
        if !is_value {
            findings.add(Code::GoalValue, || {
                let text = context.source.slice(value.span);
                let message = format!("the goal value `{text}` is not a whole number from 0 to 100");
                Diagnostic::new(Code::GoalValue, value.span, message)
                    .with_help("100 is the full goal, 0 none of it; write a number in digits")
            });
        }
    }
}

fn is_goal_value(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u8>().is_ok_and(|value| value <= 100)
}
