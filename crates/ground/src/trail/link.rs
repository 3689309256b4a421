//! Takes a rule apart into what it does with the nodes of a chain and what it does with the trail.

use gdl::normal::{NormalLiteral, NormalRule, NormalSentence, NormalTerm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Key, key, sentence};

/// The place of the trail in each relation of a chain.
#[derive(Clone, Debug)]
pub(super) struct Trails(pub(super) FxHashMap<Key, usize>);

impl Trails {
    /// Whether the relation belongs to the chain.
    pub(super) fn has(&self, relation: Key) -> bool {
        self.0.contains_key(&relation)
    }

    /// Whether the condition is one on the chain itself.
    pub(super) fn has_condition(&self, literal: &NormalLiteral) -> bool {
        sentence(literal).is_some_and(|sentence| self.has(key(sentence)))
    }

    /// The trail of a sentence of the chain.
    pub(super) fn trail<'a>(&self, sentence: &'a NormalSentence) -> &'a NormalTerm {
        &sentence.arguments[self.0[&key(sentence)]]
    }

    /// The arguments of a sentence of the chain without its trail.
    pub(super) fn node<'a>(&self, sentence: &'a NormalSentence) -> Vec<&'a NormalTerm> {
        let trail = self.0[&key(sentence)];
        let arguments = sentence.arguments.iter().enumerate();
        arguments.filter(|(place, _)| *place != trail).map(|(_, term)| term).collect()
    }
}

/// A rule that takes a trail at one node and hands it on to another one, if there is another.
#[derive(Debug)]
pub(super) struct Link<'a> {
    pub(super) rule: &'a NormalRule,
    /// The node that is left.
    pub(super) from: &'a NormalSentence,
    /// The node that is entered.
    pub(super) to: Option<&'a NormalSentence>,
    /// The places of the conditions on the trail.
    pub(super) touched: Vec<usize>,
    /// What the trail meets, in the variables of the rule.
    pub(super) element: Option<NormalTerm>,
    pub(super) operation: Operation,
}

/// What a link does with the trail, in variables of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    pub(super) conditions: Vec<NormalLiteral>,
    /// The trail that is handed on.
    pub(super) after: Option<NormalTerm>,
    pub(super) variables: usize,
    pub(super) has_element: bool,
}

/// The element in an operation.
pub(super) const ELEMENT: u32 = 0;
/// The trail that an operation is given.
pub(super) const BEFORE: u32 = 1;

impl Operation {
    /// Whether the trail is handed on as something else.
    pub(super) fn changes(&self) -> bool {
        self.after.as_ref().is_some_and(|after| *after != NormalTerm::Variable(BEFORE))
    }
}

impl<'a> Link<'a> {
    /// The link that a rule is; `None` if nodes and trail cannot be told apart in it.
    pub(super) fn of(
        trails: &Trails,
        rule: &'a NormalRule,
        from: &'a NormalSentence,
        to: Option<&'a NormalSentence>,
    ) -> Option<Self> {
        let NormalTerm::Variable(before) = *trails.trail(from) else { return None };
        let after = to.map(|to| trails.trail(to));
        let nodes: Vec<&NormalTerm> =
            trails.node(from).into_iter().chain(to.into_iter().flat_map(|to| trails.node(to))).collect();
        let (touched, elements) = separate(trails, rule, &nodes, before, after)?;
        if !binds_what_is_left(trails, rule, &touched, &elements) {
            return None;
        }
        let conditions: Vec<&NormalLiteral> = touched.iter().map(|&place| &rule.body[place]).collect();
        let element = match elements.is_empty() {
            true => None,
            false => Some(smallest_with(&conditions, after, &elements)?),
        };
        let mut abstraction =
            Abstraction { element: element.as_ref(), parts: &elements, order: vec![before] };
        let operation = abstraction.operation(&conditions, after)?;
        Some(Link { rule, from, to, touched, element, operation })
    }

    /// The conditions that do not touch the trail, without those on the chain itself.
    pub(super) fn kept<'b>(&'b self, trails: &'b Trails) -> impl Iterator<Item = &'b NormalLiteral> {
        let literals = self.rule.body.iter().enumerate();
        literals
            .filter(|(place, literal)| !self.touched.contains(place) && !trails.has_condition(literal))
            .map(|(_, literal)| literal)
    }
}

/// The variables of terms.
fn variables<'t>(terms: impl IntoIterator<Item = &'t NormalTerm>) -> FxHashSet<u32> {
    let mut set = FxHashSet::default();
    terms.into_iter().for_each(|term| {
        term.variables(&mut |variable| {
            set.insert(variable);
        });
    });
    set
}

fn variables_of(literal: &NormalLiteral) -> FxHashSet<u32> {
    match literal {
        NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => variables(&sentence.arguments),
        NormalLiteral::Distinct(left, right) => variables([left, right]),
    }
}

