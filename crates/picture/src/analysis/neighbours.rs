//! Which cells touch each other, by relations that are the same in every state.

use rustc_hash::FxHashSet;

use super::fluent::Sources;

/// Relations with more arguments say more than who touches whom.
const MAX_ARITY: usize = 5;

impl Sources<'_> {
    /// All relations that lead from cell to cell, each with its pairs of cells by their numbers. A cell is
    /// named by `parts` values; `find` knows its number.
    pub(crate) fn cell_relations(
        &self,
        parts: usize,
        find: &impl Fn(&[String]) -> Option<usize>,
    ) -> Vec<FxHashSet<(usize, usize)>> {
        let mut keys: Vec<_> =
            self.tables.keys().filter(|key| key.arity >= 2 * parts && key.arity <= MAX_ARITY).collect();
        keys.sort();
        let mut relations = Vec::new();
        for key in keys {
            let rows: Vec<Vec<String>> = self.tables[key]
                .rows
                .iter()
                .map(|row| row.iter().map(|&id| self.constants.text(&self.rules.symbols, id)).collect())
                .collect();
            let starts: Vec<(usize, usize)> = (0..key.arity)
                .flat_map(|from| (from + parts..key.arity).map(move |to| (from, to)))
                .filter(|(_, to)| to + parts <= key.arity)
                .collect();
            for (from, to) in starts {
                let pair =
                    |row: &Vec<String>| Some((find(&row[from..from + parts])?, find(&row[to..to + parts])?));
                let pairs: Vec<(usize, usize)> = rows.iter().filter_map(pair).collect();
                if !pairs.is_empty() && 10 * pairs.len() >= 8 * rows.len() {
                    relations.push(pairs.into_iter().filter(|(left, right)| left != right).collect());
                }
            }
        }
        relations
    }

    /// The edges between values that a relation makes a graph of: more than a row of successors, less
    /// than everything to everything.
    pub(crate) fn graph(&self, values: &[String]) -> Option<Vec<(usize, usize)>> {
        let count = values.len();
        if !(4..=64).contains(&count) {
            return None;
        }
        let find = |name: &[String]| values.iter().position(|value| *value == name[0]);
        let good = |relation: FxHashSet<(usize, usize)>| {
            let mut edges: Vec<(usize, usize)> =
                relation.iter().map(|&(left, right)| (left.min(right), left.max(right))).collect();
            edges.sort_unstable();
            edges.dedup();
            let mut degrees = vec![0usize; count];
            for &(left, right) in &edges {
                degrees[left] += 1;
                degrees[right] += 1;
            }
            let linked = degrees.iter().filter(|degree| **degree > 0).count();
            let branches = degrees.iter().filter(|degree| **degree >= 3).count();
            let sparse = 4 * edges.len() <= 3 * count * (count - 1) / 2 && edges.len() <= 6 * count;
            (10 * linked >= 7 * count && branches >= 2 && sparse).then_some(edges)
        };
        self.cell_relations(1, &find).into_iter().find_map(good)
    }

    /// Whether values are nodes of a graph.
    pub(crate) fn is_graph(&self, values: &[String]) -> bool {
        // Numbers are counted with more often than walked between.
        let numbers = values.iter().all(|value| super::order::numbered(value).is_some());
        !numbers && self.graph(values).is_some()
    }
}
