//! `ludens verify --corpus`: all games of a folder, in parallel.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, bail};
use gdl::normal::normalize;
use indicatif::ProgressBar;
use machine::Target;
use serde::Serialize;

use super::verify::{Arguments, Comparison, Outcome, PlayBack, PlayedBack, read_trace};
use crate::arguments::{MachineArguments, MachineKind};
use crate::elsewhere::{QUEUED, Remote, TraceJob};
use crate::failure::FAULTY;
use crate::input;
use crate::machines::with_machine;
use crate::output::Output;
use crate::process;
use crate::table::{Table, grouped};

/// As for the main thread: terms may be nested deep.
const STACK_BYTES: usize = 512 << 20;

/// Bytes of a job that a NATS server takes as it comes, with room for how texts are written.
const LARGEST_JOB: usize = 800_000;

/// How much of a difference is shown for each game; `--json` has all of it.
const SHOWN_CHARACTERS: usize = 400;

struct Job {
    name: String,
    sheet: PathBuf,
    trace: PathBuf,
    trace_bytes: u64,
}

#[derive(Serialize)]
struct Answer {
    machine: &'static str,
    games: usize,
    agree: usize,
    differ: usize,
    failed: usize,
    states: usize,
    seconds: f64,
    peak_process_bytes: Option<u64>,
    comparisons: Vec<Comparison>,
}

pub(super) fn run(arguments: &Arguments, folder: &Path, output: &mut Output) -> anyhow::Result<ExitCode> {
    let mut jobs = find_jobs(folder, arguments.only.as_deref())?;
    // The long ones first, so that no processor is left alone with one at the end.
    jobs.sort_by(|one, two| two.trace_bytes.cmp(&one.trace_bytes).then_with(|| one.name.cmp(&two.name)));
    if !arguments.all_machines {
        let answer = verify(arguments, arguments.machine, &jobs)?;
        match arguments.json {
            true => output.json(&answer)?,
            false => answer.write(arguments.verbose, output)?,
        }
        return Ok(answer.code());
    }
    let available = |kind: &MachineKind| *kind != MachineKind::Avx2 || Target::Avx2.is_available();
    let kinds: Vec<MachineKind> = MachineKind::ALL.into_iter().filter(available).collect();
    let on =
        |&machine: &MachineKind| verify(arguments, MachineArguments { machine, ..arguments.machine }, &jobs);
    let answers = kinds.iter().map(on).collect::<anyhow::Result<Vec<Answer>>>()?;
    match arguments.json {
        true => output.json(&answers)?,
        false => write_side_by_side(&answers, output)?,
    }
    let worst = answers.iter().find(|answer| answer.agree < answer.games);
    Ok(worst.map_or(ExitCode::SUCCESS, Answer::code))
}

/// Plays all traces back on one machine.
fn verify(arguments: &Arguments, machine: MachineArguments, jobs: &[Job]) -> anyhow::Result<Answer> {
    let begin = Instant::now();
    let mut comparisons = compare_all(arguments, machine, jobs)?;
    comparisons.sort_by(|one, two| one.game.cmp(&two.game));
    let count =
        |wanted: fn(&Outcome) -> bool| comparisons.iter().filter(|done| wanted(&done.outcome)).count();
    Ok(Answer {
        machine: machine.machine.name(),
        games: comparisons.len(),
        agree: count(Outcome::agrees),
        differ: count(|outcome| matches!(outcome, Outcome::Differs { .. })),
        failed: count(|outcome| matches!(outcome, Outcome::Failed(_))),
        states: comparisons.iter().map(|comparison| comparison.states).sum(),
        seconds: begin.elapsed().as_secs_f64(),
        peak_process_bytes: process::peak_bytes(),
        comparisons,
    })
}

/// A row for each game and a column for each machine; what differs below.
fn write_side_by_side(answers: &[Answer], output: &mut Output) -> anyhow::Result<()> {
    let mut heads = vec!["game", ">states"];
    heads.extend(answers.iter().map(|answer| answer.machine));
    let mut table = Table::new(&heads);
    let first = answers.first().map_or(&[][..], |answer| &answer.comparisons);
    for (place, comparison) in first.iter().enumerate() {
        let verdict = |answer: &Answer| answer.comparisons[place].verdict_word().to_owned();
        let row = [comparison.game.clone(), grouped(comparison.states as u64)];
        table.row(row.into_iter().chain(answers.iter().map(verdict)));
    }
    table.write(output)?;
    writeln!(output)?;
    for answer in answers {
        let differing = answer.comparisons.iter().filter(|comparison| !comparison.outcome.agrees());
        for comparison in differing {
            writeln!(output, "{} on {}", output.bold(&comparison.game), answer.machine)?;
            comparison.write_details(output, SHOWN_CHARACTERS)?;
        }
    }
    for answer in answers {
        write!(output, "{}: ", answer.machine)?;
        answer.write_summary(output)?;
    }
    Ok(())
}

