//! The transition system, read by a small reader of its own.

use std::collections::HashMap;

use export::{Format, export};
use game::Dice;

use crate::{SHEETS, circuit};

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
