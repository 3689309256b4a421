//! Arguments that only ever forbid: the list of what a path has visited so far, the number of its steps.
//!
//! Written out, such a relation holds a fact for every path over the board. But a list that only keeps a path from
//! visiting something twice never changes *whether* there is a path: where there is any, there is one that visits nothing
//! twice. So the argument, here the *trail*, is dropped, with all conditions on it. What is dropped is a
//! whole argument or nothing; everything that does not match the conditions below is left as it was written.
//!
//! Let `S` be relations that depend on each other, each with one argument chosen as its trail. Wanted are rules in which
//! the trail is handed on in one of two directions:
//!
//! * *down*, from the head to the condition in `S`: the head's trail is a variable, and whoever else asks gives a fixed
//!   trail to start with (`nil`, or a list of only where the path starts);
//! * *up*, from the condition in `S` to the head: the condition's trail is a variable, rules without such a condition
//!   give a fixed trail to start with, and whoever else asks does not look at the trail.
//!
//! The conditions, with the file that checks them:
//!
//! 1. ([`chain`]) A rule of `S` has at most one condition in `S`, and not under `not`. So a proof of a fact of `S` is a chain
//!    of *nodes* (a relation of `S` with its arguments but the trail).
//! 2. ([`link`]) The other conditions of such a rule fall into those that touch the trail and those that do not. Both
//!    share at most the parts of one term, the *element*. What touches the trail depends on nothing but rules that
//!    are the same in every state. What is left binds all variables that are left.
//! 3. ([`chain`]) Rules either leave the trail as it is or all change it in the same way.
//! 4. ([`element`]) The element tells which node it belongs to, and always in the same way: the node that is left in all
//!    rules, or the node that is entered in all rules. Arguments that no rule changes need not be told.
//! 5. ([`admit`]) The rules for the trail treat all elements alike: exchanging two elements exchanges nothing but these two in
//!    what follows from them.
//! 6. ([`admit`]) Starting with the fixed trail and entering *all* elements there are, one after the other in some order,
//!    every condition on the trail is met at every step, for the next element where it asks for one.
//!    If the trail is changed without an element (it counts), as many steps are tried as there are nodes.
//!
//! **Proof.** Without the trail no fewer facts follow, as conditions were only taken away. Let a fact follow without the trail,
//! and take the shortest chain that proves it. Its nodes differ, or the part between two equal ones could be cut
//! out: what a link needs besides the trail depends on its nodes alone. Hence its elements differ, by 4 (each belongs to
//! one node, and arguments that never change are the same all along the chain). So the trails of the chain are entered
//! a sequence of different elements, and by 5 it does not matter which ones and in which order: they do as well as the
//! sequence that was tried in 6, of which theirs is the image of a beginning. By 3 the trail depends on nothing
//! else. So all conditions on the trail are met, and the fact follows with the trail as well.

mod admit;
mod chain;
mod domain;
mod element;
mod evaluate;
mod link;
#[cfg(test)]
mod tests;

use gdl::normal::{NormalLiteral, NormalRule, NormalRules, NormalSentence, NormalTerm};
use gdl::{SymbolId, keyword};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dependency::strong_components;
use chain::{Chain, Direction};
use link::Trails;

/// A relation: names with several numbers of arguments are several relations.
type Key = (SymbolId, usize);

/// So many ways to choose the trails of one group of relations are tried.
const MOST_CHOICES: usize = 300;

/// The rules without the arguments that only ever forbid, and how many there were; `None` if there were none.
pub(crate) fn drop_trails(rules: &NormalRules) -> Option<(NormalRules, usize)> {
    let mut rules = drop_one(rules)?;
    let mut count = 1;
    while let Some(next) = drop_one(&rules) {
        rules = next;
        count += 1;
    }
    Some((rules, count))
}

fn drop_one(rules: &NormalRules) -> Option<NormalRules> {
    let index = Index::new(rules);
    for group in index.recursive_groups() {
        for trails in choices(&group) {
            for direction in [Direction::Down, Direction::Up] {
                let Some(chain) = Chain::read(&index, &trails, direction) else { continue };
                if admit::admits(&index, &chain) {
                    return Some(without(&index, &chain));
                }
            }
        }
    }
    None
}

