//! What came out of all matches.

use std::io::Write;

use referee::Standing;
use serde::Serialize;
use server::Timing;

use crate::output::Output;
use crate::table::{Table, grouped};

/// The result of a run.
#[derive(Serialize)]
pub(crate) struct Answer {
    pub(crate) game: String,
    /// Matches asked for.
    pub(crate) matches: u64,
    /// Matches that reached their end, earlier runs included.
    pub(crate) finished: u64,
    /// Of those, how many were finished by an earlier run.
    pub(crate) finished_before: u64,
    /// Matches called off because the game has a fault.
    pub(crate) aborted: u64,
    /// Why, for the first of them.
    pub(crate) fault: Option<String>,
    /// Matches of earlier runs that were found unfinished and played anew.
    pub(crate) interrupted: u64,
    /// Answers to the PLAYs of this run.
    pub(crate) timing: Timing,
    pub(crate) standings: Vec<Standing>,
}

impl Answer {
    /// Whether all matches were finished and nobody had trouble.
    pub(crate) fn is_clean(&self) -> bool {
        let calm = self.standings.iter().all(|standing| standing.trouble.is_empty());
        calm && self.finished >= self.matches
    }

    pub(crate) fn write(&self, output: &mut Output) -> anyhow::Result<()> {
        let mut table = Table::new(&[
            "player",
            ">matches",
            ">mean goal",
            ">first",
            ">shared",
            ">late TO",
            ">illegal IL",
            ">unreached CE",
        ]);
        for standing in &self.standings {
            let mean = match (standing.mean_goal, standing.interval) {
                (Some(mean), Some(interval)) => format!("{mean:.1} ± {interval:.1}"),
                (Some(mean), None) => format!("{mean:.1}"),
                (None, _) => "-".to_owned(),
            };
            let trouble = &standing.trouble;
            let counts =
                [standing.first, standing.shared, trouble.late, trouble.illegal, trouble.unreachable];
            let cells = [standing.player.clone(), standing.matches.to_string(), mean];
            table.row(cells.into_iter().chain(counts.map(|count| count.to_string())));
        }
        table.write(output)?;
        let before = match self.finished_before {
            0 => String::new(),
            before => format!(", {before} of them before"),
        };
        writeln!(output, "\n{} of {} matches finished{before}", self.finished, self.matches)?;
        if self.interrupted > 0 {
            writeln!(output, "{} interrupted matches were played anew", self.interrupted)?;
        }
        if let Some(fault) = &self.fault {
            writeln!(output, "{} matches were called off: {fault}; `ludens check` tells more", self.aborted)?;
        }
        let timing = &self.timing;
        if timing.answers > 0 {
            writeln!(
                output,
                "{} answers, {} after the play clock, the slowest after {:.3} s",
                grouped(timing.answers),
                grouped(timing.after_clock),
                timing.slowest
            )?;
        }
        Ok(())
    }
}
