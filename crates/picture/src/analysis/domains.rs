//! What may stand at each place of facts and moves.
//!
//! Each place is looked at by itself: the values that a rule puts there are those that every condition on
//! the same variable allows. That allows too much at times and never too little, takes milliseconds, and
//! needs no play.

use std::collections::BTreeSet;

use gdl::normal::{NormalLiteral, NormalRule, NormalRules, NormalTerm};
use gdl::{SymbolId, keyword};
use rustc_hash::FxHashMap;

use super::constants::{ConstantId, Constants};
use super::sentence::{Atom, Key, Kind, Place, atom, conditions};
use super::tables::Tables;

/// Values looked at in all, after which what was found so far has to do.
const MAX_STEPS: usize = 40_000_000;
/// The most values of a place; a counter may have many, a board has not.
const MAX_VALUES: usize = 3_000;
/// Tables with more rows are not joined, only their columns are used.
const MAX_JOINED_ROWS: usize = 5_000;

type Values = BTreeSet<ConstantId>;

/// The values at every place.
pub(crate) struct Domains {
    values: FxHashMap<Place, Values>,
}

impl Domains {
    /// What may stand there.
    pub(crate) fn at(&self, place: Place) -> impl Iterator<Item = ConstantId> + '_ {
        self.values.get(&place).into_iter().flatten().copied()
    }
}

/// Finds what may stand at each place.
pub(crate) fn domains(rules: &NormalRules, tables: &Tables, constants: &mut Constants) -> Domains {
    let mut search = Search { tables, constants, values: FxHashMap::default(), steps: 0 };
    for (&relation, table) in tables {
        for row in &table.rows {
            for (index, &value) in row.iter().enumerate() {
                search.values.entry((relation, index)).or_default().insert(value);
            }
        }
    }
    let derived: Vec<(&NormalRule, Atom<'_>)> = rules
        .rules
        .iter()
        .filter_map(|rule| Some((rule, atom(&rule.head)?)))
        .filter(|(_, head)| !tables.contains_key(&head.key) && speaks_of_play(head.key))
        .collect();
    let mut readers: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
    for (number, (rule, _)) in derived.iter().enumerate() {
        for condition in conditions(rule) {
            readers.entry(condition.key).or_default().push(number);
        }
    }
    let mut waiting: BTreeSet<usize> = (0..derived.len()).collect();
    while let Some(number) = waiting.pop_first() {
        let (rule, head) = &derived[number];
        if search.steps > MAX_STEPS {
            break;
        }
        if search.apply(rule, head) {
            waiting.extend(readers.get(&head.key).into_iter().flatten());
        }
    }
    Domains { values: search.values }
}

/// Goals, ends and hints say nothing of what a place may hold.
fn speaks_of_play(key: Key) -> bool {
    let hints: [SymbolId; 5] =
        [keyword::GOAL, keyword::TERMINAL, keyword::SEES, keyword::BASE, keyword::INPUT];
    key.kind != Kind::Relation || !hints.contains(&key.name)
}

struct Search<'a> {
    tables: &'a Tables,
    constants: &'a mut Constants,
    values: FxHashMap<Place, Values>,
    steps: usize,
}

