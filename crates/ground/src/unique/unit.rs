//! Conditions that at most one choice of their variables meets: where the king is.

use gdl::keyword;
use rustc_hash::{FxHashMap, FxHashSet};

use super::unify::is_flat;
use crate::dependency::Dependencies;
use crate::program::{Atom, Program, Rule, Skeleton};
use crate::solve::Solver;
use crate::split::{Condition, conditions_of};
use crate::term::{Pattern, TermId};

/// More combinations of rows than this are not looked at.
const MOST_COMBINATIONS: usize = 4_000_000;

/// Where there are fewer choices than this little is gained.
const LEAST_CHOICES: usize = 8;

/// A fact of the state with the fixed conditions on its variables. For all values of the outer variables at most one
/// choice of the others is true in any state: that is assumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// The fact is the first.
    pub atoms: Vec<Atom>,
    pub outer: Vec<u32>,
}

/// The rows of the fact that exclude each other, for each choice of the outer variables. `None` if two choices of the
/// inner variables have the same fact, or there are too many.
pub(crate) fn groups(unit: &Unit, solver: &Solver) -> Option<Vec<Vec<u32>>> {
    let combinations = unit.atoms.iter().try_fold(1usize, |product, atom| {
        product.checked_mul(solver.tables[atom.relation.index()].len().max(1) as usize)
    });
    if combinations? > MOST_COMBINATIONS {
        return None;
    }
    let mut search = Search { unit, solver, found: FxHashMap::default(), bindings: FxHashMap::default() };
    search.go(0, 0);
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for choices in search.found.into_values() {
        let mut rows: Vec<u32> = choices.iter().map(|choice| choice.0).collect();
        rows.sort_unstable();
        if rows.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        groups.push(rows);
    }
    groups.sort();
    groups.dedup();
    Some(groups)
}

type Found = FxHashMap<Vec<TermId>, FxHashSet<(u32, Vec<TermId>)>>;

struct Search<'a> {
    unit: &'a Unit,
    solver: &'a Solver,
    /// For the values of the outer variables: rows, and values of all variables.
    found: Found,
    bindings: FxHashMap<u32, TermId>,
}

impl Search<'_> {
    fn go(&mut self, place: usize, first: u32) {
        let Some(atom) = self.unit.atoms.get(place) else {
            let outer = self.unit.outer.iter().filter_map(|variable| self.bindings.get(variable).copied());
            let outer: Vec<TermId> = outer.collect();
            let mut inner: Vec<(u32, TermId)> =
                self.bindings.iter().map(|(&key, &value)| (key, value)).collect();
            inner.sort_unstable();
            let inner = inner.into_iter().map(|(_, value)| value).collect();
            self.found.entry(outer).or_default().insert((first, inner));
            return;
        };
        let table = &self.solver.tables[atom.relation.index()];
        for row in 0..table.len() {
            let mut bound = Vec::new();
            let mut fits = true;
            for (pattern, &term) in atom.arguments.iter().zip(table.row(row)) {
                fits = match pattern {
                    Pattern::Constant(constant) => *constant == term,
                    Pattern::Variable(variable) => match self.bindings.get(variable) {
                        Some(&known) => known == term,
                        None => {
                            self.bindings.insert(*variable, term);
                            bound.push(*variable);
                            true
                        }
                    },
                    Pattern::Function(..) => false,
                };
                if !fits {
                    break;
                }
            }
            if fits {
                self.go(place + 1, if place == 0 { row } else { first });
            }
            bound.iter().for_each(|variable| {
                self.bindings.remove(variable);
            });
        }
    }
}

/// The place of the condition of a rule that says what a role does, if the rule asks for more than one thing about
/// it. A role does one thing at a time.
pub(crate) fn find_does(rule: &Rule, program: &Program) -> Option<usize> {
    let mut head = Vec::new();
    rule.head.variables(&mut |variable| head.push(variable));
    let conditions = conditions_of(rule);
    (0..rule.positive.len()).find(|&place| {
        let atom = &rule.positive[place];
        let Some(relation) = program.relations.get(atom.relation.index()) else { return false };
        // Where the first argument is a function its first column is no role.
        let of_role = matches!(relation.skeletons.first(), Some(Skeleton::Constant | Skeleton::Any));
        if relation.predicate != keyword::DOES || !of_role || !is_flat(atom) {
            return false;
        }
        let mut inner = Vec::new();
        atom.variables(&mut |variable| inner.push(variable));
        inner.retain(|variable| !head.contains(variable));
        if let Some(Pattern::Variable(role)) = atom.arguments.first() {
            inner.retain(|variable| variable != role);
        }
        let touches =
            |condition: &Condition| condition.variables().iter().any(|variable| inner.contains(variable));
        conditions
            .iter()
            .enumerate()
            .filter(|&(other, condition)| other != place && touches(condition))
            .count()
            > 1
    })
}

