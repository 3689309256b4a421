//! `ludens video`

mod game_match;
mod games;
mod players;
mod results;
mod thinking;
mod tournament;

use std::process::ExitCode;

use clap::Subcommand;

use crate::output::Output;

/// Play video games: descriptions in VGDL, players with 40 ms to think
///
/// GAME is the name of a bundled video game, or the path of a description with its levels beside it:
/// NAME.txt with NAME_lvl0.txt and so on, or rules.vgdl with level-0.txt and so on.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Match(game_match::Arguments),
    Tournament(tournament::Arguments),
    Players(players::Arguments),
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        match self.verb {
            Verb::Match(arguments) => arguments.run(output),
            Verb::Tournament(arguments) => arguments.run(output),
            Verb::Players(arguments) => arguments.run(output),
        }
    }
}
