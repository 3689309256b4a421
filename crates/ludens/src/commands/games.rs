//! `ludens games`

use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;
use bundled::{BundledGame, Metadata, TAGS};
use serde::Serialize;

use crate::output::Output;
use crate::table::Table;

/// List the games that come with Ludens
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens games\n  ludens games --tag simultaneous --tag small\n  \
                        ludens games --json")]
pub(crate) struct Arguments {
    /// Only games with this tag; give it several times for games with all of them
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,

    /// Answer in JSON, with the whole metadata
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    game: &'static str,
    #[serde(flatten)]
    metadata: &'static Metadata,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let tags: Vec<String> = self.tags.iter().map(|tag| tag.to_lowercase()).collect();
        if let Some(tag) = tags.iter().find(|tag| !TAGS.contains(&tag.as_str())) {
            bail!("there is no tag `{tag}`; the tags are {}", TAGS.join(", "));
        }
        let mut answers = Vec::new();
        for game in bundled::all() {
            let metadata = game.metadata()?;
            if tags.iter().all(|tag| metadata.tags.contains(tag)) {
                answers.push((game, metadata));
            }
        }
        if self.json {
            let answer = |(game, metadata): (&'static BundledGame, _)| Answer { game: game.name, metadata };
            output.json(&answers.into_iter().map(answer).collect::<Vec<_>>())?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut table = Table::new(&["game", ">players", "name", "tags"]);
        for (game, metadata) in &answers {
            let (name, players) = (game.name.to_owned(), metadata.players.unwrap_or(0).to_string());
            table.row([name, players, metadata.name.clone(), metadata.tags.join(" ")]);
        }
        table.write(output)?;
        writeln!(
            output,
            "\n{} games; `ludens info GAME` tells more, `ludens match GAME` plays one",
            answers.len()
        )?;
        Ok(ExitCode::SUCCESS)
    }
}
