//! What the rules give the roles before the end: in some games that is the score so far.

use std::sync::Arc;

use engine::Evaluator;
use game::{GoalReading, RuleFault, Simulator};
use parking_lot::Mutex;

use crate::value::{EVEN, worth_of};

/// Says what the goal rules say. Where they say nothing a state is even.
pub struct Goals<G: Simulator> {
    game: Arc<G>,
    workspaces: Mutex<Vec<G::Workspace>>,
}

impl<G: Simulator> std::fmt::Debug for Goals<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Goals").finish_non_exhaustive()
    }
}

impl<G: Simulator> Goals<G> {
    /// For a game.
    pub fn new(game: &Arc<G>) -> Self {
        Self { game: Arc::clone(game), workspaces: Mutex::new(Vec::new()) }
    }
}

impl<G: Simulator> Evaluator<G::State> for Goals<G> {
    fn evaluate(&self, states: &[&G::State], out: &mut [f64]) -> Result<(), RuleFault> {
        let mut workspace = self.workspaces.lock().pop().unwrap_or_else(|| self.game.workspace());
        let mut readings = Vec::new();
        for (state, values) in states.iter().zip(out.chunks_mut(self.game.role_count().max(1))) {
            self.game.goals(&mut workspace, state, &mut readings)?;
            for (value, reading) in values.iter_mut().zip(&readings) {
                *value = if *reading == GoalReading::None { EVEN } else { worth_of(reading.value()) };
            }
        }
        self.workspaces.lock().push(workspace);
        Ok(())
    }
}
