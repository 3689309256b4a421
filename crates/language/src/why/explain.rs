//! From answers to reasons.

use gdl::SymbolId;
use gdl::normal::{NormalLiteral, NormalSentence, NormalTerm};
use rustc_hash::FxHashSet;

use super::facts::relation;
use super::print;
use super::prover::{Prover, Values, head_values, instance, is_given};
use super::{Attempt, Condition, Explanation, Reason, WhyError};

/// How many other answers are listed.
const MAX_OTHERS: usize = 20;

/// How many facts are named that come near.
const MAX_NEAR: usize = 3;

/// How many ways through one rule are looked at for the one that comes furthest.
const MAX_WAYS: usize = 5_000;

/// Levels down at which the rules that fail are told as well.
const FAILING_LEVELS: usize = 3;

/// Rules that fail, told at the first level and further down.
const MAX_ATTEMPTS: [usize; 2] = [20, 2];

/// What was told already: it is not told twice.
type Told = FxHashSet<NormalSentence>;

pub(super) fn explain(
    prover: &mut Prover<'_>,
    asked: &NormalSentence,
    levels: usize,
) -> Result<Explanation, WhyError> {
    let answers = prover.solutions(asked)?;
    let mut told = Told::default();
    let Some((first, others)) = answers.split_first() else {
        return absent(prover, asked, FAILING_LEVELS.min(levels), 0, &mut told);
    };
    let others =
        others.iter().take(MAX_OTHERS).map(|other| print::sentence(prover.symbols(), other)).collect();
    Ok(Explanation { others, ..present(prover, first, levels, &mut told)? })
}

/// Why a sentence that was found holds.
fn present(
    prover: &mut Prover<'_>,
    sentence: &NormalSentence,
    levels: usize,
    told: &mut Told,
) -> Result<Explanation, WhyError> {
    let reason = if prover.facts.contains(sentence) {
        let rules = prover.rules.rules.iter();
        let fact = rules.filter(|rule| rule.body.is_empty()).find(|rule| rule.head == *sentence);
        fact.filter(|_| !is_given(sentence)).map_or(Reason::Given, |fact| Reason::Fact(fact.span))
    } else if let Some(derivation) = prover.derivations.get(sentence).cloned()
        && levels > 0
        && told.insert(sentence.clone())
    {
        let rule = &prover.rules.rules[derivation.rule];
        let mut conditions = Vec::with_capacity(rule.body.len());
        for literal in &rule.body {
            let because = match literal {
                NormalLiteral::Distinct(..) => None,
                NormalLiteral::Holds(sentence) => {
                    let sentence = instance(sentence, &derivation.values);
                    Some(present(prover, &sentence, levels - 1, told)?)
                }
                NormalLiteral::Fails(sentence) => {
                    let sentence = instance(sentence, &derivation.values);
                    Some(absent(prover, &sentence, 0, 1, told)?)
                }
            };
            let text = print::literal(prover, literal, &derivation.values, &rule.variables);
            conditions.push(Condition { text, met: Some(true), because: because.map(Box::new) });
        }
        Reason::Rule { span: rule.span, conditions }
    } else {
        Reason::Shortened
    };
    let sentence = print::sentence(prover.symbols(), sentence);
    Ok(Explanation { sentence, holds: true, reason, others: Vec::new() })
}

/// Why a sentence does not hold.
fn absent(
    prover: &mut Prover<'_>,
    sentence: &NormalSentence,
    levels: usize,
    level: usize,
    told: &mut Told,
) -> Result<Explanation, WhyError> {
    let numbers = prover.rules_for(relation(sentence));
    let fitting: Vec<usize> = numbers
        .into_iter()
        .filter(|&number| head_values(&prover.rules.rules[number], sentence).is_some())
        .collect();
    let reason = if is_given(sentence) {
        Reason::NotGiven(near(prover, sentence))
    } else if fitting.is_empty() {
        Reason::NotStated(near(prover, sentence))
    } else if levels == 0 || !told.insert(sentence.clone()) {
        Reason::Shortened
    } else {
        let mut attempts = Vec::new();
        for number in fitting {
            if let Some(found) = attempt(prover, number, sentence)? {
                attempts.push(found);
            }
        }
        // The nearest first: those with the fewest conditions that are not met.
        attempts.sort_by_key(|attempt| attempt.missing);
        attempts.truncate(MAX_ATTEMPTS[level.min(1)]);
        let mut shown = Vec::with_capacity(attempts.len());
        for attempt in attempts {
            shown.push(attempt.told(prover, levels, level, told)?);
        }
        Reason::NoRule(shown)
    };
    let sentence = print::asked(prover, sentence, &[]);
    Ok(Explanation { sentence, holds: false, reason, others: Vec::new() })
}

