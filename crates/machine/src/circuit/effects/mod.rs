//! What each move changes, worked out beforehand.
//!
//! Most facts persist whatever is done. Where one role alone chooses, everything is known of a move once it is chosen: with
//! all other moves taken to be false, and with what its being legal tells, little is left of the rules for the next state.
//! What is left is a table of bits to clear and to set, of facts that move to another place, and of a few gates.

mod build;
#[cfg(test)]
mod tests;
mod trial;

pub(super) use trial::{all, try_out};

use game::MoveId;

use super::CircuitMachine;

/// What the moves of one role change while it alone chooses.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// The role.
    mover: usize,
    /// The number of its first move.
    first: u32,
    /// Where the lists of each change begin; one more for the end. The first is what changes whatever is done, the others are
    /// those of the moves.
    starts: Vec<Starts>,
    masks: Vec<Mask>,
    shifts: Vec<Shift>,
    /// Where facts move to.
    targets: Vec<u32>,
    loads: Vec<u32>,
    operations: Vec<Operation>,
    writes: Vec<Write>,
    /// The most values that a change works with.
    values: usize,
}

/// Where the lists of a change begin.
#[derive(Clone, Copy, Debug, Default)]
struct Starts {
    masks: u32,
    shifts: u32,
    loads: u32,
    operations: u32,
    writes: u32,
}

/// Bits of a word that persist, and bits that are set.
#[derive(Clone, Copy, Debug)]
struct Mask {
    word: u32,
    keep: u64,
    set: u64,
}

/// Facts that are true after the change if others were before: bits of a word, and where the first of them moves to.
/// As few facts are true, only these are gone through.
#[derive(Clone, Copy, Debug)]
struct Shift {
    word: u32,
    target: u32,
    from: u64,
}

/// Both of two values hold, or exactly one of them does. Values are twice their place, and one more if inverted.
#[derive(Clone, Copy, Debug)]
struct Operation {
    left: u32,
    right: u32,
    is_xor: u8,
}

/// A fact that gets a value.
#[derive(Clone, Copy, Debug)]
struct Write {
    fact: u32,
    value: u32,
}

/// How much work a change is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Work {
    masks: usize,
    shifted: usize,
    values: usize,
    writes: usize,
}

impl Effects {
    /// The state after a move, written over a copy of the state before.
    pub(super) fn apply(&self, joint: &[MoveId], before: &[u64], values: &mut Vec<u8>, after: &mut [u64]) {
        if values.len() < self.values {
            values.resize(self.values, 0);
        }
        self.change(0, before, values, after);
        self.change(self.number(joint), before, values, after);
    }

    /// The number of the change of a joint move.
    fn number(&self, joint: &[MoveId]) -> usize {
        (joint[self.mover].0 - self.first) as usize + 1
    }

    fn change(&self, number: usize, before: &[u64], values: &mut [u8], after: &mut [u64]) {
        let (start, end) = (&self.starts[number], &self.starts[number + 1]);
        for mask in &self.masks[start.masks as usize..end.masks as usize] {
            let word = &mut after[mask.word as usize];
            *word = *word & mask.keep | mask.set;
        }
        for shift in &self.shifts[start.shifts as usize..end.shifts as usize] {
            let mut open = before[shift.word as usize] & shift.from;
            while open != 0 {
                let below = (open & open.wrapping_neg()) - 1;
                open &= open - 1;
                let place = shift.target + (shift.from & below).count_ones();
                let target = self.targets[place as usize];
                after[target as usize / 64] |= 1 << (target % 64);
            }
        }
        let loads = &self.loads[start.loads as usize..end.loads as usize];
        for (&fact, value) in loads.iter().zip(&mut *values) {
            *value = (before[fact as usize / 64] >> (fact % 64)) as u8 & 1;
        }
        let operations = &self.operations[start.operations as usize..end.operations as usize];
        for (operation, place) in operations.iter().zip(loads.len()..) {
            let (left, right) = (read(values, operation.left), read(values, operation.right));
            values[place] = (left & right) ^ ((left | right) & operation.is_xor);
        }
        for write in &self.writes[start.writes as usize..end.writes as usize] {
            let value = u64::from(read(values, write.value)) << (write.fact % 64);
            let word = &mut after[write.fact as usize / 64];
            *word = *word & !(1 << (write.fact % 64)) | value;
        }
    }

    /// How much work a joint move is in a state.
    fn work(&self, joint: &[MoveId], before: &[u64]) -> Work {
        let mut work = Work::default();
        for number in [0, self.number(joint)] {
            let (start, end) = (&self.starts[number], &self.starts[number + 1]);
            let shifts = &self.shifts[start.shifts as usize..end.shifts as usize];
            let moved = |shift: &Shift| (before[shift.word as usize] & shift.from).count_ones() as usize;
            work.masks += (end.masks - start.masks) as usize + shifts.len();
            work.shifted += shifts.iter().map(moved).sum::<usize>();
            work.values += (end.loads - start.loads + end.operations - start.operations) as usize;
            work.writes += (end.writes - start.writes) as usize;
        }
        work
    }

    /// How many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.starts[..])
            + size_of_val(&self.masks[..])
            + size_of_val(&self.shifts[..])
            + size_of_val(&self.targets[..])
            + size_of_val(&self.loads[..])
            + size_of_val(&self.operations[..])
            + size_of_val(&self.writes[..])
    }
}

#[inline(always)]
fn read(values: &[u8], code: u32) -> u8 {
    values[code as usize >> 1] ^ (code as u8 & 1)
}

/// The effects for one of the machine's sets of programs, if one role alone chooses there and they are not too many.
fn effects(machine: &CircuitMachine, implied: &[Vec<Vec<u32>>], slot: usize) -> Option<Effects> {
    let condition = machine.in_turn.get(slot).map(|(condition, _)| condition);
    let roles = 0..machine.circuit.roles.len();
    let mut choosing = roles.filter(|&role| condition.is_none_or(|condition| !condition.is_idle(role)));
    let mover = choosing.next()?;
    if choosing.next().is_some() {
        return None;
    }
    let first = machine.moves.range(game::RoleId(mover as u16)).start;
    build::build(&machine.circuit, condition, (mover, first), &implied[mover])
}
