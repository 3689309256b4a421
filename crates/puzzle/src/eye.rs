//! One state at a time.

use std::sync::Arc;

use game::{Expansion, Game, Goal, GoalReading, MoveId};
use machine::circuit::{CircuitMachine, CircuitState, CircuitWorkspace};

use crate::lanes::PLAYER;

/// A machine for single states with room to work in.
#[derive(Debug)]
pub(crate) struct Eye {
    machine: Arc<CircuitMachine>,
    workspace: CircuitWorkspace,
    expansion: Expansion,
    readings: Vec<GoalReading>,
}

/// What is to be seen in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// The game is over.
    End(Goal),
    /// It goes on with one of these moves; without any it is stuck.
    Moves(Vec<MoveId>),
}

impl Eye {
    pub(crate) fn new(machine: &Arc<CircuitMachine>) -> Self {
        let (expansion, readings) = (Expansion::new(), Vec::new());
        Self { workspace: machine.workspace(), machine: Arc::clone(machine), expansion, readings }
    }

    /// Looks at a state.
    pub(crate) fn look(&mut self, state: &CircuitState) -> Sight {
        // Circuits answer every question; a fault would be a state without moves.
        if self.machine.expand(&mut self.workspace, state, &mut self.expansion).is_err() {
            return Sight::Moves(Vec::new());
        }
        if !self.expansion.is_terminal() {
            return Sight::Moves(self.expansion.legal(PLAYER).to_vec());
        }
        match self.machine.goals(&mut self.workspace, state, &mut self.readings) {
            Ok(()) => Sight::End(self.readings.first().copied().unwrap_or_default().value()),
            Err(_) => Sight::End(Goal(0)),
        }
    }

    /// The state after a move.
    pub(crate) fn step(&mut self, state: &CircuitState, id: MoveId) -> Option<CircuitState> {
        self.machine.apply(&mut self.workspace, state, &[id]).ok()
    }
}
