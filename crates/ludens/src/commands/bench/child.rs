//! The process that measures one game.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use game::{Describe, Dice, Game, RuleFault};
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use machine::reference::Reference;
use verify::PlayoutLimits;

use super::answer::{BuildAnswer, CellAnswer, Event};
use super::{Against, Arguments, BenchMachine, expansion, measure, versus};
use crate::circuits::Built;
use crate::input;
use crate::machines::fault_text;
use crate::output::Output;
use crate::process::{cpu_seconds_since, cpu_time, forget_peak, peak_bytes};

/// Exit code of a process that does not come to an end.
pub(super) const TOO_LONG: i32 = 124;

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> anyhow::Result<ExitCode> {
    let machines = arguments.machines();
    watch(arguments, machines.len());
    let Some(game) = arguments.games.first() else { return Ok(ExitCode::SUCCESS) };
    let begin = cpu_time();
    let loaded = input::load(game, gdl::Mode::Lenient)?;
    let load_seconds = cpu_seconds_since(begin);
    let mut report = |event: Event| -> anyhow::Result<()> {
        writeln!(output, "{}", serde_json::to_string(&event)?)?;
        Ok(output.flush()?)
    };
    if machines.iter().any(|&machine| machine != BenchMachine::Reference) {
        match arguments.build.build(&loaded.rules) {
            Ok(built) => {
                report(Event::Built(Box::new(BuildAnswer::new(&built, load_seconds, peak_bytes()))))?;
                measure_circuit(arguments, &machines, &built, load_seconds, &mut report)?;
            }
            Err(error) => report(Event::Unbuilt(error.to_string()))?,
        }
    }
    if arguments.against == Some(Against::Hand)
        && let Some(hand) = versus::hand_game(game)
    {
        let tally = measure::by_hand(hand, arguments.seconds);
        report(Event::Cell(Box::new(CellAnswer::new(versus::HAND, &tally))))?;
    }
    // Last, as the memory it leaves behind would count for what comes after.
    if machines.contains(&BenchMachine::Reference) {
        forget_peak();
        let begin = cpu_time();
        let limits = datalog::Limits { bytes: arguments.build.bytes(), ..Default::default() };
        let cell = match Reference::new(&loaded.rules, limits) {
            Ok(reference) => measure_single("reference", &reference, arguments.seconds, begin, load_seconds),
            Err(error) => CellAnswer::failed("reference", error.to_string()),
        };
        report(Event::Cell(Box::new(cell)))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Ends the process when it takes far longer than it should: whoever waits for it goes on.
fn watch(arguments: &Arguments, machines: usize) {
    let seconds = arguments.build.build_seconds + 12.0 * arguments.seconds * (machines + 3) as f64;
    let most = Duration::from_secs_f64(60.0 + 5.0 * seconds);
    // Without a watch it is measured all the same.
    let _ = std::thread::Builder::new().name("watch".to_owned()).spawn(move || {
        std::thread::sleep(most);
        std::process::exit(TOO_LONG);
    });
}

fn measure_circuit(
    arguments: &Arguments,
    machines: &[BenchMachine],
    built: &Built,
    load_seconds: f64,
    report: &mut dyn FnMut(Event) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let before = load_seconds + built.ground_seconds + built.build_seconds;
    forget_peak();
    let begin = cpu_time();
    let single = Arc::new(CircuitMachine::new(Arc::clone(&built.circuit)));
    let single_seconds = cpu_seconds_since(begin);
    if machines.contains(&BenchMachine::Circuit) {
        let cell = measure_single("circuit", &*single, arguments.seconds, begin, before);
        report(Event::Cell(Box::new(cell)))?;
    }
    let mut best = None;
    for &machine in machines {
        let Some(target) = machine.target() else { continue };
        if !target.is_available() {
            let failure = format!("this processor has no {}", machine.name());
            report(Event::Cell(Box::new(CellAnswer::failed(machine.name(), failure))))?;
            continue;
        }
        forget_peak();
        let begin = cpu_time();
        let batch = BatchMachine::with_target(Arc::clone(&single), target);
        let build_seconds = single_seconds + cpu_seconds_since(begin);
        let cell = measure_lanes(machine.name(), &batch, arguments.seconds).map(|mut cell| {
            cell.build_seconds = build_seconds;
            cell.first_playout_seconds =
                cell.first_playout_seconds.map(|seconds| before + build_seconds + seconds);
            cell
        });
        let failed = |fault| CellAnswer::failed(machine.name(), fault_text(&*single, &fault));
        report(Event::Cell(Box::new(cell.unwrap_or_else(failed))))?;
        best = Some(batch);
    }
    if let Some(batch) = best
        && let Ok(found) = expansion::compare(&batch, arguments.seconds / 4.0)
        && found.leaves > 0
    {
        report(Event::Expansion(found))?;
    }
    Ok(())
}

fn measure_lanes(name: &str, machine: &BatchMachine, seconds: f64) -> Result<CellAnswer, RuleFault> {
    if measure::is_over(&**machine.machine())? {
        return Ok(CellAnswer::failed(name, measure::OVER.to_owned()));
    }
    let begin = cpu_time();
    let start = machine.machine().initial();
    machine.sample(&mut machine.workspace(), &start, 1, 1, PlayoutLimits::default().steps)?;
    let first = cpu_seconds_since(begin);
    let mut cell = CellAnswer::new(name, &measure::in_lanes(machine, seconds)?);
    cell.first_playout_seconds = Some(first);
    cell.peak_bytes = peak_bytes();
    Ok(cell)
}

/// Measures a machine that plays one state at a time and whose building began at `begin`, after
/// other work of `before` seconds.
fn measure_single<G: Describe>(
    name: &str,
    game: &G,
    seconds: f64,
    begin: Duration,
    before: f64,
) -> CellAnswer {
    let build_seconds = cpu_seconds_since(begin);
    if measure::is_over(game) == Ok(true) {
        return CellAnswer::failed(name, measure::OVER.to_owned());
    }
    let first = first_playout(game, seconds).map(|done| done.then(|| before + cpu_seconds_since(begin)));
    let cell = first.and_then(|first| {
        let mut cell = CellAnswer::new(name, &measure::one_by_one(game, seconds)?);
        cell.build_seconds = build_seconds;
        cell.first_playout_seconds = first;
        cell.peak_bytes = peak_bytes();
        Ok(cell)
    });
    cell.unwrap_or_else(|fault| CellAnswer::failed(name, fault_text(game, &fault)))
}

/// Plays once; `false` if that takes much longer than a machine is measured.
fn first_playout<G: Game>(game: &G, seconds: f64) -> Result<bool, RuleFault> {
    let begin = cpu_time();
    let mut workspace = game.workspace();
    let mut dice = Dice::new(1);
    let mut state = game.initial();
    let mut expansion = game::Expansion::new();
    for _ in 0..PlayoutLimits::default().steps {
        game.expand(&mut workspace, &state, &mut expansion)?;
        if expansion.is_terminal() {
            return Ok(true);
        }
        if let Some(role) = expansion.stuck_role() {
            return Err(RuleFault::NoLegalMove(role));
        }
        let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        state = game.apply(&mut workspace, &state, &joint)?;
        if cpu_seconds_since(begin) > 2.0 * seconds {
            return Ok(false);
        }
    }
    Err(RuleFault::TooLong(PlayoutLimits::default().steps))
}
