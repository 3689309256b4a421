//! From normal rules to a [`Program`]: finds the shapes that arguments may take and makes one
//! version of each rule per combination of them, so that functions turn into columns.
//!
//! The shapes are found by evaluating the rules with every constant blurred into one. A variable
//! that may stand for several shapes, as in `(true ?p)`, gives several versions of its rule. Where
//! terms grow without bound the argument becomes one column of whole terms.

use gdl::normal::{NormalLiteral, NormalRule, NormalRules, NormalSentence, NormalTerm};
use gdl::{SymbolId, keyword};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{Atom, Program, Rule, Skeleton, fed_predicate};
use crate::term::{Pattern, Terms};
use crate::{Budget, GroundError, Progress, Stage};

/// Functions nested deeper than this are kept whole.
const MAX_DEPTH: usize = 4;
/// A predicate with more shapes than this has some arguments kept whole.
const MAX_SHAPES: usize = 400;
/// A rule with more versions than this is refused.
const MAX_VERSIONS: usize = 20_000;

type Predicate = (SymbolId, usize);

/// Makes a program of normal rules.
pub(crate) fn flatten(rules: &NormalRules, budget: &Budget<'_>) -> Result<Program, GroundError> {
    let used: FxHashSet<SymbolId> = rules
        .rules
        .iter()
        .flat_map(|rule| &rule.body)
        .filter_map(|literal| match literal {
            NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => Some(sentence.name),
            NormalLiteral::Distinct(..) => None,
        })
        .collect();
    // What the sheet claims about its own domains may be wrong: reachability is found here.
    let hints = [keyword::BASE, keyword::INPUT];
    let relevant: Vec<&NormalRule> = rules
        .rules
        .iter()
        .filter(|rule| !hints.contains(&rule.head.name) || used.contains(&rule.head.name))
        .collect();

    let mut whole = FxHashSet::default();
    loop {
        budget.check(&Progress { stage: Stage::Reach, items: 0, bytes: 0 })?;
        let mut shapes = Shapes { whole, known: FxHashMap::default(), sizes: FxHashMap::default() };
        let marked = shapes.whole.len();
        shapes.infer(&relevant, budget)?;
        if shapes.whole.len() == marked {
            let program = shapes.specialize(rules, &relevant)?;
            if shapes.whole.len() == marked {
                return Ok(program);
            }
        }
        whole = shapes.whole;
    }
}

/// The shapes of each predicate.
struct Shapes {
    /// Arguments that are kept as whole terms.
    whole: FxHashSet<(Predicate, usize)>,
    known: FxHashMap<Predicate, FxHashSet<Vec<Skeleton>>>,
    /// The same in order of discovery, so that results do not depend on hashing.
    sizes: FxHashMap<Predicate, Vec<Vec<Skeleton>>>,
}

/// What `next`, `init` and `true` share, and `legal` and `does`.
fn class(sentence: &NormalSentence) -> Predicate {
    (fed_predicate(sentence.name).unwrap_or(sentence.name), sentence.arguments.len())
}

impl Shapes {
    fn infer(&mut self, rules: &[&NormalRule], budget: &Budget<'_>) -> Result<(), GroundError> {
        let (facts, rules): (Vec<&NormalRule>, Vec<&NormalRule>) =
            rules.iter().partition(|rule| rule.body.is_empty());
        for fact in facts {
            self.derive(&fact.head, &[]);
        }
        let marked = self.whole.len();
        let mut changed = true;
        while changed && self.whole.len() == marked {
            changed = false;
            budget.check(&Progress { stage: Stage::Reach, items: 0, bytes: 0 })?;
            for rule in &rules {
                for bindings in self.solutions(rule)? {
                    changed |= self.derive(&rule.head, &bindings);
                }
            }
        }
        Ok(())
    }

    /// Adds the shape of a head; whether it is new.
    fn derive(&mut self, head: &NormalSentence, bindings: &[Skeleton]) -> bool {
        let Some(shape) = self.shape(head, bindings) else { return false };
        let predicate = (head.name, head.arguments.len());
        let mut new = self.insert(predicate, &shape);
        if let Some(fed) = fed_predicate(head.name) {
            new |= self.insert((fed, head.arguments.len()), &shape);
        }
        let shapes = &self.sizes[&predicate];
        if shapes.len() > MAX_SHAPES {
            // The argument that varies most is to blame.
            let varied = (0..head.arguments.len()).max_by_key(|&place| {
                shapes.iter().map(|shape| &shape[place]).collect::<FxHashSet<_>>().len()
            });
            self.whole.extend(varied.map(|place| (class(head), place)));
        }
        new
    }

