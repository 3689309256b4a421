//! What states are worth without playing on.

use game::RuleFault;

/// Says what states are worth. Many of them come in one call, so that the cost of a call does not matter.
pub trait Evaluator<State>: Send + Sync {
    /// What each state is worth to each role, from 0 (the worst goal) to 1 (the best): state after state, role
    /// after role. None of them is terminal. There is room for all values in `out`.
    fn evaluate(&self, states: &[&State], out: &mut [f64]) -> Result<(), RuleFault>;
}
