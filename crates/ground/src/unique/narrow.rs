//! What several heads ask alike is asked once: conditions on variables that do not reach the head become a relation over
//! as few of the head's variables as they need.

use rustc_hash::FxHashMap;

use crate::program::{Atom, Program, RelationId, Rule, Skeleton};
use crate::split::{Condition, assemble, conditions_of, renumber};
use crate::term::Pattern;

/// Makes relations of conditions.
pub(super) struct Narrower<'a> {
    pub program: &'a mut Program,
    /// Whether a relation differs from state to state.
    pub dynamic: &'a dyn Fn(RelationId) -> bool,
    pub known: FxHashMap<Vec<Rule>, RelationId>,
    pub additional: Vec<Rule>,
}

impl Narrower<'_> {
    /// Rules that differ in one condition become one rule with the choice between the conditions as a relation.
    pub(super) fn merge(&mut self, rules: Vec<Rule>) -> Vec<Rule> {
        let mut result: Vec<Rule> = Vec::new();
        // For each rule of the result, where its alternatives are and what they are.
        let mut choices: Vec<Option<(usize, Vec<Atom>)>> = Vec::new();
        'rules: for rule in rules {
            for (known, choice) in result.iter().zip(&mut choices) {
                let Some(place) = self.difference(known, &rule) else { continue };
                match choice {
                    Some((other, atoms)) if *other == place => atoms.push(rule.positive[place].clone()),
                    Some(_) => continue,
                    None => {
                        *choice =
                            Some((place, vec![known.positive[place].clone(), rule.positive[place].clone()]));
                    }
                }
                continue 'rules;
            }
            result.push(rule);
            choices.push(None);
        }
        for (rule, choice) in result.iter_mut().zip(choices) {
            let Some((place, atoms)) = choice else { continue };
            let scope = Condition::Positive(atoms[0].clone()).variables();
            let bodies = atoms.into_iter().map(|atom| vec![Condition::Positive(atom)]).collect();
            rule.positive[place] = self.relation(&scope, bodies);
        }
        result
    }

    /// The one place in which two rules with the same head and the same variables differ, a condition on the state.
    fn difference(&self, left: &Rule, right: &Rule) -> Option<usize> {
        let alike = left.head == right.head
            && left.negative == right.negative
            && left.distinct == right.distinct
            && left.positive.len() == right.positive.len();
        if !alike {
            return None;
        }
        let differs = |&place: &usize| left.positive[place] != right.positive[place];
        let mut places = (0..left.positive.len()).filter(differs);
        let (place, None) = (places.next()?, places.next()) else { return None };
        let sorted = |atom: &Atom| {
            let mut variables = Condition::Positive(atom.clone()).variables();
            variables.sort_unstable();
            variables
        };
        let (first, second) = (&left.positive[place], &right.positive[place]);
        let dynamic = (self.dynamic)(first.relation) && (self.dynamic)(second.relation);
        (dynamic && sorted(first) == sorted(second)).then_some(place)
    }

    /// Takes conditions on hidden variables out of a rule where they need less than all of the head's variables.
    pub(super) fn narrow(&mut self, rule: &mut Rule) {
        let mut head = Vec::new();
        rule.head.variables(&mut |variable| head.push(variable));
        head.sort_unstable();
        head.dedup();
        let conditions = conditions_of(rule);
        let mut kept = Vec::new();
        for mut part in linked(conditions, &head) {
            let mut scope: Vec<u32> = part.iter().flat_map(Condition::variables).collect();
            scope.retain(|variable| head.contains(variable));
            scope.sort_unstable();
            scope.dedup();
            let varies = part.iter().filter(|condition| self.varies(condition)).count();
            if part.len() < 2 || varies < 2 || scope.len() == head.len() {
                kept.extend(part);
                continue;
            }
            self.absorb(&mut part);
            let bound = |variable: &u32| {
                part.iter().any(|condition| {
                    matches!(condition, Condition::Positive(_)) && condition.variables().contains(variable)
                })
            };
            let safe = scope.iter().all(bound);
            let relation = self.relation(&scope, vec![part]);
            kept.push(if safe {
                Condition::Positive(relation)
            } else {
                // Under "not" a relation is asked for single atoms only, and needs no domain for its variables.
                Condition::Negative(self.relation(&scope, vec![vec![Condition::Negative(relation)]]))
            });
        }
        *rule = assemble(rule.head.clone(), kept, rule.variables);
    }

    fn varies(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Positive(atom) | Condition::Negative(atom) => (self.dynamic)(atom.relation),
            Condition::Distinct(..) => false,
        }
    }

    /// Joins conditions whose variables another one has as well.
    fn absorb(&mut self, part: &mut Vec<Condition>) {
        let mut place = 0;
        while place < part.len() {
            let variables = part[place].variables();
            let host = (0..part.len()).find(|&other| {
                let host = part[other].variables();
                other != place
                    && matches!(part[other], Condition::Positive(_))
                    && self.varies(&part[other])
                    && self.varies(&part[place])
                    && variables.iter().all(|variable| host.contains(variable))
            });
            let Some(host) = host.filter(|_| part.len() > 2) else {
                place += 1;
                continue;
            };
            let scope = part[host].variables();
            let joined = self.relation(&scope, vec![vec![part[host].clone(), part[place].clone()]]);
            part[host] = Condition::Positive(joined);
            part.remove(place);
            place = 0;
        }
    }

    /// A relation over some variables that holds if all conditions of one of the bodies do.
    fn relation(&mut self, scope: &[u32], bodies: Vec<Vec<Condition>>) -> Atom {
        let arguments: Vec<Pattern> = scope.iter().map(|&variable| Pattern::Variable(variable)).collect();
        let mut rules: Vec<Rule> = bodies
            .into_iter()
            .map(|body| {
                let placeholder = Atom { relation: RelationId(u32::MAX), arguments: arguments.clone() };
                let mut rule = assemble(placeholder, body, 0);
                renumber(&mut rule);
                rule
            })
            .collect();
        if let Some(&relation) = self.known.get(&rules) {
            return Atom { relation, arguments };
        }
        let name = self.program.symbols.intern(&format!("shared#{}", self.known.len() + 1));
        let relation = self.program.relation(name, &vec![Skeleton::Any; scope.len()]);
        self.known.insert(rules.clone(), relation);
        rules.iter_mut().for_each(|rule| rule.head.relation = relation);
        self.additional.append(&mut rules);
        Atom { relation, arguments }
    }
}

/// Conditions in sets that share no variable but those of the head.
fn linked(conditions: Vec<Condition>, head: &[u32]) -> Vec<Vec<Condition>> {
    let mut parts: Vec<(Vec<u32>, Vec<Condition>)> = Vec::new();
    for condition in conditions {
        let mut hidden = condition.variables();
        hidden.retain(|variable| !head.contains(variable));
        let mut joined = (hidden, vec![condition]);
        let mut others = Vec::new();
        for part in parts {
            if part.0.iter().any(|variable| joined.0.contains(variable)) {
                joined.0.extend(part.0);
                let mut conditions = part.1;
                conditions.append(&mut joined.1);
                joined.1 = conditions;
            } else {
                others.push(part);
            }
        }
        others.push(joined);
        parts = others;
    }
    parts.into_iter().map(|(_, conditions)| conditions).collect()
}
