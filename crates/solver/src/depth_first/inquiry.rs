//! A game too large for its state graph, position by position: what each role is sure of where it is asked.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use game::{Game, Goal, RoleId};
use machine::alike::Reduction;
use machine::circuit::{CircuitMachine, CircuitState};

use super::DepthFirst;
use crate::{Limits, Solved, SolverError, Worth};

/// Solves positions depth first as they are asked for.
pub struct Inquiry<'a> {
    machine: Arc<CircuitMachine>,
    reduction: Reduction,
    /// Of the table of each role.
    bytes: usize,
    clock: &'a dyn Fn() -> Duration,
    /// For each position.
    time: Duration,
    /// One for each role that had to be asked about.
    searches: RefCell<Vec<DepthFirst>>,
}

impl<'a> Inquiry<'a> {
    /// Tables take so many bytes together, and each position has so much time.
    pub fn new(
        machine: &Arc<CircuitMachine>,
        reduction: Reduction,
        bytes: usize,
        clock: &'a dyn Fn() -> Duration,
        time: Duration,
    ) -> Self {
        Self {
            machine: Arc::clone(machine),
            reduction,
            bytes: bytes / machine.role_count().max(1),
            clock,
            time,
            searches: RefCell::default(),
        }
    }
}

impl Solved for Inquiry<'_> {
    fn knows_steps(&self) -> bool {
        false
    }

    fn worths(&self, state: &CircuitState) -> Result<Option<Vec<Worth>>, SolverError> {
        let until = (self.clock)() + self.time;
        let is_over = || (self.clock)() >= until;
        let mut searches = self.searches.borrow_mut();
        let roles = self.machine.role_count();
        let mut worths = vec![Worth::default(); roles];
        for role in 0..roles {
            if searches.len() == role {
                let limits = Limits { bytes: self.bytes, is_over: &is_over };
                searches.push(DepthFirst::new(&self.machine, RoleId(role as u16), self.reduction, limits)?);
            }
            let verdict = searches[role].solve(state, &is_over)?;
            worths[role].value = f32::from(verdict.value.0);
            // Of two roles the other one is sure of what is left.
            if let (Some(sum), 0, 2) = (verdict.sum, role, roles) {
                let rest = sum.saturating_sub(u32::from(verdict.value.0)).min(u32::from(Goal::MOST.0));
                worths[1].value = rest as f32;
                break;
            }
        }
        Ok(Some(worths))
    }
}
