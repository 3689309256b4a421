//! Demand: some relations are far too large to be written out, and only a few of their tuples are
//! ever asked for. [`restrict`] rewrites a program so that chosen relations are derived only as
//! far as they are asked for (the magic-sets transformation).
//!
//! For a chosen relation `p`, a relation `demand p` collects the arguments with which rules ask
//! for it, and every rule of `p` gets it as an additional condition. Which arguments that are is
//! found out first: those that are known at *every* place where `p` is asked for, from literals
//! that stand before it in some order. Demand may be too large but never too small, so the
//! tuples that are asked for are exactly those of the original program.

use crate::{Atom, Dependencies, Literal, Pattern, Program, RelationId, RelationInfo, Rule};

/// The rewritten program and the relations that are restricted in it. Relations keep their ids.
#[derive(Clone, Debug)]
pub struct Restricted {
    /// The program.
    pub program: Program,
    /// The relations that hold only what is asked for: as many of the chosen ones as can be.
    pub relations: Vec<RelationId>,
}

/// Restricts relations to what is asked for.
///
/// Relations that the caller reads must not be chosen. A chosen relation is left as it is when
/// nothing is known about its arguments where it is asked for, or when its demand would depend on
/// a negation that depends on it.
pub fn restrict(program: &Program, chosen: &[RelationId]) -> Restricted {
    let mut chosen: Vec<RelationId> = chosen.to_vec();
    let mut careful = false;
    loop {
        let demand = Demand::new(program, &chosen, careful);
        let rewritten = demand.rewrite();
        let kept: Vec<RelationId> =
            chosen.iter().copied().filter(|relation| demand.positions[relation.index()].is_some()).collect();
        let offenders = negative_cycles(program, &rewritten, &kept);
        if offenders.is_empty() {
            return Restricted { program: rewritten, relations: kept };
        }
        if !careful {
            // What is asked of a relation depended on the relation itself, through a negation.
            careful = true;
            continue;
        }
        chosen = kept.into_iter().filter(|relation| !offenders.contains(relation)).collect();
    }
}

/// Chosen relations in components that negate themselves only since the rewriting.
fn negative_cycles(before: &Program, after: &Program, chosen: &[RelationId]) -> Vec<RelationId> {
    let (old, new) = (Dependencies::new(before), Dependencies::new(after));
    let mut offenders = Vec::new();
    for component in new.components.iter().filter(|component| component.negates_itself) {
        let known = |relation: &RelationId| relation.index() < before.relations.len();
        let was_so = component
            .relations
            .iter()
            .filter(|relation| known(relation))
            .all(|&relation| old.get(old.component_of(relation)).negates_itself);
        if !was_so || component.relations.iter().any(|relation| !known(relation)) {
            offenders.extend(component.relations.iter().filter(|relation| chosen.contains(relation)));
        }
    }
    offenders
}

struct Demand<'a> {
    program: &'a Program,
    /// Literals that depend on a relation do not help to say what is asked of it.
    careful: bool,
    /// `depends[p]`: the relations that depend on `p`, for each chosen `p`.
    dependents: Vec<Option<Vec<bool>>>,
    /// Known argument positions of restricted relations.
    positions: Vec<Option<Vec<usize>>>,
    /// For each rule, the order in which its literals hand on what is known.
    orders: Vec<Vec<usize>>,
}

impl<'a> Demand<'a> {
    fn new(program: &'a Program, chosen: &[RelationId], careful: bool) -> Self {
        let mut dependents = vec![None; program.relations.len()];
        let mut positions = vec![None; program.relations.len()];
        let dependencies = Dependencies::new(program);
        for &relation in chosen {
            dependents[relation.index()] = Some(dependents_of(&dependencies, relation));
            positions[relation.index()] = Some((0..program.relations[relation.index()].arity).collect());
        }
        let is_chosen = |relation: RelationId| chosen.contains(&relation);
        let orders = program.rules.iter().map(|rule| order(rule, &is_chosen)).collect();
        let mut demand = Self { program, careful, dependents, positions, orders };
        while demand.shrink() {}
        demand
    }