    fn insert(&mut self, predicate: Predicate, shape: &[Skeleton]) -> bool {
        let new = self.known.entry(predicate).or_default().insert(shape.to_vec());
        if new {
            self.sizes.entry(predicate).or_default().push(shape.to_vec());
        }
        new
    }

    /// The shape of a sentence; `None` if an argument turns out to have none and is now kept whole.
    fn shape(&mut self, sentence: &NormalSentence, bindings: &[Skeleton]) -> Option<Vec<Skeleton>> {
        let class = class(sentence);
        let mut sound = true;
        let mut shape = Vec::with_capacity(sentence.arguments.len());
        for (place, argument) in sentence.arguments.iter().enumerate() {
            if self.whole.contains(&(class, place)) {
                shape.push(Skeleton::Any);
                continue;
            }
            let skeleton = instantiate(argument, bindings);
            if skeleton.has_any() || skeleton.depth() > MAX_DEPTH {
                self.whole.insert((class, place));
                sound = false;
            }
            shape.push(skeleton);
        }
        sound.then_some(shape)
    }

    /// All ways in which the positive conditions of a rule can be met, as shapes of its variables.
    fn solutions(&self, rule: &NormalRule) -> Result<Vec<Vec<Skeleton>>, GroundError> {
        let mut open = vec![vec![Skeleton::Any; rule.variables.len()]];
        for literal in &rule.body {
            let NormalLiteral::Holds(sentence) = literal else { continue };
            let Some(shapes) = self.sizes.get(&(sentence.name, sentence.arguments.len())) else {
                return Ok(Vec::new());
            };
            let mut seen = FxHashSet::default();
            let mut extended = Vec::new();
            for bindings in &open {
                for shape in shapes {
                    let mut bindings = bindings.clone();
                    let fits = sentence
                        .arguments
                        .iter()
                        .zip(shape)
                        .all(|(term, skeleton)| meet_term(term, skeleton, &mut bindings));
                    if fits && seen.insert(bindings.clone()) {
                        extended.push(bindings);
                    }
                }
            }
            if extended.len() > MAX_VERSIONS {
                return Err(GroundError::TooMany("shapes of the facts in one rule"));
            }
            open = extended;
        }
        Ok(open)
    }

    fn specialize(&mut self, rules: &NormalRules, relevant: &[&NormalRule]) -> Result<Program, GroundError> {
        let mut program = Program::default();
        program.symbols = rules.symbols.clone();
        program.chance = rules.chance();
        program.has_percepts = rules.has_percepts();
        program.roles = rules.roles.iter().map(|&role| program.terms.constant(role)).collect();
        for predicate in [(keyword::TRUE, 1), (keyword::DOES, 2)] {
            for shape in self.sizes.get(&predicate).into_iter().flatten() {
                program.relation(predicate.0, shape);
            }
        }
        let mut seen = FxHashSet::default();
        for rule in relevant {
            for bindings in self.solutions(rule)? {
                if let Some(rule) = self.version(&mut program, rule, &bindings)
                    && seen.insert(rule.clone())
                {
                    program.rules.push(rule);
                }
            }
        }
        Ok(program)
    }

    /// One version of a rule; `None` if it can never fire.
    fn version(&mut self, program: &mut Program, rule: &NormalRule, bindings: &[Skeleton]) -> Option<Rule> {
        let mut variables = 0;
        let values: Vec<Pattern> = bindings.iter().map(|skeleton| fresh(skeleton, &mut variables)).collect();
        let mut version = Rule {
            head: self.atom(program, &rule.head, bindings, &values)?,
            positive: Vec::new(),
            negative: Vec::new(),
            distinct: Vec::new(),
            variables,
            split: None,
        };
        for literal in &rule.body {
            match literal {
                NormalLiteral::Holds(sentence) => {
                    let atom = self.atom(program, sentence, bindings, &values)?;
                    if !version.positive.contains(&atom) {
                        version.positive.push(atom);
                    }
                }
                NormalLiteral::Fails(sentence) => {
                    let shape = self.shape(sentence, bindings)?;
                    let known = self.known.get(&(sentence.name, sentence.arguments.len()));
                    // What can never hold need not be denied.
                    if known.is_some_and(|shapes| shapes.contains(&shape)) {
                        let atom = self.atom(program, sentence, bindings, &values)?;
                        if !version.negative.contains(&atom) {
                            version.negative.push(atom);
                        }
                    }
                }
                NormalLiteral::Distinct(left, right) => {
                    let left = convert(left, &values, &mut program.terms);
                    let right = convert(right, &values, &mut program.terms);
                    if left == right {
                        return None;
                    }
                    if !never_same(&left, &right) {
                        version.distinct.push((left, right));
                    }
                }
            }
        }
        Some(version)
    }