/// The ways to choose one argument of each relation.
fn choices(group: &[Key]) -> Vec<Trails> {
    let count = group.iter().try_fold(1usize, |count, &(_, arity)| count.checked_mul(arity));
    let Some(count) = count.filter(|&count| count <= MOST_CHOICES) else { return Vec::new() };
    let choice = |mut number: usize| {
        let place = |&relation: &Key| {
            let place = number % relation.1;
            number /= relation.1;
            (relation, place)
        };
        Trails(group.iter().map(place).collect())
    };
    (0..count).map(choice).collect()
}

/// The rules by what they are for.
struct Index<'a> {
    rules: &'a NormalRules,
    rules_of: FxHashMap<Key, Vec<&'a NormalRule>>,
}

fn key(sentence: &NormalSentence) -> Key {
    (sentence.name, sentence.arguments.len())
}

/// Whether the relation has a meaning of its own.
fn is_keyword((name, arity): Key) -> bool {
    keyword::relation_arity(name) == Some(arity)
}

/// The sentence of a literal, if it has one.
fn sentence(literal: &NormalLiteral) -> Option<&NormalSentence> {
    match literal {
        NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => Some(sentence),
        NormalLiteral::Distinct(..) => None,
    }
}

impl<'a> Index<'a> {
    fn new(rules: &'a NormalRules) -> Self {
        let mut rules_of: FxHashMap<Key, Vec<&NormalRule>> = FxHashMap::default();
        for rule in &rules.rules {
            rules_of.entry(key(&rule.head)).or_default().push(rule);
        }
        Index { rules, rules_of }
    }

    fn of(&self, relation: Key) -> &[&'a NormalRule] {
        self.rules_of.get(&relation).map_or(&[], Vec::as_slice)
    }

    /// The facts of a relation that has no other rules.
    fn facts(&self, relation: Key) -> Option<impl Iterator<Item = &'a NormalSentence> + use<'_, 'a>> {
        let rules = self.of(relation);
        let plain = |rule: &&NormalRule| rule.body.is_empty() && rule.variables.is_empty();
        (!is_keyword(relation) && rules.iter().all(plain)).then(|| rules.iter().map(|rule| &rule.head))
    }

    /// Relations that depend on each other, in the order of their first rules.
    fn recursive_groups(&self) -> Vec<Vec<Key>> {
        let mut order: Vec<Key> = Vec::new();
        let mut number: FxHashMap<Key, u32> = FxHashMap::default();
        for rule in &self.rules.rules {
            number.entry(key(&rule.head)).or_insert_with(|| {
                order.push(key(&rule.head));
                order.len() as u32 - 1
            });
        }
        let uses = |relation: &Key| {
            let literals = self.of(*relation).iter().flat_map(|rule| &rule.body);
            literals.filter_map(sentence).filter_map(|used| number.get(&key(used)).copied()).collect()
        };
        let edges: Vec<Vec<u32>> = order.iter().map(uses).collect();
        let mut groups = strong_components(&edges);
        groups.retain(|group| {
            let recursive = group.len() > 1 || edges[group[0] as usize].contains(&group[0]);
            recursive && !group.iter().any(|&relation| is_keyword(order[relation as usize]))
        });
        groups.sort();
        groups
            .into_iter()
            .map(|group| group.into_iter().map(|place| order[place as usize]).collect())
            .collect()
    }
}

