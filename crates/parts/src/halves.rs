//! The parts of a game as machines.

use std::sync::Arc;

use circuit::{BITS_OF_A_GOAL, Circuit, Composition, Division, Edge, Portion};
use game::{Game, GoalReading, MoveId, RoleId, RuleFault};
use machine::batch::BatchMachine;
use machine::circuit::{CircuitMachine, CircuitState, CircuitWorkspace};

use crate::watch::{Over, walks};

/// Games of more parts are left alone.
pub(crate) const MOST_PARTS: usize = 4;
/// What is seen of a part has so many bits at most.
const MOST_BITS: usize = 64;

/// Walks on which it is looked at first whether nothing comes of a part that is over.
const WALKS: u64 = 12;

/// A game taken apart.
#[derive(Debug)]
pub struct Halves {
    /// The machine of the whole game.
    pub(crate) whole: Arc<CircuitMachine>,
    pub(crate) division: Division,
    /// The parts.
    pub parts: Vec<Half>,
}

/// A part of a game.
#[derive(Debug)]
pub struct Half {
    pub(crate) batch: Arc<BatchMachine>,
    /// Where the game ends when all parts are over: the part as it goes on after that.
    pub(crate) going: Option<CircuitMachine>,
    /// For each of its facts the number it has in the whole game.
    facts: Vec<u32>,
    /// For each role and each of its moves in the whole game the move of the part.
    moves: Vec<Vec<MoveId>>,
    /// Where the bits that are seen of it are among all.
    pub(crate) seen: Vec<u32>,
}

impl Halves {
    /// The parts of a game; why not, if it cannot be taken apart.
    pub fn new(whole: &Arc<CircuitMachine>) -> Result<Self, &'static str> {
        let circuit = whole.circuit();
        let parts = circuit.parts();
        if !parts.are_several() {
            return Err("no parts of it were found that do not interact");
        }
        if parts.facts.len() > MOST_PARTS {
            return Err("it has too many parts");
        }
        match parts.composition() {
            Some(Composition::Parallel) => {}
            Some(Composition::Serial) => {
                return Err(
                    "its parts are in series: who moves next in one depends on how often others are moved in",
                );
            }
            Some(Composition::Mixed) => {
                return Err("what is done in one part restricts what can be done in others");
            }
            None => return Err("how moves act on its parts was too much to find out"),
        }
        let division =
            parts.divide(circuit).ok_or("its parts are too entangled, dice fall, or something is hidden")?;
        let parts: Option<Vec<Half>> = division.parts.iter().map(Half::new).collect();
        let parts = parts.ok_or("too much is to be seen of its parts")?;
        Ok(Self { whole: Arc::clone(whole), division, parts })
    }

    /// The number of roles.
    pub fn role_count(&self) -> usize {
        self.whole.role_count()
    }
}

impl Half {
    fn new(portion: &Portion) -> Option<Self> {
        if portion.seen.len() > MOST_BITS {
            return None;
        }
        let (circuit, going) = ending(portion);
        let machine = Arc::new(CircuitMachine::new(Arc::new(circuit)));
        let numbers = machine.move_numbers();
        let moves = portion.moves.iter().enumerate().map(|(role, moves)| {
            let role = RoleId(role as u16);
            moves.iter().map(|&number| numbers.id(role, number)).collect()
        });
        let moves = moves.collect();
        Some(Self {
            batch: Arc::new(BatchMachine::new(machine)),
            going,
            facts: portion.facts.clone(),
            moves,
            seen: portion.seen.clone(),
        })
    }

    pub(crate) fn machine(&self) -> &CircuitMachine {
        self.batch.machine()
    }

    /// The part's own state in a state of the whole game.
    pub fn state(&self, whole: &CircuitState) -> CircuitState {
        CircuitState::from_bits(self.facts.iter().map(|&fact| whole.get(fact as usize)))
    }

    /// Whether a fact of the whole game, by its number there, holds in a state of the part.
    pub(crate) fn holds(&self, state: &CircuitState, fact: u32) -> bool {
        self.facts.binary_search(&fact).is_ok_and(|place| state.get(place))
    }

    /// What a move of the whole game, by its number among the role's, does in the part.
    pub fn action(&self, role: RoleId, number: u32) -> MoveId {
        self.moves[usize::from(role.0)][number as usize]
    }

    /// What is seen of the part in a state.
    pub(crate) fn look(
        &self,
        workspace: &mut CircuitWorkspace,
        state: &CircuitState,
        goals: &mut Vec<GoalReading>,
    ) -> Result<u64, RuleFault> {
        self.machine().goals(workspace, state, goals)?;
        Ok(bits(goals.iter().map(|goal| goal.value().0)))
    }
}

/// The bits that the goals of a part tell.
pub(crate) fn bits(goals: impl Iterator<Item = u8>) -> u64 {
    goals.enumerate().fold(0, |bits, (role, goal)| {
        let place = role as u32 * BITS_OF_A_GOAL;
        bits | u64::from(goal).checked_shl(place).unwrap_or(0)
    })
}

/// The circuit of a part with all that ends it: also that a role can do nothing any more, as the whole game has to be over
/// then; and, where the game ends when all parts are over, that this one is.
fn ending(portion: &Portion) -> (Circuit, Option<CircuitMachine>) {
    let mut circuit = portion.circuit.clone();
    let gates = &mut circuit.gates;
    for role in &circuit.roles {
        let any = role.legal.iter().fold(Edge::FALSE, |any, &legal| gates.or(any, legal));
        circuit.terminal = gates.or(circuit.terminal, !any);
    }
    if let Some(over) = portion.over.filter(|over| !over.is_constant()) {
        let mut ended = circuit.clone();
        ended.terminal = ended.gates.or(ended.terminal, over);
        let going = CircuitMachine::new(Arc::new(circuit.clone()));
        let over = CircuitMachine::new(Arc::new(ended.clone()));
        // Far from a proof: what is met in a match is watched.
        if let Ok(Over::Stays) = walks(&going, &over, &going.initial(), 0..WALKS) {
            return (ended, Some(going));
        }
    }
    (circuit, None)
}
