//! Ways to reason with the rules of a game, as Table 2 of Świechowski, Park, Mańdziuk and Kim (2015) has them, in figures.
//!
//! ```text
//! cargo run --release -p solver --example reasoners -- SECONDS GAME..
//! ```
//!
//! Prints a row for each bundled game or rule sheet: uniformly random playouts from the beginning in a second of the processor, by
//! the exported Prolog (SWI-Prolog, if there is a `swipl`), the reference reasoner, the circuit one state at a time, in lanes
//! interpreted and compiled, and walks through the state graph, if all states are had within a GiB and half a minute of the processor. What other
//! programs reach was measured on another computer; their state changes are divided by the length of our playouts.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::io::Write;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use game::{Dice, Expansion, Game, Job, Outcomes, PlayOptions, Simulator};
use machine::Target;
use machine::batch::BatchMachine;
use machine::circuit::CircuitMachine;
use machine::reference::Reference;
use solver::{Limits, NodeId, Reduction, Shape, StateGraph};

/// What a state graph may take.
const BYTES: usize = 1 << 30;
const MEETING: Duration = Duration::from_secs(30);

/// Random playouts in Prolog, with the predicates that an exported game has.
const PLAYOUTS: &str = r"
playout(S, S) :- terminal, !.
playout(S, N) :- findall(R, role(R), Roles), choose(Roles, Joint), move(Joint), T is S + 1, playout(T, N).
choose([], []).
choose([R|Rs], [M|Ms]) :- findall(L, legal(R, L), Legal), random_member(M, Legal), choose(Rs, Ms).
playouts(Until, P, P) :- P > 0, statistics(cputime, T), T >= Until, !.
playouts(Until, P, N) :- begin, playout(0, _), Q is P + 1, playouts(Until, Q, N).
measure(Seconds) :- set_random(seed(1)), statistics(cputime, Begin), Until is Begin + Seconds,
    playouts(Until, 0, N), statistics(cputime, End), Speed is N / (End - Begin), print(Speed), nl.
";

/// Processor time of the whole process.
fn worked() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap(), now.tv_nsec.try_into().unwrap())
}

/// How often something is done in a second, if it says how often it was done at a time.
fn speed(seconds: f64, mut work: impl FnMut() -> u64) -> f64 {
    let (mut done, begun) = (0, worked());
    while (worked() - begun).as_secs_f64() < seconds {
        done += work();
    }
    done as f64 / (worked() - begun).as_secs_f64()
}

/// Plays a game at random; its length.
fn playout<G: Game>(game: &G, workspace: &mut G::Workspace, dice: &mut Dice) -> u64 {
    let (mut state, mut expansion, mut length) = (game.initial(), Expansion::new(), 0);
    loop {
        game.expand(workspace, &state, &mut expansion).unwrap();
        if expansion.is_terminal() {
            return length;
        }
        let joint: Vec<_> = expansion.by_role().map(|legal| legal[dice.below(legal.len())]).collect();
        state = game.apply(workspace, &state, &joint).unwrap();
        length += 1;
    }
}

fn one_by_one<G: Game>(game: &G, seconds: f64) -> f64 {
    let (mut workspace, mut dice) = (game.workspace(), Dice::new(1));
    speed(seconds, || {
        playout(game, &mut workspace, &mut dice);
        1
    })
}

fn in_lanes(machine: &Arc<CircuitMachine>, target: Target, seconds: f64) -> f64 {
    let batch = BatchMachine::with_target(Arc::clone(machine), target);
    let (initial, mut workspace, mut outcomes) = (batch.initial(), batch.workspace(), Outcomes::default());
    let mut seed = 0;
    let playouts = batch.lanes() as u32 * 8;
    speed(seconds, || {
        seed += 1;
        let options = PlayOptions { seed, ..PlayOptions::default() };
        batch.play(&mut workspace, &[Job::new(&initial, playouts)], &options, &mut outcomes).unwrap();
        u64::from(playouts)
    })
}

/// Walks through all states, if they can be had.
fn instantiated(batch: &BatchMachine, seconds: f64) -> Option<f64> {
    let begun = worked();
    let limits = Limits { bytes: BYTES, is_over: &|| worked() - begun > MEETING };
    let graph = StateGraph::explore(batch, Reduction::default(), &limits).ok()?;
    let mut dice = Dice::new(1);
    Some(speed(seconds, || {
        for _ in 0..64 {
            let mut node = NodeId(0);
            while !matches!(graph.shape(node), Shape::Over(_)) {
                let next = graph.successors(node);
                node = NodeId(next[dice.below(next.len())]);
            }
        }
        64
    }))
}

/// The exported game in Prolog.
fn prolog(circuit: &circuit::Circuit, seconds: f64) -> Option<f64> {
    let mut file = tempfile::Builder::new().suffix(".pl").tempfile().unwrap();
    file.write_all(export::export(circuit, export::Format::Prolog).ok()?.as_bytes()).unwrap();
    file.write_all(PLAYOUTS.as_bytes()).unwrap();
    let goal = format!("measure({seconds}), halt");
    let arguments = ["-q", "-f", file.path().to_str()?, "-g", &goal, "-t", "halt(1)"];
    let output = Command::new("swipl").args(arguments).output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// A figure of three digits.
fn shown(figure: Option<f64>) -> String {
    match figure {
        None => "-".to_owned(),
        Some(figure) if figure >= 1e6 => format!("{:.3} M", figure / 1e6),
        Some(figure) if figure >= 1e3 => format!("{:.1} k", figure / 1e3),
        Some(figure) => format!("{figure:.2}"),
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().unwrap().parse().unwrap();
    println!(
        "| game | steps | prover | Prolog | reference | circuit | lanes, interpreted | lanes, compiled | state graph | network |"
    );
    println!("| --- |{}", " ---: |".repeat(9));
    for path in arguments {
        let text = match bundled::find(&path) {
            Ok(game) => game.rules.to_owned(),
            Err(_) => std::fs::read_to_string(&path).unwrap(),
        };
        let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".kif");
        let rules = gdl::normal::read(&text);
        let budget = ground::Budget::unlimited();
        let circuit = machine::build::circuit(&rules, circuit::Effort::Thorough, &budget).unwrap().circuit;
        let machine = Arc::new(CircuitMachine::new(circuit.clone()));
        let (mut workspace, mut dice, playouts) = (machine.workspace(), Dice::new(2), 200);
        let steps: u64 = (0..playouts).map(|_| playout(&*machine, &mut workspace, &mut dice)).sum();
        let length = steps as f64 / f64::from(playouts);
        let reference = Reference::new(&rules, Default::default()).unwrap();
        let batch = BatchMachine::new(Arc::clone(&machine));
        let peer = bench::peers::find(name);
        let other = |figure: Option<f64>| shown(figure.map(|changes| changes / length));
        println!(
            "| {name} | {length:.1} | {} | {} | {} | {} | {} | {} | {} | {} |",
            other(peer.and_then(|peer| peer.prover)),
            shown(prolog(&circuit, seconds)),
            shown(Some(one_by_one(&reference, seconds))),
            shown(Some(one_by_one(&*machine, seconds))),
            shown(Some(in_lanes(&machine, Target::Portable, seconds))),
            shown(Some(in_lanes(&machine, Target::detect(), seconds))),
            shown(instantiated(&batch, seconds)),
            other(peer.and_then(|peer| peer.champion)),
        );
    }
}
