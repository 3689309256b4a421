//! From ground rules to a small circuit: construction, passes, and which of several ways to take.

use ground::{Budget, GroundError, GroundRules};

use crate::construct::{ConstructionCounts, construct};
use crate::passes::{constants, correspondence, detach, extract};
use crate::{Analysis, Circuit, PartSizes};

/// What was done and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildReport {
    /// The way of instantiating rules that was kept.
    pub strategy: &'static str,
    /// What construction met.
    pub counts: ConstructionCounts,
    /// The sizes after every pass.
    pub passes: Vec<PassReport>,
    /// What is known about the facts.
    pub analysis: Analysis,
}

/// The sizes after one pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassReport {
    /// The pass.
    pub name: &'static str,
    /// Facts in the circuit.
    pub bases: usize,
    /// Moves of all roles.
    pub moves: usize,
    /// Gates by part.
    pub sizes: PartSizes,
}

/// Rules with more bodies than this for one head are split when nothing else is known.
const SPLIT_ABOVE: usize = 30;
/// Circuits of fewer ground rules than this are built in several ways, and the smallest is kept.
const CHEAP_GROUND_RULES: usize = 400_000;

/// Builds the circuit of a game.
pub fn build(
    rules: &mut GroundRules,
    budget: &Budget<'_>,
) -> Result<(Circuit, BuildReport), GroundError> {
    let start = (budget.clock)();
    let first = attempt(rules, "split where long", SPLIT_ABOVE, budget)?;
    if first.1.counts.ground_rules > CHEAP_GROUND_RULES {
        return Ok(first);
    }
    let mut best = first;
    let now = (budget.clock)();
    let spare = (now - start) * 4 + std::time::Duration::from_millis(20);
    let budget = &Budget { deadline: budget.deadline.min(now + spare), ..*budget };
    for (strategy, split_above) in [("never split", usize::MAX), ("always split", 0)] {
        // The first way has worked: what goes wrong with another one is no fault.
        if let Ok(other) = attempt(rules, strategy, split_above, budget)
            && other.0.sizes().total() < best.0.sizes().total()
        {
            best = other;
        }
    }
    Ok(best)
}

fn attempt(
    rules: &mut GroundRules,
    strategy: &'static str,
    split_above: usize,
    budget: &Budget<'_>,
) -> Result<(Circuit, BuildReport), GroundError> {
    rules.split_above(split_above);
    let (mut circuit, counts) = construct(rules, budget)?;
    let mut report = BuildReport { strategy, counts, ..BuildReport::default() };
    report.note("construct", &circuit);

    detach::detach(&mut circuit);
    let (circuit, constants) = constants::fold(&circuit, budget)?;
    report.analysis.always = constants.always;
    report.analysis.never = constants.never;
    report.analysis.never_legal = constants.never_legal;
    report.note("constants", &circuit);

    let (circuit, mirrored) = correspondence::merge(&circuit, budget)?;
    report.analysis.mirrored = mirrored;
    report.note("correspondence", &circuit);

    let extracted = extract::extract(&circuit, budget)?;
    let circuit = if extracted.sizes().total() < circuit.sizes().total() { extracted } else { circuit };
    report.note("extract", &circuit);

    report.analysis.find_latches(&circuit);
    Ok((circuit, report))
}

impl BuildReport {
    fn note(&mut self, name: &'static str, circuit: &Circuit) {
        self.passes.push(PassReport {
            name,
            bases: circuit.bases.len(),
            moves: circuit.roles.iter().map(|role| role.moves.len()).sum(),
            sizes: circuit.sizes(),
        });
    }
}