/// The places of the conditions that touch the trail, and the variables that these share with the others. To the nodes belong
/// their variables and whatever else is connected with them, to the trail what else is met together with it.
fn separate(
    trails: &Trails,
    rule: &NormalRule,
    nodes: &[&NormalTerm],
    before: u32,
    after: Option<&NormalTerm>,
) -> Option<(Vec<usize>, FxHashSet<u32>)> {
    let outer = variables(nodes.iter().copied());
    if outer.contains(&before) {
        return None;
    }
    let literals: Vec<Option<FxHashSet<u32>>> = rule
        .body
        .iter()
        .map(|literal| (!trails.has_condition(literal)).then(|| variables_of(literal)))
        .collect();
    let mut of_trail = FxHashSet::from_iter([before]);
    loop {
        let touches =
            |place: &usize| literals[*place].as_ref().is_some_and(|inside| !inside.is_disjoint(&of_trail));
        let touched: Vec<usize> = (0..literals.len()).filter(touches).collect();
        let mut known = outer.clone();
        let mut size = 0;
        while known.len() != size {
            size = known.len();
            for (place, inside) in literals.iter().enumerate() {
                if let Some(inside) = inside
                    && !touched.contains(&place)
                    && !inside.is_disjoint(&known)
                {
                    known.extend(inside);
                }
            }
        }
        let mut met = variables(after);
        touched.iter().filter_map(|&place| literals[place].as_ref()).for_each(|inside| met.extend(inside));
        let size = of_trail.len();
        of_trail.extend(met.difference(&known));
        if of_trail.len() == size {
            return Some((touched, &met & &known));
        }
    }
}

/// Whether a rule binds all its variables without its trail, and the element without the chain.
fn binds_what_is_left(
    trails: &Trails,
    rule: &NormalRule,
    touched: &[usize],
    elements: &FxHashSet<u32>,
) -> bool {
    let mut bound = FxHashSet::default();
    let mut chained = FxHashSet::default();
    let mut wanted = variables(trails.node(&rule.head));
    for (place, literal) in rule.body.iter().enumerate() {
        match literal {
            _ if touched.contains(&place) => {}
            NormalLiteral::Holds(sentence) if trails.has(key(sentence)) => {
                chained.extend(variables(trails.node(sentence)));
            }
            NormalLiteral::Holds(_) => bound.extend(variables_of(literal)),
            NormalLiteral::Fails(_) | NormalLiteral::Distinct(..) => wanted.extend(variables_of(literal)),
        }
    }
    elements.is_subset(&bound)
        && wanted.iter().all(|variable| bound.contains(variable) || chained.contains(variable))
}

/// The smallest term with exactly these variables: what is around it is part of the trail.
fn smallest_with(
    conditions: &[&NormalLiteral],
    after: Option<&NormalTerm>,
    wanted: &FxHashSet<u32>,
) -> Option<NormalTerm> {
    let mut terms: Vec<&NormalTerm> = after.into_iter().collect();
    for literal in conditions {
        match literal {
            NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => {
                terms.extend(&sentence.arguments)
            }
            NormalLiteral::Distinct(left, right) => terms.extend([left, right]),
        }
    }
    let mut place = 0;
    while let Some(&term) = terms.get(place) {
        if let NormalTerm::Function(_, arguments) = term {
            terms.extend(arguments);
        }
        place += 1;
    }
    let fitting = terms.into_iter().filter(|&term| variables([term]) == *wanted);
    fitting.min_by_key(|term| size(term)).cloned()
}

fn size(term: &NormalTerm) -> usize {
    match term {
        NormalTerm::Function(_, arguments) => 1 + arguments.iter().map(size).sum::<usize>(),
        _ => 1,
    }
}

/// Makes variables of their own for what a rule does with the trail.
struct Abstraction<'a> {
    element: Option<&'a NormalTerm>,
    /// The variables of the element. They must not be met but within it.
    parts: &'a FxHashSet<u32>,
    /// Other variables by their new numbers, which begin with that of the trail.
    order: Vec<u32>,
}

impl Abstraction<'_> {
    fn operation(&mut self, conditions: &[&NormalLiteral], after: Option<&NormalTerm>) -> Option<Operation> {
        let conditions = conditions.iter().map(|literal| {
            Some(match literal {
                NormalLiteral::Holds(inner) => NormalLiteral::Holds(self.sentence(inner)?),
                NormalLiteral::Fails(inner) => NormalLiteral::Fails(self.sentence(inner)?),
                NormalLiteral::Distinct(left, right) => {
                    NormalLiteral::Distinct(self.term(left)?, self.term(right)?)
                }
            })
        });
        let conditions = conditions.collect::<Option<Vec<NormalLiteral>>>()?;
        let after = match after {
            Some(after) => Some(self.term(after)?),
            None => None,
        };
        let variables = BEFORE as usize + self.order.len();
        Some(Operation { conditions, after, variables, has_element: self.element.is_some() })
    }

    fn sentence(&mut self, sentence: &NormalSentence) -> Option<NormalSentence> {
        let arguments: Option<Vec<NormalTerm>> =
            sentence.arguments.iter().map(|term| self.term(term)).collect();
        Some(NormalSentence { name: sentence.name, arguments: arguments? })
    }

    fn term(&mut self, term: &NormalTerm) -> Option<NormalTerm> {
        if self.element == Some(term) {
            return Some(NormalTerm::Variable(ELEMENT));
        }
        match term {
            NormalTerm::Variable(variable) if self.parts.contains(variable) => None,
            NormalTerm::Variable(variable) => {
                let known = self.order.iter().position(|known| known == variable);
                let place = known.unwrap_or_else(|| {
                    self.order.push(*variable);
                    self.order.len() - 1
                });
                Some(NormalTerm::Variable(BEFORE + place as u32))
            }
            NormalTerm::Constant(_) => Some(term.clone()),
            NormalTerm::Function(name, arguments) => {
                let arguments: Option<Vec<NormalTerm>> =
                    arguments.iter().map(|term| self.term(term)).collect();
                Some(NormalTerm::Function(*name, arguments?))
            }
        }
    }
}
