//! Multiplies `or` out: a body becomes the list of its alternatives.

use crate::{Literal, LiteralKind, Rule, Sentence, Term};

/// How many conjunctions one rule may be multiplied out to.
pub const MAX_ALTERNATIVES: usize = 20_000;

/// How many literals the conjunctions of one rule may have together.
const MAX_LITERALS: usize = 1_000_000;

/// How many literals the conjunctions of all rules with several alternatives may have together:
/// a thousand rules just below the limit of one would still exhaust the memory.
const MAX_LITERALS_OF_SHEET: usize = 4_000_000;

/// How many parts of terms equalities may copy in one sheet: `?a = (f ?b ?b)`, `?b = (f ?c ?c)`
/// and so on doubles with every line.
const MAX_COPIES_OF_SHEET: usize = 1_000_000;

/// What is left of the work that the rules of one sheet may make beyond their own size.
/// The checks and the normal form spend it alike, so that they agree on what is too much.
pub(crate) struct Allowance {
    literals: usize,
    pub(super) copies: usize,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { literals: MAX_LITERALS_OF_SHEET, copies: MAX_COPIES_OF_SHEET }
    }
}

impl Allowance {
    /// Whether the rule may be multiplied out, or why not.
    pub(crate) fn admit(&mut self, rule: &Rule) -> Result<(), String> {
        let size = rule.body.iter().fold(Size::ONE, |size, literal| size.and(measure(literal, false)));
        if size.alternatives <= 1 {
            return Ok(());
        }
        if size.alternatives > MAX_ALTERNATIVES {
            return Err(format!("its `or` conditions make more than {MAX_ALTERNATIVES} combinations"));
        }
        if size.literals > MAX_LITERALS {
            return Err(format!("its `or` conditions make more than {MAX_LITERALS} conditions"));
        }
        match self.literals.checked_sub(size.literals) {
            Some(rest) => self.literals = rest,
            None => return Err("the `or` conditions of the sheet make too many combinations".to_owned()),
        }
        Ok(())
    }
}

/// How large a condition becomes when it is multiplied out.
#[derive(Clone, Copy)]
struct Size {
    alternatives: usize,
    literals: usize,
}

impl Size {
    const ONE: Size = Size { alternatives: 1, literals: 0 };
    const LITERAL: Size = Size { alternatives: 1, literals: 1 };
    const NONE: Size = Size { alternatives: 0, literals: 0 };

    fn and(self, other: Size) -> Size {
        let left = self.literals.saturating_mul(other.alternatives);
        let right = other.literals.saturating_mul(self.alternatives);
        Size {
            alternatives: self.alternatives.saturating_mul(other.alternatives),
            literals: left.saturating_add(right),
        }
    }

    fn or(self, other: Size) -> Size {
        Size {
            alternatives: self.alternatives.saturating_add(other.alternatives),
            literals: self.literals.saturating_add(other.literals),
        }
    }
}

fn measure(literal: &Literal, negated: bool) -> Size {
    match &literal.kind {
        LiteralKind::Sentence(_) | LiteralKind::Distinct(..) => Size::LITERAL,
        LiteralKind::Not(inner) => measure(inner, !negated),
        LiteralKind::And(items) | LiteralKind::Or(items) => {
            let sizes = items.iter().map(|item| measure(item, negated));
            match is_conjunction(literal, negated) {
                true => sizes.fold(Size::ONE, Size::and),
                false => sizes.fold(Size::NONE, Size::or),
            }
        }
    }
}

/// Whether all parts of an `and` or `or` must hold: De Morgan swaps the two under a `not`.
pub(crate) fn is_conjunction(literal: &Literal, negated: bool) -> bool {
    matches!(literal.kind, LiteralKind::And(_)) != negated
}

/// A literal without connectives.
#[derive(Clone, Copy)]
pub(crate) enum Flat<'a> {
    /// The sentence, and whether it is negated.
    Sentence(&'a Sentence, bool),
    /// Terms that must differ, or be the same when negated.
    Distinct(&'a Term, &'a Term, bool),
}

/// The conjunctions any of which is enough. Ask [`Allowance::admit`] first.
pub(crate) fn alternatives(rule: &Rule) -> Vec<Vec<Flat<'_>>> {
    let mut alternatives = vec![Vec::new()];
    for literal in &rule.body {
        multiply(&mut alternatives, literal, false);
    }
    alternatives
}

/// Appends a literal to every alternative.
fn multiply<'a>(alternatives: &mut Vec<Vec<Flat<'a>>>, literal: &'a Literal, negated: bool) {
    match &literal.kind {
        LiteralKind::Sentence(sentence) => push_all(alternatives, Flat::Sentence(sentence, negated)),
        LiteralKind::Distinct(left, right) => push_all(alternatives, Flat::Distinct(left, right, negated)),
        LiteralKind::Not(inner) => multiply(alternatives, inner, !negated),
        LiteralKind::And(items) | LiteralKind::Or(items) if is_conjunction(literal, negated) => {
            items.iter().for_each(|item| multiply(alternatives, item, negated));
        }
        LiteralKind::And(items) | LiteralKind::Or(items) => {
            let mut all = Vec::new();
            for item in items {
                let mut branch = alternatives.clone();
                multiply(&mut branch, item, negated);
                all.append(&mut branch);
            }
            *alternatives = all;
        }
    }
}

fn push_all<'a>(alternatives: &mut [Vec<Flat<'a>>], literal: Flat<'a>) {
    for alternative in alternatives {
        alternative.push(literal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceFile, parse};

    #[test]
    fn the_measure_is_exact() {
        for body in ["a b", "(or a b)", "(or a (and b c)) d (or e f g)", "(not (or a (and b c d))) e"] {
            let sheet = parse(&SourceFile::new("t", format!("(<= p {body})"))).sheet;
            let rule = &sheet.rules[0];
            let size = rule.body.iter().fold(Size::ONE, |size, literal| size.and(measure(literal, false)));
            let alternatives = alternatives(rule);
            assert_eq!(size.alternatives, alternatives.len(), "{body}");
            assert_eq!(size.literals, alternatives.iter().map(Vec::len).sum::<usize>(), "{body}");
        }
    }

    #[test]
    fn many_rules_share_one_allowance() {
        let body = "(or a b) ".repeat(14);
        let sheet = parse(&SourceFile::new("t", format!("(<= p {body})\n").repeat(100))).sheet;
        let mut allowance = Allowance::default();
        let admitted = sheet.rules.iter().filter(|rule| allowance.admit(rule).is_ok()).count();
        assert!((2..100).contains(&admitted), "{admitted}");
    }
}
