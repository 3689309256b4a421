//! What to play where the value is known.

use game::{Game, Goal, MoveId};
use machine::circuit::CircuitState;

use super::{DepthFirst, joints};
use crate::SolverError;

impl DepthFirst {
    /// Joint moves from a state whose value is known, when everybody plays at best.
    pub fn line(
        &mut self,
        state: &CircuitState,
        value: Goal,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<Vec<MoveId>>, SolverError> {
        let more = self.values.iter().copied().find(|&other| other > value.0);
        let (mut state, mut line) = (state.clone(), Vec::new());
        while let Some(chooser) = self.chooser(&state)? {
            let mut best = None;
            for joint in joints(&self.expansion, chooser) {
                let next = self.machine.apply(&mut self.workspace, &state, &joint)?;
                let is_best = match more {
                    _ if chooser == self.role => self.is_sure(&next, value.0, is_over)?,
                    Some(more) => !self.is_sure(&next, more, is_over)?,
                    None => true,
                };
                if is_best {
                    best = Some((next, joint));
                    break;
                }
            }
            let Some((next, joint)) = best else { break };
            line.push(joint);
            state = next;
        }
        Ok(line)
    }

    /// Moves of the role from a state whose value is known, as far as the table tells that they get it.
    pub fn known_moves(&mut self, state: &CircuitState, value: Goal) -> Result<Vec<MoveId>, SolverError> {
        let mut known = Vec::new();
        if self.chooser(state)? != Some(self.role) {
            return Ok(known);
        }
        for joint in joints(&self.expansion, self.role) {
            let next = self.machine.apply(&mut self.workspace, state, &joint)?;
            let least = match self.machine.is_terminal(&mut self.workspace, &next) {
                true => self.value(&next)?,
                false => {
                    let name = self.name(&next);
                    self.table.find(name.hash, name.row.words()).least
                }
            };
            if least >= value.0 {
                known.push(joint[usize::from(self.role.0)]);
            }
        }
        Ok(known)
    }

    /// Whether the role is still sure of a goal after a move of its own.
    pub fn keeps(
        &mut self,
        state: &CircuitState,
        id: MoveId,
        goal: Goal,
        is_over: &dyn Fn() -> bool,
    ) -> Result<bool, SolverError> {
        if self.chooser(state)? != Some(self.role) {
            return Ok(false);
        }
        let own = usize::from(self.role.0);
        let joint = joints(&self.expansion, self.role).into_iter().find(|joint| joint[own] == id);
        let Some(joint) = joint else { return Ok(false) };
        let next = self.machine.apply(&mut self.workspace, state, &joint)?;
        self.is_sure(&next, goal.0, is_over)
    }
}