    /// Takes away positions that are not known at some place; `true` if there were any.
    fn shrink(&mut self) -> bool {
        let mut changed = false;
        for (rule, order) in self.program.rules.iter().zip(&self.orders) {
            for (place, &index) in order.iter().enumerate() {
                let (Literal::Holds(atom) | Literal::Fails(atom)) = &rule.body[index] else { continue };
                let Some(known) = &self.positions[atom.relation.index()] else { continue };
                let bound = self.bound_before(rule, &order[..place], atom.relation);
                let still: Vec<usize> = known
                    .iter()
                    .copied()
                    .filter(|&position| is_bound(&atom.arguments[position], &bound))
                    .collect();
                if still.len() < known.len() {
                    changed = true;
                    self.positions[atom.relation.index()] = (!still.is_empty()).then_some(still);
                }
            }
        }
        changed
    }

    /// Whether a literal may help to say what is asked of `relation`.
    fn helps(&self, literal: &Literal, relation: RelationId) -> bool {
        let dependents = self.dependents[relation.index()].as_ref();
        match literal {
            Literal::Holds(atom) => {
                !self.careful || dependents.is_some_and(|dependents| !dependents[atom.relation.index()])
            }
            _ => false,
        }
    }

    /// The condition that a rule's head is asked for.
    fn head_demand(&self, rule: &Rule) -> Option<Atom> {
        let positions = self.positions[rule.head.relation.index()].as_ref()?;
        Some(self.demand_atom(&rule.head, positions))
    }

    fn demand_atom(&self, atom: &Atom, positions: &[usize]) -> Atom {
        Atom {
            // A relation's demand has the same number after all relations of the program.
            relation: RelationId((self.program.relations.len() + atom.relation.index()) as u32),
            arguments: positions.iter().map(|&position| atom.arguments[position].clone()).collect(),
        }
    }

    fn bound_before(&self, rule: &Rule, before: &[usize], relation: RelationId) -> Vec<bool> {
        let mut bound = vec![false; rule.variables];
        let mut bind = |variable: u32| bound[variable as usize] = true;
        if let Some(atom) = self.head_demand(rule) {
            atom.variables(&mut bind);
        }
        for &index in before {
            if self.helps(&rule.body[index], relation)
                && let Literal::Holds(atom) = &rule.body[index]
            {
                atom.variables(&mut bind);
            }
        }
        bound
    }

    fn rewrite(&self) -> Program {
        let mut program = Program { relations: self.program.relations.clone(), rules: Vec::new() };
        for (info, positions) in self.program.relations.iter().zip(&self.positions) {
            program.relations.push(RelationInfo {
                name: format!("demand {}", info.name),
                arity: positions.as_ref().map_or(0, Vec::len),
                is_input: false,
            });
        }
        for (rule, order) in self.program.rules.iter().zip(&self.orders) {
            let head_demand = self.head_demand(rule);
            for (place, &index) in order.iter().enumerate() {
                let (Literal::Holds(atom) | Literal::Fails(atom)) = &rule.body[index] else { continue };
                if let Some(positions) = &self.positions[atom.relation.index()] {
                    let head = self.demand_atom(atom, positions);
                    let body = self.demand_body(rule, head_demand.as_ref(), &order[..place], atom, &head);
                    program.rules.push(renumber(Rule { head, body, variables: rule.variables }));
                }
            }
            let mut rule = rule.clone();
            rule.body.splice(0..0, head_demand.map(Literal::Holds));
            program.rules.push(rule);
        }
        program
    }

    /// The conditions under which `atom` is asked for: what is connected to its known arguments.
    fn demand_body(
        &self,
        rule: &Rule,
        head_demand: Option<&Atom>,
        before: &[usize],
        atom: &Atom,
        demand: &Atom,
    ) -> Vec<Literal> {
        let mut candidates: Vec<Literal> = head_demand.cloned().map(Literal::Holds).into_iter().collect();
        candidates.extend(
            before
                .iter()
                .map(|&index| &rule.body[index])
                .filter(|literal| self.helps(literal, atom.relation))
                .cloned(),
        );
        let mut wanted = vec![false; rule.variables];
        demand.variables(&mut |variable| wanted[variable as usize] = true);
        let mut body = Vec::new();
        loop {
            let connected = candidates.iter().position(|literal| {
                let Literal::Holds(atom) = literal else { return false };
                let mut shares = false;
                atom.variables(&mut |variable| shares |= wanted[variable as usize]);
                shares
            });
            let Some(index) = connected else { break };
            let literal = candidates.remove(index);
            if let Literal::Holds(atom) = &literal {
                atom.variables(&mut |variable| wanted[variable as usize] = true);
            }
            body.push(literal);
        }
        let mut bound = vec![false; rule.variables];
        for literal in &body {
            if let Literal::Holds(atom) = literal {
                atom.variables(&mut |variable| bound[variable as usize] = true);
            }
        }
        body.extend(
            rule.body
                .iter()
                .filter(|literal| match literal {
                    Literal::Distinct(left, right) => is_bound(left, &bound) && is_bound(right, &bound),
                    _ => false,
                })
                .cloned(),
        );
        body
    }
}