fn find_jobs(folder: &Path, only: Option<&str>) -> anyhow::Result<Vec<Job>> {
    let (games, traces) = (folder.join("games"), folder.join("traces"));
    // A corpus in two folders, or sheets with their traces beside them.
    let (games, traces) =
        if games.is_dir() { (games, traces) } else { (folder.to_owned(), folder.to_owned()) };
    let entries = std::fs::read_dir(&games).with_context(|| format!("cannot list {}", games.display()))?;
    let only = only.map(str::to_lowercase);
    let mut jobs = Vec::new();
    for entry in entries {
        let sheet = entry.with_context(|| format!("cannot list {}", games.display()))?.path();
        let Some(name) = sheet.file_name().and_then(|name| name.to_str()?.strip_suffix(".kif")) else {
            continue;
        };
        if only.as_ref().is_some_and(|only| !name.to_lowercase().contains(only)) {
            continue;
        }
        let compressed = traces.join(format!("{name}.json.gz"));
        let trace = if compressed.exists() { compressed } else { compressed.with_extension("") };
        let trace_bytes = trace.metadata().map_or(0, |metadata| metadata.len());
        jobs.push(Job { name: name.to_owned(), trace, trace_bytes, sheet });
    }
    if jobs.is_empty() {
        bail!("there is no game to verify in {} (NAME.kif is looked for)", games.display());
    }
    Ok(jobs)
}

fn compare_all(
    arguments: &Arguments,
    machine: MachineArguments,
    jobs: &[Job],
) -> anyhow::Result<Vec<Comparison>> {
    let connect = |address: &String| Remote::connect(address, arguments.certificates.clone());
    let elsewhere = arguments.cluster.as_ref().map(connect).transpose()?;
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let available = if elsewhere.is_some() { QUEUED } else { available };
    let threads = arguments.jobs.map_or(available, usize::from).min(jobs.len());
    let bar = super::progress_bar(jobs.len() as u64, "games");
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let comparison = compare(machine, job, &bar, elsewhere.as_ref());
            // A poisoned lock means that another thread has panicked; its message is out already.
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(comparison);
            bar.inc(1);
        }
    };
    std::thread::scope(|scope| {
        (0..threads).try_for_each(|_| {
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, work).map(|_| ())
        })
    })
    .context("cannot start threads")?;
    bar.finish_and_clear();
    Ok(done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

fn compare(
    machine: MachineArguments,
    job: &Job,
    bar: &ProgressBar,
    elsewhere: Option<&Remote>,
) -> Comparison {
    let begin = Instant::now();
    let compared = match elsewhere {
        Some(elsewhere) => compare_elsewhere(machine, job, bar, elsewhere),
        None => try_compare(machine, job, bar),
    };
    let (outcome, states, bytes) =
        compared.unwrap_or_else(|error| (Outcome::Failed(format!("{error:#}")), 0, 0));
    let seconds = begin.elapsed().as_secs_f64();
    Comparison {
        game: job.name.clone(),
        trace: job.trace.display().to_string(),
        outcome,
        states,
        seconds,
        bytes,
    }
}

/// Has a game verified by a worker.
fn compare_elsewhere(
    machine: MachineArguments,
    job: &Job,
    bar: &ProgressBar,
    elsewhere: &Remote,
) -> anyhow::Result<PlayedBack> {
    let rules = input::read_sheet(&job.sheet.to_string_lossy())?.text().to_owned();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&input::read_maybe_compressed(&job.trace)?)?;
    let trace: String = encoder.finish()?.iter().map(|byte| format!("{byte:02x}")).collect();
    if trace.len() + rules.len() > LARGEST_JOB {
        return try_compare(machine, job, bar);
    }
    bar.set_message(job.name.clone());
    elsewhere.verify(TraceJob { rules, trace, machine })
}

fn try_compare(machine: MachineArguments, job: &Job, bar: &ProgressBar) -> anyhow::Result<PlayedBack> {
    let source = input::read_sheet(&job.sheet.to_string_lossy())?;
    let trace = read_trace(&job.trace)?;
    let rules = normalize(&gdl::parse(&source).sheet);
    bar.set_message(job.name.clone());
    let task = PlayBack { trace: &trace, progress: || bar.tick() };
    with_machine(machine, &rules, None, task)
}

impl Answer {
    fn code(&self) -> ExitCode {
        if self.agree == self.games { ExitCode::SUCCESS } else { ExitCode::from(FAULTY) }
    }

    fn write(&self, verbose: bool, output: &mut Output) -> anyhow::Result<()> {
        let mut table = Table::new(&["game", "result", ">states", ">seconds", ">MiB"]);
        let listed = || self.comparisons.iter().filter(|done| verbose || !done.outcome.agrees());
        for comparison in listed() {
            table.row([
                comparison.game.clone(),
                comparison.verdict_word().to_owned(),
                grouped(comparison.states as u64),
                format!("{:.2}", comparison.seconds),
                mebibytes(comparison.bytes as u64),
            ]);
        }
        if !table.is_empty() {
            table.write(output)?;
            writeln!(output)?;
        }
        for comparison in listed().filter(|comparison| !comparison.outcome.agrees()) {
            writeln!(output, "{}", output.bold(&comparison.game))?;
            comparison.write_details(output, SHOWN_CHARACTERS)?;
        }
        self.write_summary(output)
    }

    fn write_summary(&self, output: &mut Output) -> anyhow::Result<()> {
        let largest = self.comparisons.iter().max_by_key(|comparison| comparison.bytes);
        let largest = largest.map_or(String::new(), |comparison| {
            format!(", at most {} MiB for one game ({})", mebibytes(comparison.bytes as u64), comparison.game)
        });
        let process = self
            .peak_process_bytes
            .map_or(String::new(), |bytes| format!(", {} MiB in all", mebibytes(bytes)));
        writeln!(
            output,
            "{} games: {} agree, {} differ, {} failed; {} states compared in {:.1} s{largest}{process}",
            self.games,
            self.agree,
            self.differ,
            self.failed,
            grouped(self.states as u64),
            self.seconds,
        )?;
        Ok(())
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}
