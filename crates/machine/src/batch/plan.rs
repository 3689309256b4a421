//! How lanes choose and when: decided once for a game.

use ::circuit::{Circuit, Edge, Gate, GateId};

use super::layout::Layout;
use super::step::{Style, Sweep};
use crate::circuit::CircuitMachine;
use crate::exclusive::{Literal, Turn, Turns, implied};

/// Circuits up to so many gates are tried both ways: all lanes in every sweep, or a sweep for each
/// role in turn. In larger ones the turn decides on most of the gates.
const COMPARED_GATES: usize = 20_000;

/// About what a move costs in the choice among moves.
const GATES_OF_A_CHOICE: usize = 10;

/// How the choice of moves is built. The same plan on every target gives the same playouts.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The roles that share one choice.
    pub(super) turns: Turns,
    /// The same roles in the order of their turns: each sweep is for the next of them. Empty if
    /// every sweep is for all.
    pub(super) round: Vec<usize>,
    /// What moves imply; empty if moves are not to share places.
    pub(super) implied: Vec<Vec<Vec<Literal>>>,
    /// Whether a lane whose game is over begins anew at the end of the sweep and makes no move in it.
    /// Otherwise it begins anew first, and what is legal is computed of another state than what is
    /// over.
    pub(super) begins_late: bool,
    /// Draws per choice before a lane waits for the next sweep.
    pub(super) tries: usize,
}

impl Plan {
    /// Sweeps of a round.
    pub(super) fn phases(&self) -> usize {
        self.round.len().max(1)
    }

    /// The literal that says that it is the turn of a phase's role, and what is then known of base
    /// propositions. Nothing is known if every sweep is for all.
    pub(super) fn phase(&self, phase: usize) -> (Option<Literal>, Vec<(usize, Edge)>) {
        let Some(&mover) = self.round.get(phase) else { return (None, Vec::new()) };
        let known = |&(role, literal, _): &Turn| {
            let value = (role == mover) == (literal & 1 == 0);
            (literal as usize / 2, if value { Edge::TRUE } else { Edge::FALSE })
        };
        // The mover's own comes last: it holds even if two roles go by one proposition.
        let turn = self.turns.roles.iter().find(|turn| turn.0 == mover);
        let known = self.turns.roles.iter().filter(|turn| turn.0 != mover).chain(turn).map(known).collect();
        (turn.map(|turn| turn.1), known)
    }
}

/// What can be known beforehand about the choice of moves, by the circuit of a machine or one that is the
/// same but for what is legal.
pub(super) fn make_plan(
    machine: &CircuitMachine,
    circuit: &Circuit,
    layout: &Layout,
    goals_apart: bool,
) -> Plan {
    // A draw more costs a little in every sweep and saves some idle lanes: measured on six games.
    let tries = match circuit.gates.len() {
        0..1_500 => 2,
        1_500..50_000 => 3,
        _ => 4,
    };
    let (turns, implied) = (machine.turns().clone(), implied(circuit));
    let begins_late = begins_late(circuit, machine.typical_length(), goals_apart);
    let for_all = Plan { turns, round: Vec::new(), implied, begins_late, tries };
    if machine.round().is_empty() {
        return for_all;
    }
    // With a sweep for each role in turn a lane that has to wait misses a round.
    let by_turns = Plan { round: machine.round().to_vec(), tries: tries + 1, ..for_all.clone() };
    if circuit.gates.len() > COMPARED_GATES {
        return by_turns;
    }
    let size = |plan: &Plan| -> usize {
        let sweeps = Sweep::round(circuit, None, layout, plan, goals_apart, Style::Random);
        sweeps.iter().map(Sweep::size).sum::<usize>() / sweeps.len()
    };
    // About a sweep is lost in every playout, as the lane begins when it is not its role's turn; and
    // the gain must be clear, as lanes whose draw is rejected lose a round.
    let length = machine.typical_length().max(1);
    let is_less = size(&by_turns) * (length + 1) * 10 < size(&for_all) * length * 9;
    if is_less { by_turns } else { for_all }
}

/// Whether so many gates tell both what is over and what is legal that it is better to lose a sweep
/// of each playout than to have these gates twice.
fn begins_late(circuit: &Circuit, typical_length: usize, goals_apart: bool) -> bool {
    let mut ends = vec![circuit.terminal];
    if !goals_apart {
        ends.extend(circuit.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge)));
    }
    let legal = circuit.roles.iter().flat_map(|role| role.legal.iter());
    let moves: Vec<Edge> = legal.chain(&circuit.next).copied().collect();
    let size = |edges: &[&[Edge]]| {
        let gates = circuit.gates.cone(edges.iter().copied().flatten().copied());
        let is_logic = |&&id: &&GateId| matches!(circuit.gates.get(id), Gate::And(..) | Gate::Xor(..));
        gates.iter().filter(is_logic).count()
    };
    let (ends_size, moves_size, all) = (size(&[&ends]), size(&[&moves]), size(&[&ends, &moves]));
    let shared = ends_size + moves_size - all;
    let choices: usize = circuit.roles.iter().map(|role| role.moves.len()).sum();
    shared * typical_length > all + choices * GATES_OF_A_CHOICE
}