impl Search<'_> {
    /// Adds what a rule puts at the places of its head; whether anything was new.
    fn apply(&mut self, rule: &NormalRule, head: &Atom<'_>) -> bool {
        let mut known: Vec<Option<Values>> = vec![None; rule.variables.len()];
        // A second round uses what the first has found.
        for _ in 0..2 {
            for condition in conditions(rule) {
                if !self.narrow(&condition, &mut known) {
                    return false;
                }
            }
        }
        for literal in &rule.body {
            if let NormalLiteral::Distinct(left, right) = literal {
                for (one, other) in [(left, right), (right, left)] {
                    if let (NormalTerm::Variable(variable), NormalTerm::Constant(word)) = (one, other)
                        && let Some(values) = &mut known[*variable as usize]
                    {
                        values.remove(&self.constants.word(*word));
                    }
                }
            }
        }
        let mut changed = head.arguments.is_empty() && !self.values.contains_key(&(head.key, 0));
        if head.arguments.is_empty() {
            self.values.entry((head.key, 0)).or_default();
        }
        for (index, term) in head.arguments.iter().enumerate() {
            let values = self.values_of(term, &known);
            let there = self.values.entry((head.key, index)).or_default();
            let before = there.len();
            if before < MAX_VALUES {
                there.extend(values);
            }
            changed |= there.len() > before;
        }
        changed
    }

    /// Narrows variables to what a condition allows; `false` if it cannot hold.
    fn narrow(&mut self, condition: &Atom<'_>, known: &mut [Option<Values>]) -> bool {
        let table = self.tables.get(&condition.key).filter(|table| table.rows.len() <= MAX_JOINED_ROWS);
        let mut allowed: Vec<(u32, Values)> = Vec::new();
        if let Some(table) = table {
            let mut found: FxHashMap<u32, Values> = FxHashMap::default();
            let mut any = false;
            for row in &table.rows {
                self.steps += 1;
                let mut values = vec![None; known.len()];
                let fits = condition
                    .arguments
                    .iter()
                    .zip(row)
                    .all(|(term, &value)| self.constants.matches(term, value, &mut values));
                let fits = fits
                    && values.iter().zip(known.iter()).all(|(value, known)| match (value, known) {
                        (Some(value), Some(known)) => known.contains(value),
                        _ => true,
                    });
                if fits {
                    any = true;
                    let bound = values.iter().enumerate();
                    for (variable, value) in bound.filter_map(|(variable, value)| Some((variable, (*value)?)))
                    {
                        found.entry(variable as u32).or_default().insert(value);
                    }
                }
            }
            if !any {
                return false;
            }
            allowed.extend(found);
        } else {
            if condition.arguments.is_empty() {
                return self.values.contains_key(&(condition.key, 0));
            }
            for (index, term) in condition.arguments.iter().enumerate() {
                let Some(there) = self.values.get(&(condition.key, index)) else { return false };
                self.steps += 1 + there.len();
                match term {
                    NormalTerm::Variable(variable) => allowed.push((*variable, there.clone())),
                    NormalTerm::Constant(word) => {
                        if !there.contains(&self.constants.word(*word)) {
                            return false;
                        }
                    }
                    NormalTerm::Function(..) => {
                        let mut found: FxHashMap<u32, Values> = FxHashMap::default();
                        let mut any = false;
                        for value in there.clone() {
                            let mut values = vec![None; known.len()];
                            if self.constants.matches(term, value, &mut values) {
                                any = true;
                                for (variable, value) in values.into_iter().enumerate() {
                                    if let Some(value) = value {
                                        found.entry(variable as u32).or_default().insert(value);
                                    }
                                }
                            }
                        }
                        if !any {
                            return false;
                        }
                        allowed.extend(found);
                    }
                }
            }
        }
        for (variable, values) in allowed {
            let slot = &mut known[variable as usize];
            *slot = Some(match slot.take() {
                Some(before) => before.intersection(&values).copied().collect(),
                None => values,
            });
            if slot.as_ref().is_some_and(BTreeSet::is_empty) {
                return false;
            }
        }
        true
    }

    /// The ground terms that a term may be.
    fn values_of(&mut self, term: &NormalTerm, known: &[Option<Values>]) -> Values {
        match term {
            NormalTerm::Variable(variable) => known[*variable as usize].clone().unwrap_or_default(),
            NormalTerm::Constant(word) => Values::from([self.constants.word(*word)]),
            NormalTerm::Function(..) => {
                let mut variables = Vec::new();
                term.variables(&mut |variable| variables.push(variable));
                variables.sort_unstable();
                variables.dedup();
                let mut choices: Vec<Vec<Option<ConstantId>>> = vec![vec![None; known.len()]];
                for variable in variables {
                    let values = known[variable as usize].clone().unwrap_or_default();
                    if choices.len().saturating_mul(values.len()) > MAX_VALUES {
                        return Values::new();
                    }
                    let with = |choice: &Vec<Option<ConstantId>>, value| {
                        let mut choice = choice.clone();
                        choice[variable as usize] = Some(value);
                        choice
                    };
                    choices = choices
                        .iter()
                        .flat_map(|choice| {
                            values.iter().map(|&value| with(choice, value)).collect::<Vec<_>>()
                        })
                        .collect();
                }
                self.steps += choices.len();
                choices.iter().filter_map(|choice| self.constants.ground(term, choice)).collect()
            }
        }
    }
}
