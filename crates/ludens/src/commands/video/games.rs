//! `ludens video games`

use std::process::ExitCode;

use crate::output::Output;
use crate::table::Table;

/// List the video games that come with Ludens
#[derive(clap::Args)]
pub(crate) struct Arguments {}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let mut table = Table::new(&["game", "set", ">levels", "what it is"]);
        for game in bundled::video::all() {
            // The first line of a description says what the game is.
            let first = game.rules.lines().next().unwrap_or_default();
            let what = first.trim_start_matches('#').trim().to_owned();
            table.row([game.name.to_owned(), game.set.to_owned(), game.levels.len().to_string(), what]);
        }
        table.write(output)?;
        Ok(ExitCode::SUCCESS)
    }
}
