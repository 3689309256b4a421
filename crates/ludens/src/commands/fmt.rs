//! `ludens fmt`

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use gdl::SourceFile;

use crate::failure::{FAULTY, UNABLE, tell};
use crate::input::{self, STANDARD_INPUT};
use crate::output::Output;
use crate::report;
use crate::video_games::Texts;

/// Format rule sheets and descriptions of video games in the canonical style, keeping their comments
///
/// Files are replaced in one step: a full disk or a power cut leaves the old text.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens fmt my-game.kif\n  ludens fmt --check games/*/rules.kif\n  \
                        ludens fmt --stdout - < my-game.kif")]
pub(crate) struct Arguments {
    /// Rule sheets, or with --stdout or --check names of bundled games; - for the standard input, which is written to
    /// the standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Change nothing; list the files that would change, and exit with 1 if there are any
    #[arg(long, conflicts_with = "stdout")]
    check: bool,

    /// Write to the standard output instead of the files
    #[arg(long)]
    stdout: bool,
}

/// How a file fared, from good to bad.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Done,
    /// It has faults, or is not formatted under `--check`.
    Faulty,
    Unreadable,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        output.as_written()?;
        let mut worst = Fate::Done;
        for file in &self.files {
            let fate = self.format(file, output)?;
            worst = worst.max(fate);
        }
        Ok(match worst {
            Fate::Done => ExitCode::SUCCESS,
            Fate::Faulty => ExitCode::from(FAULTY),
            Fate::Unreadable => ExitCode::from(UNABLE),
        })
    }

    fn read(&self, file: &str) -> anyhow::Result<SourceFile> {
        if file == STANDARD_INPUT || Path::new(file).exists() {
            return input::read_sheet(file);
        }
        let found = match Texts::find(file)? {
            Some(texts) => Some(texts.rules),
            None => input::find(file).ok().map(|(_, source, _)| source),
        };
        match found {
            Some(source) if self.stdout || self.check => Ok(source),
            Some(_) => bail!("{file} comes with Ludens and cannot be changed; --stdout shows it"),
            None => input::read_sheet(file),
        }
    }

    fn format(&self, file: &str, output: &mut Output) -> anyhow::Result<Fate> {
        let source = match self.read(file) {
            Ok(source) => source,
            Err(error) => {
                tell("error", &format!("{error:#}"));
                return Ok(Fate::Unreadable);
            }
        };
        if !source.invalid_utf8().is_empty() && !self.stdout {
            tell("error", &format!("{file} is not UTF-8; convert it first, so that nothing is lost"));
            return Ok(Fate::Faulty);
        }
        let formatted =
            if language::is_video_game(&source) { Ok(vgdl::format(&source)) } else { gdl::format(&source) };
        let text = match formatted {
            Ok(text) => text,
            Err(faults) => {
                for fault in faults.iter().take(report::MAX_SHOWN) {
                    tell(fault.severity.name(), &report::line(&source, fault));
                }
                tell("error", &format!("{file} is left as it is: its syntax has faults"));
                return Ok(Fate::Faulty);
            }
        };
        if self.stdout || file == STANDARD_INPUT && !self.check {
            output.write_all(text.as_bytes())?;
            return Ok(Fate::Done);
        }
        if text == source.text() {
            return Ok(Fate::Done);
        }
        if self.check {
            writeln!(output, "{file}")?;
            return Ok(Fate::Faulty);
        }
        match replace(Path::new(file), &text) {
            Ok(()) => Ok(Fate::Done),
            Err(error) => {
                tell("error", &format!("{error:#}"));
                Ok(Fate::Unreadable)
            }
        }
    }
}

/// Replaces a file in one step.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let shown = path.display();
    // Through a link, what it points to is replaced, not the link.
    let path = path.canonicalize().with_context(|| format!("cannot find {shown}"))?;
    let Some(folder) = path.parent() else { bail!("{shown} is in no folder") };
    let permissions = path.metadata().with_context(|| format!("cannot look at {shown}"))?.permissions();
    if permissions.readonly() {
        bail!("{shown} is write-protected");
    }
    let write = || -> std::io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".ludens-").tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().set_permissions(permissions)?;
        file.as_file().sync_all()?;
        file.persist(&path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {shown}; it is left as it was"))
}
