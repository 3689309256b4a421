//! `ludens experiment`

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, bail};
use arena::experiment::{self, Duel, Experiment, Laboratory, Scale, Trial};
use arena::{
    ArenaError, Contestant, Fixture, Ground, Ledger, MatchKey, MatchRecord, Notebook, Standings, Tournament,
};
use referee::Nobody;
use serde::Serialize;
use serde_json::Value;

use crate::contests::ThinkingArguments;
use crate::elsewhere::{QUEUED, Remote};
use crate::failure::{self, FAULTY};
use crate::input;
use crate::interrupt;
use crate::output::Output;
use crate::table::Table;

/// Run a published table again and write the page about it
///
/// Writes NAME.md and NAME.svg, ours beside what was published. What follows the line `Run again with ..`
/// in a page that is there already is kept. The exit code is 1 if something that
/// was wanted is not reached.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludens experiment --list\n  ludens experiment table-2 --quick --to /tmp\n  \
                        ludens experiment table-1 --matches 100 --simulations 2000 --jobs 2 --out table-1.jsonl"
)]
pub(crate) struct Arguments {
    /// The experiment
    #[arg(required_unless_present = "list", value_name = "NAME")]
    name: Option<String>,

    /// List the experiments
    #[arg(long)]
    list: bool,

    /// A small version, to see that it runs: few matches, few simulations
    #[arg(long)]
    quick: bool,

    /// Matches of each cell, in place of the experiment's own number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    matches: Option<u64>,

    /// Go on with cells whose interval crosses what is wanted, twice as many matches each time, up to N
    ///
    /// With `--out` nothing is played twice.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    most_matches: Option<u64>,

    /// Simulations for each move (the smallest number of them, where there are several)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    simulations: Option<u64>,

    /// Divide the published clocks by N, in place of as many times as our simulations are faster
    #[arg(long, value_name = "N", value_parser = times)]
    faster: Option<f64>,

    /// Matches at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,

    /// The seed of chance
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Keep every match or trial in this file, and go on with what is in it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Have the matches played by the workers of a queue: see `ludens worker`. Matches at a time are then jobs in the queue,
    /// 64 unless --jobs says more. Trials are made here
    #[arg(long, value_name = "URL")]
    cluster: Option<String>,

    /// Trust these certificates of the queue as well
    #[arg(long, value_name = "FILE", requires = "cluster")]
    certificates: Option<PathBuf>,

    /// The folder for the page and the picture
    #[arg(long, value_name = "DIR", default_value = "docs/results")]
    to: PathBuf,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ListAnswer {
    experiment: &'static str,
    about: &'static str,
    source: &'static str,
}

#[derive(Serialize)]
struct Answer {
    experiment: &'static str,
    page: PathBuf,
    picture: PathBuf,
    /// Where ours and what was published differ.
    differing: Vec<String>,
    missed: Vec<String>,
    /// Reached by the mean, but not by the whole interval.
    uncertain: Vec<String>,
    /// Matches in the file that were played under other conditions.
    passed_over: usize,
}

impl Arguments {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let Some(name) = self.name.as_deref().filter(|_| !self.list) else { return self.list(output) };
        let Some(experiment) = experiment::find(name) else {
            bail!("there is no experiment `{name}`; `ludens experiment --list` names them");
        };
        if !self.to.is_dir() {
            bail!("there is no folder {}; say where the page is to go with `--to DIR`", self.to.display());
        }
        let page = self.to.join(format!("{name}.md"));
        // Tells early of a page that cannot be read.
        remarks(&page)?;
        let mut bench = Bench::new(&self)?;
        let report = match experiment.run(&mut bench) {
            Err(ArenaError::Interrupted) => return bench.write_standings(output),
            report => report?,
        };
        let passed_over = bench.passed_over.values().sum();
        let picture = self.to.join(format!("{name}.svg"));
        let command = self.command_line(experiment.name());
        let text =
            report.markdown(name).replace(&format!("`ludens experiment {name}`"), &format!("`{command}`"));
        // Read again: somebody may have written while the matches were played.
        let whole = format!("{text}{}", remarks(&page)?);
        for (path, content) in [(&page, &whole), (&picture, &report.chart.svg())] {
            std::fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))?;
        }
        let met = report.missed.is_empty();
        if self.json {
            let (differing, missed, uncertain) = (report.differing, report.missed, report.uncertain);
            let experiment = experiment.name();
            output.json(&Answer { experiment, page, picture, differing, missed, uncertain, passed_over })?;
        } else {
            write!(output, "{text}")?;
            writeln!(output, "\nWritten to {} and {}", page.display(), picture.display())?;
        }
        Ok(if met { ExitCode::SUCCESS } else { ExitCode::from(FAULTY) })
    }

    /// What has to be typed to get the same again.
    fn command_line(&self, name: &str) -> String {
        let mut text = format!("ludens experiment {name}");
        let numbers = [
            ("matches", self.matches),
            ("most-matches", self.most_matches),
            ("simulations", self.simulations),
        ];
        for (option, number) in numbers {
            text.extend(number.map(|number| format!(" --{option} {number}")));
        }
        text.extend(self.faster.map(|times| format!(" --faster {times}")));
        if self.quick {
            text.push_str(" --quick");
        }
        if self.seed != 1 {
            text.push_str(&format!(" --seed {}", self.seed));
        }
        text
    }

    fn list(&self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let answer = |experiment: &&'static dyn Experiment| ListAnswer {
            experiment: experiment.name(),
            about: experiment.about(),
            source: experiment.source(),
        };
        let answers: Vec<ListAnswer> = experiment::all().iter().map(answer).collect();
        if self.json {
            output.json(&answers)?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut table = Table::new(&["experiment", "what it shows", "source"]);
        for answer in answers {
            table.row([answer.experiment, answer.about, answer.source].map(str::to_owned));
        }
        table.write(output)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Reads how many times as fast something is to be.
fn times(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(times) if (1e-3..=1e6).contains(&times) => Ok(times),
        _ => Err("a number from 0.001 to 1000000 is wanted".to_owned()),
    }
}

