//! `ludens video`

mod arcade;
mod bench;
mod game_match;
mod games;
mod info;
mod picture;
mod play;
mod players;
mod recordings;
mod results;
mod screen;
mod thinking;
mod tournament;
mod traces;
mod watch;

use std::process::ExitCode;

use clap::Subcommand;

use crate::output::Output;

pub(super) use info::info;
pub(super) use traces::verify;

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
    Play(play::Arguments),
    Watch(watch::Arguments),
    Match(game_match::Arguments),
    Tournament(tournament::Arguments),
    Picture(picture::Arguments),
    Bench(bench::Arguments),
    Players(players::Arguments),
    Games(games::Arguments),
    Arcade(arcade::Arguments),
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        match self.verb {
            Verb::Play(arguments) => arguments.run(output),
            Verb::Watch(arguments) => arguments.run(output),
            Verb::Match(arguments) => arguments.run(output),
            Verb::Tournament(arguments) => arguments.run(output),
            Verb::Picture(arguments) => arguments.run(output),
            Verb::Bench(arguments) => arguments.run(output),
            Verb::Players(arguments) => arguments.run(output),
            Verb::Games(arguments) => arguments.run(output),
            Verb::Arcade(arguments) => arguments.run(output),
        }
    }
}
