//! What is written is read back, or checked by another program if there is one.

use std::collections::HashMap;
use std::process::Command;
use std::sync::Arc;

use circuit::{Circuit, Effort};
use export::{ExportError, Format, export};
use game::{Dice, Game};
use machine::circuit::CircuitMachine;
use machine::reference::Reference;
use verify::PlayoutLimits;

macro_rules! sheets {
    ($($name:literal),*) => { [$(($name, include_str!(concat!("../../../games/", $name, "/rules.kif")))),*] };
}

const SHEETS: [(&str, &str); 10] = sheets![
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

fn circuit(rules: &str) -> Arc<Circuit> {
    let rules = gdl::normal::read(rules);
    machine::build::circuit(&rules, Effort::Thorough, &ground::Budget::unlimited()).expect("small").circuit
}

fn reference(rules: &str) -> Reference {
    Reference::new(&gdl::normal::read(rules), Default::default()).expect("plays")
}

fn perft(circuit: &Arc<Circuit>, depth: u32) -> u64 {
    let machine = CircuitMachine::new(Arc::clone(circuit));
    verify::perft(&machine, &mut machine.workspace(), &machine.initial(), depth).expect("no fault")
}

#[test]
fn ground_rules_play_the_same() {
    for (name, rules) in SHEETS {
        let text = export(&circuit(rules), Format::Gdl).expect("any game");
        let sheet = gdl::parse(&gdl::SourceFile::new("ground", &text));
        assert!(sheet.diagnostics.is_empty(), "{name}: {:?}", sheet.diagnostics.first());
        let walked = verify::walk(&reference(rules), &reference(&text), 4, 1, PlayoutLimits::default());
        assert!(walked.as_ref().is_ok_and(|report| report.states > 4), "{name}: {walked:?}");
    }
}

/// A transition system that was read back.
struct System {
    lines: HashMap<i64, Vec<String>>,
    order: Vec<i64>,
}

impl System {
    fn read(text: &str) -> Self {
        let mut system = Self { lines: HashMap::new(), order: Vec::new() };
        for line in text.lines().filter(|line| !line.starts_with(';')) {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let number = words[0].parse().expect("a number");
            system.order.push(number);
            system.lines.insert(number, words[1..].to_vec());
        }
        system
    }

    fn of(&self, operation: &str) -> Vec<&Vec<String>> {
        self.order.iter().map(|number| &self.lines[number]).filter(|words| words[0] == operation).collect()
    }

    /// The values of all lines, by those of states and inputs in their order.
    fn values(&self, state: &[bool], inputs: &[bool]) -> HashMap<i64, bool> {
        let (mut state, mut inputs) = (state.iter(), inputs.iter());
        let mut values: HashMap<i64, bool> = HashMap::new();
        for &number in &self.order {
            let words = &self.lines[&number];
            let read = |place: usize| {
                let number: i64 = words[place].parse().expect("a number");
                values[&number.abs()] != (number < 0)
            };
            let value = match words[0].as_str() {
                "zero" => false,
                "one" => true,
                "state" => *state.next().expect("a fact"),
                "input" => *inputs.next().expect("a move"),
                "and" => read(2) & read(3),
                "or" => read(2) | read(3),
                "xor" => read(2) ^ read(3),
                "implies" => !read(2) | read(3),
                _ => continue,
            };
            values.insert(number, value);
        }
        values
    }
}

#[test]
fn a_transition_system_goes_where_the_circuit_goes() {
    for (name, rules) in SHEETS {
        let circuit = circuit(rules);
        let system = System::read(&export(&circuit, Format::Btor2).expect("any game"));
        let one = |number: &str, values: &HashMap<i64, bool>| {
            let number: i64 = number.parse().expect("a number");
            values[&number.abs()] != (number < 0)
        };
        let mut state = circuit.initial.clone();
        let initial = system.values(&state, &vec![false; system.of("input").len()]);
        let begins: Vec<bool> = system.of("init").iter().map(|words| one(&words[3], &initial)).collect();
        assert_eq!(begins, state, "{name}");
        let mut dice = Dice::new(7);
        for step in 0..20 {
            let values = circuit.evaluate(&state, &[]);
            let holds = |edge| circuit::simulate::read(&values, edge);
            if holds(circuit.terminal) {
                break;
            }
            let draw = |moves: &circuit::RoleMoves, dice: &mut Dice| {
                let legal: Vec<u32> =
                    (0..).zip(&moves.legal).filter(|(_, edge)| holds(**edge)).map(|(id, _)| id).collect();
                legal[dice.below(legal.len())]
            };
            let joint: Vec<u32> = circuit.roles.iter().map(|moves| draw(moves, &mut dice)).collect();
            let inputs: Vec<bool> = circuit
                .roles
                .iter()
                .zip(&joint)
                .flat_map(|(moves, &done)| (0..moves.moves.len() as u32).map(move |id| id == done))
                .collect();
            let values = system.values(&state, &inputs);
            assert!(
                system.of("constraint").iter().all(|words| one(&words[1], &values)),
                "{name}, step {step}"
            );
            // Nobody may move twice, nor not at all.
            let nobody = system.values(&state, &vec![false; inputs.len()]);
            assert!(
                system.of("constraint").iter().any(|words| !one(&words[1], &nobody)),
                "{name}, step {step}"
            );
            let next: Vec<bool> = system.of("next").iter().map(|words| one(&words[3], &values)).collect();
            state = circuit.successor(&state, &joint);
            assert_eq!(next, state, "{name}, step {step}");
        }
    }
}

/// Runs a program; `None`, and a word about it, if there is none.
#[allow(clippy::print_stdout)]
fn run(program: &str, arguments: &[&str]) -> Option<String> {
    match Command::new(program).args(arguments).output() {
        Ok(output) => Some(
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
        ),
        Err(_) => {
            println!("skipped: there is no program `{program}`");
            None
        }
    }
}

/// Sheets in which no play ends within three steps.
const LONG: [&str; 3] = ["tic-tac-toe", "nim", "hanoi"];

#[test]
fn prolog_counts_the_same_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, rules) in SHEETS.into_iter().filter(|(name, _)| LONG.contains(name)) {
        let circuit = circuit(rules);
        let path = folder.path().join("game.pl");
        std::fs::write(&path, export(&circuit, Format::Prolog).expect("any game")).expect("writable");
        let goal = "begin, perft(2, N), print(N), nl, halt";
        let arguments = ["-q", "-f", path.to_str().expect("UTF-8"), "-g", goal, "-t", "halt(1)"];
        let Some(out) = run("swipl", &arguments) else { return };
        assert_eq!(out.trim(), perft(&circuit, 2).to_string(), "{name}");
    }
}

