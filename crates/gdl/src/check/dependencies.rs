//! What may depend on what: the start of a game on nothing in play, and what must be known before
//! the moves not on the moves.

use super::Context;
use crate::findings::Findings;
use crate::keyword::{BASE, DOES, GOAL, INIT, INPUT, LEGAL, TERMINAL, TRUE};
use crate::{Code, Diagnostic, SymbolId};

/// Longer ways are shown in part.
const MAX_LABELS: usize = 8;

pub(super) fn check(context: &Context<'_>, findings: &mut Findings) {
    let initial = Restriction {
        code: Code::InitialNotStatic,
        relations: &[INIT, BASE, INPUT],
        targets: &[TRUE, DOES],
        help: "there is no state and no move yet: use relations that hold throughout the game",
    };
    let before_moves = Restriction {
        code: Code::DependsOnDoes,
        relations: &[LEGAL, GOAL, TERMINAL],
        targets: &[DOES],
        help: "it must be known before anyone moves: let `next` note the move in the state and ask `true` for it",
    };
    initial.check(context, findings);
    before_moves.check(context, findings);
}

/// Some relations must not depend on others.
struct Restriction {
    code: Code,
    relations: &'static [SymbolId],
    targets: &'static [SymbolId],
    help: &'static str,
}

impl Restriction {
    fn check(&self, context: &Context<'_>, findings: &mut Findings) {
        let graph = &context.graph;
        let ways = graph.ways_to(self.targets);
        let mut last_reported = None;
        for (edge, index) in graph.edges().iter().zip(0u32..) {
            let leads_there =
                self.targets.contains(&graph.name(edge.body)) || ways[edge.body.0 as usize].is_some();
            if !leads_there || !self.relations.contains(&graph.name(edge.head)) {
                continue;
            }
            // One finding for each rule: the other conditions are seen when this one is mended.
            if last_reported != Some(edge.rule) {
                last_reported = Some(edge.rule);
                findings.add(self.code, || self.describe(context, index, &ways));
            }
        }
    }

    fn describe(&self, context: &Context<'_>, first: u32, ways: &[Option<u32>]) -> Diagnostic {
        let graph = &context.graph;
        let relation_name = |relation| context.name(graph.name(relation));
        let mut steps = Vec::new();
        let mut last = graph.edge(first);
        while !self.targets.contains(&graph.name(last.body)) && steps.len() < MAX_LABELS {
            let Some(next) = ways[last.body.0 as usize] else { break };
            last = graph.edge(next);
            steps.push(last);
        }
        let edge = graph.edge(first);
        let message = match steps.is_empty() {
            true => format!("`{}` depends on `{}`", relation_name(edge.head), relation_name(edge.body)),
            false => {
                let target = if self.targets == [DOES] { "`does`" } else { "the state or the moves" };
                format!(
                    "`{}` depends on {target} through `{}`",
                    relation_name(edge.head),
                    relation_name(edge.body)
                )
            }
        };
        let mut diagnostic =
            Diagnostic::new(self.code, edge.sentence.name_span, message).with_help(self.help);
        for step in steps {
            let label =
                format!("`{}` depends on `{}` here", relation_name(step.head), relation_name(step.body));
            diagnostic = diagnostic.with_label(step.sentence.name_span, label);
        }
        diagnostic
    }
}
