//! What it costs to look at many leaves of a tree: in lanes, and one by one.

use game::{Dice, Expansion, Game, MoveId, RuleFault};
use machine::batch::{BatchExpansion, BatchMachine, LANES};
use machine::circuit::{CircuitMachine, CircuitState};

use super::answer::ExpansionAnswer;
use crate::process::{cpu_seconds_since, cpu_time};

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
    let (moves, one_by_one) = repeat(seconds, &mut one_by_one)?;

    let mut workspace = machine.workspace();
    let (mut together, mut successors, mut expansion) =
        (BatchExpansion::default(), Vec::new(), Expansion::new());
    let mut in_lanes = |is_listed: bool| -> Result<usize, RuleFault> {
        let mut moves = 0;
        machine.expand(&mut workspace, &leaves.states, &mut together);
        for leaf in (0..leaves.states.len()).filter(|_| is_listed) {
            together.fill(leaf, circuit.move_numbers(), &mut expansion);
            moves += expansion.joint_count() as usize;
        }
        machine.advance(&mut workspace, &leaves.states, &leaves.joints, &mut successors);
        std::hint::black_box(&successors);
        Ok(moves)
    };
    let (_, unlisted) = repeat(seconds, &mut || in_lanes(false))?;
    let (moves_in_lanes, in_lanes) = repeat(seconds, &mut || in_lanes(true))?;

    let count = leaves.states.len();
    Ok(ExpansionAnswer {
        leaves: count,
        one_by_one_per_second: count as f64 / one_by_one,
        in_lanes_per_second: count as f64 / in_lanes,
        cost_in_lanes: in_lanes / one_by_one,
        cost_in_lanes_unlisted: unlisted / one_by_one,
        agree: moves == moves_in_lanes,
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
