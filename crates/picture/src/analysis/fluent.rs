//! The fluents of a game: what stands at their places, by the rules and by what was seen in play.

use std::collections::{BTreeMap, BTreeSet};

use gdl::normal::{NormalRules, NormalTerm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::constants::Constants;
use super::domains::Domains;
use super::order::{self, Order};
use super::sentence::{Key, Kind, atom};
use super::tables::Tables;
use crate::term::Term;

/// A way to a place inside a fact: argument, argument of that argument.
pub(crate) type Path = Vec<usize>;

/// One place of a fluent.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The way to it.
    pub(crate) path: Path,
    /// What may stand there.
    pub(crate) values: Vec<String>,
    /// The same in order, if there is one.
    pub(crate) order: Option<Order>,
    /// The names of variables that the rules use there.
    pub(crate) names: Vec<String>,
    /// Whether roles stand there.
    pub(crate) roles: bool,
}

/// A fluent, or a move.
#[derive(Clone, Debug)]
pub(crate) struct Fluent {
    /// Its name.
    pub(crate) name: String,
    /// The number of its arguments.
    pub(crate) arity: usize,
    /// Its places, those inside functions one by one.
    pub(crate) slots: Vec<Slot>,
    /// What was seen of it, state by state: the values at its places.
    pub(crate) seen: Vec<Vec<Vec<String>>>,
}

impl Fluent {
    /// The values of a fact at the places; nothing if it is another fluent's.
    pub(crate) fn read(&self, fact: &Term) -> Option<Vec<String>> {
        if fact.name != self.name || fact.arguments.len() != self.arity {
            return None;
        }
        self.slots.iter().map(|slot| fact.at(&slot.path).map(ToString::to_string)).collect()
    }

    /// Whether no two facts of any state seen agree on these places.
    pub(crate) fn is_key(&self, places: &[usize]) -> bool {
        self.seen.iter().all(|state| {
            let mut met = FxHashSet::default();
            state.iter().all(|values| met.insert(places.iter().map(|&at| &values[at]).collect::<Vec<_>>()))
        })
    }

    /// Whether facts that agree on these places are exceptions.
    pub(crate) fn is_nearly_key(&self, places: &[usize]) -> bool {
        let (mut facts, mut twice) = (0, 0);
        for state in &self.seen {
            let mut met = FxHashSet::default();
            facts += state.len();
            twice += state
                .iter()
                .filter(|values| !met.insert(places.iter().map(|&at| &values[at]).collect::<Vec<_>>()))
                .count();
        }
        5 * twice <= facts
    }

    /// The most facts seen in one state.
    pub(crate) fn most(&self) -> usize {
        self.seen.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// What the analysis knows of the rules.
pub(crate) struct Sources<'a> {
    pub(crate) rules: &'a NormalRules,
    pub(crate) tables: &'a Tables,
    pub(crate) constants: &'a Constants,
    pub(crate) domains: &'a Domains,
    /// Names of roles.
    pub(crate) roles: Vec<String>,
    /// Relations of pairs, as texts.
    pub(crate) pairs: Vec<Vec<(String, String)>>,
}

/// What was not seen in fewer states may still be there.
const MIN_STATES: usize = 10;

/// A relation with more rows is no successor relation that anybody wrote.
const MAX_CHAIN: usize = 2_000;

impl<'a> Sources<'a> {
    pub(crate) fn new(
        rules: &'a NormalRules,
        tables: &'a Tables,
        constants: &'a Constants,
        domains: &'a Domains,
    ) -> Self {
        let roles = rules.roles.iter().map(|&role| rules.symbols.name(role).to_owned()).collect();
        let text = |id| constants.text(&rules.symbols, id);
        let mut keys: Vec<&Key> = tables
            .iter()
            .filter(|(key, table)| key.arity == 2 && table.rows.len() <= MAX_CHAIN)
            .map(|(key, _)| key)
            .collect();
        // Names given first in the rules come first, so that results do not depend on hashing.
        keys.sort();
        let pairs = keys
            .into_iter()
            .map(|key| tables[key].rows.iter().map(|row| (text(row[0]), text(row[1]))).collect())
            .collect();
        Self { rules, tables, constants, domains, roles, pairs }
    }

    /// The order of values: by their names or by a relation.
    pub(crate) fn order(&self, values: &[String]) -> Option<Order> {
        let natural = order::natural(values);
        let chained = || self.pairs.iter().find_map(|pairs| order::chain(values, pairs));
        match natural {
            Some(values) => {
                let cyclic = self
                    .pairs
                    .iter()
                    .any(|pairs| order::chain(&values, pairs).is_some_and(|order| order.cyclic));
                Some(Order { values, cyclic })
            }
            None => chained(),
        }
    }

