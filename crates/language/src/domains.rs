//! Which values an argument may have, as far as that is cheap to tell: from the heads of all rules, through
//! variables to the first condition that gives them a value. More values than there really are may be told,
//! never fewer.

use gdl::SymbolId;
use gdl::keyword::{DOES, INIT, LEGAL, NEXT, ROLE, TRUE, is_keyword};
use gdl::normal::{NormalLiteral, NormalRule, NormalRules, NormalSentence, NormalTerm};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Of more values none is told.
const MAX_VALUES: usize = 400;

/// Rounds over all rules before everything counts as open.
const MAX_ROUNDS: usize = 200;

/// What has arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Holder {
    Relation(SymbolId, usize),
    State(SymbolId, usize),
    Move(SymbolId, usize),
}

/// The values of one argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Domain {
    /// Names of constants and functions.
    pub(crate) values: IndexSet<SymbolId, FxBuildHasher>,
    /// There may be others.
    pub(crate) is_open: bool,
}

impl Domain {
    /// Whether it grew.
    fn add(&mut self, other: &Domain) -> bool {
        let before = (self.values.len(), self.is_open);
        self.is_open |= other.is_open;
        if !self.is_open {
            self.values.extend(&other.values);
        }
        if self.is_open || self.values.len() > MAX_VALUES {
            self.is_open = true;
            self.values.clear();
        }
        before != (self.values.len(), self.is_open)
    }

    fn of(value: SymbolId) -> Self {
        Self { values: std::iter::once(value).collect(), is_open: false }
    }

    fn open() -> Self {
        Self { values: IndexSet::default(), is_open: true }
    }
}

/// The values of all arguments of a sheet.
#[derive(Clone, Debug)]
pub(crate) struct Domains {
    rules: NormalRules,
    slots: FxHashMap<(Holder, usize), Domain>,
}

impl Domains {
    pub(crate) fn new(rules: NormalRules) -> Self {
        let mut domains =
            Self { rules: NormalRules { rules: Vec::new(), ..rules.clone() }, slots: FxHashMap::default() };
        let mut rounds = 0;
        while domains.round(&rules.rules, rounds >= MAX_ROUNDS) {
            rounds += 1;
        }
        domains.rules = rules;
        domains
    }

    /// Whether anything was added.
    fn round(&mut self, rules: &[NormalRule], give_up: bool) -> bool {
        let mut grew = false;
        for rule in rules {
            let Some((holder, arguments)) = holder(&rule.head) else { continue };
            for (at, argument) in arguments.iter().enumerate() {
                let domain = if give_up { Domain::open() } else { self.term(rule, argument) };
                grew |= self.slots.entry((holder, at)).or_default().add(&domain);
            }
        }
        grew
    }

    fn term(&self, rule: &NormalRule, term: &NormalTerm) -> Domain {
        match term {
            NormalTerm::Constant(name) | NormalTerm::Function(name, _) => Domain::of(*name),
            NormalTerm::Variable(variable) => match slots_of(rule, *variable).next() {
                Some(slot) => self.slots.get(&slot).cloned().unwrap_or_default(),
                None => Domain::open(),
            },
        }
    }

    /// The values of an argument.
    pub(crate) fn of(&self, holder: Holder, argument: usize) -> Option<&Domain> {
        self.slots.get(&(holder, argument))
    }

    /// The values of a variable of the rule that stands at a place: those that all conditions on it allow.
    pub(crate) fn of_variable(&self, rule: gdl::Span, name: SymbolId) -> Domain {
        let mut all = Domain::default();
        for rule in self.rules.rules.iter().filter(|other| other.span == rule) {
            let Some(variable) = rule.variables.iter().position(|&other| other == name) else { continue };
            let mut common: Option<Domain> = None;
            for slot in slots_of(rule, variable as u32) {
                let domain = self.slots.get(&slot).cloned().unwrap_or_default();
                common = Some(match common {
                    Some(common) if domain.is_open => common,
                    Some(common) if !common.is_open => Domain {
                        values: common
                            .values
                            .into_iter()
                            .filter(|value| domain.values.contains(value))
                            .collect(),
                        is_open: false,
                    },
                    _ => domain,
                });
            }
            all.add(&common.unwrap_or_else(Domain::open));
        }
        all
    }
}

/// What has the arguments of a sentence: its relation, or what it says of the state or of moves.
pub(crate) fn holder(sentence: &NormalSentence) -> Option<(Holder, &[NormalTerm])> {
    let below = match (sentence.name, &sentence.arguments[..]) {
        (INIT | NEXT | TRUE, [term]) => Some((false, term)),
        (LEGAL | DOES, [_, term]) => Some((true, term)),
        _ => None,
    };
    match below {
        Some((is_move, NormalTerm::Function(name, arguments))) => {
            let of = if is_move { Holder::Move } else { Holder::State };
            Some((of(*name, arguments.len()), arguments))
        }
        Some(_) => None,
        None if is_keyword(sentence.name) && sentence.name != ROLE => None,
        None => Some((Holder::Relation(sentence.name, sentence.arguments.len()), &sentence.arguments)),
    }
}

/// The arguments of conditions that a variable is, one after the other.
fn slots_of(rule: &NormalRule, variable: u32) -> impl Iterator<Item = (Holder, usize)> {
    let sentences = rule.body.iter().filter_map(|literal| match literal {
        NormalLiteral::Holds(sentence) => holder(sentence),
        _ => None,
    });
    sentences.flat_map(move |(holder, arguments)| {
        let is_it = move |(_, term): &(usize, &NormalTerm)| **term == NormalTerm::Variable(variable);
        arguments.iter().enumerate().filter(is_it).map(move |(at, _)| (holder, at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_through_variables_and_recursion() {
        let rules = gdl::normal::read(
            "(role me) (succ 1 2) (succ 2 3) (init (at 1)) (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
             (<= (legal me (go ?x)) (true (at ?x)) (or (p ?x) (q ?x))) (p 1) (q 7)
             (<= (far ?x ?y) (succ ?x ?y)) (<= (far ?x ?z) (far ?x ?y) (succ ?y ?z)) (<= (deep (f ?x)) (deep ?x))",
        );
        let spans: Vec<_> = rules.rules.iter().map(|rule| rule.span).collect();
        let symbols = rules.symbols.clone();
        let get = |name: &str| symbols.get(name).expect("it is known");
        let domains = Domains::new(rules);
        let values = |domain: &Domain| {
            domain.values.iter().map(|&value| symbols.name(value)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(values(domains.of(Holder::State(get("at"), 1), 0).expect("known")), "1 2 3");
        assert_eq!(values(domains.of(Holder::Move(get("go"), 1), 0).expect("known")), "1 2 3");
        assert_eq!(values(domains.of(Holder::Relation(get("far"), 2), 1).expect("known")), "2 3");
        assert_eq!(values(domains.of(Holder::Relation(get("deep"), 1), 0).expect("known")), "f");
        // In one alternative ?x is 1, in the other nothing is left.
        assert_eq!(values(&domains.of_variable(spans[5], get("?x"))), "1");
    }
}
