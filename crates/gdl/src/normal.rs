//! The form that reasoners work on: rules whose bodies are plain conjunctions.
//!
//! `or` and `and` are multiplied out, `not` is pushed inwards by De Morgan, `(not (distinct a b))`
//! is unified away, variables are numbered per rule. What the specification calls unsafe is mended
//! here where practice agrees on the meaning:
//!
//! * a variable in the role position that nothing binds ranges over the roles;
//! * a variable that occurs in one negated sentence only makes it "there is none such".
//!
//! A rule that cannot be mended is left out and listed in [`NormalRules::faults`].

use rustc_hash::{FxHashMap, FxHashSet};

use crate::keyword::{DOES, GOAL, INPUT, LEGAL, ROLE, SEES};
use crate::{Literal, LiteralKind, RuleSheet, Sentence, Span, SymbolId, Symbols, Term, TermKind};

/// How many conjunctions one rule may be multiplied out to.
pub const MAX_ALTERNATIVES: usize = 20_000;

/// All rules of a sheet in normal form.
#[derive(Clone, Debug)]
pub struct NormalRules {
    /// The sheet's symbols and those of auxiliary relations.
    pub symbols: Symbols,
    /// The roles in order.
    pub roles: Vec<SymbolId>,
    /// Facts (empty bodies) and rules.
    pub rules: Vec<NormalRule>,
    /// Rules that were left out, and why.
    pub faults: Vec<NormalFault>,
}

/// Why a rule was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalFault {
    /// The rule in the sheet.
    pub span: Span,
    /// What is wrong with it.
    pub message: String,
}

/// A head that follows from all literals of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalRule {
    /// What follows.
    pub head: NormalSentence,
    /// From what.
    pub body: Vec<NormalLiteral>,
    /// The names of the variables, by their numbers.
    pub variables: Vec<SymbolId>,
    /// The rule in the sheet that this one comes from.
    pub span: Span,
}

/// A relation with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NormalSentence {
    /// The relation; names with several arities are several relations.
    pub name: SymbolId,
    /// Its arguments.
    pub arguments: Vec<NormalTerm>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NormalLiteral {
    /// The sentence holds.
    Holds(NormalSentence),
    /// The sentence does not hold; its variables are bound by others.
    Fails(NormalSentence),
    /// The terms differ.
    Distinct(NormalTerm, NormalTerm),
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NormalTerm {
    /// A variable of the rule, by number.
    Variable(u32),
    /// A constant.
    Constant(SymbolId),
    /// A function of at least one argument.
    Function(SymbolId, Vec<NormalTerm>),
}

impl NormalTerm {
    /// Calls `visit` with every variable inside.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        match self {
            NormalTerm::Variable(variable) => visit(*variable),
            NormalTerm::Constant(_) => {}
            NormalTerm::Function(_, arguments) => arguments.iter().for_each(|term| term.variables(visit)),
        }
    }
}

impl NormalSentence {
    /// Calls `visit` with every variable inside.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        self.arguments.iter().for_each(|term| term.variables(visit));
    }
}

/// Brings a sheet into normal form.
pub fn normalize(sheet: &RuleSheet) -> NormalRules {
    let mut output = NormalRules {
        symbols: sheet.symbols.clone(),
        roles: sheet.roles(),
        rules: Vec::new(),
        faults: Vec::new(),
    };
    let mut auxiliaries = 0;
    for rule in &sheet.rules {
        let mut alternatives = vec![Vec::new()];
        for literal in &rule.body {
            if !multiply(&mut alternatives, literal, false) {
                alternatives.clear();
                let message = format!("its `or` conditions make more than {MAX_ALTERNATIVES} combinations");
                output.faults.push(NormalFault { span: rule.span, message });
                break;
            }
        }
        for alternative in alternatives {
            let mut work = RuleWork::default();
            match work.build(&rule.head, &alternative, rule.span) {
                Ok(Some(normal)) => close_unsafe(normal, &mut output, &mut auxiliaries),
                Ok(None) => {}
                Err(message) => output.faults.push(NormalFault { span: rule.span, message }),
            }
        }
    }
    output.faults.dedup();
    output
}

