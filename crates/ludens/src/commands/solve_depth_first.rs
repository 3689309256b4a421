//! `ludens solve` for games of several roles whose states do not all fit: depth first.

use std::time::Duration;

use game::{Game, Goal, MoveId, RoleId};
use machine::batch::BatchMachine;
use solver::{DepthFirst, Limits, Reduction, SolverError};

use super::solve_roles::{Answer, DepthFirstWork, Question, Value, joint_texts, players, role_name, winner};

impl Question<'_> {
    /// Proves what each role is sure of; an error that says why it cannot be done.
    pub(super) fn by_depth_first(
        &self,
        batch: &BatchMachine,
        until: Duration,
        refused: Option<String>,
    ) -> Result<Answer, SolverError> {
        let is_over = || self.begin.elapsed() >= until;
        let limits = Limits { bytes: self.bytes, is_over: &is_over };
        let reduction = Reduction { symmetry: self.symmetry, ..Reduction::ALL };
        let players = players(batch);
        let mut values: Vec<(RoleId, Goal)> = Vec::new();
        let mut line: Vec<Vec<MoveId>> = Vec::new();
        let mut work = DepthFirstWork { positions: 0, symmetries: 1, megabytes: 0 };
        for &role in &players {
            let mut search = DepthFirst::new(batch.machine(), role, reduction, limits)?;
            let verdict = search.solve(&batch.initial(), &is_over)?;
            work.positions += verdict.positions;
            work.symmetries = search.symmetries();
            work.megabytes = work.megabytes.max(search.bytes() / 1_000_000);
            values.push((role, verdict.value));
            if line.is_empty() {
                // The value stands, even if there is no time left for a line.
                line = search.line(&batch.initial(), verdict.value, &is_over).unwrap_or_default();
            }
            // Of two roles the other one is sure of what is left.
            if let (Some(sum), [one, other]) = (verdict.sum, &players[..]) {
                let rest = sum.saturating_sub(u32::from(verdict.value.0)).min(u32::from(Goal::MOST.0));
                values.push((if role == *one { *other } else { *one }, Goal(rest as u8)));
                break;
            }
        }
        let value = |&(role, goal): &(RoleId, Goal)| {
            let goal = f64::from(goal.0);
            Value { role: role_name(batch, role), least: goal, most: goal, steps: None }
        };
        let values: Vec<Value> = values.iter().map(value).collect();
        Ok(Answer {
            game: self.name.to_owned(),
            method: "depth-first",
            seconds: self.begin.elapsed().as_secs_f64(),
            proven: true,
            winner: winner(&values),
            values,
            moves: Vec::new(),
            line: line.iter().map(|joint| joint_texts(batch, joint)).collect(),
            graph: None,
            symbolic: None,
            work: Some(work),
            refused,
        })
    }
}
