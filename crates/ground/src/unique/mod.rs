//! Rules that use what there is one of: where the king is, whose turn it is.
//!
//! The assumptions are not proven here. They hold at the beginning; whoever builds with the new rules has to show that they
//! hold after every step, which may be done with what was built: as long as they hold both rule sets say the same.

mod narrow;
mod project;
mod unify;
mod unit;

pub(crate) use unit::Unit;

use gdl::keyword;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::body::AtomId;
use crate::dependency::{Dependencies, strong_components};
use crate::program::{Program, RelationId, Rule};
use crate::rules::GroundRules;
use crate::solve::Solver;
use crate::term::Pattern;
use narrow::Narrower;
use project::{Projector, hidden};

impl GroundRules {
    /// Sets of facts, by their places in `bases`, of which the rules assume that at most one is true in any state. `None` if
    /// that cannot be told.
    pub fn assumptions(&self) -> Option<Vec<Vec<u32>>> {
        let place: FxHashMap<AtomId, u32> =
            (0..).zip(&self.bases).map(|(place, base)| (base.atom, place)).collect();
        let mut all = Vec::new();
        for unit in &self.assumed {
            let known = &self.atom_of[unit.atoms[0].relation.index()];
            for rows in unit::groups(unit, &self.solver)? {
                let places = rows.iter().map(|&row| {
                    let atom = known.get(row as usize)?.checked_sub(1)?;
                    place.get(&AtomId(atom)).copied()
                });
                all.push(places.collect::<Option<Vec<u32>>>()?);
            }
        }
        all.sort();
        all.dedup();
        Some(all)
    }
}

/// At most so many units are taken out of one rule.
const MOST_UNITS: usize = 3;

/// What the rules say about the game itself is not looked into.
const KEYWORDS: [gdl::SymbolId; 6] =
    [keyword::TRUE, keyword::DOES, keyword::LEGAL, keyword::NEXT, keyword::GOAL, keyword::TERMINAL];

/// What else is asked of rules.
const OTHERS: [gdl::SymbolId; 2] = [keyword::INIT, keyword::SEES];

/// With more rules than this nothing is looked into any more.
const MOST_RULES: usize = 20_000;
/// A condition on so many variables that the head does not have is not written out.
const WIDE: usize = 6;

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
    let mut projector = projector(&mut new, &flat);
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
            let inner = hidden(&current, &places);
            let Some(projected) = projector.project(&current, &places, &inner) else { break };
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
    let additional = projector.rules.split_off(flat.len());
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
    new.rules = used([untouched, changed, additional, shared].concat(), program);
    Some((new, units))
}

/// The same before anything is known of the facts, for rules with conditions on more variables than can be written out:
/// every fact in such a rule is taken to have one value in each of its places.
pub(crate) fn rewrite_wide(program: &Program) -> Option<(Program, Vec<Unit>)> {
    let flat = program.rules.clone();
    let mut new = program.clone();
    let mut projector = projector(&mut new, &flat);
    let mut units: Vec<Unit> = Vec::new();
    let mut rules = Vec::new();
    for rule in &flat {
        let mut current = rule.clone();
        let wide = widest(rule) >= WIDE;
        while wide && let Some((place, inner, unit)) = unit::find_wide(&current, program) {
            let Some(projected) = projector.project(&current, &[place], &inner) else { break };
            current = projected;
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        rules.push(current);
    }
    rules.extend(projector.rules.split_off(flat.len()));
    new.rules = used(rules, program);
    (!units.is_empty()).then_some((new, units))
}

/// The rules that something depends on. Relations that were only steps on the way may be very large.
fn used(mut rules: Vec<Rule>, program: &Program) -> Vec<Rule> {
    let mut rules_of: FxHashMap<RelationId, Vec<usize>> = FxHashMap::default();
    for (number, rule) in rules.iter().enumerate() {
        rules_of.entry(rule.head.relation).or_default().push(number);
    }
    let mut open: Vec<RelationId> = Vec::new();
    let given = |relation: RelationId| {
        // New relations have higher numbers.
        program.relations.get(relation.index()).is_some_and(|relation| {
            KEYWORDS.contains(&relation.predicate) || OTHERS.contains(&relation.predicate)
        })
    };
    open.extend(rules_of.keys().copied().filter(|&relation| given(relation)));
    let mut seen: FxHashSet<RelationId> = open.iter().copied().collect();
    while let Some(relation) = open.pop() {
        for &number in rules_of.get(&relation).into_iter().flatten() {
            let rule = &rules[number];
            for atom in rule.positive.iter().chain(&rule.negative) {
                if seen.insert(atom.relation) {
                    open.push(atom.relation);
                }
            }
        }
    }
    rules.retain(|rule| seen.contains(&rule.head.relation));
    rules
}

fn projector<'a>(program: &'a mut Program, flat: &[Rule]) -> Projector<'a> {
    Projector {
        rules_of: open_relations(flat, program),
        program,
        rules: flat.to_vec(),
        known: FxHashMap::default(),
        most: flat.len() + MOST_RULES,
    }
}

/// The most variables of a condition of a rule that its head does not have.
fn widest(rule: &Rule) -> usize {
    (0..rule.positive.len()).map(|place| hidden(rule, &[place]).len()).max().unwrap_or(0)
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
                let Some(projected) = projector.project(&version, &[place], &hidden(&version, &[place]))
                else {
                    return Vec::new();
                };
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
    let inner = hidden(rule, places);
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
fn open_relations(flat: &[Rule], program: &Program) -> FxHashMap<RelationId, Vec<u32>> {
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
    (0..).map(RelationId).zip(rules_of).filter(|(_, rules)| !rules.is_empty()).collect()
}