/// A literal without connectives.
#[derive(Clone, Copy)]
enum Flat<'a> {
    Sentence(&'a Sentence, bool),
    /// Terms that must differ, or be the same when negated.
    Distinct(&'a Term, &'a Term, bool),
}

/// Appends a literal to every alternative; `false` when there are too many.
fn multiply<'a>(alternatives: &mut Vec<Vec<Flat<'a>>>, literal: &'a Literal, negated: bool) -> bool {
    match &literal.kind {
        LiteralKind::Sentence(sentence) => push_all(alternatives, Flat::Sentence(sentence, negated)),
        LiteralKind::Distinct(left, right) => push_all(alternatives, Flat::Distinct(left, right, negated)),
        LiteralKind::Not(inner) => return multiply(alternatives, inner, !negated),
        LiteralKind::And(items) | LiteralKind::Or(items)
            if matches!(literal.kind, LiteralKind::And(_)) != negated =>
        {
            return items.iter().all(|item| multiply(alternatives, item, negated));
        }
        LiteralKind::And(items) | LiteralKind::Or(items) => {
            let mut all = Vec::new();
            for item in items {
                let mut branch = alternatives.clone();
                if !multiply(&mut branch, item, negated) || all.len() + branch.len() > MAX_ALTERNATIVES {
                    return false;
                }
                all.append(&mut branch);
            }
            *alternatives = all;
        }
    }
    true
}

fn push_all<'a>(alternatives: &mut [Vec<Flat<'a>>], literal: Flat<'a>) {
    for alternative in alternatives {
        alternative.push(literal);
    }
}

/// The variables of the rule at work and what they were unified with.
#[derive(Default)]
struct RuleWork {
    numbers: FxHashMap<SymbolId, u32>,
    names: Vec<SymbolId>,
    values: Vec<Option<NormalTerm>>,
}

