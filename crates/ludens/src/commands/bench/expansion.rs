//! What it costs to look at many leaves of a tree: in lanes, and one by one.

use game::{
    Dice, Expansion, Expansions, Game, Job, MoveId, MoveWorth, Outcomes, PlayOptions, Policy, RuleFault,
    Sampler, Simulator, Weights,
};
use machine::batch::{BatchMachine, LANES};
use machine::circuit::{CircuitMachine, CircuitState};

use super::answer::{ExpansionAnswer, PlayoutRates};
use crate::process::{cpu_seconds_since, cpu_time};

/// How often both ways of looking at leaves have their turn.
const TURNS: usize = 15;

/// The median of an odd number of values.
fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// States met in random play, each with a joint move to be done there.
struct Leaves {
    states: Vec<CircuitState>,
    /// One move per role for state after state.
    joints: Vec<MoveId>,
}

fn find_leaves(machine: &CircuitMachine) -> Result<Leaves, RuleFault> {
    let mut workspace = machine.workspace();
    let mut dice = Dice::new(1);
    let mut expansion = Expansion::new();
    let mut leaves = Leaves { states: Vec::new(), joints: Vec::new() };
    let mut state = machine.initial();
    // A game that is over when it begins has no leaves to look at.
    let mut attempts = 4 * LANES;
    while leaves.states.len() < LANES && attempts > 0 {
        attempts -= 1;
        machine.expand(&mut workspace, &state, &mut expansion)?;
        if expansion.is_terminal() {
            state = machine.initial();
            continue;
        }
        if let Some(role) = expansion.stuck_role() {
            return Err(RuleFault::NoLegalMove(role));
        }
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        let next = machine.apply(&mut workspace, &state, &joint)?;
        leaves.states.push(std::mem::replace(&mut state, next));
        leaves.joints.extend(joint);
    }
    Ok(leaves)
}

/// Lists the moves of the leaves and does one in each, again and again, both ways.
pub(super) fn compare(machine: &BatchMachine, seconds: f64) -> Result<ExpansionAnswer, RuleFault> {
    let circuit = machine.machine();
    let leaves = find_leaves(circuit)?;
    let roles = circuit.role_count();
    let mut expansion = Expansion::new();

    let mut workspace = circuit.workspace();
    let mut one_by_one = || -> Result<usize, RuleFault> {
        let mut moves = 0;
        for (state, joint) in leaves.states.iter().zip(leaves.joints.chunks(roles.max(1))) {
            circuit.expand(&mut workspace, state, &mut expansion)?;
            moves += expansion.joint_count() as usize;
            std::hint::black_box(circuit.apply(&mut workspace, state, joint)?);
        }
        Ok(moves)
    };

    let mut workspace = machine.workspace();
    let states: Vec<&CircuitState> = leaves.states.iter().collect();
    let (mut expansions, mut successors) = (Expansions::new(), Vec::new());
    let mut together = || -> Result<usize, RuleFault> {
        machine.expand_all(&mut workspace, &states, &mut expansions)?;
        machine.apply_all(&mut workspace, &states, &leaves.joints, &mut successors)?;
        std::hint::black_box(&successors);
        Ok(expansions.iter().map(|choices| choices.joint_count() as usize).sum())
    };
    // In turn, as other work on the machine comes and goes: the middle of what is seen counts.
    let mut agree = true;
    let (mut alone, mut in_lanes, mut costs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let (moves, single) = repeat(seconds / TURNS as f64, &mut one_by_one)?;
        let (moves_in_lanes, lanes) = repeat(seconds / TURNS as f64, &mut together)?;
        agree &= moves == moves_in_lanes;
        alone.push(single);
        in_lanes.push(lanes);
        costs.push(lanes / single);
    }

    let count = leaves.states.len();
    Ok(ExpansionAnswer {
        leaves: count,
        one_by_one_per_second: count as f64 / middle(alone),
        in_lanes_per_second: count as f64 / middle(in_lanes),
        cost_in_lanes: middle(costs),
        agree,
        playouts: play(machine, &states, seconds)?,
    })
}

/// Plays one playout from each leaf in every call, as a search does, under all policies.
fn play(machine: &BatchMachine, leaves: &[&CircuitState], seconds: f64) -> Result<PlayoutRates, RuleFault> {
    let jobs: Vec<Job<'_, CircuitState>> = leaves.iter().map(|&start| Job::new(start, 1)).collect();
    let mut dice = Dice::new(2);
    let numbers = machine.machine().move_numbers();
    let mut worth = MoveWorth::new(50.0);
    for role in numbers.roles() {
        numbers.range(role).for_each(|id| worth.set(role, MoveId(id), 40.0 + 20.0 * dice.unit() as f32));
    }
    let mut workspace = machine.workspace();
    let mut outcomes = Outcomes::default();
    let mut rate = |policy: Policy<'_>, record_moves: bool| -> Result<f64, RuleFault> {
        let (mut steps, mut calls) = (0.0, 0.0);
        let mut options = PlayOptions { policy, record_moves, ..PlayOptions::default() };
        let mut call = || -> Result<usize, RuleFault> {
            options.seed += 1;
            calls += 1.0;
            machine.play(&mut workspace, &jobs, &options, &mut outcomes)?;
            steps += (0..outcomes.len()).map(|playout| f64::from(outcomes.length(playout))).sum::<f64>();
            Ok(0)
        };
        let (_, spent) = repeat(seconds, &mut call)?;
        Ok(steps / calls / spent)
    };
    let by_move = |sampler| Policy { weights: Weights::ByMove(&worth), sampler };
    Ok(PlayoutRates {
        uniform: rate(Policy::default(), false)?,
        recorded: rate(Policy::default(), true)?,
        greedy: rate(by_move(Sampler::EpsilonGreedy { epsilon: 0.2 }), true)?,
        gibbs: rate(by_move(Sampler::Gibbs { temperature: 10.0 }), true)?,
    })
}

/// Does something until the time is up; the answer, and the processor seconds of one go.
fn repeat(
    seconds: f64,
    work: &mut dyn FnMut() -> Result<usize, RuleFault>,
) -> Result<(usize, f64), RuleFault> {
    // Once for what is only made when it is first needed.
    work()?;
    let begin = cpu_time();
    let mut times = 0;
    loop {
        let answer = work()?;
        times += 1;
        let spent = cpu_seconds_since(begin);
        if spent >= seconds {
            return Ok((answer, spent / f64::from(times)));
        }
    }
}
