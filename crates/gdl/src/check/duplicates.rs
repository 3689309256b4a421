//! Rules that stand twice: harmless, and often a slip of copying where a name was to be changed.

use std::hash::{DefaultHasher, Hash, Hasher};

use rustc_hash::FxHashMap;

use super::Context;
use super::canonical::rule_key;
use crate::findings::Findings;
use crate::{Code, Diagnostic, Edit};

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    let rules = &context.sheet.rules;
    let mut first_with: FxHashMap<u64, u32> = FxHashMap::default();
    for (rule, index) in rules.iter().zip(0u32..) {
        let key = rule_key(rule);
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let first = *first_with.entry(hasher.finish()).or_insert(index);
        // Keys are compared, not kept: they take as much room as the sheet.
        if first == index || rule_key(&rules[first as usize]) != key {
            continue;
        }
        findings.add(Code::DuplicateRule, || {
            let earlier = &rules[first as usize];
            let kind = if rule.body.is_empty() { "fact" } else { "rule" };
            let line = context.source.line_column(earlier.span.start).line;
            Diagnostic::new(
                Code::DuplicateRule,
                rule.head.span,
                format!("this {kind} stands already in line {line}"),
            )
            .with_label(earlier.head.span, "here it stands first")
            .with_help("remove one of them, or change what was meant to differ")
            .with_fix(format!("remove this {kind}"), vec![Edit::new(rule.span, "")])
        });
    }
}
