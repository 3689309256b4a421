//! `ludens check`

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use game::{Describe, RuleFault};
use gdl::normal::normalize;
use gdl::{Code, Diagnostic, Mode, Parsed, Severity, SourceFile};
use language::Finding;
use machine::Machine;
use machine::reference::BuildError;
use serde::Serialize;
use verify::inspect::{Budget, Inspection, inspect};

use crate::arguments::MachineArguments;
use crate::failure::{FAULTY, UNABLE, Unbuildable, tell};
use crate::input;
use crate::machines::{Task, with_machine};
use crate::output::Output;
use crate::report::{self, DiagnosticJson};
use crate::video_games::Texts;

/// Find the faults of rule sheets: syntax, well-formedness, and what random playouts show
///
/// Strict (the default) judges by the specification of GDL, lenient by what can be played. Descriptions of
/// video games in VGDL are checked together with the levels beside them.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludens check my-game.kif\n  ludens check --lenient --json *.kif\n  \
                        ludens check --playouts 1000 my-game.kif\n\nExit code: 0 without errors (warnings and \
                        notes do not count), 1 with errors, 2 if a file cannot be read. `ludens explain CODE` \
                        tells more about a finding.")]
pub(crate) struct Arguments {
    /// Rule sheets, names of bundled games, or - for the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Judge by the specification (the default)
    #[arg(long, conflicts_with = "lenient")]
    strict: bool,

    /// Judge by what can be played
    #[arg(long)]
    lenient: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    /// Do not play: check syntax and form only
    #[arg(long)]
    no_simulation: bool,

    /// Random playouts for the checks by simulation
    #[arg(long, default_value_t = Budget::default().playouts, conflicts_with = "no_simulation")]
    playouts: u64,

    /// The seed of the playouts
    #[arg(long, default_value_t = Budget::default().seed)]
    seed: u64,

    /// Seconds after which the simulation of a sheet ends early
    #[arg(long, default_value_t = 60)]
    seconds: u64,

    #[command(flatten)]
    machine: MachineArguments,
}

#[derive(Serialize)]
struct FileAnswer {
    file: String,
    mode: &'static str,
    errors: usize,
    warnings: usize,
    notes: usize,
    /// None if the sheet was not played: on request, or as it cannot be.
    simulation: Option<SimulationAnswer>,
    diagnostics: Vec<DiagnosticJson>,
}

#[derive(Serialize)]
struct SimulationAnswer {
    playouts: u64,
    steps: u64,
    complete: bool,
}

/// The verdict on one file.
struct Verdict {
    source: SourceFile,
    findings: Vec<Finding>,
    simulation: Option<SimulationAnswer>,
}

impl Arguments {
    fn mode(&self) -> Mode {
        if self.lenient { Mode::Lenient } else { Mode::Strict }
    }

    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        output.as_written()?;
        let mut totals = [0; 3];
        let mut unreadable = 0;
        let mut answers = Vec::new();
        for file in &self.files {
            let verdicts = match find(file) {
                Ok(Sheet::Video(texts)) => video_verdicts(texts),
                Ok(Sheet::Rules(source)) => vec![self.judge(source)?],
                Err(error) => {
                    tell("error", &format!("{error:#}"));
                    unreadable += 1;
                    continue;
                }
            };
            for verdict in verdicts {
                for (total, count) in totals.iter_mut().zip(verdict.counts()) {
                    *total += count;
                }
                if self.json {
                    answers.push(verdict.answer(self.mode()));
                } else {
                    verdict.write(self.seconds, output)?;
                    output.flush()?;
                }
            }
        }
        if self.json {
            output.json(&answers)?;
        } else {
            let [errors, warnings, notes] = totals;
            let unread = match unreadable {
                0 => String::new(),
                count => format!("; {} not read", counted(count, "file")),
            };
            let hint = if totals == [0; 3] { "" } else { "; `ludens explain CODE` tells more" };
            writeln!(
                output,
                "{} checked: {}, {}, {}{unread}{hint}",
                counted(self.files.len() - unreadable, "sheet"),
                counted(errors, "error"),
                counted(warnings, "warning"),
                counted(notes, "note"),
            )?;
        }
        Ok(match (unreadable, totals[0]) {
            (0, 0) => ExitCode::SUCCESS,
            (0, _) => ExitCode::from(FAULTY),
            _ => ExitCode::from(UNABLE),
        })
    }

    fn judge(&self, source: SourceFile) -> anyhow::Result<Verdict> {
        let parsed = gdl::parse(&source);
        let mut findings = gdl::check(&source, &parsed, self.mode());
        // What cannot be read as a game, even with good will, cannot be played.
        let playable = findings.iter().all(|finding| finding.code.severity(Mode::Lenient) < Severity::Error);
        let mut simulation = None;
        if playable && !self.no_simulation && self.playouts > 0 {
            let inspection = self.simulate(&parsed)?;
            findings.extend(inspection.findings.into_iter().map(|finding| finding.in_mode(self.mode())));
            findings.sort_by_key(|finding| (finding.span, finding.code));
            let Inspection { playouts, steps, complete, .. } = inspection;
            simulation = Some(SimulationAnswer { playouts, steps, complete });
        }
        Ok(Verdict { source, findings: findings.iter().map(Finding::from).collect(), simulation })
    }

    fn simulate(&self, parsed: &Parsed) -> anyhow::Result<Inspection> {
        let budget = Budget { playouts: self.playouts, seed: self.seed, ..Budget::default() };
        // More playouts were asked for than the usual number of steps allows.
        let budget = Budget { steps: budget.steps.max(self.playouts.saturating_mul(1_000)), ..budget };
        let stop = Arc::new(AtomicBool::new(false));
        let alarm = Alarm::set(Duration::from_secs(self.seconds), Arc::clone(&stop));
        let task = Simulation { parsed, budget, stop: Arc::clone(&stop) };
        let inspected = with_machine(self.machine, &normalize(&parsed.sheet), Some(Arc::clone(&stop)), task);
        drop(alarm);
        match inspected {
            Ok(inspection) => Ok(inspection),
            Err(error) => match error.downcast_ref::<Unbuildable>() {
                Some(Unbuildable(build)) => Ok(not_built(parsed, build)),
                None => Err(error),
            },
        }
    }
}

