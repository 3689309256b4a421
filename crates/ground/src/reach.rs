//! What may become true: the least set of facts that contains `init`, what the rules derive from
//! it when any facts may be true together and any legal moves done, and so on.
//!
//! Conditions under `not` count only where they are decided once and for all; elsewhere they are
//! taken as met. Components of relations are evaluated in order of dependency, each semi-naively:
//! a round looks only at what the round before has added.

use gdl::keyword;

use crate::dependency::Dependencies;
use crate::plan::{Purpose, plan};
use crate::program::{Atom, Program, RelationId, Rule};
use crate::solve::{Halt, Sink, Solver};
use crate::{Budget, GroundError};

/// Terms nested deeper than this come from rules that build them without end.
const MAX_TERM_DEPTH: u32 = 1_000;

/// Fills the tables of all needed relations. Returns the number of rounds.
pub(crate) fn reach(
    program: &Program,
    dependencies: &Dependencies,
    solver: &mut Solver,
    budget: &Budget<'_>,
) -> Result<usize, GroundError> {
    let mut rules_of: Vec<Vec<&Rule>> = vec![Vec::new(); program.relations.len()];
    for rule in &program.rules {
        let rule = rule.split.as_deref().unwrap_or(rule);
        rules_of[rule.head.relation.index()].push(rule);
    }
    let mut rounds = 0;
    for (number, component) in dependencies.components.iter().enumerate() {
        let rules: Vec<&Rule> = component
            .iter()
            .filter(|relation| dependencies.needed[relation.index()])
            .flat_map(|relation| rules_of[relation.index()].iter().copied())
            .collect();
        let mut run = Component { program, dependencies, number: number as u32, solver, budget };
        rounds += run.evaluate(component, &rules)?;
    }
    Ok(rounds)
}

struct Component<'a> {
    program: &'a Program,
    dependencies: &'a Dependencies,
    number: u32,
    solver: &'a mut Solver,
    budget: &'a Budget<'a>,
}

impl Component<'_> {
    fn evaluate(&mut self, component: &[RelationId], rules: &[&Rule]) -> Result<usize, GroundError> {
        let dependencies = self.dependencies;
        let number = self.number;
        let recursive = |relation: RelationId| dependencies.component_of[relation.index()] == number;
        for rule in rules {
            if !rule.positive.iter().any(|atom| recursive(atom.relation)) {
                self.run(rule, None)?;
            }
        }
        let mut rounds = 1;
        loop {
            let mut changed = false;
            for &relation in component {
                let relation = relation.index();
                self.solver.old[relation] = self.solver.now[relation];
                self.solver.now[relation] = self.solver.tables[relation].len();
                changed |= self.solver.old[relation] != self.solver.now[relation];
            }
            if !changed {
                return Ok(rounds);
            }
            rounds += 1;
            for rule in rules {
                for (literal, atom) in rule.positive.iter().enumerate() {
                    let relation = atom.relation.index();
                    if recursive(atom.relation) && self.solver.old[relation] != self.solver.now[relation] {
                        self.run(rule, Some(literal))?;
                    }
                }
            }
        }
    }

    fn run(&mut self, rule: &Rule, new: Option<usize>) -> Result<(), GroundError> {
        let (dependencies, number) = (self.dependencies, self.number);
        let recursive = |relation: RelationId| dependencies.component_of[relation.index()] == number;
        let exact = |relation: RelationId| !dependencies.dynamic[relation.index()];
        let purpose = Purpose::Reach { new, recursive: &recursive };
        let plan = plan(rule, &purpose, &exact, &mut self.solver.tables);
        let feeds = self.program.feeds(rule.head.relation);
        let is_legal = self.program.predicate(rule.head.relation) == keyword::LEGAL;
        let mut sink = Derive { head: &rule.head, feeds, roles: is_legal.then_some(&self.program.roles) };
        self.solver.prepare(rule.variables, rule.positive.len());
        self.solver.patience = u64::MAX;
        match self.solver.solve(&plan, 0, &mut sink, self.budget) {
            Ok(_) => Ok(()),
            Err(Halt::Failed(error)) => Err(error),
            Err(Halt::TooLong) => Err(GroundError::OutOfTime),
        }
    }
}

/// Adds heads to their tables.
struct Derive<'a> {
    head: &'a Atom,
    feeds: Option<RelationId>,
    /// Who may move, if the head is `legal`.
    roles: Option<&'a Vec<crate::term::TermId>>,
}

impl Sink for Derive<'_> {
    fn solution(&mut self, solver: &mut Solver) -> Result<bool, Halt> {
        let relation = self.head.relation.index();
        let (row, new) = solver.insert(relation, &self.head.arguments);
        if row == u32::MAX - 1 {
            return Err(GroundError::TooMany("facts").into());
        }
        if new && solver.terms.deepest() > MAX_TERM_DEPTH {
            return Err(GroundError::TooMany("functions within functions").into());
        }
        if new && let Some(feeds) = self.feeds {
            let tuple = std::mem::take(&mut solver.scratch);
            if self.roles.is_none_or(|roles| tuple.first().is_some_and(|role| roles.contains(role))) {
                solver.tables[feeds.index()].insert(&tuple);
            }
            solver.scratch = tuple;
        }
        Ok(true)
    }

    fn head(&self) -> Option<&Atom> {
        Some(self.head)
    }
}
