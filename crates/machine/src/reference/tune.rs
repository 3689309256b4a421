//! Making a machine fast by looking at it play: how large relations are decides the order of
//! joins, and relations that take most of the work are restricted to what is asked of them.
//! Answers never depend on any of this; faults of the rules are left to be met in play.

use std::sync::Arc;

use datalog::{Engine, Fault, Limits, Literal, Measures, RelationId, restrict};
use game::{Dice, Expansion, Game, MoveId};
use gdl::normal::NormalRules;

use super::Reference;
use super::lower::Lowered;

/// At which steps of the sample playout the sizes of relations are measured.
const MEASURED_STEPS: [usize; 4] = [0, 4, 10, 20];

/// Tuples that may be looked at for what does not depend on the state, and for one component in
/// one state of the sample, before it is tried to restrict relations.
const FIXED_WORK: u64 = 4_000_000;
const SAMPLE_WORK: u64 = 2_000_000;

/// Games with less work for a state are fast enough as they are.
const LITTLE_WORK: f64 = 2_000.0;

/// How often relations are added to those that are restricted.
const ROUNDS: usize = 6;

/// What a sample playout shows.
struct Sample {
    /// Work for one state.
    work: f64,
    /// The relations that take a good part of it, or too much to go on.
    heavy: Vec<RelationId>,
    overflowed: bool,
}

/// Builds a machine and tunes it.
pub(super) fn tuned(rules: &NormalRules, lowered: &Lowered, limits: &Limits) -> Result<Reference, Fault> {
    let tuning = Tuning { rules, lowered, limits };
    let (mut machine, mut chosen) = tuning.build(Vec::new())?;
    let mut sample = tuning.sample(&mut machine);
    for _ in 0..ROUNDS {
        let mut wider = chosen.clone();
        tuning.widen(&mut wider, &sample.heavy);
        if wider.len() == chosen.len() || (sample.work < LITTLE_WORK && !sample.overflowed) {
            break;
        }
        let Ok((mut candidate, wider)) = tuning.build(wider) else { break };
        let again = tuning.sample(&mut candidate);
        let better = match (sample.overflowed, again.overflowed) {
            (true, _) => true,
            (false, true) => false,
            (false, false) => again.work < 0.7 * sample.work,
        };
        if !better {
            break;
        }
        (machine, chosen, sample) = (candidate, wider, again);
    }
    machine.database.limits_mut().work = limits.work;
    Ok(machine)
}

struct Tuning<'a> {
    rules: &'a NormalRules,
    lowered: &'a Lowered,
    limits: &'a Limits,
}

