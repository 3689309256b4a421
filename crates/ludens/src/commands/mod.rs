//! One file for each verb.

mod agents;
mod arena;
mod bench;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod completions;
mod corpus;
mod draw;
mod equilibrium;
mod evaluate;
mod experiment;
mod explain;
mod export;
mod fmt;
mod game_match;
mod games;
#[cfg(feature = "cluster")]
mod helper;
mod info;
mod lsp;
mod perf;
mod perft;
mod play;
#[cfg(feature = "server")]
mod player;
#[cfg(all(feature = "server", feature = "sqlite"))]
mod referee;
mod replay;
mod show;
mod simulate;
mod solve;
mod solve_by_steps;
mod solve_depth_first;
mod solve_parts;
mod solve_roles;
#[cfg(feature = "bdd")]
mod solve_symbolic;
mod stages;
#[cfg(all(feature = "server", feature = "sqlite"))]
mod tournament;
pub(crate) mod verify;
mod video;
mod watch;
#[cfg(feature = "web")]
mod web;
mod why;
#[cfg(feature = "cluster")]
mod worker;

use std::process::ExitCode;

use clap::Subcommand;

use crate::output::Output;

/// What Ludens can be asked to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Match(game_match::Arguments),
    Arena(arena::Arguments),
    Experiment(experiment::Arguments),
    Agents(agents::Arguments),
    Check(check::Arguments),
    Evaluate(evaluate::Arguments),
    Explain(explain::Arguments),
    Export(export::Arguments),
    Fmt(fmt::Arguments),
    Info(info::Arguments),
    Perft(perft::Arguments),
    Simulate(simulate::Arguments),
    Solve(solve::Arguments),
    Equilibrium(equilibrium::Arguments),
    Verify(verify::Arguments),
    Show(show::Arguments),
    Why(why::Arguments),
    Draw(draw::Arguments),
    Replay(replay::Arguments),
    Bench(bench::Arguments),
    Perf(perf::Arguments),
    Games(games::Arguments),
    Watch(watch::Arguments),
    Play(play::Arguments),
    #[cfg(feature = "web")]
    Web(web::Arguments),
    Video(video::Arguments),
    #[cfg(feature = "server")]
    Player(Box<player::Arguments>),
    #[cfg(all(feature = "server", feature = "sqlite"))]
    Referee(referee::Arguments),
    #[cfg(all(feature = "server", feature = "sqlite"))]
    Tournament(tournament::Arguments),
    Lsp(lsp::Arguments),
    #[cfg(feature = "cluster")]
    Helper(helper::Arguments),
    #[cfg(feature = "cluster")]
    Worker(worker::Arguments),
    #[cfg(feature = "cluster")]
    Cluster(cluster::Arguments),
    Completions(completions::Completions),
    Man(completions::Man),
}

impl Command {
    /// Carries the command out; the exit code says whether faults were found.
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        match self {
            Command::Match(arguments) => arguments.run(output),
            Command::Arena(arguments) => arguments.run(output),
            Command::Experiment(arguments) => arguments.run(output),
            Command::Agents(arguments) => arguments.run(output),
            Command::Check(arguments) => arguments.run(output),
            Command::Evaluate(arguments) => arguments.run(output),
            Command::Explain(arguments) => arguments.run(output),
            Command::Export(arguments) => arguments.run(output),
            Command::Fmt(arguments) => arguments.run(output),
            Command::Info(arguments) => arguments.run(output),
            Command::Perft(arguments) => arguments.run(output),
            Command::Simulate(arguments) => arguments.run(output),
            Command::Solve(arguments) => arguments.run(output),
            Command::Equilibrium(arguments) => arguments.run(output),
            Command::Verify(arguments) => arguments.run(output),
            Command::Show(arguments) => arguments.run(output),
            Command::Why(arguments) => arguments.run(output),
            Command::Draw(arguments) => arguments.run(output),
            Command::Replay(arguments) => arguments.run(output),
            Command::Bench(arguments) => arguments.run(output),
            Command::Perf(arguments) => arguments.run(output),
            Command::Games(arguments) => arguments.run(output),
            Command::Watch(arguments) => arguments.run(output),
            Command::Play(arguments) => arguments.run(output),
            #[cfg(feature = "web")]
            Command::Web(arguments) => arguments.run(output),
            Command::Video(arguments) => arguments.run(output),
            #[cfg(feature = "server")]
            Command::Player(arguments) => arguments.run(output),
            #[cfg(all(feature = "server", feature = "sqlite"))]
            Command::Referee(arguments) => arguments.run(output),
            #[cfg(all(feature = "server", feature = "sqlite"))]
            Command::Tournament(arguments) => arguments.run(output),
            Command::Lsp(arguments) => arguments.run(output),
            #[cfg(feature = "cluster")]
            Command::Helper(arguments) => arguments.run(output),
            #[cfg(feature = "cluster")]
            Command::Worker(arguments) => arguments.run(output),
            #[cfg(feature = "cluster")]
            Command::Cluster(arguments) => arguments.run(output),
            Command::Completions(arguments) => arguments.run(output),
            Command::Man(arguments) => arguments.run(output),
        }
    }
}

/// A bar on the standard error, with an estimate of the time left; invisible where that is no
/// terminal.
fn progress_bar(length: u64, unit: &str) -> indicatif::ProgressBar {
    // What is told beside it has the room that is left.
    let template =
        format!("{{bar:16}} {{pos}}/{{len}} {unit}  {{elapsed}} (about {{eta}} left) {{wide_msg}}");
    let style = indicatif::ProgressStyle::with_template(&template);
    let style = style.unwrap_or_else(|_| indicatif::ProgressStyle::default_bar());
    indicatif::ProgressBar::new(length).with_style(style)
}

/// A sign of life on the standard error while something takes its time.
pub(crate) fn spinner(message: String) -> indicatif::ProgressBar {
    let bar = indicatif::ProgressBar::new_spinner().with_message(message);
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}
