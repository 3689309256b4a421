//! Whether it pays to compute only what changed, found out by a short trial that counts work and looks at no clock.

use game::{Dice, Expansion, Game};

use super::super::CircuitMachine;
use super::{Memory, Net};

/// Smaller circuits are not tried.
const LEAST_OPERATIONS: usize = 1_500;
/// Steps of the trial.
const STEPS: u64 = 300;
/// What work costs, in operations of a compiled program. An operation reads what is next in memory; who is told is
/// anywhere, and whether anything changes cannot be foretold.
const CHANGE: u64 = 30;
const TOLD: u64 = 8;
const LEVEL: u64 = 15;
/// What an operation costs that is interpreted.
const INTERPRETED: u64 = 4;

/// A network, and how far away a state may be to be reached by it.
#[derive(Debug)]
pub(crate) struct Incremental {
    pub(crate) net: Net,
    /// So many facts may differ: for more a program is faster.
    pub(crate) most_facts: u32,
}

/// Networks for each of the machine's sets of programs.
pub(crate) fn networks(machine: &CircuitMachine, most_facts: u32) -> Option<Vec<Incremental>> {
    let net = |slot: usize| {
        let condition = machine.in_turn.get(slot).map(|(condition, _)| condition);
        let has_next = machine.programs(slot).effects.is_none();
        let net = Net::new(&machine.circuit, &machine.moves, condition, has_next)?;
        Some(Incremental { net, most_facts })
    };
    (0..machine.in_turn.len().max(1)).map(net).collect()
}

/// Networks for each of the machine's sets of programs, where they save at least a fifth of the work.
pub(crate) fn try_out(machine: &CircuitMachine) -> Option<Vec<Incremental>> {
    let operations: Vec<usize> =
        (0..machine.in_turn.len().max(1)).map(|slot| machine.programs(slot).operations()).collect();
    if operations.iter().all(|&operations| operations < LEAST_OPERATIONS) {
        return None;
    }
    let weight = if machine.general.expand.is_interpreted() { INTERPRETED } else { 1 };
    let mut incremental = networks(machine, u32::MAX)?;
    let nets = || incremental.iter().map(|incremental| &incremental.net);
    let mut memories: Vec<Memory> = nets().map(Memory::new).collect();
    let (mut steps, mut as_programs, mut levels) = (0, 0, 0);
    let mut expansion = Expansion::new();
    let mut dice = Dice::new(1);
    let mut state = machine.initial();
    let mut values = Vec::new();
    for _ in 0..2 * STEPS {
        let slot = machine.slot(&state, None);
        let (net, memory) = (nets().nth(slot)?, memories.get_mut(slot)?);
        memory.reach(net, state.words(), u32::MAX);
        let row = memory.looks(net);
        machine.moves.list(|word| row[word], &mut expansion);
        if steps == STEPS {
            break;
        }
        if expansion.is_terminal() || expansion.stuck_role().is_some() {
            state = machine.initial();
            continue;
        }
        let joint: Vec<game::MoveId> =
            expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        if machine.slot(&state, Some(&joint)) != slot {
            return None;
        }
        if let Some(effects) = &machine.programs(slot).effects {
            let before = state.clone();
            effects.apply(&joint, before.words(), &mut values, state.words_mut());
        } else {
            let next = memory.next(net, joint.iter().map(|id| id.0));
            state.words_mut().copy_from_slice(next);
        }
        steps += 1;
        as_programs += weight * operations[slot] as u64;
        levels += net.depth() as u64;
    }
    let work = memories.iter().map(Memory::work).fold(super::Work::default(), super::Work::plus);
    let cost = work.changes * CHANGE + work.told * TOLD + levels * LEVEL;
    if steps == 0 || cost * 5 > as_programs * 4 {
        return None;
    }
    // As many facts as change for the price of the program.
    let most_facts = (work.facts * as_programs / (steps * cost.max(1))) as u32;
    incremental.iter_mut().for_each(|incremental| incremental.most_facts = most_facts);
    Some(incremental)
}
