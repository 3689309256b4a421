//! What a search evaluates by.

use std::fmt;
use std::sync::Arc;

use engine::Evaluator;
use game::RuleFault;

/// Makes an evaluator piece by piece, so that the search can think meanwhile.
pub trait Learner<State>: Send {
    /// Works for a moment; the evaluator once it is ready. It is not asked again after that.
    fn work(&mut self) -> Result<Option<Arc<dyn Evaluator<State>>>, RuleFault>;
}

/// What a search evaluates by.
pub enum Judge<State> {
    /// An evaluator.
    Ready(Arc<dyn Evaluator<State>>),
    /// One that is still to be made; until then all positions are even.
    Learning(Box<dyn Learner<State>>),
}

impl<State> fmt::Debug for Judge<State> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Judge::Ready(_) => "Ready",
            Judge::Learning(_) => "Learning",
        })
    }
}