impl Tuning<'_> {
    /// A machine with some relations restricted, and more if what is static is too much otherwise.
    fn build(&self, mut chosen: Vec<RelationId>) -> Result<(Reference, Vec<RelationId>), Fault> {
        let mut limits = Limits { work: FIXED_WORK, ..self.limits.clone() };
        loop {
            let restricted = restrict(&self.lowered.program, &chosen);
            match Engine::new(restricted.program, self.lowered.terms.clone(), limits.clone()) {
                Ok((engine, database)) => {
                    let machine = Reference::untuned(self.rules, self.lowered.keywords, engine, database)?;
                    return Ok((machine, chosen));
                }
                Err((fault @ (Fault::TooMuchWork | Fault::OutOfMemory { .. }), relations)) => {
                    let before = chosen.len();
                    self.widen(&mut chosen, &relations);
                    if chosen.len() == before {
                        if limits.work == self.limits.work {
                            return Err(fault);
                        }
                        limits.work = self.limits.work;
                    }
                }
                Err((fault, _)) => return Err(fault),
            }
        }
    }

    /// Adds relations to the chosen ones. Where all of them are chosen already, it did not help
    /// because too little is known where they are asked for: then the relations that ask join in.
    fn widen(&self, chosen: &mut Vec<RelationId>, relations: &[RelationId]) {
        let mut wave: Vec<RelationId> =
            relations.iter().copied().filter(|&relation| self.may_restrict(relation)).collect();
        let mut seen = wave.clone();
        while !wave.is_empty() {
            let before = chosen.len();
            for &relation in &wave {
                if !chosen.contains(&relation) {
                    chosen.push(relation);
                }
            }
            if chosen.len() > before {
                return;
            }
            let asking = self.lowered.program.rules.iter().filter(|rule| {
                rule.body.iter().any(|literal| match literal {
                    Literal::Holds(atom) | Literal::Fails(atom) => wave.contains(&atom.relation),
                    Literal::Distinct(..) => false,
                })
            });
            let mut next: Vec<RelationId> = asking.map(|rule| rule.head.relation).collect();
            next.sort_unstable();
            next.dedup();
            next.retain(|relation| self.may_restrict(*relation) && !seen.contains(relation));
            seen.extend_from_slice(&next);
            wave = next;
        }
    }

    /// Whether a relation is neither read by the machine nor added by restricting others.
    fn may_restrict(&self, relation: RelationId) -> bool {
        let info = self.lowered.program.relations.get(relation.0 as usize);
        info.is_some_and(|info| info.arity > 0) && !self.lowered.keywords.all().contains(&relation)
    }

    /// Plays a few random moves, plans joins by what is measured on the way, and reports the work.
    fn sample(&self, machine: &mut Reference) -> Sample {
        machine.database.limits_mut().work = SAMPLE_WORK.min(self.limits.work);
        let mut measures = Measures::new();
        let is_fixed = |machine: &Reference, relation| {
            let dependencies = machine.engine.dependencies();
            dependencies.get(dependencies.component_of(relation)).inputs.is_empty()
        };
        measures.observe(machine.engine.program(), &machine.database, |relation| is_fixed(machine, relation));
        let mut workspace = machine.workspace();
        let mut dice = Dice::new(0);
        let mut state = machine.initial();
        let mut expansion = Expansion::new();
        let mut goals = Vec::new();
        let mut states = 0;
        for step in 0..=MEASURED_STEPS[MEASURED_STEPS.len() - 1] {
            if machine.expand(&mut workspace, &state, &mut expansion).is_err() {
                break;
            }
            states += 1;
            if expansion.stuck_role().is_some() {
                break;
            }
            let joint: Vec<MoveId> =
                expansion.by_role().filter_map(|legal| legal.get(dice.below(legal.len())).copied()).collect();
            let successor = match expansion.is_terminal() {
                true => None,
                false => machine.apply(&mut workspace, &state, &joint).ok(),
            };
            if MEASURED_STEPS.contains(&step) || successor.is_none() {
                if machine.goals(&mut workspace, &state, &mut goals).is_err() {
                    break;
                }
                let program = machine.engine.program();
                measures.observe(program, workspace.database(), |relation| !is_fixed(machine, relation));
                if step == 0 && workspace.failed.is_none() {
                    // The guesses may have been bad: do not go on with them.
                    Arc::make_mut(&mut machine.engine).plan(&mut machine.database, &measures);
                    workspace = machine.workspace();
                    states = 0;
                }
            }
            match successor {
                Some(successor) => state = successor,
                None => break,
            }
        }
        Arc::make_mut(&mut machine.engine).plan(&mut machine.database, &measures);
        self.report(machine, &workspace.effort, workspace.failed.map(|id| id.0 as usize), states)
    }

    fn report(&self, machine: &Reference, effort: &[u64], failed: Option<usize>, states: u64) -> Sample {
        let total: u64 = effort.iter().sum();
        let heavy = |item: &(usize, &u64)| match failed {
            Some(failed) => item.0 == failed,
            None => item.1 * 20 > total,
        };
        let components = &machine.engine.dependencies().components;
        let relations = effort.iter().enumerate().filter(heavy).flat_map(|(index, _)| {
            components[index].relations.iter().copied().filter(|&relation| self.may_restrict(relation))
        });
        Sample {
            work: total as f64 / states.max(1) as f64,
            heavy: relations.collect(),
            overflowed: failed.is_some(),
        }
    }
}
