//! Whether it pays to look up what a move changes, found out by a short trial that counts work and looks at no clock.

use game::{Dice, Expansion, Game, MoveId};

use super::super::CircuitMachine;
use super::{Effects, Work};
use crate::exclusive::Literal;

/// Steps of the trial.
const STEPS: usize = 300;
/// What work costs, in operations of a compiled program.
const MASK: usize = 6;
const SHIFTED: usize = 12;
const VALUE: usize = 8;
const WRITE: usize = 10;
/// What it costs to call a program.
const CALL: usize = 60;
/// What an operation costs that is interpreted.
const INTERPRETED: usize = 4;

impl Work {
    fn cost(self) -> usize {
        self.masks * MASK + self.shifted * SHIFTED + self.values * VALUE + self.writes * WRITE
    }
}

/// For each of the machine's sets of programs the effects of moves, where they are less work than the program for the next
/// state.
pub(crate) fn try_out(machine: &CircuitMachine, implied: &[Vec<Vec<Literal>>]) -> Vec<Option<Effects>> {
    let mut found = all(machine, implied);
    let mut costs = vec![(0, 0); found.len()];
    let mut workspace = machine.workspace();
    let mut expansion = Expansion::new();
    let mut dice = Dice::new(1);
    let mut state = machine.initial();
    for _ in 0..STEPS {
        if found.iter().all(Option::is_none)
            || machine.expand(&mut workspace, &state, &mut expansion).is_err()
        {
            break;
        }
        if expansion.is_terminal() || expansion.stuck_role().is_some() {
            state = machine.initial();
            continue;
        }
        let joint: Vec<MoveId> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        let slot = machine.slot(&state, Some(&joint));
        if let Some(effects) = found.get(slot).and_then(Option::as_ref) {
            let advance = &machine.programs(slot).advance;
            let weight = if advance.is_interpreted() { INTERPRETED } else { 1 };
            costs[slot].0 += effects.work(&joint, state.words()).cost();
            costs[slot].1 += advance.operations() * weight + CALL;
        }
        match machine.apply(&mut workspace, &state, &joint) {
            Ok(next) => state = next,
            Err(_) => break,
        }
    }
    for (effects, (as_effects, as_program)) in found.iter_mut().zip(costs) {
        if as_effects >= as_program {
            *effects = None;
        }
    }
    found
}

/// For each of the machine's sets of programs the effects of moves, where one role alone chooses and they are not too many.
pub(crate) fn all(machine: &CircuitMachine, implied: &[Vec<Vec<Literal>>]) -> Vec<Option<Effects>> {
    (0..machine.in_turn.len().max(1)).map(|slot| super::effects(machine, implied, slot)).collect()
}
