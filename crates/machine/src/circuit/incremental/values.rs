//! The value of everything in one state, and how it is brought up to date.
//!
//! A gate counts those of its inputs that do not hold. Where the count leaves or reaches zero the gate joins the queue of
//! its level; when all levels before are done it changes, at most once, and tells its readers. What is legal is
//! brought up to date without what comes next, which waits in its queues until a move is made.

use super::logic::MOST_INPUTS;
use super::net::{Net, Reader};

/// The bits of a gate that count its inputs that do not hold.
const COUNT: u8 = MOST_INPUTS as u8;
/// The gate is in the queue of its level.
const QUEUED: u8 = 64;
/// The gate holds, as far as its readers know.
const HOLDS: u8 = 128;

const NO_MOVE: u32 = u32::MAX;

/// The value of everything.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    /// The facts.
    pub(super) state: Vec<u64>,
    /// The move of each role that is taken to be made.
    joint: Vec<u32>,
    /// What is known of each gate.
    gates: Vec<u8>,
    /// The answers of each part.
    pub(super) rows: [Vec<u64>; 2],
    /// Gates that may have to change, by levels.
    queue: Queue,
    work: Work,
}

/// What was done to stay up to date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// Facts, moves and gates that changed.
    pub(crate) changes: u64,
    /// Readers that were told of it.
    pub(crate) told: u64,
    /// Facts that changed.
    pub(crate) facts: u64,
}

#[derive(Clone, Debug)]
struct Queue {
    /// Each level has room for all its gates.
    gates: Vec<u32>,
    /// Where the queue of each level ends.
    ends: Vec<u32>,
    /// Those that join while a level is gone through; one more is written that does not count.
    joining: Vec<Reader>,
}

impl Queue {
    fn new(levels: &[u32]) -> Self {
        let gates = levels[levels.len() - 1] as usize;
        let ends: Vec<u32> = levels[..levels.len() - 1].to_vec();
        Self { gates: vec![0; gates], ends, joining: vec![Reader::default(); gates + 1] }
    }

    /// Puts those that joined into the queues of their levels.
    fn sort_in(&mut self, level_of: &[u16], count: usize) {
        for reader in &self.joining[..count] {
            let end = &mut self.ends[usize::from(level_of[reader.gate()])];
            self.gates[*end as usize] = reader.gate() as u32;
            *end += 1;
        }
    }
}

impl Values {
    /// Where nothing holds and nothing is known.
    pub(super) fn new(levels: &[u32], facts: usize, roles: usize) -> Self {
        Self {
            state: vec![0; facts.div_ceil(64)],
            joint: vec![NO_MOVE; roles],
            gates: vec![0; levels[levels.len() - 1] as usize],
            rows: Default::default(),
            queue: Queue::new(levels),
            work: Work::default(),
        }
    }

    /// Whether a gate holds.
    pub(super) fn holds(&self, gate: usize) -> bool {
        self.gates[gate] & HOLDS != 0
    }

    /// Says how many inputs of a gate do not hold.
    pub(super) fn set_failing(&mut self, gate: usize, failing: usize) {
        self.gates[gate] = if failing == 0 { HOLDS } else { failing as u8 };
    }

    /// What was done so far.
    pub(crate) fn work(&self) -> Work {
        self.work
    }

