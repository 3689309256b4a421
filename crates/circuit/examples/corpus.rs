//! Builds the circuit of every game of the corpus, each in a process of its own with bounds on time
//! and memory, and checks it against its trace.
//!
//! ```text
//! cargo run --release --example corpus -- [--seconds 60] [--bytes 4294967296] [--perft DEPTH] [GAME..]
//! ```
#![allow(clippy::print_stdout)] // Its output is its purpose.

#[path = "../tests/support/mod.rs"]
mod support;

use std::process::Command;
use std::time::Duration;

use circuit::{BuildReport, Effort};
use game::Game;
use ground::Budget;
use support::{PlainGame, corpus, rules, trace};

struct Options {
    seconds: f64,
    bytes: usize,
    perft: u32,
    inside: bool,
    verbose: bool,
    effort: Effort,
    games: Vec<String>,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        seconds: 60.0,
        bytes: 4 << 30,
        perft: 0,
        inside: false,
        verbose: false,
        effort: Effort::Thorough,
        games: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = |name: &str| arguments.next().ok_or(format!("{name} needs a value"));
        match argument.as_str() {
            "--seconds" => {
                options.seconds = value("--seconds")?.parse().map_err(|_| "bad number of seconds")?
            }
            "--bytes" => options.bytes = value("--bytes")?.parse().map_err(|_| "bad number of bytes")?,
            "--perft" => options.perft = value("--perft")?.parse().map_err(|_| "bad depth")?,
            "--quick" => options.effort = Effort::Quick,
            "--verbose" => options.verbose = true,
            "--inside" => options.inside = true,
            _ => options.games.push(argument),
        }
    }
    Ok(options)
}

fn main() -> Result<(), String> {
    let options = options()?;
    if options.inside {
        options.games.iter().for_each(|name| one(name, &options));
        return Ok(());
    }
    let folder = corpus().ok_or("no corpus: set LUDENS_CORPUS")?;
    let mut names = options.games.clone();
    if names.is_empty() {
        let entries = std::fs::read_dir(folder.join("games")).map_err(|error| error.to_string())?;
        names = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect();
        names.sort();
    }
    println!(
        "{:32} {:>8} {:>8} {:>9} {:>8} {:>8} {:>8} {:>6} {:>6} {:>6}  trace",
        "game", "ground", "build", "rules", "legal", "next", "goal", "bases", "moves", "MiB"
    );
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    for name in &names {
        // The shell sets the hard bounds; the budget should end the work before they do.
        let script = format!(
            "ulimit -v {}; ulimit -t {}; exec \"$@\"",
            (options.bytes >> 10) + (512 << 10),
            options.seconds as u64 + 120
        );
        let output = Command::new("sh")
            .args(["-c", &script, "sh"])
            .arg(&own)
            .args([
                "--inside",
                "--seconds",
                &options.seconds.to_string(),
                "--bytes",
                &options.bytes.to_string(),
            ])
            .args(["--perft", &options.perft.to_string(), name])
            .args((options.effort == Effort::Quick).then_some("--quick"))
            .args(options.verbose.then_some("--verbose"))
            .output()
            .map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        if output.status.success() {
            print!("{text}");
        } else {
            let reason = String::from_utf8_lossy(&output.stderr);
            println!("{name:32} died: {} {}", output.status, reason.lines().next().unwrap_or(""));
        }
    }
    Ok(())
}

/// Processor time of this thread.
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or(0))
}

fn peak_mebibytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<usize>().ok()).unwrap_or(0) >> 10
}

fn one(name: &str, options: &Options) {
    let Some(normal) = rules(name) else {
        println!("{name:32} no such game");
        return;
    };
    let start = cpu();
    let clock = || cpu() - start;
    let budget = Budget {
        clock: &clock,
        deadline: Duration::from_secs_f64(options.seconds),
        bytes: options.bytes,
        progress: &|_| true,
    };
    let mut ground_rules = match ground::ground(&normal, &budget) {
        Ok(rules) => rules,
        Err(error) => {
            println!("{name:32} {:8.3} {} ({} MiB)", clock().as_secs_f64(), error, peak_mebibytes());
            return;
        }
    };
    let grounded = clock().as_secs_f64();
    let dropped = ground_rules.report.dropped;
    let (circuit, report) = match circuit::build(&mut ground_rules, options.effort, &budget) {
        Ok(built) => built,
        Err(error) => {
            println!(
                "{name:32} {grounded:8.3} {:8.3} {} ({} MiB)",
                clock().as_secs_f64() - grounded,
                error,
                peak_mebibytes()
            );
            return;
        }
    };
    let built = clock().as_secs_f64() - grounded;
    drop(ground_rules);
    let sizes = circuit.sizes();
    let moves: usize = circuit.roles.iter().map(|role| role.moves.len()).sum();
    print!(
        "{name:32} {grounded:8.3} {built:8.3} {:9} {:8} {:8} {:8} {:6} {moves:6} {:6}  ",
        report.counts.ground_rules,
        sizes.legal_and_terminal,
        sizes.next,
        sizes.goal,
        circuit.bases.len(),
        peak_mebibytes()
    );
    let game = PlainGame::new(circuit);
    let checked = clock();
    match trace(name) {
        None => print!("none"),
        Some(trace) => {
            match verify::trace::play_back(&game, &trace, || clock() - checked < Duration::from_secs(20)) {
                Ok(report) => print!("{} playouts {} states agree", report.playouts, report.states),
                Err(difference) => print!("DIFFERS {}", difference.to_string().replace('\n', " ")),
            }
        }
    }
    if options.perft > 0 {
        let counts: Vec<String> = (1..=options.perft)
            .map(|depth| match verify::perft(&game, &mut (), &game.initial(), depth) {
                Ok(count) => count.to_string(),
                Err(fault) => fault.to_string(),
            })
            .collect();
        print!("  perft {}", counts.join("/"));
    }
    println!();
    if options.verbose {
        let BuildReport { strategy, counts, passes, analysis } = &report;
        println!("    {strategy}; {dropped} arguments dropped; {counts:?}");
        for pass in passes {
            println!("    {:16} {} bases, {} moves, {:?}", pass.name, pass.bases, pass.moves, pass.sizes);
        }
        println!(
            "    always {} never {} never legal {} mirrored {} stays true {} stays false {}",
            analysis.always.len(),
            analysis.never,
            analysis.never_legal,
            analysis.mirrored,
            analysis.stays_true.len(),
            analysis.stays_false.len()
        );
    }
}