/// What people wrote below the page that is there, if there is one.
fn remarks(page: &Path) -> anyhow::Result<String> {
    match std::fs::read_to_string(page) {
        Ok(text) => Ok(experiment::remarks(&text).to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error)
            .with_context(|| format!("cannot read {}, whose remarks are to be kept", page.display())),
    }
}

/// Where experiments are run: this process, on bundled games.
struct Bench<'a> {
    arguments: &'a Arguments,
    thinking: ThinkingArguments,
    /// Games with the texts of their rules.
    grounds: HashMap<&'static str, (Ground, String)>,
    /// Where matches are played, if not here.
    elsewhere: Option<Remote>,
    /// By row and column: matches in the file that were played under other conditions.
    passed_over: HashMap<String, usize>,
    /// Raised by Ctrl-C.
    stop: Arc<AtomicBool>,
    /// By row and column: what the first player has reached so far.
    standings: Vec<[String; 4]>,
}

impl<'a> Bench<'a> {
    fn new(arguments: &'a Arguments) -> anyhow::Result<Self> {
        // Tells early of a file that cannot be used: it has matches, or trials, or nothing yet.
        if let Some(path) = arguments.out.as_deref()
            && let Err(error) = Ledger::open(path)
        {
            Notebook::open(path).map_err(|_| error)?;
        }
        let thinking = ThinkingArguments {
            play_clock: None,
            simulations: None,
            start_clock: None,
            seed: arguments.seed,
            build_seconds: 120.0,
            memory: 4096,
            steps: 10_000,
        };
        let connect = |address: &String| Remote::connect(address, arguments.certificates.clone());
        let elsewhere = arguments.cluster.as_ref().map(connect).transpose()?;
        Ok(Self {
            arguments,
            thinking,
            elsewhere,
            grounds: HashMap::new(),
            passed_over: HashMap::new(),
            stop: interrupt::flag(),
            standings: Vec::new(),
        })
    }

    /// What there is when somebody does not want to wait for the rest.
    fn write_standings(&self, output: &mut Output) -> anyhow::Result<ExitCode> {
        if self.arguments.json {
            let cell = |[row, column, share, matches]: &[String; 4]| serde_json::json!({ "row": row, "column": column, "share": share, "matches": matches });
            let standings: Vec<Value> = self.standings.iter().map(cell).collect();
            output.json(&serde_json::json!({ "interrupted": true, "standings": standings }))?;
            return Ok(ExitCode::from(interrupt::INTERRUPTED));
        }
        let mut table = Table::new(&["row", "column", ">share", ">matches"]);
        for cells in &self.standings {
            table.row(cells.clone());
        }
        if !table.is_empty() {
            table.write(output)?;
        }
        let kept = match &self.arguments.out {
            Some(path) => format!("the same command goes on with what is in {}", path.display()),
            None => "with --out FILE matches are kept, and the same command goes on".to_owned(),
        };
        writeln!(output, "Ended early, no page was written; {kept}")?;
        Ok(ExitCode::from(interrupt::INTERRUPTED))
    }

    /// Notes what a duel has come to.
    fn note(&mut self, duel: &Duel, players: &[String], records: &[MatchRecord]) {
        let standings = Standings::count(players, None, records);
        let share = standings.against(0, 1).share().map_or_else(|| "-".to_owned(), |share| share.per_cent());
        let place = [duel.row.to_string(), duel.column.to_string()];
        self.standings.retain(|cells| cells[..2] != place);
        let [row, column] = place;
        self.standings.push([row, column, share, records.len().to_string()]);
    }

    fn ground(&mut self, game: &'static str) -> Result<(Ground, String), ArenaError> {
        if let Some(ground) = self.grounds.get(game) {
            return Ok(ground.clone());
        }
        let unplayable =
            |why: anyhow::Error| ArenaError::Unplayable { game: game.to_owned(), why: format!("{why:#}") };
        let loaded = input::load(game, gdl::Mode::Lenient).map_err(unplayable)?;
        let ground = self.thinking.ground(&loaded).map_err(unplayable)?;
        let known = (ground, loaded.source.text().to_owned());
        self.grounds.insert(game, known.clone());
        Ok(known)
    }
}

