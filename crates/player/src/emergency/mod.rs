//! A legal move where no machine comes to an end: some rule takes more than there is, but what is needed for one
//! legal move often does not depend on it.
//!
//! The rules are asked from the goal backwards (`prover`), one rule at a time and each within a number of
//! steps, so that one that explodes costs its share and nothing else. Facts of the next state are found in the
//! same way; where a rule was cut short it is remembered that there may be more of its kind.

mod clauses;
mod prover;

use std::ops::ControlFlow;

use gdl::normal::{NormalRules, NormalTerm};
use gdl::{Expression, ExpressionKind, SourceFile, SymbolId, Symbols, keyword};

use clauses::Clauses;
use prover::{DEEPEST_TERM, Facts, Prover, World, beginning};

/// Steps for each rule that tells of the next state.
const STEPS_FOR_FACTS: u64 = 30_000;
/// Steps for each rule of legal moves, at first and at last.
const FIRST_STEPS: u64 = 1_000;
const LAST_STEPS: u64 = 10_000_000;
/// More facts than this are not kept.
const MOST_FACTS: usize = 100_000;

/// Where a match stands, as far as it could be followed.
#[derive(Debug)]
pub(crate) struct Emergency {
    symbols: Symbols,
    roles: Vec<SymbolId>,
    clauses: Clauses,
    facts: Facts,
    /// How many joint moves led there; none before the first state is known.
    moves: Option<usize>,
}

/// The one variable of a question.
const ANSWER: NormalTerm = NormalTerm::Variable(0);

impl Emergency {
    pub(crate) fn new(rules: &NormalRules) -> Self {
        Self {
            symbols: rules.symbols.clone(),
            roles: rules.roles.clone(),
            clauses: Clauses::new(rules),
            facts: Facts::default(),
            moves: None,
        }
    }