/// The rules without the trails of a chain.
fn without(index: &Index<'_>, chain: &Chain<'_>) -> NormalRules {
    let mut new = index.rules.clone();
    let mut names: FxHashMap<Key, SymbolId> = FxHashMap::default();
    let mut relations: Vec<(&Key, &usize)> = chain.trails.0.iter().collect();
    relations.sort();
    for (&relation, _) in relations {
        names.insert(relation, fresh_name(&mut new, relation.0));
    }
    let shorten = |sentence: &mut NormalSentence| {
        let relation = key(sentence);
        if let (Some(&trail), Some(&name)) = (chain.trails.0.get(&relation), names.get(&relation)) {
            sentence.arguments.remove(trail);
            sentence.name = name;
        }
    };
    for (rule, old) in new.rules.iter_mut().zip(&index.rules.rules) {
        let dropped = chain.conditions_on_trail(old);
        let mut place = 0..;
        rule.body.retain(|_| place.next().is_none_or(|place| !dropped.contains(&place)));
        shorten(&mut rule.head);
        for literal in &mut rule.body {
            if let NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) = literal {
                shorten(sentence);
            }
        }
        renumber(rule);
    }
    // What only the trail needed is often without bounds.
    let before = used(&index.rules.rules);
    let after = used(&new.rules);
    new.rules.retain(|rule| after.contains(&key(&rule.head)) || !before.contains(&key(&rule.head)));
    new
}

/// A name that the sheet does not have.
fn fresh_name(rules: &mut NormalRules, old: SymbolId) -> SymbolId {
    let base = rules.symbols.name(old).to_owned();
    let mut number = 1;
    loop {
        let name = format!("{base}#any{number}");
        if rules.symbols.get(&name).is_none() {
            return rules.symbols.intern(&name);
        }
        number += 1;
    }
}

/// Numbers the variables that are left in the order of their appearance.
fn renumber(rule: &mut NormalRule) {
    let mut order: Vec<u32> = Vec::new();
    let mut visit = |variable: u32| {
        if !order.contains(&variable) {
            order.push(variable);
        }
    };
    rule.head.variables(&mut visit);
    rule.body.iter().for_each(|literal| literal.variables(&mut visit));
    let place = |variable: u32| {
        order.iter().position(|&known| known == variable).map_or(variable, |place| place as u32)
    };
    let rename = |term: &NormalTerm| replace(term, &|variable| NormalTerm::Variable(place(variable)));
    let rename_all = |sentence: &mut NormalSentence| {
        sentence.arguments.iter_mut().for_each(|term| *term = rename(term));
    };
    rename_all(&mut rule.head);
    for literal in &mut rule.body {
        match literal {
            NormalLiteral::Holds(sentence) | NormalLiteral::Fails(sentence) => rename_all(sentence),
            NormalLiteral::Distinct(left, right) => (*left, *right) = (rename(left), rename(right)),
        }
    }
    rule.variables = order.iter().map(|&variable| rule.variables[variable as usize]).collect();
}

/// The term with something in the place of its variables.
fn replace(term: &NormalTerm, value: &impl Fn(u32) -> NormalTerm) -> NormalTerm {
    match term {
        NormalTerm::Variable(variable) => value(*variable),
        NormalTerm::Constant(_) => term.clone(),
        NormalTerm::Function(name, arguments) => {
            NormalTerm::Function(*name, arguments.iter().map(|term| replace(term, value)).collect())
        }
    }
}

/// The term with `new` wherever `old` was.
fn exchange(term: &NormalTerm, old: &NormalTerm, new: &NormalTerm) -> NormalTerm {
    match term {
        _ if term == old => new.clone(),
        NormalTerm::Function(name, arguments) => {
            NormalTerm::Function(*name, arguments.iter().map(|term| exchange(term, old, new)).collect())
        }
        NormalTerm::Variable(_) | NormalTerm::Constant(_) => term.clone(),
    }
}

/// The relations that the game itself depends on.
fn used(rules: &[NormalRule]) -> FxHashSet<Key> {
    let mut bodies: FxHashMap<Key, Vec<&NormalRule>> = FxHashMap::default();
    for rule in rules {
        bodies.entry(key(&rule.head)).or_default().push(rule);
    }
    let mut open: Vec<Key> = bodies.keys().copied().filter(|&relation| is_keyword(relation)).collect();
    let mut seen: FxHashSet<Key> = open.iter().copied().collect();
    while let Some(relation) = open.pop() {
        let rules = bodies.get(&relation).into_iter().flatten();
        for used in rules.flat_map(|rule| &rule.body).filter_map(sentence).map(key) {
            if seen.insert(used) {
                open.push(used);
            }
        }
    }
    seen
}
