//! `ludens video players`

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;

use crate::output::Output;
use crate::table::Table;

/// List the players of video games, with their parameters and where they come from
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this player
    player: Option<String>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PlayerAnswer {
    player: &'static str,
    help: &'static str,
    source: &'static str,
    parameters: Vec<ParameterAnswer>,
}

#[derive(Serialize)]
struct ParameterAnswer {
    parameter: &'static str,
    default: String,
    range: String,
    help: &'static str,
    source: &'static str,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let registry = video::players::registry();
        let rows = match &self.player {
            Some(name) => vec![*registry.row(name)?],
            None => registry.rows().to_vec(),
        };
        let answer = |row: &video::PlayerRow| PlayerAnswer {
            player: row.name,
            help: row.help,
            source: row.source,
            parameters: (row.parameters)()
                .iter()
                .map(|parameter| ParameterAnswer {
                    parameter: parameter.name,
                    default: parameter.default.to_string(),
                    range: parameter.range.to_string(),
                    help: parameter.help,
                    source: parameter.source,
                })
                .collect(),
        };
        let answers: Vec<PlayerAnswer> = rows.iter().map(answer).collect();
        if self.json {
            output.json(&answers)?;
            return Ok(ExitCode::SUCCESS);
        }
        if self.player.is_none() {
            let mut table = Table::new(&["player", "what it does"]);
            for player in &answers {
                table.row([player.player.to_owned(), player.help.to_owned()]);
            }
            table.write(output)?;
            return Ok(ExitCode::SUCCESS);
        }
        for player in &answers {
            let name = output.bold(player.player);
            writeln!(output, "{name}: {}\n  {}\n", player.help, player.source)?;
            let mut table = Table::new(&["parameter", ">default", "range", "what it does"]);
            for row in &player.parameters {
                let cells =
                    [row.parameter.to_owned(), row.default.clone(), row.range.clone(), row.help.to_owned()];
                table.row(cells);
            }
            if !table.is_empty() {
                table.write(output)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
