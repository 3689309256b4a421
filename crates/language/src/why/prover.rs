//! Proofs from the question down: the answers to a question come from the facts, and from the rules whose
//! heads fit, by asking for their conditions.
//!
//! Questions that lead back to themselves are asked again until no answer is new (linear tabling): the first
//! of them on the stack is the leader of all that depend on it; when a pass over it adds nothing, all of them have
//! all their answers. A negation needs all answers at once, so it may not wait for a leader.

use gdl::keyword::{DOES, TRUE};
use gdl::normal::{NormalLiteral, NormalRule, NormalRules, NormalSentence, NormalTerm};
use gdl::{Symbols, keyword};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::facts::{Facts, Relation, is_ground, relation};
use super::{Effort, Situation, WhyError, read_term};

/// Values of the variables of a rule.
pub(super) type Values = Vec<Option<NormalTerm>>;

/// The rule that gave an answer first, and the values it had.
#[derive(Clone, Debug)]
pub(super) struct Derivation {
    pub(super) rule: usize,
    pub(super) values: Values,
}

/// A question with its answers so far.
#[derive(Debug, Default)]
struct Table {
    answers: IndexSet<NormalSentence, FxBuildHasher>,
    is_complete: bool,
    /// The place on the stack while it is being answered.
    on_stack: Option<usize>,
    /// Whether it was answered only as far as a leader on the stack allows.
    is_waiting: bool,
    /// The pass in which it was answered last, and the lowest place on the stack that it waits for.
    pass: u64,
    waits_for: usize,
}

pub(super) struct Prover<'r> {
    pub(super) rules: &'r NormalRules,
    symbols: Symbols,
    pub(super) facts: Facts,
    by_head: FxHashMap<Relation, Vec<usize>>,
    tables: IndexMap<NormalSentence, Table, FxBuildHasher>,
    pub(super) derivations: FxHashMap<NormalSentence, Derivation>,
    /// Questions that were answered as far as a leader on the stack allows.
    waiting: Vec<usize>,
    stack: usize,
    pass: u64,
    added: u64,
    steps_left: u64,
    effort: Effort,
}

impl<'r> Prover<'r> {
    pub(super) fn new(
        rules: &'r NormalRules,
        situation: &Situation,
        effort: Effort,
    ) -> Result<Self, WhyError> {
        let mut symbols = rules.symbols.clone();
        let mut facts = Facts::default();
        let mut by_head: FxHashMap<Relation, Vec<usize>> = FxHashMap::default();
        for (number, rule) in rules.rules.iter().enumerate() {
            match rule.body.is_empty() && rule.head.arguments.iter().all(is_ground) {
                true => facts.add(rule.head.clone()),
                false => by_head.entry(relation(&rule.head)).or_default().push(number),
            }
        }
        let mut given = |text: &String| {
            read_term(&mut symbols, text).filter(is_ground).ok_or_else(|| WhyError::NotATerm(text.clone()))
        };
        for fact in &situation.facts {
            facts.add(NormalSentence { name: TRUE, arguments: vec![given(fact)?] });
        }
        for (role, action) in &situation.moves {
            facts.add(NormalSentence { name: DOES, arguments: vec![given(role)?, given(action)?] });
        }
        Ok(Self {
            rules,
            symbols,
            facts,
            by_head,
            tables: IndexMap::default(),
            derivations: FxHashMap::default(),
            waiting: Vec::new(),
            stack: 0,
            pass: 0,
            added: 0,
            steps_left: effort.steps,
            effort,
        })
    }

    pub(super) fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    pub(super) fn symbols_mut(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    /// The rules whose head is a relation, apart from facts.
    pub(super) fn rules_for(&self, relation: Relation) -> Vec<usize> {
        self.by_head.get(&relation).cloned().unwrap_or_default()
    }

    /// All sentences that hold and match, in the order in which they were found.
    pub(super) fn solutions(&mut self, asked: &NormalSentence) -> Result<Vec<NormalSentence>, WhyError> {
        let (mut answers, _) = self.ask(asked)?;
        // Tables hold more where a variable is asked for twice.
        answers.retain(|answer| matches(asked, answer, &mut Values::new()));
        Ok(answers)
    }

    pub(super) fn step(&mut self) -> Result<(), WhyError> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(WhyError::TooMuch)?;
        Ok(())
    }

