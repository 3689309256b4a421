//! `ludens solve` for games of several roles whose parts do not interact.

use std::sync::Arc;
use std::time::Duration;

use machine::batch::BatchMachine;

use super::solve_roles::{Answer, Question, Value, players, role_name, winner};
use crate::machines::faulty;

/// About how many bytes a state of a part takes, with its moves.
const BYTES_OF_A_STATE: usize = 256;

impl Question<'_> {
    /// What is known by looking at each part alone, or why that is nothing.
    pub(super) fn by_parts(
        &self,
        batch: &Arc<BatchMachine>,
        until: Duration,
    ) -> anyhow::Result<Result<Answer, String>> {
        let halves = match parts::Halves::new(batch.machine()) {
            Ok(halves) => halves,
            Err(why) => return Ok(Err(why.to_owned())),
        };
        let is_over = || self.begin.elapsed() >= until;
        let known = match parts::sure(&halves, self.bytes / BYTES_OF_A_STATE, &is_over) {
            Ok((known, _)) => known,
            Err(parts::Open::Rules(fault)) => return Err(faulty(&**batch)(fault)),
            Err(why) => return Ok(Err(why.to_string())),
        };
        let values: Vec<Value> = players(batch)
            .iter()
            .zip(&known)
            .map(|(&role, sure)| Value {
                role: role_name(batch, role),
                least: sure.least.into(),
                most: sure.most.into(),
                steps: None,
            })
            .collect();
        let proven = known.iter().all(|sure| sure.least == sure.most);
        if !proven && self.methods.is_empty() {
            return Ok(Err("what is sure in its parts does not say all".to_owned()));
        }
        Ok(Ok(Answer {
            game: self.name.to_owned(),
            method: "parts",
            seconds: self.begin.elapsed().as_secs_f64(),
            proven,
            winner: winner(&values),
            values,
            moves: Vec::new(),
            line: Vec::new(),
            graph: None,
            symbolic: None,
            work: None,
            refused: None,
        }))
    }
}