/// What is checked.
enum Sheet {
    Rules(SourceFile),
    Video(Texts),
}

fn find(file: &str) -> anyhow::Result<Sheet> {
    if let Some(texts) = Texts::find(file)? {
        return Ok(Sheet::Video(texts));
    }
    let (_, source, _) = input::find(file)?;
    let video = language::is_video_game(&source);
    // From the standard input a description comes without its levels.
    let texts = |rules: SourceFile| Texts { name: rules.name().to_owned(), rules, levels: Vec::new() };
    Ok(if video { Sheet::Video(texts(source)) } else { Sheet::Rules(source) })
}

/// The verdicts on the description of a video game and on its levels.
fn video_verdicts(texts: Texts) -> Vec<Verdict> {
    let source = texts.rules;
    let parsed = vgdl::parse(&source);
    let checked = vgdl::compile(&parsed.description);
    let found = parsed.diagnostics.iter().chain(&checked.diagnostics);
    let mut findings: Vec<Finding> = found.map(Finding::from).collect();
    findings.sort_by_key(|finding| finding.span);
    let mut verdicts = vec![Verdict { source, findings, simulation: None }];
    let rules = Arc::new(checked.rules);
    for level in texts.levels {
        let loaded = vgdl::Level::load(rules.clone(), &level);
        let findings = loaded.diagnostics.iter().map(Finding::from).collect();
        verdicts.push(Verdict { source: level, findings, simulation: None });
    }
    verdicts
}

/// The inspection of a game that could not even be set up.
fn not_built(parsed: &Parsed, error: &BuildError) -> Inspection {
    let mut findings = Vec::new();
    // Time that was too short is no fault of the sheet.
    if !matches!(error, BuildError::Rules(RuleFault::OutOfTime)) {
        let span = parsed.sheet.rules.first().map(|rule| rule.head.span).unwrap_or_default();
        let help = "look for recursion that builds ever larger terms, and for relations that depend on their \
                    own negation";
        findings.push(Diagnostic::new(Code::RuleFault, span, error.to_string()).with_help(help));
    }
    Inspection { findings, playouts: 0, steps: 0, complete: false }
}

struct Simulation<'a> {
    parsed: &'a Parsed,
    budget: Budget,
    stop: Arc<AtomicBool>,
}

impl Task for Simulation<'_> {
    type Answer = Inspection;

    fn run<G: Describe>(self, game: &G, machine: &Machine) -> anyhow::Result<Inspection> {
        let go_on = || !self.stop.load(Ordering::Relaxed);
        Ok(inspect(game, &machine.declared(), &self.parsed.sheet, self.budget, go_on))
    }
}

/// Raises a flag after a time, unless it is dropped before.
struct Alarm {
    cancel: Option<std::sync::mpsc::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Alarm {
    fn set(after: Duration, flag: Arc<AtomicBool>) -> Self {
        let (cancel, cancelled) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            if cancelled.recv_timeout(after) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                flag.store(true, Ordering::Relaxed);
            }
        });
        Self { cancel: Some(cancel), thread: Some(thread) }
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        // Hanging up wakes the thread.
        self.cancel = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Verdict {
    /// Errors, warnings and notes.
    fn counts(&self) -> [usize; 3] {
        [Severity::Error, Severity::Warning, Severity::Note]
            .map(|severity| self.findings.iter().filter(|finding| finding.severity == severity).count())
    }

    fn write(&self, seconds: u64, output: &mut Output) -> anyhow::Result<()> {
        for finding in self.findings.iter().take(report::MAX_SHOWN) {
            let text = report::draw(&self.source, finding, output.colour);
            writeln!(output, "{}", text.trim_end())?;
            writeln!(output)?;
        }
        if let Some(more) = self.findings.len().checked_sub(report::MAX_SHOWN).filter(|&more| more > 0) {
            writeln!(output, "{more} more findings are not shown; `--json` lists all\n")?;
        }
        if let Some(simulation) = &self.simulation
            && !simulation.complete
        {
            let (name, playouts) = (self.source.name(), simulation.playouts);
            writeln!(
                output,
                "{name}: the simulation ended early, in playout {playouts} after {} steps (at most {seconds} s)\n",
                simulation.steps
            )?;
        }
        Ok(())
    }

    fn answer(self, mode: Mode) -> FileAnswer {
        let [errors, warnings, notes] = self.counts();
        let json = |finding| DiagnosticJson::new(&self.source, finding);
        FileAnswer {
            file: self.source.name().to_owned(),
            mode: if mode == Mode::Strict { "strict" } else { "lenient" },
            errors,
            warnings,
            notes,
            diagnostics: self.findings.iter().map(json).collect(),
            simulation: self.simulation,
        }
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