/// The place of a fact in a rule with variables that no other fact has, nor the head, but some other condition. Those variables,
/// and the unit.
pub(crate) fn find_wide(rule: &Rule, program: &Program) -> Option<(usize, Vec<u32>, Unit)> {
    let given = |atom: &Atom| {
        let relation = program.relations.get(atom.relation.index());
        relation.is_some_and(|relation| relation.predicate == keyword::TRUE)
    };
    (0..rule.positive.len()).find_map(|place| {
        let fact = &rule.positive[place];
        if !given(fact) || !is_flat(fact) {
            return None;
        }
        let others =
            || rule.positive.iter().enumerate().filter(|&(other, _)| other != place).map(|(_, atom)| atom);
        let has = |atom: &Atom, variable: u32| {
            let mut has = false;
            atom.variables(&mut |other| has |= other == variable);
            has
        };
        let mut all = Vec::new();
        fact.variables(&mut |variable| all.push(variable));
        let mut inner: Vec<u32> = all.clone();
        inner.retain(|&variable| {
            !has(&rule.head, variable)
                && !others().any(|atom| has(atom, variable) && (given(atom) || atom.arguments.len() < 3))
                && others().any(|atom| has(atom, variable))
        });
        if inner.is_empty() {
            return None;
        }
        // If there were one, a rule would not ask for two.
        let is_inner = |pattern: &Pattern| {
            let mut is_inner = false;
            pattern.variables(&mut |variable| is_inner |= inner.contains(&variable));
            is_inner
        };
        let same = |atom: &Atom| {
            let mut columns = fact.arguments.iter().zip(&atom.arguments);
            atom.relation == fact.relation && columns.all(|(one, other)| one == other || is_inner(one))
        };
        if others().any(same) {
            return None;
        }
        all.retain(|variable| !inner.contains(variable));
        Some((place, inner, Unit { atoms: vec![fact.clone()], outer: all }))
    })
}

/// The places of the conditions of a rule that may be a unit, and the unit. It has exactly one instance at the beginning.
pub(crate) fn find(
    rule: &Rule,
    program: &Program,
    dependencies: &Dependencies,
    solver: &Solver,
    useful: impl Fn(&[usize]) -> bool,
) -> Option<(Vec<usize>, Unit)> {
    let mut head = Vec::new();
    rule.head.variables(&mut |variable| head.push(variable));
    let fixed = |atom: &Atom| dependencies.dynamic.get(atom.relation.index()).is_some_and(|dynamic| !dynamic);
    for (place, fact) in rule.positive.iter().enumerate() {
        // Relations made on the way are not known to the program.
        let given = program.relations.get(fact.relation.index());
        if given.is_none_or(|relation| relation.predicate != keyword::TRUE) || !is_flat(fact) {
            continue;
        }
        let mut inside = Vec::new();
        fact.variables(&mut |variable| inside.push(variable));
        let hidden = |variable: u32| inside.contains(&variable) && !head.contains(&variable);
        let mut places = vec![place];
        for (other, atom) in rule.positive.iter().enumerate() {
            let (mut touches, mut within) = (false, true);
            atom.variables(&mut |variable| {
                touches |= hidden(variable);
                within &= inside.contains(&variable) || head.contains(&variable);
            });
            if other != place && fixed(atom) && is_flat(atom) && touches && within {
                places.push(other);
            }
        }
        if !inside.iter().any(|&variable| hidden(variable)) || !useful(&places) {
            continue;
        }
        let atoms: Vec<Atom> = places.iter().map(|&place| rule.positive[place].clone()).collect();
        let mut outer = Vec::new();
        for atom in &atoms {
            atom.variables(&mut |variable| {
                if head.contains(&variable) && !outer.contains(&variable) {
                    outer.push(variable);
                }
            });
        }
        let unit = Unit { atoms, outer };
        if begins_with_one(&unit, program, dependencies, solver) {
            return Some((places, unit));
        }
    }
    None
}

fn begins_with_one(unit: &Unit, program: &Program, dependencies: &Dependencies, solver: &Solver) -> bool {
    let fact = unit.atoms[0].relation;
    let skeletons = &program.relations[fact.index()].skeletons;
    let Some(init) = program.find_relation(keyword::INIT, skeletons) else { return false };
    if dependencies.dynamic[init.index()] {
        return false;
    }
    let Some(groups) = groups(unit, solver) else { return false };
    let (facts, beginning) = (&solver.tables[fact.index()], &solver.tables[init.index()]);
    let holds = |row: &&u32| beginning.find(facts.row(**row)).is_some();
    groups.iter().any(|group| group.len() >= LEAST_CHOICES)
        && groups.iter().all(|group| group.iter().filter(holds).count() == 1)
}
