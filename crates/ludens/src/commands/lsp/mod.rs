//! `ludens lsp`

mod answers;
mod convert;
mod server;

use std::process::ExitCode;

use gdl::Mode;
use lsp_server::Connection;

use crate::output::Output;

/// Help editors with rule sheets: speaks the Language Server Protocol on its standard input and output
///
/// Findings as one types (those of `ludens check`, without playouts), quick fixes, help for the name under the
/// cursor, definitions and uses, outline, formatting, renaming and completion. Descriptions of video games in VGDL get
/// findings and formatting.
#[derive(clap::Args)]
#[command(after_help = "Editors start it themselves; docs/guide/editors.md tells how to set them up.")]
pub(crate) struct Arguments {
    /// Judge by what can be played, not by the specification
    #[arg(long)]
    lenient: bool,

    /// Speak on the standard input and output: the only way, accepted as editors pass it
    #[arg(long)]
    stdio: bool,
}

impl Arguments {
    pub(crate) fn run(self, _: &mut Output) -> anyhow::Result<ExitCode> {
        let mode = if self.lenient { Mode::Lenient } else { Mode::Strict };
        let (connection, threads) = Connection::stdio();
        let served = server::serve(&connection, mode);
        // The thread that writes ends when nobody can send any more.
        drop(connection);
        let ended = served?;
        // Editors close the pipe as they leave; that a last answer finds nobody is no fault.
        let _ = threads.join();
        Ok(ended)
    }
}