    /// Takes over other values, of which nothing waits.
    pub(super) fn copy(&mut self, other: &Self, net: &Net) {
        self.state.copy_from_slice(&other.state);
        self.joint.copy_from_slice(&other.joint);
        self.gates.copy_from_slice(&other.gates);
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            row.copy_from_slice(other);
        }
        self.queue.ends.copy_from_slice(&net.levels[..net.depth()]);
    }

    /// Changes the facts to those of a state.
    pub(super) fn go_to(&mut self, net: &Net, state: &[u64]) {
        let mut joined = 0;
        for (word, (&now, before)) in state.iter().zip(&mut self.state).enumerate() {
            let mut changed = now ^ std::mem::replace(before, now);
            while changed != 0 {
                let bit = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                let readers = net.readers_of(word * 64 + bit);
                self.work.add(readers.len());
                self.work.facts += 1;
                let now = now >> bit & 1 != 0;
                joined = tell(readers, now, &mut self.gates, &mut self.queue.joining, joined);
            }
        }
        self.queue.sort_in(&net.level_of, joined);
    }

    /// What is over and legal, as a row of bits.
    pub(super) fn looks(&mut self, net: &Net) -> &[u64] {
        self.settle(net, 0, net.first_part);
        &self.rows[0]
    }

    /// The facts after a joint move.
    pub(super) fn next(&mut self, net: &Net, joint: impl Iterator<Item = u32>) -> &[u64] {
        let mut joined = 0;
        let mut change = |values: &mut Self, id: u32, now: bool| {
            let readers = net.readers_of(net.first_move + id as usize);
            values.work.add(readers.len());
            joined = tell(readers, now, &mut values.gates, &mut values.queue.joining, joined);
        };
        for (role, id) in joint.enumerate() {
            let before = std::mem::replace(&mut self.joint[role], id);
            if before != id {
                if before != NO_MOVE {
                    change(self, before, false);
                }
                change(self, id, true);
            }
        }
        self.queue.sort_in(&net.level_of, joined);
        self.settle_all(net);
        &self.rows[1]
    }

    /// Lets nothing wait.
    pub(super) fn settle_all(&mut self, net: &Net) {
        self.settle(net, 0, net.first_part);
        self.settle(net, net.first_part, net.depth());
    }

    /// Goes through the queues of a part, the last of which has its answers.
    fn settle(&mut self, net: &Net, start: usize, end: usize) {
        for level in start..end - 1 {
            let begin = net.levels[level];
            let queued = begin as usize..std::mem::replace(&mut self.queue.ends[level], begin) as usize;
            let mut joined = 0;
            for &gate in &self.queue.gates[queued] {
                let known = self.gates[gate as usize];
                let now = known & COUNT == 0;
                self.gates[gate as usize] = known & COUNT | if now { HOLDS } else { 0 };
                // It may have been on its way to change and back.
                if now != (known & HOLDS != 0) {
                    let readers = net.readers_of(net.first_gate + gate as usize);
                    self.work.add(readers.len());
                    joined = tell(readers, now, &mut self.gates, &mut self.queue.joining, joined);
                }
            }
            self.queue.sort_in(&net.level_of, joined);
        }
        let begin = net.levels[end - 1];
        let queued = begin as usize..std::mem::replace(&mut self.queue.ends[end - 1], begin) as usize;
        let row = &mut self.rows[usize::from(start > 0)];
        for &gate in &self.queue.gates[queued] {
            let known = self.gates[gate as usize];
            let now = known & COUNT == 0;
            self.gates[gate as usize] = known & COUNT | if now { HOLDS } else { 0 };
            let (answer, changed) = (gate - begin, now != (known & HOLDS != 0));
            row[answer as usize / 64] ^= u64::from(changed) << (answer % 64);
        }
    }
}

impl Work {
    /// Both.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            changes: self.changes + other.changes,
            told: self.told + other.told,
            facts: self.facts + other.facts,
        }
    }

    fn add(&mut self, told: usize) {
        self.changes += 1;
        self.told += told as u64;
    }
}

/// Tells readers that something changed. Those that may have to change join a list of so many; how many are there then.
///
/// There is no branch in it: a processor could not guess who joins.
#[inline(always)]
fn tell(readers: &[Reader], now: bool, gates: &mut [u8], joining: &mut [Reader], mut joined: usize) -> usize {
    for &reader in readers {
        let known = &mut gates[reader.gate()];
        // One input less that does not hold, or one more; at the lower of the two counts it is seen who joins.
        let less = reader.inverted() ^ u8::from(now);
        let lower = known.wrapping_sub(less);
        let joins = lower & (COUNT | QUEUED) == 0;
        *known = lower.wrapping_add(1 - less) | if joins { QUEUED } else { 0 };
        joining[joined] = reader;
        joined += usize::from(joins);
    }
    joined
}
