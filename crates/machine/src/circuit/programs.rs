//! The logic of the programs for single states.

use ::circuit::{Circuit, Edge, Gate, Gates};
use game::MoveId;

use super::effects::Effects;
use super::incremental::Incremental;
use super::{CircuitState, Layout, MoveNumbers};
use crate::compiled::Executable;
use crate::exclusive::Turns;
use crate::program::{Place, import};

/// What is legal and whether it is over; what is next.
#[derive(Debug)]
pub(super) struct Programs {
    pub(super) expand: Executable,
    pub(super) advance: Executable,
    /// Looking up what a move changes, where that is faster than the program.
    pub(super) effects: Option<Effects>,
    /// Computing only what changed, where that is faster.
    pub(super) incremental: Option<Incremental>,
}

impl Programs {
    /// About how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        let effects = self.effects.as_ref().map_or(0, Effects::bytes);
        let net = self.incremental.as_ref().map_or(0, |incremental| incremental.net.bytes());
        self.expand.code_bytes() + self.advance.code_bytes() + effects + net
    }

    /// Operations of those programs that are run.
    pub(super) fn operations(&self) -> usize {
        let advance = if self.effects.is_some() { 0 } else { self.advance.operations() };
        self.expand.operations() + advance
    }
}

/// It is one role's turn: some propositions are known, and some moves.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    /// Base propositions and their values.
    bases: Vec<(usize, bool)>,
    /// For each role that has to idle: the role and its idle move.
    idle: Vec<(usize, MoveId, u32)>,
}

impl Condition {
    /// The conditions of a game of turns, role by role.
    pub(super) fn of(turns: &Turns, numbers: &MoveNumbers) -> Vec<Self> {
        let one = |mover: usize| {
            let base = |&(role, literal, _): &crate::exclusive::Turn| {
                (literal as usize / 2, (role == mover) == (literal & 1 == 0))
            };
            let idle = |&(role, _, idle): &crate::exclusive::Turn| {
                let number = idle.filter(|_| role != mover)?;
                Some((role, numbers.id(game::RoleId(role as u16), number), number))
            };
            Condition {
                bases: turns.roles.iter().map(base).collect(),
                idle: turns.roles.iter().filter_map(idle).collect(),
            }
        };
        let consistent = |condition: &Condition| {
            condition.bases.iter().all(|(base, value)| {
                condition.bases.iter().all(|(other, others)| base != other || value == others)
            })
        };
        turns.roles.iter().map(|turn| one(turn.0)).filter(consistent).collect()
    }

    /// Whether it holds in a state, and for a joint move if there is one.
    pub(super) fn holds(&self, state: &CircuitState, joint: Option<&[MoveId]>) -> bool {
        self.bases.iter().all(|&(base, value)| state.get(base) == value)
            && joint.is_none_or(|joint| self.idle.iter().all(|&(role, idle, _)| joint[role] == idle))
    }

    /// Whether a role has to idle.
    pub(super) fn is_idle(&self, role: usize) -> bool {
        self.idle.iter().any(|idle| idle.0 == role)
    }

    /// The value of an input, if the condition tells it. Of moves only `advance` knows.
    fn value(&self, gate: Gate) -> Option<bool> {
        match gate {
            Gate::Base(number) => self.bases.iter().find(|base| base.0 == number as usize).map(|base| base.1),
            Gate::Does(role, number) => {
                self.idle.iter().find(|idle| idle.0 == role as usize).map(|idle| idle.2 == number)
            }
            _ => None,
        }
    }
}

/// Gates with outputs.
pub(super) type Logic = (Gates, Vec<(Edge, Place)>);

/// The logic of some answers, under a condition. They are packed, one lane each: all lanes hold the
/// same state, and masks pick a different answer from each.
pub(super) fn pack(
    circuit: &Circuit,
    layout: &Layout,
    condition: Option<&Condition>,
    answers: &[Edge],
    first_slot: usize,
) -> Logic {
    let mut gates = Gates::new();
    let answers = under(circuit, condition, &mut gates, answers);
    let mut outputs = Vec::new();
    for (chunk, slot) in answers.chunks(layout.words * 64).zip(first_slot as u32..) {
        let mut all = Edge::FALSE;
        // Numbers beyond the base propositions are the masks.
        for (&edge, mask) in chunk.iter().zip(layout.bases as u32..) {
            let mask = gates.base(mask);
            let one = gates.and(edge, mask);
            all = gates.or(all, one);
        }
        outputs.push((all, Place::block(slot)));
    }
    (gates, outputs)
}

/// Builds some of the circuit's logic anew in `gates`, with what a condition tells put in.
pub(super) fn under(
    circuit: &Circuit,
    condition: Option<&Condition>,
    gates: &mut Gates,
    edges: &[Edge],
) -> Vec<Edge> {
    import(gates, &circuit.gates, edges, |gates, gate| {
        match (condition.and_then(|condition| condition.value(gate)), gate) {
            (Some(true), _) => Edge::TRUE,
            (Some(false), _) => Edge::FALSE,
            (None, Gate::Base(number)) => gates.base(number),
            (None, Gate::Does(role, number)) => gates.does(role, number),
            (None, other) => unreachable!("{other:?} is no input"),
        }
    })
}

/// Writes a truth value into a slot: in one piece, as programs read it in one piece, and to put together what was written in
/// two takes a processor long.
#[inline]
pub(super) fn put(block: &mut [u64], words: usize, slot: usize, value: bool) {
    static VALUES: [[u64; 2]; 2] = [[0; 2], [u64::MAX; 2]];
    if words == 2 {
        block.as_chunks_mut().0[slot] = VALUES[usize::from(value)];
    } else {
        block[slot * words..(slot + 1) * words].fill(VALUES[usize::from(value)][0]);
    }
}
