//! The whole way from normal rules to ground rules, by one strategy after the other.

use std::time::Duration;

use gdl::normal::NormalRules;

use crate::program::Program;
use crate::{Budget, GroundError, GroundRules, dependency, flatten, reach, solve, split, trail, unique};

/// How reachability is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Long bodies are split: sums instead of products.
    Split,
    /// Bodies are joined as they were written. The relations that splitting makes are sometimes
    /// larger than what they serve.
    Whole,
    /// Long bodies are split, after conditions on very many variables were taken apart as if every fact had one value.
    /// [`GroundRules::assumptions`] says what is to be proven.
    Unique,
}

/// What was done and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundReport {
    /// The strategy that succeeded.
    pub strategy: Strategy,
    /// Those that did not, and why.
    pub failed: Vec<(Strategy, GroundError)>,
    /// Arguments that only ever forbid and were dropped.
    pub dropped: usize,
    /// Rules in normal form.
    pub normal_rules: usize,
    /// Rules after functions became columns.
    pub flat_rules: usize,
    /// Rules with the parts of those that were split.
    pub split_rules: usize,
    /// Relations: predicates by the shape of their arguments.
    pub relations: usize,
    /// Relations that are the same in every state.
    pub static_relations: usize,
    /// Relations that are only asked for single facts.
    pub asked_relations: usize,
    /// Rounds of evaluation, over all groups of relations that depend on each other.
    pub rounds: usize,
    /// Facts that may become true.
    pub facts: usize,
}

/// Finds what may become true under the rules. When a strategy has spent its share of the budget
/// the next one is tried.
pub fn ground(rules: &NormalRules, budget: &Budget<'_>) -> Result<GroundRules, GroundError> {
    if rules.roles.is_empty() {
        return Err(GroundError::NoRoles);
    }
    if rules.roles.len() > usize::from(u16::MAX) {
        return Err(GroundError::TooMany("roles"));
    }
    let shorter = trail::drop_trails(rules);
    let (rules, dropped) = shorter.as_ref().map_or((rules, 0), |(rules, count)| (rules, *count));
    let mut ground = ground_shorter(rules, budget)?;
    ground.report.dropped = dropped;
    Ok(ground)
}

fn ground_shorter(rules: &NormalRules, budget: &Budget<'_>) -> Result<GroundRules, GroundError> {
    let program = flatten::flatten(rules, budget)?;
    let count = rules.rules.len();
    let mut failed = Vec::new();
    // Conditions on very many variables are seldom written out in time: the other way is tried soon.
    let wide = unique::rewrite_wide(&program);
    let (parts, last) = if wide.is_some() { (8, Strategy::Unique) } else { (2, Strategy::Whole) };
    match instantiate(program.clone(), count, Strategy::Split, &share(budget, parts)) {
        Err(error @ (GroundError::OutOfTime | GroundError::OutOfMemory { .. })) => {
            failed.push((Strategy::Split, error));
        }
        other => return other,
    }
    let Some((assuming, units)) = wide else {
        let mut ground = instantiate(program, count, last, budget)?;
        ground.report.failed = failed;
        return Ok(ground);
    };
    let mut ground = instantiate(assuming, count, last, budget)?;
    ground.report.failed = failed;
    ground.assumed = units;
    ground.unassumed = Some(Box::new(program));
    Ok(ground)
}

/// The same once more without assumptions, if [`ground()`] made some that turned out not to be provable.
pub fn ground_unassumed(rules: &mut GroundRules, budget: &Budget<'_>) -> Result<bool, GroundError> {
    let Some(program) = rules.unassumed.take() else { return Ok(false) };
    let GroundReport { dropped, normal_rules, .. } = rules.report;
    let mut failed = std::mem::take(&mut rules.report.failed);
    failed.push((rules.report.strategy, GroundError::Unproven));
    *rules = instantiate(*program, normal_rules, Strategy::Split, budget)?;
    rules.report.dropped = dropped;
    rules.report.failed = failed;
    Ok(true)
}

/// The same by one strategy alone, with the rules as they were written.
pub fn ground_by(
    rules: &NormalRules,
    strategy: Strategy,
    budget: &Budget<'_>,
) -> Result<GroundRules, GroundError> {
    let program = flatten::flatten(rules, budget)?;
    let wide = if strategy == Strategy::Unique { unique::rewrite_wide(&program) } else { None };
    let (program, units) = wide.unwrap_or((program, Vec::new()));
    let mut ground = instantiate(program, rules.rules.len(), strategy, budget)?;
    ground.assumed = units;
    Ok(ground)
}

/// Other rules for the same game, which rest on the assumption that there is one of something at a time: `None` if nothing
/// is found that there may be one of. [`GroundRules::assumptions`] says what is to be proven.
pub fn assume_unique(rules: &GroundRules, budget: &Budget<'_>) -> Result<Option<GroundRules>, GroundError> {
    let flat_rules = rules.report.flat_rules;
    let rewritten = unique::rewrite(&rules.program, flat_rules, &rules.dependencies, &rules.solver);
    let Some((mut program, units)) = rewritten else { return Ok(None) };
    program.terms = rules.solver.terms.clone();
    let mut ground = instantiate(program, rules.report.normal_rules, Strategy::Split, budget)?;
    ground.assumed = [units, rules.assumed.clone()].concat();
    Ok(Some(ground))
}

/// An equal share of the time that is left.
fn share<'a>(budget: &Budget<'a>, parts: usize) -> Budget<'a> {
    let now = (budget.clock)();
    let left = budget.deadline.saturating_sub(now);
    let part = if parts > 1 { left / parts as u32 } else { left };
    Budget { deadline: now.saturating_add(part.max(Duration::from_nanos(1))), ..*budget }
}

fn instantiate(
    mut program: Program,
    normal_rules: usize,
    strategy: Strategy,
    budget: &Budget<'_>,
) -> Result<GroundRules, GroundError> {
    let flat_rules = program.rules.len();
    if strategy != Strategy::Whole {
        split::split(&mut program);
    }
    let dependencies = dependency::analyze(&program);
    let terms = std::mem::take(&mut program.terms);
    let mut solver = solve::Solver::new(terms, program.relations.iter().map(|relation| relation.width));
    let rounds = reach::reach(&program, &dependencies, &mut solver, budget)?;
    let count =
        |test: &dyn Fn(usize) -> bool| (0..program.relations.len()).filter(|&index| test(index)).count();
    let report = GroundReport {
        strategy,
        failed: Vec::new(),
        dropped: 0,
        normal_rules,
        flat_rules,
        split_rules: program.rules.len(),
        relations: program.relations.len(),
        static_relations: count(&|index| !dependencies.dynamic[index]),
        asked_relations: count(&|index| dependencies.dynamic[index] && !dependencies.needed[index]),
        rounds,
        facts: solver.tables.iter().map(|table| table.len() as usize).sum(),
    };
    Ok(GroundRules::new(program, dependencies, solver, report))
}