    /// The fluents, or the moves, with what was seen of them.
    pub(crate) fn fluents(&self, kind: Kind, states: &[Vec<Term>]) -> Vec<Fluent> {
        let mut names: BTreeMap<Key, FxHashMap<usize, Vec<String>>> = BTreeMap::new();
        for rule in &self.rules.rules {
            let body = rule.body.iter().filter_map(|literal| match literal {
                gdl::normal::NormalLiteral::Holds(sentence) | gdl::normal::NormalLiteral::Fails(sentence) => {
                    atom(sentence)
                }
                gdl::normal::NormalLiteral::Distinct(..) => None,
            });
            for sentence in body.chain(atom(&rule.head)).filter(|sentence| sentence.key.kind == kind) {
                let slots = names.entry(sentence.key).or_default();
                for (index, term) in sentence.arguments.iter().enumerate() {
                    if let NormalTerm::Variable(variable) = term {
                        let name = self.rules.symbols.name(rule.variables[*variable as usize]);
                        slots.entry(index).or_default().push(name.trim_start_matches('?').to_owned());
                    }
                }
            }
        }
        names.into_iter().map(|(key, names)| self.fluent(key, &names, states)).collect()
    }

    fn fluent(&self, key: Key, names: &FxHashMap<usize, Vec<String>>, states: &[Vec<Term>]) -> Fluent {
        let name = self.rules.symbols.name(key.name).to_owned();
        let own: Vec<Vec<&Term>> = states
            .iter()
            .map(|state| {
                state.iter().filter(|fact| fact.name == name && fact.arguments.len() == key.arity).collect()
            })
            .collect();
        let mut slots = Vec::new();
        for index in 0..key.arity {
            let text = |id| self.constants.text(&self.rules.symbols, id);
            let mut values: BTreeSet<String> = self.domains.at((key, index)).map(text).collect();
            values.extend(own.iter().flatten().map(|fact| fact.arguments[index].to_string()));
            let terms: Vec<Term> = values.iter().map(|value| Term::read(value)).collect();
            let inside = match terms.first() {
                Some(first) if !first.arguments.is_empty() => {
                    let alike = |term: &Term| {
                        term.name == first.name && term.arguments.len() == first.arguments.len()
                    };
                    if terms.iter().all(alike) { first.arguments.len() } else { 0 }
                }
                _ => 0,
            };
            let names = names.get(&index).cloned().unwrap_or_default();
            if inside == 0 {
                let seen = own.iter().flatten().map(|fact| fact.arguments[index].to_string()).collect();
                let values = self.likely(values, &seen, states.len());
                slots.push(self.slot(vec![index], values, names));
                continue;
            }
            for part in 0..inside {
                let values = terms.iter().map(|term| term.arguments[part].to_string()).collect();
                slots.push(self.slot(vec![index, part], values, Vec::new()));
            }
        }
        let mut fluent = Fluent { name, arity: key.arity, slots, seen: Vec::new() };
        fluent.seen =
            own.iter().map(|facts| facts.iter().filter_map(|fact| fluent.read(fact)).collect()).collect();
        fluent
    }

    /// What the rules allow is at times far more than what is ever reached: then what was seen has to do, and
    /// all between.
    fn likely(&self, values: BTreeSet<String>, seen: &BTreeSet<String>, states: usize) -> BTreeSet<String> {
        if states < MIN_STATES || seen.len() < 3 || seen.len() == values.len() {
            return values;
        }
        let all: Vec<String> = values.iter().cloned().collect();
        let Some(order) = self.order(&all) else {
            let met: Vec<String> = seen.iter().cloned().collect();
            return if self.order(&met).is_some() { seen.clone() } else { values };
        };
        let within = |value: &String| seen.contains(value);
        let bounds = order.values.iter().position(within).zip(order.values.iter().rposition(within));
        match bounds {
            Some((first, last))
                if 2 * values.len() >= 3 * (last - first + 1) && values.len() >= last - first + 4 =>
            {
                order.values[first..=last].iter().cloned().collect()
            }
            _ => values,
        }
    }

    fn slot(&self, path: Path, values: BTreeSet<String>, names: Vec<String>) -> Slot {
        let values = order::sorted(values.into_iter().collect());
        let among = values.iter().filter(|value| self.roles.contains(value)).count();
        let roles = among > 0 && 2 * among >= values.len();
        let order = if roles { None } else { self.order(&values) };
        Slot { path, values, order, names, roles }
    }
}
