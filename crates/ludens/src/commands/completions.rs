//! `ludens completions` and `ludens man`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::output::Output;

/// Print what a shell needs to complete commands and options
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens completions bash > ~/.local/share/bash-completion/completions/ludens\n  \
                        ludens completions zsh > ~/.zfunc/_ludens"
)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        output.as_written()?;
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut crate::Arguments::command(), "ludens", &mut text);
        output.write_all(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Write manual pages, one for each command
#[derive(clap::Args)]
#[command(after_help = "Example:\n  ludens man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Man {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        output.as_written()?;
        let shown = self.folder.display().to_string();
        let write = || -> std::io::Result<()> {
            std::fs::create_dir_all(&self.folder)?;
            clap_mangen::generate_to(crate::Arguments::command(), &self.folder)
        };
        write().with_context(|| format!("cannot write to {shown}"))?;
        writeln!(output, "{shown} has the pages; `man {shown}/ludens.1` shows the first")?;
        Ok(ExitCode::SUCCESS)
    }
}
