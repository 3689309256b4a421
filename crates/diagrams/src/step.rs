//! A joint move: where it leads, and what leads to somewhere by it.

use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunctionQuant, BooleanOperator, FunctionSubst, Subst};

use crate::{Set, Trouble};

/// A joint move: where it can be made, and what it does.
pub struct Step {
    /// For each role the number of its move.
    pub joint: Box<[u32]>,
    /// Where all roles may do it, if the game is not over.
    pub possible: Set,
    /// For each fact that the move may change, that it is after the move what the rules make of it; without those
    /// that become the same wherever the move is possible.
    pub(crate) conditions: Vec<Set>,
    /// The facts before the move that it may change or that run by themselves, to be forgotten.
    pub(crate) forgotten: Set,
    /// What is after the move becomes what is before the next one.
    pub(crate) renamed: Option<Subst<BCDDFunction>>,
    /// The facts that become the same wherever the move is possible.
    pub(crate) fixed: Set,
    /// For each fact that the move may change what it becomes, by the facts before.
    pub(crate) becomes: Option<Subst<BCDDFunction>>,
}

impl std::fmt::Debug for Step {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Step").field("joint", &self.joint).finish_non_exhaustive()
    }
}

impl Step {
    /// The states that the move leads to from some states, without what runs by itself.
    pub fn image(&self, states: &Set, is_over: &dyn Fn() -> bool) -> Result<Set, Trouble> {
        let mut steps = states.and(&self.possible)?;
        if let Some((last, conditions)) = self.conditions.split_last() {
            for condition in conditions {
                if steps.is_empty() {
                    return Ok(steps);
                }
                if is_over() {
                    return Err(Trouble::OutOfTime);
                }
                steps = steps.and(condition)?;
            }
            steps = Set(steps.0.apply_exists(BooleanOperator::And, &last.0, &self.forgotten.0)?);
        } else {
            steps = Set(steps.0.exists(&self.forgotten.0)?);
        }
        if let Some(renamed) = &self.renamed {
            steps = Set(steps.0.substitute(renamed)?);
        }
        steps.and(&self.fixed)
    }

    /// All states from which the facts after the move are those of some states, whether it is possible there or not.
    pub fn origin(&self, states: &Set) -> Result<Set, Trouble> {
        match &self.becomes {
            Some(becomes) => Ok(Set(states.0.substitute(becomes)?)),
            None => Ok(states.clone()),
        }
    }
}
