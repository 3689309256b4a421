//! `ludens verify` for video games: traces of another engine, replayed tick by tick.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

use anyhow::{Context, bail};
use serde::Serialize;
use serde_json::Value;
use vgdl::{Game, Level};
use video::trace::{Agreement, replay};

use crate::failure::FAULTY;
use crate::input;
use crate::output::Output;
use crate::table::{Table, grouped};

#[derive(Serialize)]
struct Answer {
    traces: usize,
    agree: usize,
    ticks: usize,
    comparisons: Vec<Comparison>,
}

#[derive(Serialize)]
struct Comparison {
    trace: String,
    ticks: usize,
    agreed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

/// Whether a folder holds traces of video games: `traces` with `.jsonl.xz` beside `games`.
fn traces(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("traces")).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let is_trace = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.contains("_lvl") && (name.ends_with(".jsonl.xz") || name.ends_with(".json.gz"))
    };
    let mut found: Vec<PathBuf> = paths.filter(is_trace).collect();
    found.sort();
    found
}

/// Replays all traces of video games in a folder; none if there are no such traces.
pub(crate) fn verify(
    folder: &Path,
    only: Option<&str>,
    verbose: bool,
    json: bool,
    output: &mut Output,
) -> anyhow::Result<Option<ExitCode>> {
    let mut found = traces(folder);
    if found.is_empty() {
        return Ok(None);
    }
    let only = only.map(str::to_lowercase);
    found.retain(|path| only.as_ref().is_none_or(|only| name(path).to_lowercase().contains(only)));
    if found.is_empty() {
        bail!("no trace in {} has such a name", folder.display());
    }
    let bar = super::super::progress_bar(found.len() as u64, "traces");
    let mut comparisons = Vec::new();
    for path in &found {
        let compared = compare(folder, path);
        let Agreement { ticks, agreed, fault } = compared.unwrap_or_else(|error| Agreement {
            ticks: 0,
            agreed: 0,
            fault: Some(format!("{error:#}")),
        });
        comparisons.push(Comparison { trace: name(path), ticks, agreed, fault });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let answer = Answer {
        traces: comparisons.len(),
        agree: comparisons.iter().filter(|done| done.fault.is_none()).count(),
        ticks: comparisons.iter().map(|done| done.agreed).sum(),
        comparisons,
    };
    if json {
        output.json(&answer)?;
    } else {
        answer.write(verbose, output)?;
    }
    Ok(Some(if answer.agree == answer.traces { ExitCode::SUCCESS } else { ExitCode::from(FAULTY) }))
}

fn name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.trim_end_matches(".xz")
        .trim_end_matches(".gz")
        .trim_end_matches(".jsonl")
        .trim_end_matches(".json")
        .to_owned()
}

fn compare(folder: &Path, path: &Path) -> anyhow::Result<Agreement> {
    let (head, lines) = read(path)?;
    let file = |key: &str| {
        let path = head[key].as_str().with_context(|| format!("the trace names no {key}"))?;
        let name = path.rsplit('/').next().unwrap_or_default();
        input::read_sheet(&folder.join("games").join(name).to_string_lossy())
    };
    let rules = vgdl::compile(&vgdl::parse(&file("game")?).description).rules;
    let level = Level::load(Arc::new(rules), &file("level")?).level;
    let seed = head["seed"].as_i64().context("the trace names no seed")?;
    Ok(replay(Game::new(Arc::new(level), seed), &head, &lines))
}

/// The first line of a trace, and its ticks.
fn read(path: &Path) -> anyhow::Result<(Value, Vec<Value>)> {
    let shown = path.display();
    if path.extension().is_some_and(|extension| extension == "gz") {
        let trace: Value = serde_json::from_slice(&input::read_maybe_compressed(path)?)
            .with_context(|| format!("{shown} is not a trace"))?;
        let lines = trace["ticks"].as_array().cloned().with_context(|| format!("{shown} has no ticks"))?;
        return Ok((trace, lines));
    }
    let unpacked = Command::new("xz").arg("-dc").arg(path).output();
    let unpacked = unpacked.context("cannot run `xz`, which unpacks these traces; install xz-utils")?;
    if !unpacked.status.success() {
        bail!("cannot unpack {shown}: {}", String::from_utf8_lossy(&unpacked.stderr).trim());
    }
    let text = String::from_utf8(unpacked.stdout).with_context(|| format!("{shown} is not a trace"))?;
    let lines: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
    let mut lines = lines.with_context(|| format!("{shown} is not a trace"))?;
    if lines.is_empty() {
        bail!("{shown} is empty");
    }
    let head = lines.remove(0);
    Ok((head, lines))
}

impl Answer {
    fn write(&self, verbose: bool, output: &mut Output) -> anyhow::Result<()> {
        let mut table = Table::new(&["trace", "result", ">ticks", ">agreed", "what differs"]);
        for done in self.comparisons.iter().filter(|done| verbose || done.fault.is_some()) {
            let fault: String = done.fault.as_deref().unwrap_or_default().chars().take(120).collect();
            table.row([
                done.trace.clone(),
                if done.fault.is_none() { "agrees" } else { "differs" }.to_owned(),
                grouped(done.ticks as u64),
                grouped(done.agreed as u64),
                fault,
            ]);
        }
        if !table.is_empty() {
            table.write(output)?;
            writeln!(output)?;
        }
        let ticks = grouped(self.ticks as u64);
        writeln!(
            output,
            "{} traces of video games: {} agree; {ticks} ticks compared",
            self.traces, self.agree
        )?;
        Ok(())
    }
}
