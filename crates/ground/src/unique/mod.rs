//! Rules that use what there is one of: where the king is, whose turn it is.
//!
//! The assumptions are not proven here. They hold at the beginning; whoever builds with the new rules has to show that they
//! hold after every step, which may be done with what was built: as long as they hold both rule sets say the same.

mod narrow;
mod project;
mod unify;
mod unit;

pub(crate) use unit::{Unit, groups};

use gdl::keyword;
use rustc_hash::FxHashMap;

use crate::dependency::{Dependencies, strong_components};
use crate::program::{Program, RelationId, Rule};
use crate::solve::Solver;
use crate::term::Pattern;
use narrow::Narrower;
use project::Projector;

/// At most so many units are taken out of one rule.
const MOST_UNITS: usize = 3;

/// What the rules say about the game itself is not looked into.
const KEYWORDS: [gdl::SymbolId; 6] =
    [keyword::TRUE, keyword::DOES, keyword::LEGAL, keyword::NEXT, keyword::GOAL, keyword::TERMINAL];

/// The rules rewritten, with what they assume; `None` if nothing is unique.
pub(crate) fn rewrite(
    program: &Program,
    flat_rules: usize,
    dependencies: &Dependencies,
    solver: &Solver,
) -> Option<(Program, Vec<Unit>)> {
    let mut flat: Vec<Rule> = program.rules[..flat_rules].to_vec();
    flat.iter_mut().for_each(|rule| rule.split = None);
    let mut new = program.clone();
    let mut projector = Projector {
        rules_of: open_relations(&flat, program),
        program: &mut new,
        flat: &flat,
        known: FxHashMap::default(),
        additional: Vec::new(),
    };
    let mut units: Vec<Unit> = Vec::new();
    let mut untouched = Vec::new();
    let mut changed = Vec::new();
    for rule in &flat {
        let mut current = rule.clone();
        for _ in 0..MOST_UNITS {
            let useful = |places: &[usize]| is_useful(&current, places, dependencies);
            let Some((places, unit)) = unit::find(&current, program, dependencies, solver, useful) else {
                break;
            };
            let Some(projected) = projector.project(&current, &places) else { break };
            current = projected;
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        let versions = by_moves(&current, program, &mut projector);
        if versions.is_empty() && current == *rule {
            untouched.push(current);
        } else if versions.is_empty() {
            changed.push(current);
        } else {
            changed.extend(versions);
        }
    }
    if changed.is_empty() {
        return None;
    }
    let additional = projector.additional;
    let dynamic =
        |relation: RelationId| dependencies.dynamic.get(relation.index()).is_none_or(|&dynamic| dynamic);
    let mut narrower = Narrower {
        program: &mut new,
        dynamic: &dynamic,
        known: FxHashMap::default(),
        additional: Vec::new(),
    };
    let mut changed = narrower.merge(changed);
    changed.iter_mut().for_each(|rule| narrower.narrow(rule));
    let additional = narrower.merge(additional);
    let shared = narrower.additional;
    new.rules = [untouched, changed, additional, shared].concat();
    Some((new, units))
}

/// Versions of a rule for each role that moves in it, with each condition on the move as a question of its own. None if
/// there is nothing to gain.
fn by_moves(rule: &Rule, program: &Program, projector: &mut Projector<'_>) -> Vec<Rule> {
    let mut versions = vec![rule.clone()];
    for _ in 0..MOST_UNITS {
        let mut next = Vec::new();
        let mut changed = false;
        for version in &versions {
            let Some(place) = unit::find_does(version, program) else {
                next.push(version.clone());
                continue;
            };
            for version in by_role(version, place, program) {
                let Some(projected) = projector.project(&version, &[place]) else { return Vec::new() };
                next.push(projected);
            }
            changed = true;
        }
        if !changed {
            break;
        }
        versions = next;
    }
    if versions.len() == 1 && versions[0] == *rule { Vec::new() } else { versions }
}

/// A version of a rule for each role that may do what a condition says.
fn by_role(rule: &Rule, place: usize, program: &Program) -> Vec<Rule> {
    let Some(role @ Pattern::Variable(_)) = rule.positive[place].arguments.first() else {
        return vec![rule.clone()];
    };
    let mut head = Vec::new();
    rule.head.variables(&mut |variable| head.push(Pattern::Variable(variable)));
    if head.contains(role) {
        return vec![rule.clone()];
    }
    let version = |&name: &crate::term::TermId| unify::with(rule, role, &Pattern::Constant(name));
    program.roles.iter().filter_map(version).collect()
}

/// Whether it helps to know that the conditions at these places are met once.
fn is_useful(rule: &Rule, places: &[usize], dependencies: &Dependencies) -> bool {
    let mut head = Vec::new();
    rule.head.variables(&mut |variable| head.push(variable));
    let mut inner = Vec::new();
    for &place in places {
        rule.positive[place].variables(&mut |variable| inner.push(variable));
    }
    inner.retain(|variable| !head.contains(variable));
    let touches = |atom: &crate::program::Atom| {
        let mut touches = false;
        atom.variables(&mut |variable| touches |= inner.contains(&variable));
        touches && dependencies.dynamic.get(atom.relation.index()).is_none_or(|&dynamic| dynamic)
    };
    let positive = rule.positive.iter().enumerate();
    let positive = positive.filter(|(place, atom)| !places.contains(place) && touches(atom)).count();
    positive > 1 || rule.negative.iter().any(touches)
}

/// The rules of each relation that can be put in its place: it is derived, and not from itself.
fn open_relations(flat: &[Rule], program: &Program) -> Vec<Vec<u32>> {
    let count = program.relations.len();
    let mut uses: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut rules_of: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (number, rule) in flat.iter().enumerate() {
        let head = rule.head.relation.index();
        uses[head].extend(rule.positive.iter().chain(&rule.negative).map(|atom| atom.relation.0));
        rules_of[head].push(number as u32);
    }
    for component in strong_components(&uses) {
        for &relation in &component {
            let index = relation as usize;
            let given = KEYWORDS.contains(&program.relations[index].predicate);
            let facts = rules_of[index].iter().all(|&rule| flat[rule as usize].positive.is_empty());
            if given || facts || component.len() > 1 || uses[index].contains(&relation) {
                rules_of[index].clear();
            }
        }
    }
    rules_of
}
