//! `ludens explain`

use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;

use crate::output::Output;
use crate::table::Table;

/// The pages of docs/gdl and docs/vgdl: kind of rules, name of the code, text.
static PAGES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// Explain a diagnostic code, with rules that show it and rules that mend it
///
/// Without a code, all codes are listed: those of rule sheets in GDL, and those of video games in VGDL.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens explain gdl::unsafe_rule\n  ludens explain vgdl::unknown_class\n  ludens explain"
)]
pub(crate) struct Arguments {
    /// The code, with or without `gdl::` or `vgdl::`
    code: Option<String>,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let Some(code) = self.code else {
            list(output)?;
            return Ok(ExitCode::SUCCESS);
        };
        let wanted = code.to_lowercase().replace('-', "_");
        let wanted = wanted.trim_end_matches(".md");
        let (kind, name) = match wanted.split_once("::") {
            Some((kind, name)) => (Some(kind), name),
            None => (None, wanted),
        };
        let mut found = 0;
        for (of, _, page) in PAGES.iter().filter(|(_, other, _)| *other == name) {
            if kind.is_some_and(|kind| kind != *of) {
                continue;
            }
            // Some faults are known of both kinds of rules.
            if found > 0 {
                writeln!(output)?;
            }
            writeln!(output, "{}", page.trim_end())?;
            found += 1;
        }
        if found == 0 {
            bail!("there is no code `{code}`; `ludens explain` lists all");
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn list(output: &mut Output) -> anyhow::Result<()> {
    let mut table = Table::new(&["code", "strict", "lenient", "what it says"]);
    for row in gdl::CODES {
        let severities = [row.strict.name().to_owned(), row.lenient.name().to_owned()];
        let [strict, lenient] = severities;
        table.row([row.code.to_string(), strict, lenient, row.title.to_owned()]);
    }
    for row in vgdl::CODES {
        let severity = row.severity.name().to_owned();
        table.row([row.code.to_string(), severity.clone(), severity, row.title.to_owned()]);
    }
    table.write(output)?;
    Ok(())
}
