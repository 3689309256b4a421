//! The one binary of Ludens. `ludens --help` says what it can do.

mod arguments;
mod circuits;
#[cfg(feature = "cluster")]
mod cluster_jobs;
mod commands;
mod contests;
mod elsewhere;
mod failure;
mod fold;
#[cfg(feature = "cluster")]
mod helper_lines;
mod input;
mod interrupt;
mod machines;
mod output;
mod pictures;
mod printer;
mod process;
mod records;
mod report;
mod structure;
mod table;
#[cfg(feature = "server")]
mod tokens;
mod video_games;
mod written;

use std::process::ExitCode;

use clap::Parser;

use commands::Command;
use output::Output;

/// Ludens, a general game player: give it the rules of any game and it plays.
#[derive(Parser)]
#[command(
    name = "ludens",
    version,
    about,
    after_help = "GAME is the name of a bundled game (`ludens games` lists them), the path of a rule sheet, or - \
                  for the standard input.\n\nExamples:\n  ludens match connect-four\n  ludens games\n  \
                  ludens check my-game.kif\n  ludens perft chess 3 --divide\n\nExit code: 0 if all is well, 1 if \
                  a game or trace has faults, 2 if the command could not be carried out."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// Terms of a hostile game can be nested millions deep, and they are printed recursively. Only
/// what is used of this is ever taken from the system.
const STACK_BYTES: usize = 512 << 20;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let run = move || {
        let mut output = Output::standard();
        let result = arguments.command.run(&mut output);
        match result.and_then(|code| output.finish().map(|()| code)) {
            Ok(code) => code,
            Err(error) => failure::report(&error),
        }
    };
    let thread = std::thread::Builder::new().name("ludens".to_owned()).stack_size(STACK_BYTES).spawn(run);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic has told its story on the standard error already.
        Ok(Err(_)) => ExitCode::from(failure::UNABLE),
        Err(error) => failure::report(&anyhow::Error::new(error).context("cannot start")),
    }
}
