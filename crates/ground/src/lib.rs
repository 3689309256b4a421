//! From rules with variables to propositional rules, within a budget.
//!
//! ```text
//! NormalRules -flatten-> Program -split-> Program -dependency-> Dependencies
//!             -reach-> tables of what may become true -rules-> GroundRules
//! ```
//!
//! The key decision: ground rules are never stored. [`reach`] computes only *which* atoms may
//! become true, and stops looking for further derivations of an atom once it has one.
//! [`GroundRules::bodies`] then finds the bodies of one atom at a time, with the head bound, when
//! whoever builds the circuit asks for it. Relations that occur only under `not` cannot make
//! anything reachable: they are never computed, and only the atoms that are asked for exist.

mod budget;
mod dependency;
mod error;
mod flatten;
mod plan;
mod program;
mod reach;
mod rules;
mod solve;
mod split;
mod table;
mod term;

use gdl::normal::NormalRules;

pub use budget::{Budget, Progress, Stage};
pub use dependency::strong_components;
pub use error::GroundError;
pub use rules::{AtomId, Bodies, GroundBase, GroundLiteral, GroundMove, GroundRole, GroundRules};

/// Finds what may become true under the rules.
pub fn ground(rules: &NormalRules, budget: &Budget<'_>) -> Result<GroundRules, GroundError> {
    if rules.roles.is_empty() {
        return Err(GroundError::NoRoles);
    }
    let mut program = flatten::flatten(rules, budget)?;
    split::split(&mut program);
    let dependencies = dependency::analyze(&program);
    let terms = std::mem::take(&mut program.terms);
    let mut solver = solve::Solver::new(terms, program.relations.iter().map(|relation| relation.width));
    reach::reach(&program, &dependencies, &mut solver, budget)?;
    Ok(GroundRules::new(program, dependencies, solver))
}
