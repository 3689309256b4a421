//! How fast single states are played in the ways there are: every gate, with what moves change looked up, only gates that
//! change, and as the machine chooses by itself.
//!
//! ```text
//! cargo run --release -p machine --example one_state -- SECONDS RULES.kif..
//! ```
//!
//! State changes of uniformly random playouts in a second of processor time, the middle of five rounds in turn.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::Duration;

use game::{Dice, Expansion, Game};
use machine::Target;
use machine::circuit::{CircuitMachine, Evaluation};

const ROUNDS: usize = 5;

fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().unwrap().parse().unwrap();
    println!(
        "| game | every gate | effects looked up | what changed | as chosen | chosen / every gate | chosen |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
    for path in arguments {
        let rules = gdl::normal::read(&std::fs::read_to_string(&path).unwrap());
        let budget = ground::Budget::unlimited();
        let circuit = machine::build::circuit(&rules, circuit::Effort::Thorough, &budget).unwrap().circuit;
        let changes = Evaluation::Changes { most_facts: u32::MAX };
        let machines = [Evaluation::Whole, Evaluation::Effects, changes, Evaluation::Measured]
            .map(|evaluation| CircuitMachine::with_evaluation(circuit.clone(), Target::detect(), evaluation));
        let mut speeds = [const { Vec::new() }; 4];
        for _ in 0..ROUNDS {
            for (machine, speeds) in machines.iter().zip(&mut speeds) {
                speeds.push(measure(machine, seconds / ROUNDS as f64));
            }
        }
        let [whole, effects, changes, chosen] = speeds.map(|mut speeds| {
            speeds.sort_by(f64::total_cmp);
            speeds[ROUNDS / 2]
        });
        let name = std::path::Path::new(&path).file_stem().unwrap().to_string_lossy();
        let ways = [(machines[3].has_effects(), "effects"), (machines[3].is_incremental(), "what changed")];
        let ways: Vec<&str> = ways.iter().filter(|way| way.0).map(|way| way.1).collect();
        let (ratio, ways) = (chosen / whole, ways.join(", "));
        println!("| {name} | {whole:.0} | {effects:.0} | {changes:.0} | {chosen:.0} | {ratio:.2} | {ways} |");
    }
}

fn measure(machine: &CircuitMachine, seconds: f64) -> f64 {
    let mut workspace = machine.workspace();
    let initial = machine.initial();
    let (mut expansion, mut joint) = (Expansion::new(), Vec::new());
    let mut dice = Dice::new(1);
    let mut changes = 0u64;
    let begin = cpu_time();
    for playout in 1u64.. {
        let mut state = initial.clone();
        loop {
            machine.expand(&mut workspace, &state, &mut expansion).unwrap();
            if expansion.is_terminal() {
                break;
            }
            joint.clear();
            joint.extend(expansion.by_role().map(|legal| legal[dice.below(legal.len())]));
            state = machine.apply(&mut workspace, &state, &joint).unwrap();
            changes += 1;
        }
        // Short playouts take less time than reading the clock.
        if playout.is_multiple_of(16) && (cpu_time() - begin).as_secs_f64() > seconds {
            break;
        }
    }
    changes as f64 / (cpu_time() - begin).as_secs_f64()
}