impl Laboratory for Bench<'_> {
    fn scale(&self) -> Scale {
        let Arguments { quick, matches, most_matches, simulations, faster, .. } = *self.arguments;
        Scale { quick, matches, most_matches, simulations, faster }
    }

    fn play(&mut self, duels: &[Duel], matches: u64) -> Result<Vec<Vec<MatchRecord>>, ArenaError> {
        let bar = super::progress_bar(duels.len() as u64 * matches, "matches");
        let mut all = Vec::new();
        for duel in duels {
            let (ground, text) = self.ground(duel.game)?;
            bar.set_message(format!("{} {}", duel.row, duel.column));
            let (players, rules) = ([duel.first.clone(), duel.second.clone()], self.thinking.rules());
            let grounds = std::slice::from_ref(&ground);
            let tournament = Tournament::new(grounds, &players, rules, matches, self.arguments.seed);
            let play = |fixture: &Fixture, key: MatchKey| {
                let seats: Vec<Contestant> =
                    fixture.seats.iter().map(|&seat| players[seat].clone()).collect();
                match &self.elsewhere {
                    Some(elsewhere) => elsewhere.play(&text, &seats, key, (&self.thinking).into()),
                    None => ground.play_or_cut(&seats, key, rules, &mut Nobody),
                }
            };
            let ledger = self.arguments.out.as_deref().map(Ledger::open).transpose()?;
            let least = if self.elsewhere.is_some() { QUEUED } else { 1 };
            let (jobs, stop) = (usize::from(self.arguments.jobs).max(least), Arc::clone(&self.stop));
            let before = bar.position();
            let tell = |progress: arena::Progress<'_>| {
                if let Some(warning) = progress.warning() {
                    let warning = format!("{} {}: {warning}", duel.row, duel.column);
                    bar.suspend(|| failure::tell("warning", &warning));
                }
                bar.set_position(before + progress.done as u64);
            };
            let what = "the matches at hand are played to their end; Ctrl-C once more ends at once";
            let run = || tournament.run(ledger, jobs, &stop, play, tell);
            let outcome: Result<_, ArenaError> = interrupt::told(&stop, &bar, what, run);
            let outcome = outcome?;
            self.note(duel, &tournament.players, &outcome.records);
            if self.stop.load(Ordering::Relaxed) {
                bar.finish_and_clear();
                return Err(ArenaError::Interrupted);
            }
            self.passed_over.insert(format!("{} {}", duel.row, duel.column), outcome.passed_over);
            all.push(outcome.records);
        }
        bar.finish_and_clear();
        Ok(all)
    }

    fn trials(&mut self, keys: &[String], make: &Trial<'_>) -> Result<Vec<Value>, ArenaError> {
        let (notebook, mut known) = match self.arguments.out.as_deref().map(Notebook::open).transpose()? {
            Some((notebook, known)) => (Some(notebook), known),
            None => (None, HashMap::new()),
        };
        let open: Vec<usize> = (0..keys.len()).filter(|&place| !known.contains_key(&keys[place])).collect();
        let bar = super::progress_bar(keys.len() as u64, "trials");
        bar.set_position((keys.len() - open.len()) as u64);
        let (next, failed, stop) = (AtomicUsize::new(0), AtomicBool::new(false), Arc::clone(&self.stop));
        // What was made, and where it is noted.
        let made = Mutex::new((Vec::new(), notebook, Ok(())));
        let work = || {
            while !failed.load(Ordering::Relaxed)
                && !stop.load(Ordering::Relaxed)
                && let Some(&place) = open.get(next.fetch_add(1, Ordering::Relaxed))
            {
                bar.set_message(keys[place].clone());
                let result = make(place);
                let Ok(mut made) = made.lock() else { return };
                let (results, notebook, outcome) = &mut *made;
                let noted = result.and_then(|result| {
                    notebook.as_mut().map_or(Ok(()), |notebook| notebook.add(&keys[place], &result))?;
                    results.push((place, result));
                    Ok(())
                });
                bar.inc(1);
                if noted.is_err() {
                    failed.store(true, Ordering::Relaxed);
                    *outcome = noted;
                }
            }
        };
        std::thread::scope(|scope| {
            (1..self.arguments.jobs).for_each(|_| _ = scope.spawn(work));
            work();
        });
        bar.finish_and_clear();
        let panicked = |_| ArenaError::Panicked("a trial".to_owned());
        let (results, _, outcome) = made.into_inner().map_err(panicked)?;
        outcome?;
        if self.stop.load(Ordering::Relaxed) && results.len() < open.len() {
            return Err(ArenaError::Interrupted);
        }
        known.extend(results.into_iter().map(|(place, result)| (keys[place].clone(), result)));
        Ok(keys.iter().map(|key| known.get(key).cloned().unwrap_or_default()).collect())
    }

    fn sheet(&self, name: &str) -> Option<String> {
        let folder =
            std::env::var_os("LUDENS_CORPUS").map_or_else(|| PathBuf::from("../shared"), PathBuf::from);
        std::fs::read_to_string(folder.join("games").join(format!("{name}.kif"))).ok()
    }
}
