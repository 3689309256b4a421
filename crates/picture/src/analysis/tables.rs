//! Relations that hold in every state alike, written out: successors, neighbours, directions.
//!
//! Plain evaluation, relation after relation, within a budget: what is too large or depends on itself
//! in a circle is left out, as a board is found without it too.

use gdl::normal::{NormalLiteral, NormalRule, NormalRules, NormalSentence, NormalTerm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::constants::{ConstantId, Constants};
use super::sentence::{Key, Kind, changes};

/// Steps of joins for all relations together.
const MAX_STEPS: usize = 4_000_000;
/// Rows of one relation.
const MAX_ROWS: usize = 40_000;

/// A relation written out.
#[derive(Default)]
pub(crate) struct Table {
    /// Its rows, in the order of the rules.
    pub(crate) rows: Vec<Vec<ConstantId>>,
    known: FxHashSet<Vec<ConstantId>>,
    /// The rows with a value at a place.
    index: FxHashMap<(usize, ConstantId), Vec<usize>>,
}

impl Table {
    fn add(&mut self, row: Vec<ConstantId>) -> bool {
        if !self.known.insert(row.clone()) {
            return false;
        }
        for (place, &value) in row.iter().enumerate() {
            self.index.entry((place, value)).or_default().push(self.rows.len());
        }
        self.rows.push(row);
        true
    }
}

/// The relations that do not depend on the state, as far as they could be written out.
pub(crate) type Tables = FxHashMap<Key, Table>;

fn key(sentence: &NormalSentence) -> Key {
    Key { kind: Kind::Relation, name: sentence.name, arity: sentence.arguments.len() }
}

/// Writes out all that is the same in every state.
pub(crate) fn tables(rules: &NormalRules, constants: &mut Constants) -> Tables {
    let mut waiting: FxHashMap<Key, Vec<&NormalRule>> = FxHashMap::default();
    let mut order: Vec<Key> = Vec::new();
    for rule in rules.rules.iter().filter(|rule| !changes(&rule.head)) {
        let rules = waiting.entry(key(&rule.head)).or_default();
        if rules.is_empty() {
            order.push(key(&rule.head));
        }
        rules.push(rule);
    }
    let mut join = Join { constants, tables: Tables::default(), steps: 0 };
    loop {
        let before = order.len();
        order.retain(|&relation| {
            let rules = &waiting[&relation];
            let ready = rules.iter().flat_map(|rule| &rule.body).all(|literal| match literal {
                NormalLiteral::Holds(sentence) => {
                    !changes(sentence)
                        && (key(sentence) == relation || join.tables.contains_key(&key(sentence)))
                }
                NormalLiteral::Fails(sentence) => {
                    !changes(sentence) && join.tables.contains_key(&key(sentence))
                }
                NormalLiteral::Distinct(..) => true,
            });
            if ready {
                join.write_out(relation, rules);
            }
            !ready
        });
        if order.len() == before {
            return join.tables;
        }
    }
}

struct Join<'a> {
    constants: &'a mut Constants,
    tables: Tables,
    steps: usize,
}