    /// The answers to a question so far, and the lowest place on the stack that they wait for: none if they are
    /// all.
    fn ask(&mut self, asked: &NormalSentence) -> Result<(Vec<NormalSentence>, usize), WhyError> {
        let is_ground = asked.arguments.iter().all(is_ground);
        if is_ground && self.facts.contains(asked) {
            return Ok((vec![asked.clone()], usize::MAX));
        }
        let mut answers = Vec::new();
        if !is_ground {
            for number in self.facts.candidates(asked).to_vec() {
                self.step()?;
                let fact = self.facts.get(number);
                if matches(asked, fact, &mut Values::new()) {
                    answers.push(fact.clone());
                }
            }
        }
        if !self.by_head.contains_key(&relation(asked)) {
            return Ok((answers, usize::MAX));
        }
        let question = canonical(asked);
        let entry = self.tables.entry(question.clone());
        let number = entry.index();
        entry.or_default();
        let waits = self.fill(number, &question)?;
        let found = &self.tables[number].answers;
        answers.extend(found.iter().filter(|answer| !self.facts.contains(answer)).cloned());
        Ok((answers, waits))
    }

    /// Answers the question of a table as far as possible.
    fn fill(&mut self, number: usize, question: &NormalSentence) -> Result<usize, WhyError> {
        let table = &self.tables[number];
        if table.is_complete {
            return Ok(usize::MAX);
        }
        if let Some(place) = table.on_stack {
            return Ok(place);
        }
        if table.is_waiting && table.pass == self.pass {
            return Ok(table.waits_for);
        }
        if self.stack >= self.effort.depth {
            return Err(WhyError::TooDeep(self.effort.depth));
        }
        let place = self.stack;
        self.stack += 1;
        self.tables[number].on_stack = Some(place);
        let first_waiting = self.waiting.len();
        let mut pass = self.pass;
        let waits = loop {
            let before = self.added;
            let mut waits = usize::MAX;
            for rule in self.rules_for(relation(question)) {
                waits = waits.min(self.apply(rule, question, number)?);
            }
            // Below it on the stack stands the leader, which will ask again.
            if waits < place || waits == usize::MAX || self.added == before {
                break waits;
            }
            self.pass += 1;
            pass = self.pass;
        };
        self.stack -= 1;
        self.tables[number].on_stack = None;
        if waits >= place {
            self.tables[number].is_complete = true;
            for other in self.waiting.split_off(first_waiting) {
                let other = &mut self.tables[other];
                other.is_waiting = false;
                // What was not asked for in the last pass may lack answers, and will be asked again.
                other.is_complete |= other.pass >= pass;
            }
            return Ok(usize::MAX);
        }
        for &other in &self.waiting[first_waiting..] {
            let other = &mut self.tables[other];
            other.waits_for = other.waits_for.min(waits);
        }
        let (table, now) = (&mut self.tables[number], self.pass);
        (table.is_waiting, table.pass, table.waits_for) = (true, now, waits);
        self.waiting.push(number);
        Ok(waits)
    }

    /// Adds what a rule gives to a table.
    fn apply(&mut self, number: usize, question: &NormalSentence, table: usize) -> Result<usize, WhyError> {
        let rules = self.rules;
        let rule = &rules.rules[number];
        let Some(values) = head_values(rule, question) else { return Ok(usize::MAX) };
        self.step()?;
        let is_ground = question.arguments.iter().all(is_ground);
        let mut waits = usize::MAX;
        let all: Vec<usize> = (0..rule.body.len()).collect();
        let mut too_deep = false;
        self.join(rule, values, &all, &mut waits, &mut |prover, values| {
            let answer = instance(&rule.head, values);
            too_deep |= answer.arguments.iter().any(|term| !is_shallow(term, gdl::MAX_DEPTH));
            if prover.tables[table].answers.insert(answer.clone()) {
                prover.added += 1;
                let derivation = Derivation { rule: number, values: values.clone() };
                prover.derivations.entry(answer).or_insert(derivation);
            }
            // One proof is enough where nothing is open.
            !is_ground && !too_deep
        })?;
        match too_deep {
            true => Err(WhyError::TooDeep(gdl::MAX_DEPTH)),
            false => Ok(waits),
        }
    }

