//! Any small rule sheet: all machines give the answers of the reference reasoner, and play the same
//! playouts whatever they run on.

#![no_main]

use std::sync::Arc;

use circuit::Effort;
use game::{
    Expansion, Game, Job, MoveWorth, Outcomes, PlayOptions, Policy, RuleFault, Sampler, Simulator, Weights,
};
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use ludens_fuzz::{Explored, circuit, explore, normal, reference, sheet, show};
use machine::Target;
use machine::batch::{BatchMachine, LaneGame};
use machine::circuit::CircuitMachine;
use verify::{Difference, PlayoutLimits, WalkReport};

const LIMITS: PlayoutLimits = PlayoutLimits { steps: 15 };
/// Games with no more states are looked at as a whole.
const MOST_STATES: usize = 300;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Unstructured::new(bytes);
    let Ok(thorough) = bytes.arbitrary::<bool>() else { return };
    let Ok(text) = sheet(&mut bytes, None) else { return };
    show(|| text.clone());
    let rules = normal(&text);
    let skip = |why: &str| show(|| format!("not looked at: {why}"));
    let Some(reference) = reference(&rules) else { return skip("no reference") };
    let effort = if thorough { Effort::Thorough } else { Effort::Quick };
    let Some(circuit) = circuit(&rules, effort) else { return skip("no circuit") };
    let mut played: Option<Vec<Result<Outcomes, RuleFault>>> = None;
    for target in Target::ALL.into_iter().filter(|target| target.is_available()) {
        let single = Arc::new(CircuitMachine::with_target(Arc::clone(&circuit), target));
        agree(verify::walk(&reference, &*single, 4, 1, LIMITS), &text, target);
        let lanes = LaneGame::new(BatchMachine::with_target(Arc::clone(&single), target));
        agree(verify::walk(&*single, &lanes, 4, 2, LIMITS), &text, target);
        let outcomes = play(&lanes.into_batch(), &text);
        let before = played.get_or_insert_with(|| outcomes.clone());
        assert_eq!(*before, outcomes, "{target:?} plays other playouts\n{text}");
    }
});

fn agree(walked: Result<WalkReport, Difference>, text: &str, target: Target) {
    if let Err(difference) = walked {
        // The reference may run out of what it is allowed; circuits have no faults.
        assert!(
            difference.what == "fault" && difference.second == "no fault",
            "{target:?} {difference}\n{text}"
        );
    }
}

/// What playouts in lanes come to under every policy.
fn play(batch: &BatchMachine, text: &str) -> Vec<Result<Outcomes, RuleFault>> {
    let initial = batch.initial();
    let all = explore(batch.machine(), MOST_STATES);
    let jobs = [Job::new(&initial, 130)];
    let worth = MoveWorth::new(50.0);
    let samplers =
        [Sampler::Uniform, Sampler::EpsilonGreedy { epsilon: 0.3 }, Sampler::Gibbs { temperature: 10.0 }];
    let policies = samplers.map(|sampler| Policy { weights: Weights::ByMove(&worth), sampler });
    let mut workspace = batch.workspace();
    let mut played = Vec::new();
    for (policy, record_moves) in policies.into_iter().zip([false, true, true]) {
        let options = PlayOptions { most_steps: 20, policy, record_moves, ..PlayOptions::default() };
        let mut outcomes = Outcomes::default();
        let done = batch.play(&mut workspace, &jobs, &options, &mut outcomes);
        if let (Some(all), Err(fault)) = (&all, &done) {
            assert!(all.stuck && matches!(fault, RuleFault::NoLegalMove(_)), "{policy:?} {fault}\n{text}");
        }
        if done.is_ok() {
            assert!(!is_stuck(batch.machine()), "{policy:?} plays where nobody can\n{text}");
            check(batch, &outcomes, all.as_ref(), text);
        }
        played.push(done.map(|()| outcomes));
    }
    played
}

fn is_stuck(machine: &CircuitMachine) -> bool {
    let mut expansion = Expansion::new();
    let looked = machine.expand(&mut machine.workspace(), &machine.initial(), &mut expansion);
    looked.is_ok() && !expansion.is_terminal() && expansion.stuck_role().is_some()
}

/// What must be so in every playout.
fn check(batch: &BatchMachine, outcomes: &Outcomes, all: Option<&Explored>, text: &str) {
    let roles = &batch.machine().circuit().roles;
    for playout in 0..outcomes.len() {
        assert!(outcomes.length(playout) <= 20, "{text}");
        if let Some(all) = all.filter(|_| !outcomes.is_cut(playout)) {
            let goal = outcomes.goals(playout).first().map_or(0, |goal| goal.0);
            assert!(all.best.is_some_and(|best| goal <= best), "{goal} of {:?}\n{text}", all.best);
        }
        for (role, goal) in roles.iter().zip(outcomes.goals(playout)) {
            let known = goal.0 == 0 || role.goals.iter().any(|known| known.value == goal.0);
            assert!(known, "a goal of {} that there is not\n{text}", goal.0);
        }
    }
}
