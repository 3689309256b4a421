//! `ludens solve` for games of several roles whose states do not all fit: depth first.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use game::{Game, Goal, MoveId, RoleId};
use machine::batch::BatchMachine;
use solver::{DepthFirst, Inquiry, Limits, Reduction, Solved, SolverError};

use super::solve_roles::{Answer, DepthFirstWork, Question, Value, joint_texts, players, role_name, winner};
use crate::output::Output;

/// The part of the memory in which the moves are counted until a role has what it is sure of.
const PART_FOR_STEPS: usize = 8;
/// At least so long it is looked for these moves.
const LEAST_TIME_FOR_STEPS: Duration = Duration::from_secs(1);

impl Question<'_> {
    /// Steps through the game, each position solved as it is met; an error that says why it cannot be done.
    pub(super) fn inquire(
        &self,
        batch: &BatchMachine,
        refused: Option<&str>,
        output: &mut Output,
    ) -> Result<anyhow::Result<ExitCode>, SolverError> {
        let clock = || self.begin.elapsed();
        let time = self.until.saturating_sub(clock()).max(Duration::from_secs(1));
        let inquiry = Inquiry::new(batch.machine(), self.reduction(), self.bytes, &clock, time);
        inquiry.worths(&batch.initial())?;
        if let Some(refused) = refused
            && let Err(error) = writeln!(output, "by depth-first, as others did not do: {refused}")
        {
            return Ok(Err(error.into()));
        }
        Ok(self.step_through(batch, &inquiry, output))
    }

    /// Proves what each role is sure of; an error that says why it cannot be done.
    pub(super) fn by_depth_first(
        &self,
        batch: &BatchMachine,
        until: Duration,
        refused: Option<String>,
    ) -> Result<Answer, SolverError> {
        let is_over = || self.begin.elapsed() >= until;
        let for_steps = self.bytes / PART_FOR_STEPS;
        let limits = Limits { bytes: self.bytes - for_steps, is_over: &is_over };
        let players = players(batch);
        let mut values: Vec<(RoleId, Goal, Option<u32>)> = Vec::new();
        let mut line: Vec<Vec<MoveId>> = Vec::new();
        let mut work = DepthFirstWork { positions: 0, symmetries: 1, megabytes: 0 };
        for &role in &players {
            let begin = self.begin.elapsed();
            let mut search = DepthFirst::new(batch.machine(), role, self.reduction(), limits)?;
            let verdict = search.solve(&batch.initial(), &is_over)?;
            work.positions += verdict.positions;
            work.symmetries = search.symmetries();
            work.megabytes = work.megabytes.max(search.bytes() / 1_000_000);
            // The value stands, even if there is no time left for a line and for how long it takes.
            if line.is_empty() {
                line = search.line(&batch.initial(), verdict.value, &is_over).unwrap_or_default();
            }
            // For that there is as much time as the value took.
            let now = self.begin.elapsed();
            let enough = now + (now - begin).max(LEAST_TIME_FOR_STEPS);
            let is_enough = || is_over() || self.begin.elapsed() >= enough;
            let steps = |search: &mut DepthFirst, value: Goal| {
                search.distance(&batch.initial(), value, for_steps, &is_enough).unwrap_or_default()
            };
            values.push((role, verdict.value, steps(&mut search, verdict.value)));
            // Of two roles the other one is sure of what is left.
            if let (Some(sum), [_, other], 1) = (verdict.sum, &players[..], values.len()) {
                // One table at a time.
                drop(search);
                let rest = sum.saturating_sub(u32::from(verdict.value.0)).min(u32::from(Goal::MOST.0));
                let rest = Goal(rest as u8);
                let mut search = DepthFirst::new(batch.machine(), *other, self.reduction(), limits)?;
                values.push((*other, rest, steps(&mut search, rest)));
                break;
            }
        }
        let value = |&(role, goal, steps): &(RoleId, Goal, Option<u32>)| {
            let goal = f64::from(goal.0);
            Value { role: role_name(batch, role), least: goal, most: goal, steps: steps.map(f64::from) }
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

    /// What positions are taken for one.
    pub(super) fn reduction(&self) -> Reduction {
        Reduction { symmetry: self.symmetry, ..Reduction::ALL }
    }
}