    fn atom(
        &mut self,
        program: &mut Program,
        sentence: &NormalSentence,
        bindings: &[Skeleton],
        values: &[Pattern],
    ) -> Option<Atom> {
        let shape = self.shape(sentence, bindings)?;
        let relation = program.relation(sentence.name, &shape);
        let mut arguments = Vec::with_capacity(program.relations[relation.index()].width);
        for (term, skeleton) in sentence.arguments.iter().zip(&shape) {
            columns(convert(term, values, &mut program.terms), skeleton, &mut arguments);
        }
        Some(Atom { relation, arguments })
    }
}

fn instantiate(term: &NormalTerm, bindings: &[Skeleton]) -> Skeleton {
    match term {
        NormalTerm::Variable(variable) => bindings[*variable as usize].clone(),
        NormalTerm::Constant(_) => Skeleton::Constant,
        NormalTerm::Function(name, arguments) => {
            Skeleton::Function(*name, arguments.iter().map(|term| instantiate(term, bindings)).collect())
        }
    }
}

/// Narrows the variables of a term to what fits a shape.
fn meet_term(term: &NormalTerm, skeleton: &Skeleton, bindings: &mut [Skeleton]) -> bool {
    match (term, skeleton) {
        (NormalTerm::Variable(variable), _) => {
            let known = &mut bindings[*variable as usize];
            match meet(known, skeleton) {
                Some(met) => {
                    *known = met;
                    true
                }
                None => false,
            }
        }
        (NormalTerm::Constant(_), Skeleton::Constant | Skeleton::Any) => true,
        (NormalTerm::Function(..), Skeleton::Any) => true,
        (NormalTerm::Function(name, terms), Skeleton::Function(other, skeletons)) => {
            name == other
                && terms.len() == skeletons.len()
                && terms.iter().zip(skeletons).all(|(term, skeleton)| meet_term(term, skeleton, bindings))
        }
        _ => false,
    }
}

fn meet(left: &Skeleton, right: &Skeleton) -> Option<Skeleton> {
    match (left, right) {
        (Skeleton::Any, other) | (other, Skeleton::Any) => Some(other.clone()),
        (Skeleton::Constant, Skeleton::Constant) => Some(Skeleton::Constant),
        (Skeleton::Function(f, a), Skeleton::Function(g, b)) if f == g && a.len() == b.len() => {
            let arguments: Option<Vec<Skeleton>> = a.iter().zip(b).map(|(a, b)| meet(a, b)).collect();
            Some(Skeleton::Function(*f, arguments?))
        }
        _ => None,
    }
}

/// A pattern of this shape with a new variable at each column.
fn fresh(skeleton: &Skeleton, variables: &mut u32) -> Pattern {
    match skeleton {
        Skeleton::Constant | Skeleton::Any => {
            *variables += 1;
            Pattern::Variable(*variables - 1)
        }
        Skeleton::Function(name, arguments) => {
            Pattern::Function(*name, arguments.iter().map(|argument| fresh(argument, variables)).collect())
        }
    }
}

fn convert(term: &NormalTerm, values: &[Pattern], terms: &mut Terms) -> Pattern {
    match term {
        NormalTerm::Variable(variable) => values[*variable as usize].clone(),
        NormalTerm::Constant(name) => Pattern::Constant(terms.constant(*name)),
        NormalTerm::Function(name, arguments) => {
            Pattern::Function(*name, arguments.iter().map(|term| convert(term, values, terms)).collect())
        }
    }
}

/// Spreads a pattern over the columns of its shape.
fn columns(pattern: Pattern, skeleton: &Skeleton, out: &mut Vec<Pattern>) {
    match (skeleton, pattern) {
        (Skeleton::Function(_, skeletons), Pattern::Function(_, arguments)) => {
            for (argument, skeleton) in arguments.into_iter().zip(skeletons) {
                columns(argument, skeleton, out);
            }
        }
        (_, pattern) => out.push(pattern),
    }
}

/// Whether no values of the variables make them the same.
pub(crate) fn never_same(left: &Pattern, right: &Pattern) -> bool {
    match (left, right) {
        (Pattern::Variable(_), _) | (_, Pattern::Variable(_)) => false,
        (Pattern::Constant(a), Pattern::Constant(b)) => a != b,
        (Pattern::Function(f, a), Pattern::Function(g, b)) => {
            f != g || a.len() != b.len() || a.iter().zip(b).any(|(a, b)| never_same(a, b))
        }
        _ => true,
    }
}
