//! `ludens tournament`

mod conductor;
mod entrants;
mod file;
mod games;
mod kept;
mod page;
mod person;
mod places;
mod report;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;

use crate::failure::FAULTY;
use crate::output::Output;
use conductor::Conductor;

/// Play a tournament that a file describes
///
/// Stages follow each other: preliminaries, round robin, Swiss, knockout, double elimination. Entrants are players on
/// the network, players that connect to us, agents in this process and a person at the terminal. Everything is kept as
/// it happens: the same command goes on where it was, whatever ended it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens tournament cup.toml\n  ludens tournament cup.toml --check\n\ncup.toml:\n  \
                        play_clock = 5\n  [[entrants]]\n  name = \"Ada\"\n  agent = \"ludens\"\n  [[entrants]]\n  \
                        name = \"Bea\"\n  http = \"localhost:9147\"\n  [[stages]]\n  kind = \"double-elimination\"\n  \
                        games = [\"connect-four\", \"breakthrough\"]\n\ndocs/guide/tournament.md explains every field. \
                        Exit code: 0 if all was played, 1 if a game had a fault, 2 if the command could not be carried out."
)]
pub(crate) struct Arguments {
    /// The file that describes the tournament
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,

    /// Only read the file and the games, and say what would be played first
    #[arg(long)]
    check: bool,

    /// Seconds to wait for players that do not answer or connect yet
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = crate::circuits::positive)]
    wait: f64,

    /// Answer in JSON: what is in the file beside the page
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let described = file::read(&self.file)?;
        places::refuse_foreign(&described)?;
        let cores = std::thread::available_parallelism().map_or(2, usize::from).max(2);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(cores).enable_all().build();
        let runtime = runtime.context("cannot start")?;
        if self.check {
            let games = games::games(&described)?;
            let plan = games::plan(&described, &games)?;
            let open = plan.progress(&Default::default()).open.len();
            let (entrants, stages) = (described.entrants.len(), described.stages.len());
            writeln!(
                output,
                "{}: {entrants} entrants, {} games, {stages} stages; {open} matches can be played at first",
                described.name,
                games.len()
            )?;
            return Ok(ExitCode::SUCCESS);
        }
        let wait = Duration::from_secs_f64(self.wait);
        let played = runtime.block_on(async {
            let conductor = Conductor::new(described, output, self.json).await?;
            conductor.wait_for_players(wait).await?;
            conductor.play(output, self.json).await
        });
        // Brains of players in this process may still be thinking; they are not waited for.
        runtime.shutdown_background();
        let report = played?;
        if self.json {
            output.json(&report)?;
        } else {
            report.write(output)?;
        }
        Ok(if report.aborted == 0 { ExitCode::SUCCESS } else { ExitCode::from(FAULTY) })
    }
}
