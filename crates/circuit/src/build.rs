//! From ground rules to a small circuit: construction, passes, and which of several ways to take.

use ground::{Budget, GroundError, GroundRules};

use crate::construct::{Constructed, ConstructionCounts, Moves, RULES, construct};
use crate::invariant::exclusive;
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

/// How hard to look for a small circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// One way of building: the circuit is needed now.
    Quick,
    /// Several ways where that is cheap, the smallest circuit kept.
    Thorough,
}

/// Rules with more bodies than this for one head are split when nothing else is known.
const SPLIT_ABOVE: usize = 30;

/// Circuits of fewer ground rules than this are worth building in several ways. With more it is first tried what
/// follows if there is one of something.
const LARGE_GROUND_RULES: usize = 1_000_000;
/// All other ways of building together make at most so many times as many ground rules as the first one.
const OTHER_WAYS: usize = 8;
/// How rules are instantiated when nothing is known.
const WAY: &str = "split where long";
/// The way that keeps rules whole.
const UNSPLIT: &str = "never split";

/// Builds the circuit of a game.
pub fn build(
    rules: &mut GroundRules,
    effort: Effort,
    budget: &Budget<'_>,
) -> Result<(Circuit, BuildReport), GroundError> {
    match build_once(rules, effort, budget) {
        // What grounding assumed is wrong or too hard to prove: it may still go without.
        Err(GroundError::Unproven) if ground::ground_unassumed(rules, budget)? => {
            build_once(rules, effort, budget)
        }
        other => other,
    }
}

fn build_once(
    rules: &mut GroundRules,
    effort: Effort,
    budget: &Budget<'_>,
) -> Result<(Circuit, BuildReport), GroundError> {
    let mut best = match attempt(rules, WAY, SPLIT_ABOVE, LARGE_GROUND_RULES, budget) {
        // If that fails for lack of time the other way does so at once.
        Err(GroundError::TooMany(RULES)) => match assume(rules, usize::MAX, budget) {
            Ok(Some(smaller)) => return simplified(smaller, budget),
            _ => attempt(rules, WAY, SPLIT_ABOVE, usize::MAX, budget)?,
        },
        other => other?,
    };
    let ground_rules = best.1.counts.ground_rules;
    if effort == Effort::Thorough && ground_rules <= LARGE_GROUND_RULES {
        // The same rules always become the same circuit, so the other ways are bounded by work. Time is the last resort, and half of
        // what is left of it is for what comes after.
        let now = (budget.clock)();
        let rest = budget.deadline.saturating_sub(now);
        let bounded = Budget { deadline: budget.deadline - rest / 2, ..*budget };
        let mut work = ground_rules * OTHER_WAYS + 10_000;
        // The first way has worked: what goes wrong with another one is no fault.
        let mut unsplit = None;
        for (strategy, split_above) in [(UNSPLIT, usize::MAX), ("always split", 0)] {
            let Ok(other) = attempt(rules, strategy, split_above, work / 2, &bounded) else {
                work /= 2;
                continue;
            };
            work = work.saturating_sub(other.1.counts.ground_rules);
            if strategy == UNSPLIT {
                unsplit = other.0.origin.clone();
            }
            if other.0.sizes().total() < best.0.sizes().total() {
                best = other;
            }
        }
        // Splitting breaks symmetries, so the rules that are kept for them are those that were not split.
        if let (Some(kept), Some(unsplit)) = (&mut best.0.origin, unsplit)
            && kept.reads_as(&unsplit)
        {
            *kept = unsplit;
        }
        // Where the rules are few they are kept for their symmetries, which rules that assume something need not have.
        if best.0.origin.is_none()
            && let Ok(Some(other)) = assume(rules, work, &bounded)
            && other.0.sizes().total() < best.0.sizes().total()
        {
            best = other;
        }
    }
    simplified(best, budget)
}

/// Builds the circuit of a game with rules that use what there is one of at a time. `None` if they use nothing, or if it
/// cannot be proven that there is one.
pub fn build_unique(
    rules: &GroundRules,
    budget: &Budget<'_>,
) -> Result<Option<(Circuit, BuildReport)>, GroundError> {
    assume(rules, usize::MAX, budget)?.map(|built| simplified(built, budget)).transpose()
}

fn assume(
    rules: &GroundRules,
    most_ground_rules: usize,
    budget: &Budget<'_>,
) -> Result<Option<(Circuit, BuildReport)>, GroundError> {
    let Some(mut assumed) = ground::assume_unique(rules, budget)? else { return Ok(None) };
    // Conditions that were asked together rule out more facts and moves than one by one.
    let size = |rules: &GroundRules| {
        rules.bases.len() + rules.roles.iter().map(|role| role.moves.len()).sum::<usize>()
    };
    if size(&assumed) > size(rules) {
        return Ok(None);
    }
    match attempt(&mut assumed, "one at a time", SPLIT_ABOVE, most_ground_rules, budget) {
        Err(GroundError::Unproven) => Ok(None),
        other => other.map(Some),
    }
}

fn simplified(
    (circuit, mut report): (Circuit, BuildReport),
    budget: &Budget<'_>,
) -> Result<(Circuit, BuildReport), GroundError> {
    let circuit = simplify(circuit, &mut report, budget)?;
    Ok((circuit, report))
}

fn attempt(
    rules: &mut GroundRules,
    strategy: &'static str,
    split_above: usize,
    most_ground_rules: usize,
    budget: &Budget<'_>,
) -> Result<(Circuit, BuildReport), GroundError> {
    rules.split_above(split_above);
    let mut built = construct(rules, most_ground_rules, Moves::Made, budget)?;
    if built.reads_moves_early {
        rules.split_above(split_above);
        built = construct(rules, most_ground_rules, Moves::MadeOrNot, budget)?;
    }
    let sets = rules.assumptions().ok_or(GroundError::Unproven)?;
    if !sets.is_empty() {
        if built.reads_moves_early || !exclusive(&built.circuit, &sets) {
            return Err(GroundError::Unproven);
        }
        // Images of reachable states need not be as was proven.
        built.circuit.origin = None;
    }
    finish(built, strategy, budget)
}

fn finish(
    built: Constructed,
    strategy: &'static str,
    budget: &Budget<'_>,
) -> Result<(Circuit, BuildReport), GroundError> {
    let Constructed { mut circuit, counts, .. } = built;
    let mut report = BuildReport { strategy, counts, ..BuildReport::default() };
    report.note("construct", &circuit);

    detach::detach(&mut circuit);
    let (circuit, constants) = constants::fold(&circuit, budget)?;
    report.analysis.always = constants.always;
    report.analysis.never = constants.never;
    report.analysis.never_legal = constants.never_legal;
    report.note("constants", &circuit);
    Ok((circuit, report))
}

fn simplify(circuit: Circuit, report: &mut BuildReport, budget: &Budget<'_>) -> Result<Circuit, GroundError> {
    let (circuit, mirrored) = correspondence::merge(&circuit, budget)?;
    report.analysis.mirrored = mirrored;
    report.note("correspondence", &circuit);

    let extracted = extract::extract(&circuit, budget)?;
    let circuit = if extracted.sizes().total() < circuit.sizes().total() { extracted } else { circuit };
    report.note("extract", &circuit);

    let latches = circuit.latches();
    report.analysis.stays_true = latches.stays_true;
    report.analysis.stays_false = latches.stays_false;
    Ok(circuit)
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
