//! Searches one-player games breadth first through all their states, time left out of account, with
//! and without merging symmetric states, and prints what both took as a table.
//!
//! `cargo run --release -p puzzle --example symmetry -- SECONDS RULES.kif..`
//!
//! SECONDS is the most processor time for one search; games without symmetries are left out.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use game::Goal;
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use puzzle::method::{Breadth, Keys, Method, Progress, Tally};
use puzzle::{Board, Clock, Search, Space};

const BYTES: usize = 2 << 30;
const BUILD_TIME: Duration = Duration::from_secs(10);

/// What a search came to.
struct Outcome {
    tally: Tally,
    /// Whether all states were looked at.
    complete: bool,
    time: Duration,
    score: Option<Goal>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, sheets @ ..] = &arguments[..] else { return Err("SECONDS RULES.kif.. are wanted".into()) };
    let limit = Duration::from_secs_f64(seconds.parse()?);
    println!("| game | symmetries | used | states | merging | seconds | merging | best |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for sheet in sheets {
        if let Some(row) = row(sheet, limit)? {
            println!("{row}");
        }
    }
    Ok(())
}

/// The row of a game, if it has symmetries.
fn row(sheet: &str, limit: Duration) -> Result<Option<String>, Box<dyn Error>> {
    let path = Path::new(sheet);
    let text = std::fs::read_to_string(path)?;
    let rules = gdl::normal::read(&text);
    let begin = Instant::now();
    let clock = move || begin.elapsed();
    let budget = ground::Budget { clock: &clock, deadline: BUILD_TIME, ..ground::Budget::unlimited() };
    let Ok(build) = machine::build::circuit(&rules, circuit::Effort::Thorough, &budget) else {
        return Ok(None);
    };
    let batch = Arc::new(BatchMachine::new(Arc::new(CircuitMachine::new(build.circuit))));
    let Ok(space) = Space::new(Arc::clone(&batch)) else { return Ok(None) };
    let found = space.symmetries(&|| false);
    if found.order == 1 {
        return Ok(None);
    }
    let plain = search(Arc::new(space.merging(false)), limit);
    let space = Arc::new(Space::new(batch)?);
    let merging = search(Arc::clone(&space), limit);
    if plain.complete && merging.complete && plain.score != merging.score {
        return Err(format!("{sheet}: {:?} without merging, {:?} with it", plain.score, merging.score).into());
    }
    let used = space.symmetry().map_or(1, |symmetry| symmetry.used);
    let states = |outcome: &Outcome| {
        format!("{}{}", if outcome.complete { "" } else { "more than " }, outcome.tally.states)
    };
    // Bundled games are called by their folders.
    let folder = path.parent().and_then(Path::file_name).filter(|_| path.ends_with("rules.kif"));
    let name = folder.or(path.file_stem()).unwrap_or_default().to_string_lossy();
    Ok(Some(format!(
        "| {name} | {}{} | {used} | {} | {} | {:.2} | {:.2} | {} |",
        if found.complete { "" } else { "at least " },
        found.order,
        states(&plain),
        states(&merging),
        plain.time.as_secs_f64(),
        merging.time.as_secs_f64(),
        merging.score.max(plain.score).map_or("-".to_owned(), |score| score.0.to_string()),
    )))
}

/// Goes through all states.
fn search(space: Arc<Space>, limit: Duration) -> Outcome {
    // Never settled: a plan that cannot be better is no reason to stop.
    let (board, stop) = (Board::new(Goal(101)), AtomicBool::new(false));
    let begin = cpu_time();
    let clock: Clock = Arc::new(cpu_time);
    let search = Search { clock, stop: &stop, board: &board };
    let mut breadth = Breadth::new(space, Keys::Timeless, BYTES);
    let ended = breadth.work(begin + limit, &search) == Progress::Ended;
    let complete = ended && breadth.bytes() <= BYTES;
    Outcome { tally: breadth.tally(), complete, time: cpu_time() - begin, score: board.score() }
}

/// Processor time used so far by the process.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Where the system does not tell the processor time, the time since the first call.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}
