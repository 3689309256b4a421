//! What is written is read back, or checked by another program; where there is none a line says so.

mod graph;
mod ground_rules;
mod laws;
mod planner;
mod programs;
mod transitions;

use std::io::Write;
use std::sync::Arc;

use circuit::{Circuit, Effort};
use game::{Dice, Game};
use machine::circuit::CircuitMachine;

macro_rules! sheets {
    ($($name:literal),*) => { [$(($name, include_str!(concat!("../../../../games/", $name, "/rules.kif")))),*] };
}
pub(crate) use sheets;

pub(crate) const SHEETS: [(&str, &str); 10] = sheets![
    "tic-tac-toe",
    "nim",
    "buttons",
    "hanoi",
    "matching-pennies",
    "monty-hall",
    "chomp",
    "three-player-tic-tac-toe",
    "missionaries",
    "kuhn-poker"
];

pub(crate) fn circuit(rules: &str) -> Arc<Circuit> {
    let rules = gdl::normal::read(rules);
    machine::build::circuit(&rules, Effort::Thorough, &ground::Budget::unlimited()).expect("small").circuit
}

pub(crate) fn perft(circuit: &Arc<Circuit>, depth: u32) -> u64 {
    let machine = CircuitMachine::new(Arc::clone(circuit));
    verify::perft(&machine, &mut machine.workspace(), &machine.initial(), depth).expect("no fault")
}

/// Says that something is not tested, past what keeps the words of tests that go well.
pub(crate) fn skip(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

/// What is asked of a state and, for what comes next, of a joint move.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    /// For each role and move.
    pub(crate) legal: Vec<Vec<bool>>,
    pub(crate) terminal: bool,
    /// For each role the values it has.
    pub(crate) goals: Vec<Vec<u8>>,
    pub(crate) next: Vec<bool>,
}

/// Compares on random plays what a reader of a text says with the circuit it was made of; in how many states.
pub(crate) fn follow(
    name: &str,
    circuit: &Circuit,
    mut reader: impl FnMut(&[bool], &[u32]) -> Said,
) -> usize {
    let mut states = 0;
    for seed in 0..4 {
        let mut dice = Dice::new(seed);
        let mut state = circuit.initial.clone();
        for step in 0..20 {
            let values = circuit.evaluate(&state, &[]);
            let holds = |edge| circuit::simulate::read(&values, edge);
            let legal: Vec<Vec<bool>> = circuit
                .roles
                .iter()
                .map(|role| role.legal.iter().map(|&edge| holds(edge)).collect())
                .collect();
            let goals = circuit.roles.iter().map(|role| {
                let held = role.goals.iter().filter(|goal| holds(goal.edge));
                held.map(|goal| goal.value).collect()
            });
            let goals = goals.collect();
            let terminal = holds(circuit.terminal);
            // What is done after the end does not matter.
            let joint: Option<Vec<u32>> = legal
                .iter()
                .map(|legal| {
                    let all: Vec<u32> =
                        (0..).zip(legal).filter(|(_, legal)| **legal).map(|(id, _)| id).collect();
                    (!all.is_empty()).then(|| all[dice.below(all.len())])
                })
                .collect();
            let Some(joint) = joint.filter(|_| !terminal) else {
                let said = reader(&state, &vec![0; circuit.roles.len()]);
                assert_eq!((said.terminal, said.goals), (terminal, goals), "{name}, step {step}");
                break;
            };
            let next = circuit.successor(&state, &joint);
            let said = reader(&state, &joint);
            assert_eq!(said, Said { legal, terminal, goals, next: next.clone() }, "{name}, step {step}");
            states += 1;
            state = next;
        }
    }
    states
}

#[test]
fn every_text_begins_as_its_language_says() {
    for (name, rules) in SHEETS {
        let circuit = circuit(rules);
        for format in export::Format::ALL {
            // Planners plan for one.
            if let Ok(text) = export::export(&circuit, format) {
                assert!(text.starts_with(format.opening()), "{name} as {}: {:.60}", format.name(), text);
            }
        }
    }
}
