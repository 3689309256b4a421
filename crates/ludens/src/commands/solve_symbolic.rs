//! `ludens solve --method symbolic` for games of several roles: sets of states.

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use machine::batch::BatchMachine;
use solver::{Limits, Progress, SolverError, Symbolic};

use super::solve_roles::{Answer, Question, Sets, players, winner};
use crate::failure::tell;
use crate::interrupt::{self, INTERRUPTED};
use crate::output::Output;
use crate::table::grouped;

/// Ctrl-C ended the work.
pub(super) struct Interrupted {
    /// States that were met until then.
    states: usize,
}

impl Interrupted {
    pub(super) fn told(self) -> ExitCode {
        let states = grouped(self.states as u64);
        tell("note", &format!("ended early, with {states} states so far; none of them is solved"));
        ExitCode::from(INTERRUPTED)
    }
}

impl Question<'_> {
    /// Solves the game by sets of states.
    pub(super) fn symbolic(
        &self,
        batch: &BatchMachine,
        until: Duration,
    ) -> Result<Result<Symbolic, SolverError>, Interrupted> {
        let stop = interrupt::flag();
        let is_over = || self.begin.elapsed() >= until || stop.load(Ordering::Relaxed);
        let limits = Limits { bytes: self.bytes, is_over: &is_over };
        let bar = super::spinner("sets of states".to_owned());
        let progress = |Progress { layers, sure, nodes }| {
            let nodes = grouped(nodes as u64);
            bar.set_message(match sure {
                0 => format!("{layers} layers of states, {nodes} nodes"),
                _ => format!("{layers} layers of states, {sure} steps backward, {nodes} nodes"),
            });
        };
        let what = "ending after this step; once more ends it at once";
        let solved =
            interrupt::told(&stop, &bar, what, || Symbolic::solve(batch.machine(), &limits, &progress));
        bar.finish_and_clear();
        match solved {
            Err(SolverError::OutOfTime(states)) if stop.load(Ordering::Relaxed) => {
                Err(Interrupted { states })
            }
            solved => Ok(solved),
        }
    }

    pub(super) fn by_symbolic(&self, batch: &BatchMachine, solved: &Symbolic) -> anyhow::Result<Answer> {
        let mut answer = self.by_states(batch, solved, "symbolic")?;
        for (value, role) in answer.values.iter_mut().zip(players(batch)) {
            value.most = f64::from(solved.most(solved.initial(), role));
        }
        answer.proven = answer.values.iter().all(|value| value.least == value.most);
        answer.winner = winner(&answer.values);
        answer.symbolic = Some(Sets {
            states: solved.states(),
            ends: solved.ends(),
            joint_moves: solved.joints(),
            depth: solved.depth(),
            comes_back: solved.comes_back(),
            at_once: solved.at_once(),
            nodes: solved.nodes(),
            most_nodes: solved.most_nodes(),
        });
        Ok(answer)
    }
}

impl Sets {
    pub(super) fn tell(&self, seconds: f64, output: &mut Output) -> anyhow::Result<()> {
        let count = |number: Option<u128>| match number.map(u64::try_from) {
            Some(Ok(number)) => grouped(number),
            Some(Err(_)) => format!("{:.3e}", number.unwrap_or(0) as f64),
            None => "more than 2^128".to_owned(),
        };
        let again = if self.comes_back { ", play may come back to a state" } else { "" };
        writeln!(
            output,
            "{} states, {} of them final, as a diagram of {} nodes{again}; {seconds:.1} s, {} nodes at the most",
            count(self.states),
            count(self.ends),
            grouped(self.nodes as u64),
            grouped(self.most_nodes as u64)
        )?;
        Ok(())
    }
}