    /// Calls `found` with every choice of values that meets the conditions that are left, until it says no.
    /// Returns whether to go on.
    fn join(
        &mut self,
        rule: &'r NormalRule,
        values: Values,
        left: &[usize],
        waits: &mut usize,
        found: &mut dyn FnMut(&mut Self, &Values) -> bool,
    ) -> Result<bool, WhyError> {
        let Some(next) = self.choose(rule, &values, left) else { return Ok(found(self, &values)) };
        let left: Vec<usize> = left.iter().copied().filter(|&other| other != next).collect();
        let (choices, waited) = self.meet(&rule.body[next], &values)?;
        *waits = (*waits).min(waited);
        for values in choices {
            if !self.join(rule, values, &left, waits, found)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The values with which a condition is met.
    pub(super) fn meet(
        &mut self,
        literal: &NormalLiteral,
        values: &Values,
    ) -> Result<(Vec<Values>, usize), WhyError> {
        match literal {
            NormalLiteral::Distinct(left, right) => {
                let differ = substitute(left, values) != substitute(right, values);
                Ok((if differ { vec![values.clone()] } else { Vec::new() }, usize::MAX))
            }
            NormalLiteral::Fails(sentence) => {
                let asked = instance(sentence, values);
                let (answers, waits) = self.ask(&asked)?;
                if waits != usize::MAX && answers.is_empty() {
                    return Err(WhyError::OwnNegation(super::print::sentence(&self.symbols, &asked)));
                }
                Ok((if answers.is_empty() { vec![values.clone()] } else { Vec::new() }, usize::MAX))
            }
            NormalLiteral::Holds(sentence) => {
                let (answers, waits) = self.ask(&instance(sentence, values))?;
                let mut choices = Vec::with_capacity(answers.len());
                for answer in answers {
                    self.step()?;
                    let mut values = values.clone();
                    if matches(sentence, &answer, &mut values) {
                        choices.push(values);
                    }
                }
                Ok((choices, waits))
            }
        }
    }

    /// Which condition comes next: what can be decided at once, then what is given, then what is known best.
    pub(super) fn choose(&self, rule: &NormalRule, values: &Values, left: &[usize]) -> Option<usize> {
        let open = |literal: &NormalLiteral| {
            let mut open = Vec::new();
            literal.variables(&mut |variable| {
                if values.get(variable as usize).is_none_or(Option::is_none) && !open.contains(&variable) {
                    open.push(variable);
                }
            });
            open.len()
        };
        let cost = |at: usize| {
            let literal = &rule.body[at];
            let open = open(literal);
            match literal {
                _ if open == 0 && !matches!(literal, NormalLiteral::Fails(_)) => (0, 0, at),
                NormalLiteral::Fails(_) if open == 0 => (1, 0, at),
                NormalLiteral::Holds(sentence) if !self.by_head.contains_key(&relation(sentence)) => {
                    (2, self.facts.candidates(&instance(sentence, values)).len(), at)
                }
                NormalLiteral::Holds(_) => (3, open, at),
                // Its variables get values from others.
                _ => (9, open, at),
            }
        };
        left.iter().copied().min_by_key(|&at| cost(at))
    }
}

/// The values that make the head of a rule what is asked; `None` if nothing does. Variables of the question
/// that meet variables of the head stay open.
pub(super) fn head_values(rule: &NormalRule, question: &NormalSentence) -> Option<Values> {
    let mut values = vec![None; rule.variables.len()];
    let pairs = rule.head.arguments.iter().zip(&question.arguments);
    let fits = pairs.into_iter().all(|(pattern, asked)| bind_loosely(pattern, asked, &mut values));
    fits.then_some(values)
}

/// As [`bind`], but what is asked may be open, in which case anything fits.
fn bind_loosely(pattern: &NormalTerm, asked: &NormalTerm, values: &mut Values) -> bool {
    match (pattern, asked) {
        (_, NormalTerm::Variable(_)) => true,
        (NormalTerm::Variable(variable), asked) if is_ground(asked) => {
            let value = &mut values[*variable as usize];
            match value {
                Some(known) => known == asked,
                None => {
                    *value = Some(asked.clone());
                    true
                }
            }
        }
        (NormalTerm::Variable(_), _) => true,
        (NormalTerm::Function(f, left), NormalTerm::Function(g, right)) => {
            f == g
                && left.len() == right.len()
                && left.iter().zip(right).all(|(l, r)| bind_loosely(l, r, values))
        }
        (left, right) => left == right,
    }
}

/// Whether a sentence becomes the ground one by values for its variables, which are noted.
pub(super) fn matches(pattern: &NormalSentence, ground: &NormalSentence, values: &mut Values) -> bool {
    pattern.name == ground.name
        && pattern.arguments.len() == ground.arguments.len()
        && pattern.arguments.iter().zip(&ground.arguments).all(|(left, right)| bind(left, right, values))
}

fn bind(pattern: &NormalTerm, ground: &NormalTerm, values: &mut Values) -> bool {
    match (pattern, ground) {
        (NormalTerm::Variable(variable), ground) => {
            let at = *variable as usize;
            if values.len() <= at {
                values.resize(at + 1, None);
            }
            match &values[at] {
                Some(known) => known == ground,
                None => {
                    values[at] = Some(ground.clone());
                    true
                }
            }
        }
        (NormalTerm::Function(f, left), NormalTerm::Function(g, right)) => {
            f == g && left.len() == right.len() && left.iter().zip(right).all(|(l, r)| bind(l, r, values))
        }
        (left, right) => left == right,
    }
}

/// A term with the values that are known.
pub(super) fn substitute(term: &NormalTerm, values: &Values) -> NormalTerm {
    match term {
        NormalTerm::Variable(variable) => {
            values.get(*variable as usize).and_then(Clone::clone).unwrap_or_else(|| term.clone())
        }
        NormalTerm::Constant(_) => term.clone(),
        NormalTerm::Function(name, arguments) => NormalTerm::Function(
            *name,
            arguments.iter().map(|argument| substitute(argument, values)).collect(),
        ),
    }
}

pub(super) fn instance(sentence: &NormalSentence, values: &Values) -> NormalSentence {
    let arguments = sentence.arguments.iter().map(|argument| substitute(argument, values)).collect();
    NormalSentence { name: sentence.name, arguments }
}

/// The same question with its variables numbered in order, so that it is known again.
fn canonical(question: &NormalSentence) -> NormalSentence {
    let mut order = Vec::new();
    question.variables(&mut |variable| {
        if !order.contains(&variable) {
            order.push(variable);
        }
    });
    let highest = order.iter().max().map_or(0, |&highest| highest as usize + 1);
    let mut numbers: Values = vec![None; highest];
    for (number, &variable) in order.iter().enumerate() {
        numbers[variable as usize] = Some(NormalTerm::Variable(number as u32));
    }
    instance(question, &numbers)
}

/// Whether a term is nested at most so deep. Recursion that builds ever larger terms does not end.
fn is_shallow(term: &NormalTerm, depth: usize) -> bool {
    match term {
        NormalTerm::Function(_, arguments) => {
            depth > 0 && arguments.iter().all(|argument| is_shallow(argument, depth - 1))
        }
        _ => true,
    }
}

/// Whether a sentence is given by the state or the moves.
pub(super) fn is_given(sentence: &NormalSentence) -> bool {
    [TRUE, DOES].contains(&sentence.name)
        && keyword::relation_arity(sentence.name) == Some(sentence.arguments.len())
}