#[test]
fn answer_sets_are_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, rules) in SHEETS.into_iter().filter(|(name, _)| LONG.contains(name)) {
        let circuit = circuit(rules);
        let path = folder.path().join("game.lp");
        std::fs::write(&path, export(&circuit, Format::Asp).expect("any game")).expect("writable");
        let arguments = [path.to_str().expect("UTF-8"), "-c", "n=2", "-q", "0"];
        let found = if run("clingo", &["--version"]).is_some() {
            run("clingo", &arguments)
        } else {
            run("python3", &["-m", "clingo"].iter().chain(&arguments).copied().collect::<Vec<_>>())
        };
        let Some(out) = found.filter(|out| out.contains("Models")) else {
            println!("skipped: there is no clingo");
            return;
        };
        let models = out.lines().find_map(|line| line.strip_prefix("Models")?.trim().strip_prefix(':'));
        let models = models.map(|count| count.trim().to_owned());
        assert_eq!(models, Some(perft(&circuit, 2).to_string()), "{name}: {out}");
    }
}

/// Words of a text, for readers of parentheses.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\n', '(', ')', '.', ';', '&', ',']).filter(|word| !word.is_empty())
}

#[test]
fn planning_domains_are_well_formed() {
    for (name, rules) in SHEETS {
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

#[test]
fn causal_laws_speak_of_what_is_declared() {
    for (name, rules) in SHEETS {
        let text = export(&circuit(rules), Format::CPlus).expect("any game");
        let (declared, laws) =
            text.split_once("\n\ncaused").or(text.split_once("\n\ndefault")).expect("laws");
        let declared: Vec<&str> = words(declared).collect();
        for word in words(laws).map(|word| word.trim_start_matches('-')) {
            let known = ["caused", "default", "if", "after", "true", "nonexecutable"].contains(&word);
            assert!(known || declared.contains(&word), "{name}: {word}");
        }
    }
}

#[test]
fn graphs_have_every_node_they_link() {
    for (name, rules) in SHEETS {
        let text = export(&circuit(rules), Format::Dot).expect("any game");
        let nodes: Vec<&str> =
            text.lines().filter_map(|line| line.trim().split_once(" [")).map(|(node, _)| node).collect();
        for (from, to) in text.lines().filter_map(|line| line.trim().split_once(" -> ")) {
            let to = to.split([' ', ';']).next().expect("a node");
            assert!(nodes.contains(&from) && nodes.contains(&to), "{name}: {from} to {to}");
        }
    }
}
