//! Reasons in words.

use std::fmt::Write;

use gdl::normal::{NormalLiteral, NormalSentence, NormalTerm};
use gdl::{SourceFile, Span, SymbolId, Symbols};

use super::facts::relation;
use super::prover::{Prover, Values, instance, substitute};
use super::{Condition, Explanation, Reason};

/// An answer as an indented tree; rules are shown with the lines of the sheet they stand in.
pub fn print(source: &SourceFile, explanation: &Explanation) -> String {
    let mut out = String::new();
    let verdict = if explanation.holds { "holds" } else { "does not hold" };
    let _ = writeln!(out, "{} {verdict}{}", explanation.sentence, remark(&explanation.reason));
    reason(source, &explanation.reason, 1, &mut out);
    if !explanation.others.is_empty() {
        let _ = writeln!(out, "so do {}", explanation.others.join(", "));
    }
    out
}

/// What is told on the line of the sentence itself.
fn remark(reason: &Reason) -> String {
    let near = |near: &[String]| match near {
        [] => String::new(),
        _ => format!("; there is {}", near.join(", ")),
    };
    match reason {
        Reason::Given => ": it is given".to_owned(),
        Reason::Fact(_) => ": the rules state it".to_owned(),
        Reason::NotGiven(facts) => format!(": it is not given{}", near(facts)),
        Reason::NotStated(facts) => format!(": no rule states it{}", near(facts)),
        Reason::Rule { .. } | Reason::NoRule(_) | Reason::Shortened => String::new(),
    }
}

fn reason(source: &SourceFile, why: &Reason, level: usize, out: &mut String) {
    match why {
        Reason::Rule { span, conditions: all } => {
            rule(source, *span, level, out);
            conditions(source, all, level + 1, out);
        }
        Reason::NoRule(attempts) => {
            for attempt in attempts {
                rule(source, attempt.span, level, out);
                conditions(source, &attempt.conditions, level + 1, out);
            }
        }
        _ => {}
    }
}

fn conditions(source: &SourceFile, all: &[Condition], level: usize, out: &mut String) {
    for condition in all {
        let mark = match condition.met {
            Some(true) => "yes",
            Some(false) => "NO ",
            None => "?  ",
        };
        let indent = "  ".repeat(level);
        let because = condition.because.as_deref();
        let told = because.map(|because| remark(&because.reason)).unwrap_or_default();
        let _ = writeln!(out, "{indent}{mark} {}{told}", condition.text);
        if let Some(because) = because {
            reason(source, &because.reason, level + 1, out);
        }
    }
}

fn rule(source: &SourceFile, span: Span, level: usize, out: &mut String) {
    let line = source.line_column(span.start).line;
    let sheet = gdl::parse(&SourceFile::new("rule", source.slice(span))).sheet;
    let text = sheet.rules.first().map(|rule| gdl::print_rule(&sheet.symbols, rule)).unwrap_or_default();
    let _ = writeln!(out, "{}line {line}: {text}", "  ".repeat(level));
}

/// A sentence in the spelling of the rules.
pub(super) fn sentence(symbols: &Symbols, sentence: &NormalSentence) -> String {
    sentence_with(symbols, sentence, &[])
}

/// A sentence with names for the variables that are left.
pub(super) fn sentence_with(symbols: &Symbols, sentence: &NormalSentence, variables: &[SymbolId]) -> String {
    application(symbols, sentence.name, &sentence.arguments, variables)
}

fn application(
    symbols: &Symbols,
    name: SymbolId,
    arguments: &[NormalTerm],
    variables: &[SymbolId],
) -> String {
    if arguments.is_empty() {
        return symbols.spelling(name).to_owned();
    }
    let mut text = format!("({}", symbols.spelling(name));
    for argument in arguments {
        text.push(' ');
        text += &term(symbols, argument, variables);
    }
    text + ")"
}

fn term(symbols: &Symbols, term: &NormalTerm, variables: &[SymbolId]) -> String {
    match term {
        NormalTerm::Variable(number) => match variables.get(*number as usize) {
            Some(&name) => symbols.spelling(name).to_owned(),
            None => format!("?{}", number + 1),
        },
        NormalTerm::Constant(name) => symbols.spelling(*name).to_owned(),
        NormalTerm::Function(name, arguments) => application(symbols, *name, arguments, variables),
    }
}

/// A condition with the values that are known.
pub(super) fn literal(
    prover: &Prover<'_>,
    literal: &NormalLiteral,
    values: &Values,
    variables: &[SymbolId],
) -> String {
    match literal {
        NormalLiteral::Holds(sentence) => asked(prover, &instance(sentence, values), variables),
        NormalLiteral::Fails(sentence) => {
            format!("(not {})", asked(prover, &instance(sentence, values), variables))
        }
        NormalLiteral::Distinct(left, right) => {
            let text = |side: &NormalTerm| term(prover.symbols(), &substitute(side, values), variables);
            format!("(distinct {} {})", text(left), text(right))
        }
    }
}

/// A sentence as it stands in the sheet: what the normal form calls by a name of its own is the condition that the
/// name stands for.
pub(super) fn asked(prover: &Prover<'_>, asked: &NormalSentence, variables: &[SymbolId]) -> String {
    if prover.symbols().name(asked.name).contains('#')
        && let [only] = prover.rules_for(relation(asked))[..]
        && let [NormalLiteral::Holds(stands_for)] = &prover.rules.rules[only].body[..]
        && let Some(values) = super::prover::head_values(&prover.rules.rules[only], asked)
    {
        let variables = &prover.rules.rules[only].variables;
        return sentence_with(prover.symbols(), &instance(stands_for, &values), variables);
    }
    sentence_with(prover.symbols(), asked, variables)
}
