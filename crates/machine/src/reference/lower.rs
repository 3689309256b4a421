//! Rules in normal form to a Datalog program.

use datalog::{Atom, Literal, Pattern, Program, RelationId, RelationInfo, Rule, TermStore};
use gdl::keyword;
use gdl::normal::{NormalLiteral, NormalRules, NormalSentence, NormalTerm};
use gdl::{SymbolId, Symbols};
use rustc_hash::FxHashMap;

use super::Keywords;

pub(super) struct Lowered {
    pub(super) program: Program,
    pub(super) terms: TermStore,
    pub(super) keywords: Keywords,
}

pub(super) fn lower(rules: &NormalRules) -> Lowered {
    let mut lowering = Lowering {
        symbols: &rules.symbols,
        program: Program::default(),
        terms: TermStore::new(),
        relations: FxHashMap::default(),
    };
    let mut keyword = |symbol| {
        let arity = keyword::relation_arity(symbol).expect("keywords of relations have an arity");
        lowering.relation(symbol, arity)
    };
    let keywords = Keywords {
        role: keyword(keyword::ROLE),
        init: keyword(keyword::INIT),
        truth: keyword(keyword::TRUE),
        does: keyword(keyword::DOES),
        next: keyword(keyword::NEXT),
        legal: keyword(keyword::LEGAL),
        goal: keyword(keyword::GOAL),
        terminal: keyword(keyword::TERMINAL),
        base: keyword(keyword::BASE),
        input: keyword(keyword::INPUT),
        sees: keyword(keyword::SEES),
    };
    for input in [keywords.truth, keywords.does] {
        lowering.program.relations[input.0 as usize].is_input = true;
    }
    for rule in &rules.rules {
        let head = lowering.atom(&rule.head);
        let body = rule.body.iter().map(|literal| match literal {
            NormalLiteral::Holds(sentence) => Literal::Holds(lowering.atom(sentence)),
            NormalLiteral::Fails(sentence) => Literal::Fails(lowering.atom(sentence)),
            NormalLiteral::Distinct(left, right) => {
                Literal::Distinct(lowering.pattern(left), lowering.pattern(right))
            }
        });
        let body = body.collect();
        lowering.program.rules.push(Rule { head, body, variables: rule.variables.len() });
    }
    Lowered { program: lowering.program, terms: lowering.terms, keywords }
}

struct Lowering<'a> {
    symbols: &'a Symbols,
    program: Program,
    terms: TermStore,
    /// A name with several arities is several relations.
    relations: FxHashMap<(SymbolId, usize), RelationId>,
}

impl Lowering<'_> {
    fn relation(&mut self, name: SymbolId, arity: usize) -> RelationId {
        let next = RelationId(self.program.relations.len() as u32);
        let relation = *self.relations.entry((name, arity)).or_insert(next);
        if relation == next {
            let name = self.symbols.spelling(name).to_owned();
            self.program.relations.push(RelationInfo { name, arity, is_input: false });
        }
        relation
    }

    fn atom(&mut self, sentence: &NormalSentence) -> Atom {
        Atom {
            relation: self.relation(sentence.name, sentence.arguments.len()),
            arguments: sentence.arguments.iter().map(|argument| self.pattern(argument)).collect(),
        }
    }

    fn pattern(&mut self, term: &NormalTerm) -> Pattern {
        match term {
            NormalTerm::Variable(variable) => Pattern::Variable(*variable),
            NormalTerm::Constant(name) => Pattern::Term(self.terms.intern(name.0, &[])),
            NormalTerm::Function(name, arguments) => {
                let arguments = arguments.iter().map(|argument| self.pattern(argument)).collect();
                Pattern::compound(&mut self.terms, name.0, arguments)
            }
        }
    }
}
