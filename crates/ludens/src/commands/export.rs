//! `ludens export`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use export::Format;

use crate::arguments::GameArguments;
use crate::circuits::BuildArguments;
use crate::input;
use crate::output::Output;
use crate::written::FileKind;

/// Write a game in the language of another program: ground rules, answer sets, a planning domain, Prolog, causal laws, a
/// graph, a transition system
///
/// All of them are made from the circuit, so they say the same as the rules without any variables.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens export tic-tac-toe --to gdl > ground.kif\n  \
                  ludens export hanoi --to asp --output hanoi.lp && clingo hanoi.lp -c n=31 -c plan=1\n  \
                  ludens export eight-puzzle --to btor2")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,

    /// The language: gdl, asp, pddl, prolog, cplus, dot or btor2
    #[arg(long, value_name = "FORMAT")]
    to: Format,

    /// Write to this file in place of the standard output
    #[arg(long, short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    build: BuildArguments,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        output.as_written()?;
        let opening = self.to.opening();
        let what = format!("a game as {}", self.to.name());
        let kind = FileKind { what: &what, is_ours: &|text| text.starts_with(opening) };
        self.output.as_deref().map_or(Ok(()), |path| kind.refuse_foreign(path))?;
        let game = input::load(&self.game.game, self.game.reading.mode())?;
        let built = self.build.build(&game.rules);
        let built = built.context("there is no circuit; allow more with --build-seconds and --memory")?;
        let text = export::export(&built.circuit, self.to)?;
        match &self.output {
            Some(path) => kind.write(path, &text)?,
            None => write!(output, "{text}")?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