impl RuleWork {
    /// The normal rule, `None` if it can never fire.
    fn build(
        &mut self,
        head: &Sentence,
        body: &[Flat<'_>],
        span: Span,
    ) -> Result<Option<NormalRule>, String> {
        // Equalities first: they decide what the variables stand for everywhere else.
        for literal in body {
            if let Flat::Distinct(left, right, true) = literal {
                let (left, right) = (self.term(left), self.term(right));
                if !self.unify(&left, &right)? {
                    return Ok(None);
                }
            }
        }
        let head = self.sentence(head);
        let mut literals = Vec::with_capacity(body.len());
        for literal in body {
            let literal = match *literal {
                Flat::Sentence(sentence, false) => NormalLiteral::Holds(self.sentence(sentence)),
                Flat::Sentence(sentence, true) => NormalLiteral::Fails(self.sentence(sentence)),
                Flat::Distinct(_, _, true) => continue,
                Flat::Distinct(left, right, false) => {
                    let (left, right) = (self.term(left), self.term(right));
                    if left == right {
                        return Ok(None);
                    }
                    if never_same(&left, &right) {
                        continue;
                    }
                    NormalLiteral::Distinct(left, right)
                }
            };
            if !literals.contains(&literal) {
                literals.push(literal);
            }
        }
        Ok(Some(renumber(NormalRule {
            head,
            body: literals,
            variables: std::mem::take(&mut self.names),
            span,
        })))
    }

    fn sentence(&mut self, sentence: &Sentence) -> NormalSentence {
        NormalSentence {
            name: sentence.name,
            arguments: sentence.arguments.iter().map(|term| self.term(term)).collect(),
        }
    }

    fn term(&mut self, term: &Term) -> NormalTerm {
        let term = match &term.kind {
            TermKind::Constant(name) => NormalTerm::Constant(*name),
            TermKind::Function(name, arguments) => {
                NormalTerm::Function(*name, arguments.iter().map(|term| self.term(term)).collect())
            }
            TermKind::Variable(name) => {
                let next = self.names.len() as u32;
                let number = *self.numbers.entry(*name).or_insert(next);
                if number == next {
                    self.names.push(*name);
                    self.values.push(None);
                }
                NormalTerm::Variable(number)
            }
        };
        self.resolve(&term)
    }

    fn resolve(&self, term: &NormalTerm) -> NormalTerm {
        match term {
            NormalTerm::Constant(_) => term.clone(),
            NormalTerm::Variable(number) => match &self.values[*number as usize] {
                Some(value) => self.resolve(value),
                None => term.clone(),
            },
            NormalTerm::Function(name, arguments) => {
                NormalTerm::Function(*name, arguments.iter().map(|term| self.resolve(term)).collect())
            }
        }
    }

    fn unify(&mut self, left: &NormalTerm, right: &NormalTerm) -> Result<bool, String> {
        let (left, right) = (self.resolve(left), self.resolve(right));
        match (&left, &right) {
            (NormalTerm::Variable(a), NormalTerm::Variable(b)) if a == b => Ok(true),
            (NormalTerm::Variable(variable), value) | (value, NormalTerm::Variable(variable)) => {
                let mut occurs = false;
                value.variables(&mut |inner| occurs |= inner == *variable);
                if occurs {
                    return Err("it asks for a term that contains itself".to_owned());
                }
                self.values[*variable as usize] = Some(value.clone());
                Ok(true)
            }
            (NormalTerm::Constant(a), NormalTerm::Constant(b)) => Ok(a == b),
            (NormalTerm::Function(f, a), NormalTerm::Function(g, b)) if f == g && a.len() == b.len() => {
                for (a, b) in a.iter().zip(b) {
                    if !self.unify(a, b)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// Whether no values of the variables make the terms equal.
fn never_same(left: &NormalTerm, right: &NormalTerm) -> bool {
    match (left, right) {
        (NormalTerm::Variable(_), _) | (_, NormalTerm::Variable(_)) => false,
        (NormalTerm::Constant(a), NormalTerm::Constant(b)) => a != b,
        (NormalTerm::Function(f, a), NormalTerm::Function(g, b)) => {
            f != g || a.len() != b.len() || a.iter().zip(b).any(|(a, b)| never_same(a, b))
        }
        _ => true,
    }
}

/// Numbers the variables that are left from 0 in the order of their appearance.
fn renumber(mut rule: NormalRule) -> NormalRule {
    let mut order: Vec<u32> = Vec::new();
    let mut note = |variable: u32| {
        if !order.contains(&variable) {
            order.push(variable);
        }
    };
    rule.head.variables(&mut note);
    for literal in &rule.body {
        literal_variables(literal, &mut note);
    }
    let rename = |variable: &mut u32| {
        *variable = order.iter().position(|known| known == variable).expect("all were noted") as u32;
    };
    rename_sentence(&mut rule.head, &rename);
    for literal in &mut rule.body {
        match literal {
            NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => {
                rename_sentence(sentence, &rename)
            }
            NormalLiteral::Distinct(left, right) => {
                rename_term(left, &rename);
                rename_term(right, &rename);
            }
        }
    }
    rule.variables = order.iter().map(|&old| rule.variables[old as usize]).collect();
    rule
}

fn rename_sentence(sentence: &mut NormalSentence, rename: &impl Fn(&mut u32)) {
    sentence.arguments.iter_mut().for_each(|term| rename_term(term, rename));
}

fn rename_term(term: &mut NormalTerm, rename: &impl Fn(&mut u32)) {
    match term {
        NormalTerm::Variable(variable) => rename(variable),
        NormalTerm::Constant(_) => {}
        NormalTerm::Function(_, arguments) => arguments.iter_mut().for_each(|term| rename_term(term, rename)),
    }
}

fn literal_variables(literal: &NormalLiteral, visit: &mut impl FnMut(u32)) {
    match literal {
        NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => sentence.variables(visit),
        NormalLiteral::Distinct(left, right) => {
            left.variables(visit);
            right.variables(visit);
        }
    }
}

/// Mends a rule with unbound variables and adds it to the output, or reports it.
fn close_unsafe(mut rule: NormalRule, output: &mut NormalRules, auxiliaries: &mut usize) {
    let mut bound: FxHashSet<u32> = FxHashSet::default();
    for literal in &rule.body {
        if let NormalLiteral::Holds(sentence) = literal {
            sentence.variables(&mut |variable| {
                bound.insert(variable);
            });
        }
    }
    if bound.len() == rule.variables.len() {
        output.rules.push(rule);
        return;
    }

    let mut role_variables = Vec::new();
    let sentences = rule.body.iter().filter_map(|literal| match literal {
        NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => Some(sentence),
        NormalLiteral::Distinct(..) => None,
    });
    for sentence in std::iter::once(&rule.head).chain(sentences) {
        if [GOAL, LEGAL, DOES, INPUT, SEES, ROLE].contains(&sentence.name)
            && let Some(NormalTerm::Variable(variable)) = sentence.arguments.first()
            && bound.insert(*variable)
        {
            role_variables.push(*variable);
        }
    }
    for variable in role_variables {
        let role = NormalSentence { name: ROLE, arguments: vec![NormalTerm::Variable(variable)] };
        rule.body.push(NormalLiteral::Holds(role));
    }

    for index in 0..rule.body.len() {
        let NormalLiteral::Fails(sentence) = &rule.body[index] else { continue };
        let mut local = Vec::new();
        let mut known = Vec::new();
        sentence.variables(&mut |variable| {
            let list = if bound.contains(&variable) { &mut known } else { &mut local };
            if !list.contains(&variable) {
                list.push(variable);
            }
        });
        // Shared with another literal or the head it is not "there is none such" but unsafe.
        if local.is_empty() || local.iter().any(|&variable| occurs_elsewhere(&rule, index, variable)) {
            continue;
        }
        *auxiliaries += 1;
        let name = output.symbols.intern(&format!("exists#{auxiliaries}"));
        let head = NormalSentence { name, arguments: known.into_iter().map(NormalTerm::Variable).collect() };
        let exists = NormalRule {
            head: head.clone(),
            body: vec![NormalLiteral::Holds(sentence.clone())],
            variables: rule.variables.clone(),
            span: rule.span,
        };
        output.rules.push(renumber(exists));
        rule.body[index] = NormalLiteral::Fails(head);
    }

    let rule = renumber(rule);
    let mut bound = FxHashSet::default();
    for literal in &rule.body {
        if let NormalLiteral::Holds(sentence) = literal {
            sentence.variables(&mut |variable| {
                bound.insert(variable);
            });
        }
    }
    match (0..rule.variables.len() as u32).find(|variable| !bound.contains(variable)) {
        None => output.rules.push(rule),
        Some(variable) => {
            let name = output.symbols.spelling(rule.variables[variable as usize]);
            let message = format!("nothing in its body binds the variable `{name}`");
            output.faults.push(NormalFault { span: rule.span, message });
        }
    }
}

fn occurs_elsewhere(rule: &NormalRule, index: usize, variable: u32) -> bool {
    let mut found = false;
    let mut visit = |other| found |= other == variable;
    rule.head.variables(&mut visit);
    for (other, literal) in rule.body.iter().enumerate() {
        if other != index {
            literal_variables(literal, &mut visit);
        }
    }
    found
}

/// The canonical text of a normal rule: an aid for reading and for tests.
pub fn print_normal_rule(symbols: &Symbols, rule: &NormalRule) -> String {
    let variables = &rule.variables;
    let mut out = String::new();
    if !rule.body.is_empty() {
        out.push_str("(<= ");
    }
    print_sentence(symbols, variables, &rule.head, &mut out);
    for literal in &rule.body {
        out.push(' ');
        match literal {
            NormalLiteral::Holds(sentence) => print_sentence(symbols, variables, sentence, &mut out),
            NormalLiteral::Fails(sentence) => {
                out.push_str("(not ");
                print_sentence(symbols, variables, sentence, &mut out);
                out.push(')');
            }
            NormalLiteral::Distinct(left, right) => {
                out.push_str("(distinct ");
                print_term(symbols, variables, left, &mut out);
                out.push(' ');
                print_term(symbols, variables, right, &mut out);
                out.push(')');
            }
        }
    }
    if !rule.body.is_empty() {
        out.push(')');
    }
    out
}

fn print_sentence(symbols: &Symbols, variables: &[SymbolId], sentence: &NormalSentence, out: &mut String) {
    print_application(symbols, variables, sentence.name, &sentence.arguments, out);
}

fn print_term(symbols: &Symbols, variables: &[SymbolId], term: &NormalTerm, out: &mut String) {
    match term {
        NormalTerm::Variable(number) => out.push_str(symbols.spelling(variables[*number as usize])),
        NormalTerm::Constant(name) => out.push_str(symbols.spelling(*name)),
        NormalTerm::Function(name, arguments) => print_application(symbols, variables, *name, arguments, out),
    }
}

fn print_application(
    symbols: &Symbols,
    variables: &[SymbolId],
    name: SymbolId,
    arguments: &[NormalTerm],
    out: &mut String,
) {
    if arguments.is_empty() {
        out.push_str(symbols.spelling(name));
        return;
    }
    out.push('(');
    out.push_str(symbols.spelling(name));
    for argument in arguments {
        out.push(' ');
        print_term(symbols, variables, argument, out);
    }
    out.push(')');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceFile, parse};

    fn normal(text: &str) -> (Vec<String>, Vec<String>) {
        let rules = normalize(&parse(&SourceFile::new("t", text)).sheet);
        let printed = rules.rules.iter().map(|rule| print_normal_rule(&rules.symbols, rule)).collect();
        (printed, rules.faults.into_iter().map(|fault| fault.message).collect())
    }

    #[test]
    fn disjunctions_multiply_out() {
        let (rules, _) = normal("(<= p (or a b) (or (and c d) e))");
        assert_eq!(rules, ["(<= p a c d)", "(<= p b c d)", "(<= p a e)", "(<= p b e)"]);
    }

    #[test]
    fn negation_moves_inwards() {
        let (rules, _) = normal("(<= p (not (or a (not b))))");
        assert_eq!(rules, ["(<= p (not a) b)"]);
        let (rules, _) = normal("(<= p (q ?x) (not (and a b)))");
        assert_eq!(rules, ["(<= p (q ?x) (not a))", "(<= p (q ?x) (not b))"]);
    }

    #[test]
    fn not_distinct_unifies() {
        let (rules, _) = normal("(<= (p ?x ?y) (q ?x) (r ?y) (not (distinct ?x (f ?y))))");
        assert_eq!(rules, ["(<= (p (f ?y) ?y) (q (f ?y)) (r ?y))"]);
        let (rules, _) = normal("(<= (p ?x) (q ?x) (not (distinct a b)))");
        assert!(rules.is_empty());
    }

    #[test]
    fn distinct_of_constants_is_decided() {
        let (rules, _) = normal("(<= p (distinct a b) q) (<= r (distinct a a) q)");
        assert_eq!(rules, ["(<= p q)"]);
    }

    #[test]
    fn unbound_roles_range_over_the_roles() {
        let (rules, faults) = normal("(<= (goal ?p 100) (true done))");
        assert_eq!(rules, ["(<= (goal ?p 100) (true done) (role ?p))"]);
        assert!(faults.is_empty());
    }

    #[test]
    fn a_variable_of_one_negation_means_none_such() {
        let (rules, faults) = normal("(<= (p ?x) (q ?x) (not (r ?x ?y)))");
        assert_eq!(rules, ["(<= (exists#1 ?x) (r ?x ?y))", "(<= (p ?x) (q ?x) (not (exists#1 ?x)))"]);
        assert!(faults.is_empty());
    }

    #[test]
    fn what_cannot_be_mended_is_reported() {
        let (rules, faults) = normal("(<= (p ?x) q)");
        assert!(rules.is_empty());
        assert_eq!(faults, ["nothing in its body binds the variable `?x`"]);
    }

    #[test]
    fn too_many_combinations_are_refused() {
        let body = "(or a b) ".repeat(40);
        let (rules, faults) = normal(&format!("(<= p {body})"));
        assert!(rules.is_empty());
        assert_eq!(faults.len(), 1);
    }
}
