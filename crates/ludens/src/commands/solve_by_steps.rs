//! `ludens solve --play`: a solved game position after position.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use game::{Describe, Dice, Game};
use machine::batch::BatchMachine;
use solver::Solved;

use super::solve_roles::{Question, joint_texts, moves, table};
use crate::output::Output;

impl Question<'_> {
    /// Shows position after position with what every move is worth; who asks chooses.
    pub(super) fn step_through(
        &self,
        batch: &BatchMachine,
        solved: &dyn Solved,
        output: &mut Output,
    ) -> anyhow::Result<ExitCode> {
        let (mut state, mut dice) = (batch.initial(), Dice::new(self.seed));
        let mut lines = std::io::stdin().lock().lines();
        while let Some(look) = solved.look(batch, &state)? {
            writeln!(output, "{}", batch.facts(&state).join(" "))?;
            if let Some(goals) = &look.goals {
                let goals = batch.roles().iter().zip(goals);
                let goals: Vec<String> = goals.map(|(role, goal)| format!("{role} {}", goal.0)).collect();
                writeln!(output, "the game is over: {}", goals.join(", "))?;
                break;
            }
            table(&moves(batch, &look, solved.knows_steps())).write(output)?;
            writeln!(output, "a move, several for several roles, nothing for the best, `quit`:")?;
            output.flush()?;
            let Some(line) = lines.next().transpose()?.filter(|line| line.trim() != "quit") else { break };
            let mut joint = look.choose(&mut dice);
            let mut rest = line.trim().to_lowercase();
            for (done, legal) in joint.iter_mut().zip(&look.legal).filter(|(_, legal)| legal.len() > 1) {
                let texts = legal.iter().map(|&id| (id, batch.move_text(id)));
                let named = texts.filter(|(_, text)| rest.starts_with(text.as_str()));
                if let Some((id, text)) = named.max_by_key(|(_, text)| text.len()) {
                    *done = id;
                    rest = rest[text.len()..].trim().to_owned();
                }
            }
            if !rest.is_empty() {
                writeln!(output, "`{rest}` is no legal move here")?;
                continue;
            }
            writeln!(output, "{}", joint_texts(batch, &joint).join("  "))?;
            match look.next(&joint) {
                Some(next) => state = next.clone(),
                None => break,
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
