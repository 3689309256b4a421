//! From rules to a circuit, within a budget.

use std::sync::Arc;
use std::time::Duration;

use ::circuit::{BuildReport, Circuit, Effort};
use gdl::normal::NormalRules;
use ground::{Budget, GroundError};

/// A circuit and what it cost.
#[derive(Clone, Debug)]
pub struct CircuitBuild {
    /// The circuit.
    pub circuit: Arc<Circuit>,
    /// What the passes did.
    pub report: BuildReport,
    /// Time for finding what may become true, by the budget's clock.
    pub grounding: Duration,
    /// Time for making the circuit of it.
    pub building: Duration,
}

/// Grounds rules and makes their circuit.
///
/// ```
/// let rules = "(role you) (init (left 2)) (legal you wait)
///     (<= (next (left 1)) (true (left 2))) (<= (next (left 0)) (true (left 1)))
///     (<= terminal (true (left 0))) (<= (goal you 100) terminal)";
/// let rules = gdl::normal::read(rules);
/// let build = machine::build::circuit(&rules, circuit::Effort::Thorough, &ground::Budget::unlimited())?;
/// assert_eq!(build.circuit.bases, ["(left 0)", "(left 1)", "(left 2)"]);
/// # Ok::<(), ground::GroundError>(())
/// ```
pub fn circuit(
    rules: &NormalRules,
    effort: Effort,
    budget: &Budget<'_>,
) -> Result<CircuitBuild, GroundError> {
    let start = (budget.clock)();
    let mut ground = ground::ground(rules, budget)?;
    let grounded = (budget.clock)();
    let (circuit, report) = ::circuit::build(&mut ground, effort, budget)?;
    let built = (budget.clock)();
    Ok(CircuitBuild {
        circuit: Arc::new(circuit),
        report,
        grounding: grounded.saturating_sub(start),
        building: built.saturating_sub(grounded),
    })
}
