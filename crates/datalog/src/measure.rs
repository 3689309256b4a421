//! How large relations are in practice, so that joins can be planned.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::plan::{AtomParts, atom_parts};
use crate::view::Path;
use crate::{Database, Literal, Program, RelationId, TermId};

/// A guess for what was never measured.
const GUESSED_ROWS: f64 = 40.0;
const GUESSED_DISTINCT: f64 = 6.0;

/// The function symbols that an atom asks for, as in [`ViewKey`](crate::view::ViewKey).
type Shape = Vec<(Path, u32, u16)>;

/// Sizes of relations, as seen in one or more states of a database.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    by_shape: FxHashMap<(RelationId, Shape), Measure>,
}

#[derive(Clone, Debug, Default)]
struct Measure {
    samples: f64,
    rows: f64,
    distinct: FxHashMap<Path, f64>,
}

impl Measures {
    /// Nothing measured: plans are made by guesses.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what the chosen relations hold now. Each kind of atom in the rules is measured by
    /// itself, as `cell(x, y, piece)` and `control(player)` may share a relation.
    pub fn observe(&mut self, program: &Program, database: &Database, chosen: impl Fn(RelationId) -> bool) {
        let mut seen = FxHashSet::default();
        for rule in &program.rules {
            for literal in &rule.body {
                let Literal::Holds(atom) = literal else { continue };
                if !chosen(atom.relation) {
                    continue;
                }
                let parts = atom_parts(atom, &[]);
                let key = (atom.relation, parts.view.shape.clone());
                if seen.insert(key.clone()) {
                    self.by_shape.entry(key).or_default().observe(database, atom.relation, &parts);
                }
            }
        }
    }

    /// About how many tuples match the atom's parts when the known ones are given.
    pub(crate) fn estimate(&self, relation: RelationId, parts: &AtomParts) -> f64 {
        let measure = self.by_shape.get(&(relation, parts.view.shape.clone()));
        let rows = match measure {
            Some(measure) if measure.samples > 0.0 => (measure.rows / measure.samples).max(0.1),
            _ => GUESSED_ROWS,
        };
        let mut estimate = rows;
        for path in &parts.view.known {
            let distinct = measure
                .filter(|measure| measure.samples > 0.0)
                .and_then(|measure| Some(measure.distinct.get(path)? / measure.samples))
                .unwrap_or(GUESSED_DISTINCT);
            estimate /= distinct.max(1.0);
        }
        estimate
    }
}

impl Measure {
    fn observe(&mut self, database: &Database, relation: RelationId, parts: &AtomParts) {
        let store = database.terms();
        let paths: Vec<&Path> = parts.all_paths().collect();
        let mut values: Vec<FxHashSet<TermId>> = vec![FxHashSet::default(); paths.len()];
        let mut rows = 0u32;
        for tuple in database.relation(relation).tuples() {
            let fits = parts.view.shape.iter().all(|(path, symbol, arity)| {
                let part = store.follow(tuple, path);
                store.symbol(part) == *symbol && store.arguments(part).len() == *arity as usize
            });
            if fits {
                rows += 1;
                for (values, path) in values.iter_mut().zip(&paths) {
                    values.insert(store.follow(tuple, path));
                }
            }
        }
        self.samples += 1.0;
        self.rows += f64::from(rows);
        for (values, path) in values.iter().zip(paths) {
            *self.distinct.entry(path.clone()).or_default() += values.len() as f64;
        }
    }
}
