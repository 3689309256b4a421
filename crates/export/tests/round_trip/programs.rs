//! Programs, run by clingo and by SWI-Prolog.

use std::process::Command;
use std::sync::Arc;

use circuit::Circuit;
use export::{Format, export};
use game::{Expansion, Game};
use machine::circuit::{CircuitMachine, CircuitState};

use crate::{SHEETS, circuit, perft, skip};

/// What a program prints; `None` if there is no such program.
fn run(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

#[test]
fn prolog_counts_the_same_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pl");
    for (name, rules) in SHEETS {
        let circuit = circuit(rules);
        std::fs::write(&path, export(&circuit, Format::Prolog).expect("any game")).expect("writable");
        let goal = "begin, perft(1, N), print(N), nl, perft(2, M), print(M), nl, halt";
        let arguments = ["-q", "-f", path.to_str().expect("UTF-8"), "-g", goal, "-t", "halt(1)"];
        let Some(out) = run("swipl", &arguments) else {
            return skip("there is no `swipl` to run Prolog; the package swi-prolog-nox has it");
        };
        let counts: Vec<&str> = out.split_whitespace().collect();
        assert_eq!(counts, [1, 2].map(|depth| perft(&circuit, depth).to_string()), "{name}: {out}");
    }
}

/// Plays of so many joint moves, and those that end before.
fn plays(circuit: &Arc<Circuit>, depth: u32) -> u64 {
    fn below(machine: &CircuitMachine, state: &CircuitState, depth: u32) -> u64 {
        let (mut workspace, mut expansion) = (machine.workspace(), Expansion::new());
        machine.expand(&mut workspace, state, &mut expansion).expect("no fault");
        if expansion.is_terminal() || depth == 0 {
            return 1;
        }
        let joints: Vec<_> = expansion.joint_moves().collect();
        let next = |joint: &Vec<_>| machine.apply(&mut machine.workspace(), state, joint).expect("legal");
        joints.iter().map(|joint| below(machine, &next(joint), depth - 1)).sum()
    }
    let machine = CircuitMachine::new(Arc::clone(circuit));
    below(&machine, &machine.initial(), depth)
}

#[test]
fn answer_sets_are_plays() {
    let has_own = run("clingo", &["--version"]).is_some();
    let begin: &[&str] = if has_own { &[] } else { &["-m", "clingo"] };
    let program = if has_own { "clingo" } else { "python3" };
    let runs = |arguments: &[&str]| run(program, &[begin, arguments].concat());
    if runs(&["--version"]).is_none_or(|out| !out.starts_with("clingo")) {
        return skip(
            "there is no `clingo` for answer sets; Debian's package gringo has it, and PyPI's clingo",
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.lp");
    for (name, rules) in SHEETS {
        let circuit = circuit(rules);
        std::fs::write(&path, export(&circuit, Format::Asp).expect("any game")).expect("writable");
        for depth in [1, 2] {
            let constant = format!("n={depth}");
            let out = runs(&[path.to_str().expect("UTF-8"), "-c", &constant, "-q", "0"]).unwrap_or_default();
            let models = out.lines().find_map(|line| line.strip_prefix("Models")?.trim().strip_prefix(':'));
            let models = models.map(|count| count.trim().to_owned());
            assert_eq!(models, Some(plays(&circuit, depth).to_string()), "{name}: {out}");
        }
    }
}