/// Which relations depend on one, itself included only if it is recursive.
fn dependents_of(dependencies: &Dependencies, relation: RelationId) -> Vec<bool> {
    let own = dependencies.component_of(relation);
    let mut reached = vec![false; dependencies.components.len()];
    reached[own.0 as usize] = true;
    for index in own.0 as usize + 1..dependencies.components.len() {
        reached[index] = dependencies.components[index].uses.iter().any(|used| reached[used.0 as usize]);
    }
    let component = dependencies.get(own);
    // Within a component that does not negate itself, recursive literals hand on what is known.
    reached[own.0 as usize] = component.negates_itself;
    let relations = dependencies.components.iter().map(|component| component.relations.iter());
    let mut dependents = vec![false; relations.map(|relations| relations.len()).sum()];
    for (component, &reached) in dependencies.components.iter().zip(&reached) {
        for relation in &component.relations {
            dependents[relation.index()] = reached;
        }
    }
    dependents
}

/// Positive literals that are not chosen in the order of the rule, then the chosen ones, those
/// with the most known arguments first, then the negative ones.
fn order(rule: &Rule, is_chosen: &impl Fn(RelationId) -> bool) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    let mut waiting = Vec::new();
    let mut bound = vec![false; rule.variables];
    for (index, literal) in rule.body.iter().enumerate() {
        if let Literal::Holds(atom) = literal {
            if is_chosen(atom.relation) {
                waiting.push(index);
            } else {
                order.push(index);
                atom.variables(&mut |variable| bound[variable as usize] = true);
            }
        }
    }
    while !waiting.is_empty() {
        let unknown = |&index: &usize| match &rule.body[index] {
            Literal::Holds(atom) => {
                atom.arguments.iter().filter(|argument| !is_bound(argument, &bound)).count()
            }
            _ => usize::MAX,
        };
        let best = (0..waiting.len()).min_by_key(|&at| unknown(&waiting[at])).unwrap_or(0);
        let index = waiting.remove(best);
        order.push(index);
        if let Literal::Holds(atom) = &rule.body[index] {
            atom.variables(&mut |variable| bound[variable as usize] = true);
        }
    }
    order.extend((0..rule.body.len()).filter(|&index| matches!(rule.body[index], Literal::Fails(_))));
    order
}

fn is_bound(pattern: &Pattern, bound: &[bool]) -> bool {
    let mut all = true;
    pattern.variables(&mut |variable| all &= bound[variable as usize]);
    all
}

/// Numbers the variables that a demand rule uses from 0.
fn renumber(mut rule: Rule) -> Rule {
    let mut numbers = vec![None; rule.variables];
    let mut count = 0;
    let mut number = |variable: &mut u32| {
        let number = *numbers[*variable as usize].get_or_insert_with(|| {
            count += 1;
            count - 1
        });
        *variable = number;
    };
    rule.head.arguments.iter_mut().for_each(|argument| rename(argument, &mut number));
    for literal in &mut rule.body {
        match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => {
                atom.arguments.iter_mut().for_each(|argument| rename(argument, &mut number));
            }
            Literal::Distinct(left, right) => {
                rename(left, &mut number);
                rename(right, &mut number);
            }
        }
    }
    rule.variables = count as usize;
    rule
}

fn rename(pattern: &mut Pattern, number: &mut impl FnMut(&mut u32)) {
    match pattern {
        Pattern::Variable(variable) => number(variable),
        Pattern::Term(_) => {}
        Pattern::Compound(_, arguments) => arguments.iter_mut().for_each(|argument| rename(argument, number)),
    }
}
