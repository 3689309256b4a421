//! Conditions that can never hold: relations that no rule defines, facts that are never true,
//! moves that are never legal. They count as false, which is seldom what was meant.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::similar::Similar;
use super::{Context, has_keyword_arity};
use crate::findings::Findings;
use crate::keyword::{DOES, INIT, LEGAL, NEXT, TRUE, is_keyword};
use crate::{Code, Diagnostic, Edit, RuleSheet, Sentence, Span, SymbolId, Term, TermKind};

/// A name with a number of arguments.
type Shape = (SymbolId, usize);

/// How many places of one name are shown.
const MAX_PLACES: usize = 4;

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    let mut relations = Kind::new("relation", "no rule defines `{}`", "define it, or remove the condition");
    let mut facts = Kind::new(
        "fact",
        "`{}` is never true: no `init` and no `next` states it",
        "state it by `init` or `next`, or remove the condition",
    );
    let mut moves = Kind::new(
        "move",
        "`{}` is never done: no `legal` allows it",
        "allow it by a rule for `legal`, or remove the condition",
    );
    relations.known = context
        .graph
        .relations()
        .filter(|(_, _, relation)| relation.first_definition.is_some())
        .map(|(name, arity, _)| (name, arity))
        .collect();
    facts.know_arguments(context.sheet, &[INIT, NEXT], 0);
    moves.know_arguments(context.sheet, &[LEGAL], 1);
    for rule in &context.sheet.rules {
        for literal in &rule.body {
            literal.sentences(&mut |sentence, _| {
                if !is_keyword(sentence.name) {
                    relations.ask((sentence.name, sentence.arguments.len()), sentence.name_span);
                } else if sentence.name == TRUE && has_keyword_arity(sentence) {
                    facts.ask_argument(context, sentence, 0);
                } else if sentence.name == DOES && has_keyword_arity(sentence) {
                    moves.ask_argument(context, sentence, 1);
                }
            });
        }
    }
    relations.report(context, findings);
    facts.report(context, findings);
    // A game without legal moves is told so once, not for every move.
    if !moves.known.is_empty() {
        moves.report(context, findings);
    }
}

/// One kind of thing that may be asked for and not be there.
struct Kind {
    noun: &'static str,
    message: &'static str,
    help: &'static str,
    known: FxHashSet<Shape>,
    /// A variable states something of unknown shape: then anything may be there.
    is_open: bool,
    asked: IndexMap<Shape, Vec<Span>, FxBuildHasher>,
}

impl Kind {
    fn new(noun: &'static str, message: &'static str, help: &'static str) -> Self {
        let (known, asked) = (FxHashSet::default(), IndexMap::default());
        Self { noun, message, help, known, is_open: false, asked }
    }

    /// Whatever stands in an argument of these heads may be there.
    fn know_arguments(&mut self, sheet: &RuleSheet, heads: &[SymbolId], position: usize) {
        for rule in sheet.rules.iter().filter(|rule| heads.contains(&rule.head.name)) {
            match rule.head.arguments.get(position).and_then(shape) {
                Some(shape) => {
                    self.known.insert(shape);
                }
                None => self.is_open = true,
            }
        }
    }

    fn ask_argument(&mut self, context: &Context<'_>, sentence: &Sentence, position: usize) {
        if let Some(term) = sentence.arguments.get(position)
            && let Some((name, arity)) = shape(term)
            // Keywords inside terms are reported as such.
            && !(is_keyword(name) && arity > 0)
        {
            self.ask((name, arity), context.name_span(term));
        }
    }

    fn ask(&mut self, shape: Shape, place: Span) {
        if !self.is_open && !self.known.contains(&shape) {
            let places = self.asked.entry(shape).or_default();
            if places.len() < MAX_PLACES {
                places.push(place);
            }
        }
    }

    fn report(self, context: &Context<'_>, findings: &mut Findings) {
        let symbols = context.symbols();
        let mut known: Vec<Shape> = self.known.iter().copied().collect();
        known.sort_unstable();
        let mut similar = Similar::new(symbols, known.iter().map(|&(name, _)| name));
        for ((name, arity), places) in &self.asked {
            if context.unread.contains(name) {
                continue;
            }
            findings.add(Code::UndefinedRelation, || {
                let first = known.partition_point(|&(other, _)| other < *name);
                let other_arity = known.get(first).filter(|(other, _)| other == name);
                let near = similar.to(symbols.name(*name));
                let help = match (other_arity, near) {
                    (Some((_, other)), _) => format!(
                        "there is a {} `{}` with {}, and here it has {arity}",
                        self.noun,
                        context.name(*name),
                        arguments(*other),
                    ),
                    (None, Some(near)) => format!("did you mean `{near}`?"),
                    (None, None) => self.help.to_owned(),
                };
                let message = self.message.replace("{}", context.name(*name));
                let mut diagnostic =
                    Diagnostic::new(Code::UndefinedRelation, places[0], message).with_help(help);
                if let (None, Some(near)) = (other_arity, near) {
                    let edits = places.iter().map(|&place| Edit::new(place, near)).collect();
                    diagnostic = diagnostic.with_fix(format!("write `{near}`"), edits);
                }
                for &place in &places[1..] {
                    diagnostic = diagnostic.with_label(place, "it is asked for here too");
                }
                diagnostic
            });
        }
    }
}

/// `None` for a variable.
fn shape(term: &Term) -> Option<Shape> {
    match &term.kind {
        TermKind::Variable(_) => None,
        TermKind::Constant(name) => Some((*name, 0)),
        TermKind::Function(name, arguments) => Some((*name, arguments.len())),
    }
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}
