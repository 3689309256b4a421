//! The mean of a few playouts, all leaves of a call side by side in lanes.

use std::hash::BuildHasher;
use std::sync::Arc;

use engine::Evaluator;
use game::{Job, Outcomes, PlayOptions, RuleFault, Simulator};
use parking_lot::Mutex;
use rustc_hash::FxBuildHasher;

use crate::value::{EVEN, worth_of};

/// Playouts are cut after so many steps, and are even then.
const MOST_STEPS: u32 = 1_000;

/// Says what playouts brought on average.
pub struct Playouts<G: Simulator> {
    game: Arc<G>,
    playouts: u32,
    seed: u64,
    scratch: Mutex<Vec<(G::Workspace, Outcomes)>>,
}

impl<G: Simulator> std::fmt::Debug for Playouts<G> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Playouts").field("playouts", &self.playouts).finish_non_exhaustive()
    }
}

impl<G: Simulator> Playouts<G> {
    /// So many playouts of each state.
    pub fn new(game: &Arc<G>, playouts: u32, seed: u64) -> Self {
        Self { game: Arc::clone(game), playouts, seed, scratch: Mutex::new(Vec::new()) }
    }
}

impl<G: Simulator> Evaluator<G::State> for Playouts<G> {
    fn evaluate(&self, states: &[&G::State], out: &mut [f64]) -> Result<(), RuleFault> {
        let scratch = self.scratch.lock().pop();
        let (mut workspace, mut outcomes) =
            scratch.unwrap_or_else(|| (self.game.workspace(), Outcomes::default()));
        let jobs: Vec<Job<'_, G::State>> =
            states.iter().map(|state| Job::new(*state, self.playouts)).collect();
        // The same states have the same playouts, so that a search does not contradict itself for nothing.
        let mut hash = self.seed;
        states.iter().for_each(|state| hash = hash.rotate_left(5) ^ FxBuildHasher.hash_one(*state));
        let options = PlayOptions { seed: hash, most_steps: MOST_STEPS, ..PlayOptions::default() };
        self.game.play(&mut workspace, &jobs, &options, &mut outcomes)?;
        let roles = self.game.role_count().max(1);
        for (state, values) in out.chunks_mut(roles).enumerate().take(states.len()) {
            values.fill(0.0);
            let first = state * self.playouts as usize;
            for playout in first..first + self.playouts as usize {
                let is_cut = outcomes.is_cut(playout);
                for (value, goal) in values.iter_mut().zip(outcomes.goals(playout)) {
                    *value += if is_cut { EVEN } else { worth_of(*goal) };
                }
            }
            values.iter_mut().for_each(|value| *value /= f64::from(self.playouts));
        }
        self.scratch.lock().push((workspace, outcomes));
        Ok(())
    }
}