impl Join<'_> {
    /// Derives a relation whose conditions are known; leaves it out if that takes too long.
    fn write_out(&mut self, relation: Key, rules: &[&NormalRule]) {
        self.tables.insert(relation, Table::default());
        loop {
            let mut changed = false;
            for rule in rules {
                let mut found = Vec::new();
                let done = vec![false; rule.body.len()];
                let values = vec![None; rule.variables.len()];
                let within = self.solve(rule, done, values, &mut found);
                let Some(table) = self.tables.get_mut(&relation) else { return };
                for row in found {
                    changed |= table.add(row);
                }
                if !within || table.rows.len() > MAX_ROWS {
                    self.tables.remove(&relation);
                    return;
                }
            }
            let recursive = rules.iter().any(|rule| {
                rule.body.iter().any(
                    |literal| matches!(literal, NormalLiteral::Holds(sentence) if key(sentence) == relation),
                )
            });
            if !changed || !recursive {
                return;
            }
        }
    }

    /// All heads that follow; `false` if the budget is used up.
    fn solve(
        &mut self,
        rule: &NormalRule,
        done: Vec<bool>,
        values: Vec<Option<ConstantId>>,
        found: &mut Vec<Vec<ConstantId>>,
    ) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS || found.len() > MAX_ROWS {
            return false;
        }
        let Some(next) = self.choose(rule, &done, &values) else {
            let head = rule.head.arguments.iter().map(|term| self.constants.ground(term, &values));
            found.extend(head.collect::<Option<Vec<_>>>());
            return true;
        };
        let mut done = done;
        done[next] = true;
        match &rule.body[next] {
            NormalLiteral::Distinct(left, right) => {
                let (left, right) =
                    (self.constants.ground(left, &values), self.constants.ground(right, &values));
                left.is_none() || left == right || self.solve(rule, done, values, found)
            }
            NormalLiteral::Fails(sentence) => {
                let row: Option<Vec<_>> =
                    sentence.arguments.iter().map(|term| self.constants.ground(term, &values)).collect();
                let holds = row.is_none_or(|row| {
                    self.tables.get(&key(sentence)).is_none_or(|table| table.known.contains(&row))
                });
                holds || self.solve(rule, done, values, found)
            }
            NormalLiteral::Holds(sentence) => {
                for row in self.candidates(sentence, &values) {
                    let mut values = values.clone();
                    let fits = sentence
                        .arguments
                        .iter()
                        .zip(row)
                        .all(|(term, value)| self.constants.matches(term, value, &mut values));
                    if fits && !self.solve(rule, done.clone(), values, found) {
                        return false;
                    }
                }
                true
            }
        }
    }

    /// What to look at next: a test whose variables are known, else the sentence with the most known.
    fn choose(&self, rule: &NormalRule, done: &[bool], values: &[Option<ConstantId>]) -> Option<usize> {
        let known = |variable: u32| values[variable as usize].is_some();
        (0..rule.body.len()).filter(|&at| !done[at]).max_by_key(|&at| {
            let (mut bound, mut free) = (0, 0);
            rule.body[at]
                .variables(&mut |variable| *if known(variable) { &mut bound } else { &mut free } += 1);
            match &rule.body[at] {
                NormalLiteral::Holds(_) => (free == 0, bound, std::cmp::Reverse(at)),
                _ => (free == 0, usize::from(free == 0) * 100, std::cmp::Reverse(at)),
            }
        })
    }

    /// The rows that may match.
    fn candidates(
        &mut self,
        sentence: &NormalSentence,
        values: &[Option<ConstantId>],
    ) -> Vec<Vec<ConstantId>> {
        let bound: Vec<Option<ConstantId>> = sentence
            .arguments
            .iter()
            .map(|term| match term {
                NormalTerm::Function(..) => None,
                term => self.constants.ground(term, values),
            })
            .collect();
        let Some(table) = self.tables.get(&key(sentence)) else { return Vec::new() };
        let known = bound.iter().enumerate().filter_map(|(place, value)| Some((place, (*value)?)));
        let rows =
            known.map(|at| table.index.get(&at).map_or(&[][..], Vec::as_slice)).min_by_key(|rows| rows.len());
        let rows = match rows {
            Some(rows) => rows.iter().map(|&row| table.rows[row].clone()).collect(),
            None => table.rows.clone(),
        };
        self.steps += rows.len();
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, name: &str) -> Option<Vec<String>> {
        let rules = gdl::normal::read(text);
        let mut constants = Constants::default();
        let tables = tables(&rules, &mut constants);
        let (_, table) = tables.iter().find(|(key, _)| rules.symbols.name(key.name) == name)?;
        let text = |row: &Vec<ConstantId>| {
            let texts: Vec<String> = row.iter().map(|&id| constants.text(&rules.symbols, id)).collect();
            texts.join(" ")
        };
        let mut rows: Vec<String> = table.rows.iter().map(text).collect();
        rows.sort();
        Some(rows)
    }

    #[test]
    fn relations_are_written_out() {
        let text = "(succ 1 2) (succ 2 3) (<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x))
            (<= (far ?x ?y) (succ ?x ?z) (near ?z ?y) (distinct ?x ?y) (not (near ?x ?y)))
            (<= (reach ?x ?y) (succ ?x ?y)) (<= (reach ?x ?z) (reach ?x ?y) (succ ?y ?z))
            (<= (now ?x) (true (at ?x)) (near ?x 1))";
        assert_eq!(rows(text, "near").expect("static"), ["1 2", "2 1", "2 3", "3 2"]);
        assert_eq!(rows(text, "far").expect("static"), ["1 3"]);
        assert_eq!(rows(text, "reach").expect("static"), ["1 2", "1 3", "2 3"]);
        assert_eq!(rows(text, "now"), None);
    }

    #[test]
    fn what_is_too_large_is_left_out() {
        let numbers: String = (0..60).map(|number| format!("(n {number}) ")).collect();
        assert_eq!(rows(&format!("{numbers} (<= (all ?a ?b ?c) (n ?a) (n ?b) (n ?c))"), "all"), None);
        assert_eq!(rows("(d z) (<= (d (s ?x)) (d ?x))", "d"), None);
    }
}
