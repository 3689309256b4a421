//! Planning domains, solved by Fast Downward: what it finds is played on the circuit.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use circuit::{Circuit, simulate};
use export::{ExportError, Format, export};

use crate::{SHEETS, circuit, sheets, skip};

const PUZZLES: [(&str, &str); 10] = sheets![
    "buttons",
    "missionaries",
    "frogs-and-toads",
    "jugs",
    "river-crossing",
    "bridge-and-torch",
    "maze",
    "circle-solitaire",
    "pancakes",
    "hanoi"
];

/// How to call the planner: that of `tests/exports/install`, or one that is installed.
fn planner() -> Option<(PathBuf, Vec<PathBuf>)> {
    let tools = std::env::var_os("LUDENS_EXPORT_TOOLS").map(PathBuf::from);
    let tools = tools.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/exports"));
    let python = tools.join("bin/python3");
    if python.exists() {
        let ask = "from importlib.util import find_spec; print(find_spec('up_fast_downward').submodule_search_locations[0])";
        let output = Command::new(&python).args(["-c", ask]).output().ok()?;
        let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        let script = folder.join("downward/fast-downward.py");
        return script.exists().then_some((python, vec![script]));
    }
    let installed = PathBuf::from("fast-downward");
    Command::new(&installed).arg("--version").output().is_ok().then_some((installed, Vec::new()))
}

/// Whether the game is over in a state with the most there is, and what is legal.
fn look(circuit: &Circuit, state: &[bool]) -> (bool, Option<bool>, Vec<u32>) {
    let values = circuit.evaluate(state, &[]);
    let holds = |edge| simulate::read(&values, edge);
    let role = &circuit.roles[0];
    let legal = (0..).zip(&role.legal).filter(|(_, edge)| holds(**edge)).map(|(id, _)| id).collect();
    let highest = role.goals.iter().max_by_key(|goal| goal.value).map(|goal| holds(goal.edge));
    (holds(circuit.terminal), highest, legal)
}

/// The fewest moves to the highest goal.
fn fewest(circuit: &Circuit) -> Option<usize> {
    let mut known = HashSet::from([circuit.initial.clone()]);
    let mut layer = vec![circuit.initial.clone()];
    for moves in 0.. {
        let mut next = Vec::new();
        for state in &layer {
            let (is_over, highest, legal) = look(circuit, state);
            if is_over && highest == Some(true) {
                return Some(moves);
            }
            let behind = legal.iter().filter(|_| !is_over).map(|&id| circuit.successor(state, &[id]));
            next.extend(behind.filter(|state| known.insert(state.clone())));
        }
        if next.is_empty() {
            return None;
        }
        layer = next;
    }
    None
}

#[test]
fn a_planner_finds_the_shortest_plans() {
    let Some((program, first)) = planner() else {
        return skip("there is no Fast Downward to plan with; tests/exports/install installs it from PyPI");
    };
    let folder = tempfile::tempdir().expect("a folder");
    for (name, rules) in PUZZLES {
        let circuit = circuit(rules);
        let text = export(&circuit, Format::Pddl).expect("a game of one player");
        let (domain, problem) = text.split_once(";; problem").expect("two texts");
        std::fs::write(folder.path().join("domain.pddl"), domain).expect("writable");
        std::fs::write(folder.path().join("problem.pddl"), problem).expect("writable");
        let mut command = Command::new(&program);
        command.args(&first).args(["domain.pddl", "problem.pddl", "--search", "astar(blind())"]);
        let output = command.current_dir(folder.path()).output().expect("it runs");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stdout));
        let plan = std::fs::read_to_string(folder.path().join("sas_plan")).expect("a plan");
        let actions = plan.lines().filter(|line| line.starts_with("(m"));
        let mut state = circuit.initial.clone();
        let mut moves = 0;
        for action in actions {
            let id = action.trim_start_matches("(m").split('_').next().and_then(|id| id.parse().ok());
            let id: u32 = id.expect("a move");
            let (is_over, _, legal) = look(&circuit, &state);
            assert!(!is_over && legal.contains(&id), "{name}: {action}");
            state = circuit.successor(&state, &[id]);
            moves += 1;
        }
        let (is_over, highest, _) = look(&circuit, &state);
        assert!(is_over && highest == Some(true), "{name}: {plan}");
        assert_eq!(Some(moves), fewest(&circuit), "{name}: {plan}");
    }
}

/// Words of a text, for readers of parentheses.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\n', '(', ')']).filter(|word| !word.is_empty())
}

#[test]
fn planning_domains_are_well_formed() {
    for (name, rules) in SHEETS.into_iter().chain(PUZZLES) {
        let circuit = circuit(rules);
        let text = match export(&circuit, Format::Pddl) {
            Err(error) => {
                assert_eq!(error, ExportError::NotOnePlayer(circuit.roles.len()), "{name}");
                continue;
            }
            Ok(text) => text,
        };
        let mut depth = 0i64;
        for character in text.chars() {
            depth += i64::from(character == '(') - i64::from(character == ')');
            assert!(depth >= 0, "{name}");
        }
        assert_eq!((depth, text.matches("(define ").count()), (0, 2), "{name}");
        assert_eq!(text.matches(":action ").count(), circuit.roles[0].moves.len() + 1, "{name}");
        // What is read is declared.
        let (declared, rest) = text.split_once("(:derived").expect("definitions");
        let declared: Vec<&str> = words(declared).collect();
        let read = words(rest).filter(|word| word.starts_with("gate") || word.starts_with("does_"));
        read.for_each(|word| assert!(declared.contains(&word), "{name}: {word}"));
    }
}
