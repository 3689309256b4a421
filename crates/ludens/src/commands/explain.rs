//! `ludens explain`

use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;
use gdl::{CODES, CodeInfo};

use crate::output::Output;
use crate::table::Table;

/// The pages of docs/gdl by name.
static PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// Explain a diagnostic code, with a sheet that shows it and one that mends it
///
/// Without a code, all codes are listed.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens explain gdl::unsafe_rule\n  ludens explain")]
pub(crate) struct Arguments {
    /// The code, with or without `gdl::`
    code: Option<String>,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let Some(code) = self.code else {
            let mut table = Table::new(&["code", "strict", "lenient", "what it says"]);
            for row in CODES {
                let severities = [row.strict.name().to_owned(), row.lenient.name().to_owned()];
                let [strict, lenient] = severities;
                table.row([row.code.to_string(), strict, lenient, row.title.to_owned()]);
            }
            table.write(output)?;
            return Ok(ExitCode::SUCCESS);
        };
        let wanted = code.to_lowercase().replace('-', "_");
        let wanted = wanted.trim_start_matches("gdl::").trim_end_matches(".md");
        let Some(row) = CODES.iter().find(|row| row.name == wanted) else {
            bail!("there is no code `{code}`; `ludens explain` lists all");
        };
        match PAGES.iter().find(|(name, _)| *name == row.name) {
            Some((_, page)) => writeln!(output, "{}", page.trim_end())?,
            None => write_row(row, output)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What the table says of a code that has no page.
fn write_row(row: &CodeInfo, output: &mut Output) -> anyhow::Result<()> {
    let (strict, lenient) = (row.strict.name(), row.lenient.name());
    writeln!(output, "{}: {}\n\n{strict} when strict, {lenient} when lenient", row.code, row.title)?;
    Ok(())
}