    /// A legal move of a role after some joint moves, in the spelling of the rules; none if it is not found as
    /// long as the search may go on.
    pub(crate) fn legal(
        &mut self,
        role: usize,
        history: &[Vec<String>],
        may_go_on: &dyn Fn() -> bool,
    ) -> Option<String> {
        self.follow(history, may_go_on)?;
        let world = World { clauses: &self.clauses, truth: &self.facts, does: &[] };
        let arguments = [NormalTerm::Constant(*self.roles.get(role)?), ANSWER];
        let mut steps = FIRST_STEPS;
        while steps <= LAST_STEPS && may_go_on() {
            for clause in self.clauses.of(keyword::LEGAL, 2) {
                let mut answer = None;
                let mut prover = Prover::new(world, steps, may_go_on);
                prover.prove(clause, &arguments, 1, &mut |prover| {
                    answer = prover.value(0);
                    if answer.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                if let Some(answer) = answer {
                    return Some(self.spelled(&answer));
                }
            }
            steps *= 10;
        }
        None
    }

    /// Goes on to the position after some joint moves; none if it could not be reached.
    fn follow(&mut self, history: &[Vec<String>], may_go_on: &dyn Fn() -> bool) -> Option<()> {
        if self.moves.is_none_or(|moves| moves > history.len()) {
            self.facts = self.derived(keyword::INIT, &[], may_go_on)?;
            self.moves = Some(0);
        }
        for joint in &history[self.moves?..] {
            let texts = self.roles.iter().zip(joint);
            let does = texts.map(|(&role, text)| Some((NormalTerm::Constant(role), self.term(text)?)));
            let does: Vec<_> = does.collect::<Option<_>>()?;
            self.facts = self.derived(keyword::NEXT, &does, may_go_on)?;
            self.moves = self.moves.map(|moves| moves + 1);
        }
        Some(())
    }

    /// All facts that `init` or `next` speak of, as far as they are found; none if there was no time.
    fn derived(
        &self,
        name: SymbolId,
        does: &[(NormalTerm, NormalTerm)],
        may_go_on: &dyn Fn() -> bool,
    ) -> Option<Facts> {
        let world = World { clauses: &self.clauses, truth: &self.facts, does };
        let mut derived = Facts::default();
        let arguments = [ANSWER];
        for clause in self.clauses.of(name, 1) {
            if !may_go_on() {
                return None;
            }
            let mut is_incomplete = false;
            let mut prover = Prover::new(world, STEPS_FOR_FACTS, may_go_on);
            prover.prove(clause, &arguments, 1, &mut |prover| {
                match prover.value(0).filter(|_| derived.facts.len() < MOST_FACTS) {
                    Some(fact) => {
                        derived.facts.insert(fact);
                    }
                    None => is_incomplete = true,
                }
                ControlFlow::Continue(())
            });
            if prover.cut || is_incomplete {
                derived.incomplete.insert(clause.head.arguments.first().and_then(beginning));
            }
        }
        Some(derived)
    }

    /// The term of a text in any case; none if it has a word that the rules do not have.
    fn term(&self, text: &str) -> Option<NormalTerm> {
        let source = SourceFile::new("term", text);
        let parsed = gdl::parse_expressions(&source);
        match &parsed.expressions[..] {
            [expression] => self.built(&source, expression, 0),
            _ => None,
        }
    }

    fn built(&self, source: &SourceFile, expression: &Expression, depth: usize) -> Option<NormalTerm> {
        let (name, arguments) = match &expression.kind {
            ExpressionKind::Word => (expression, &[][..]),
            ExpressionKind::List(items) => items.split_first()?,
        };
        let name = self.symbols.get(source.slice(name.span))?;
        if depth > DEEPEST_TERM || self.symbols.is_variable(name) {
            return None;
        }
        if arguments.is_empty() {
            return Some(NormalTerm::Constant(name));
        }
        let built = arguments.iter().map(|argument| self.built(source, argument, depth + 1));
        Some(NormalTerm::Function(name, built.collect::<Option<_>>()?))
    }

    fn spelled(&self, term: &NormalTerm) -> String {
        match term {
            NormalTerm::Variable(_) => String::new(),
            NormalTerm::Constant(name) => self.symbols.spelling(*name).to_owned(),
            NormalTerm::Function(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|term| self.spelled(term)).collect();
                format!("({} {})", self.symbols.spelling(*name), arguments.join(" "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;

    use game::{Describe, Dice, Expansion, Game, RoleId};
    use machine::reference::Reference;

    use super::*;

    fn joint(moves: &[&str]) -> Vec<String> {
        moves.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn whatever_is_found_is_legal() {
        for name in ["tic-tac-toe", "nim", "rock-paper-scissors", "connect-four-small", "breakthrough-small"]
        {
            let Ok(bundled) = bundled::find(name) else { continue };
            let rules = gdl::normal::read(bundled.rules);
            let game = Arc::new(Reference::new(&rules, Default::default()).expect("playable"));
            let (mut workspace, mut state) = (game.workspace(), game.initial());
            let (mut expansion, mut dice, mut history) = (Expansion::new(), Dice::new(7), Vec::new());
            let mut emergency = Emergency::new(&rules);
            for _ in 0..6 {
                game.expand(&mut workspace, &state, &mut expansion).expect("no fault");
                if expansion.is_terminal() {
                    break;
                }
                for role in 0..game.role_count() {
                    let text = emergency.legal(role, &history, &|| true).expect("it is cheap");
                    let id = game.find_move(RoleId(role as u16), &text);
                    let legal = expansion.legal(RoleId(role as u16));
                    assert!(id.is_some_and(|id| legal.contains(&id)), "{name}: {text} after {history:?}");
                }
                let moves: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
                history.push(moves.iter().map(|&id| game.move_text(id)).collect());
                state = game.apply(&mut workspace, &state, &moves).expect("no fault");
            }
        }
    }

    #[test]
    fn negations_that_were_not_refuted_do_not_hold() {
        // Whether there is a lock cannot be found out: opening is not known to be legal, waiting is.
        let rules = "(role you) (init (at 1)) (<= (num (s ?x)) (num ?x)) (num z)
            (is iron gold) (<= locked (num ?x) (is ?x gold)) (<= (legal you open) (not locked))
            (<= (legal you wait) (true (at 1)) (not (true (at 2))) (not (num (f z))))";
        let mut emergency = Emergency::new(&gdl::normal::read(rules));
        assert_eq!(emergency.legal(0, &[], &|| true).as_deref(), Some("wait"));
    }

    #[test]
    fn it_ends_when_it_may_not_go_on() {
        let rules = "(role you) (init (at 1)) (<= (num (s ?x)) (num ?x)) (num z) (is iron gold)
            (<= (legal you open) (num ?x) (num ?y) (num ?z) (is ?x gold))";
        let mut emergency = Emergency::new(&gdl::normal::read(rules));
        let looks = Cell::new(0);
        let may_go_on = || {
            looks.set(looks.get() + 1);
            looks.get() < 100
        };
        assert_eq!(emergency.legal(0, &[], &may_go_on), None);
        assert!((100..110).contains(&looks.get()), "it looks again and again, and stops at once");
    }

    #[test]
    fn moves_in_any_case_are_followed() {
        let rules = "(role Me) (init (at a)) (<= (next (at ?y)) (does me (go ?y))) (to a B) (to b c)
            (<= (legal me (Go ?y)) (true (at ?x)) (to ?x ?y))";
        let mut emergency = Emergency::new(&gdl::normal::read(rules));
        assert_eq!(emergency.legal(0, &[], &|| true).as_deref(), Some("(go B)"));
        let history = [joint(&["( GO b )"])];
        assert_eq!(emergency.legal(0, &history, &|| true).as_deref(), Some("(go c)"));
        let mut emergency = Emergency::new(&gdl::normal::read(rules));
        assert_eq!(emergency.legal(0, &[joint(&["(dance)"])], &|| true), None);
    }
}