/// How far a rule came at best.
struct Best {
    rule: usize,
    values: Values,
    met: Vec<usize>,
    failing: usize,
    missing: usize,
}

/// The way through a rule that meets the most conditions; `None` if there is none to fail.
fn attempt(
    prover: &mut Prover<'_>,
    number: usize,
    sentence: &NormalSentence,
) -> Result<Option<Best>, WhyError> {
    let rule = &prover.rules.rules[number];
    let Some(values) = head_values(rule, sentence) else { return Ok(None) };
    let mut best: Option<Best> = None;
    let mut ways = vec![(values, Vec::new())];
    let mut looked = 0;
    while let Some((values, met)) = ways.pop() {
        looked += 1;
        let left: Vec<usize> = (0..rule.body.len()).filter(|at| !met.contains(at)).collect();
        // A way to the end would be an answer that the head does not fit: a variable that is asked for twice.
        let (holds, others): (Vec<usize>, Vec<usize>) =
            left.iter().partition(|&&at| matches!(rule.body[at], NormalLiteral::Holds(_)));
        // What must not hold says more once everything else does.
        let next = prover.choose(rule, &values, &holds).or_else(|| prover.choose(rule, &values, &others));
        let Some(next) = next else { continue };
        let choices = match looked <= MAX_WAYS {
            true => prover.meet(&rule.body[next], &values)?.0,
            false => break,
        };
        if choices.is_empty() {
            if best.as_ref().is_none_or(|best| best.missing > left.len()) {
                best = Some(Best { rule: number, values, met, failing: next, missing: left.len() });
            }
            continue;
        }
        let met: Vec<usize> = met.into_iter().chain([next]).collect();
        ways.extend(choices.into_iter().rev().map(|values| (values, met.clone())));
    }
    Ok(best)
}

impl Best {
    fn told(
        self,
        prover: &mut Prover<'_>,
        levels: usize,
        level: usize,
        told: &mut Told,
    ) -> Result<Attempt, WhyError> {
        let rule = &prover.rules.rules[self.rule];
        let mut conditions = Vec::with_capacity(rule.body.len());
        for (at, literal) in rule.body.iter().enumerate() {
            let mut is_open = false;
            literal.variables(&mut |variable| is_open |= self.values[variable as usize].is_none());
            let met = match at {
                _ if at == self.failing => Some(false),
                _ if self.met.contains(&at) => Some(true),
                _ if is_open => None,
                _ => Some(!prover.meet(literal, &self.values)?.0.is_empty()),
            };
            let because = match literal {
                NormalLiteral::Holds(sentence) if met == Some(false) => {
                    let sentence = instance(sentence, &self.values);
                    Some(absent(prover, &sentence, levels - 1, level + 1, told)?)
                }
                NormalLiteral::Fails(sentence) if met == Some(false) => {
                    let sentence = instance(sentence, &self.values);
                    Some(present(prover, &sentence, levels, told)?)
                }
                _ => None,
            };
            let text = print::literal(prover, literal, &self.values, &rule.variables);
            conditions.push(Condition { text, met, because: because.map(Box::new) });
        }
        let head =
            print::sentence_with(prover.symbols(), &instance(&rule.head, &self.values), &rule.variables);
        Ok(Attempt { span: rule.span, head, conditions })
    }
}

/// Facts of the same relation that agree in the most arguments, and in one at least.
fn near(prover: &Prover<'_>, sentence: &NormalSentence) -> Vec<String> {
    let mut found: Vec<(usize, &NormalSentence)> = prover
        .facts
        .of(relation(sentence))
        .iter()
        .map(|&number| prover.facts.get(number))
        .map(|fact| (agreement(sentence, fact), fact))
        .filter(|&(agreeing, _)| agreeing > 0)
        .collect();
    let most = found.iter().map(|&(agreeing, _)| agreeing).max().unwrap_or(0);
    found.retain(|&(agreeing, _)| agreeing == most);
    found.iter().take(MAX_NEAR).map(|(_, fact)| print::sentence(prover.symbols(), fact)).collect()
}

/// In how many arguments two sentences agree; the arguments of a fact or move count as their own.
fn agreement(left: &NormalSentence, right: &NormalSentence) -> usize {
    let parts = |sentence: &NormalSentence| -> (Vec<NormalTerm>, Option<SymbolId>) {
        match (is_given(sentence), sentence.arguments.split_last()) {
            (true, Some((NormalTerm::Function(name, arguments), before))) => {
                (before.iter().chain(arguments).cloned().collect(), Some(*name))
            }
            _ => (sentence.arguments.clone(), None),
        }
    };
    let ((left, one), (right, other)) = (parts(left), parts(right));
    match one == other && left.len() == right.len() {
        true => left.iter().zip(&right).filter(|(left, right)| left == right).count(),
        false => 0,
    }
}
