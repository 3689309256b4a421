//! Causal laws, read by a small reader of its own: no reader of C+ is at hand.

use std::collections::HashMap;

use circuit::Circuit;
use export::{Format, export};

use crate::{SHEETS, Said, circuit, follow};

struct Laws<'a> {
    /// The names of facts, in the order in which they are declared.
    facts: Vec<&'a str>,
    /// The names of moves in the same way, each with the action of its role that has it as a value.
    moves: Vec<(&'a str, String)>,
    laws: Vec<&'a str>,
}

impl<'a> Laws<'a> {
    fn read(text: &'a str) -> Self {
        let (_, rest) = text.split_once(":- objects\n").expect("a list of objects");
        let (objects, rest) = rest.split_once(".\n\n:- constants\n").expect("a list of constants");
        let (constants, laws) = rest.split_once(".\n\n").expect("laws");
        let declared = |list: &'a str| {
            list.split(";\n").filter_map(|line| line.trim().split_once(" :: ")).collect::<Vec<_>>()
        };
        let (objects, constants) = (declared(objects), declared(constants));
        let facts = constants.iter().filter(|(_, kind)| *kind == "simpleFluent").map(|(name, _)| *name);
        let action = |sort: &str| {
            let mut actions =
                constants.iter().filter(|(_, kind)| *kind == format!("exogenousAction({sort})"));
            actions.next().expect("an action of the sort").0
        };
        Self {
            facts: facts.collect(),
            moves: objects.iter().map(|&(name, sort)| (name, format!("({}={name})", action(sort)))).collect(),
            laws: laws.lines().map(|law| law.strip_suffix('.').expect("a full stop")).collect(),
        }
    }

    /// What the laws say of a state and of what is done; no values of facts next if that cannot be done together.
    fn say(&self, state: &[bool], done: &[bool]) -> (HashMap<&str, bool>, Option<Vec<bool>>) {
        let facts = self.facts.iter().copied().zip(state.iter().copied());
        let moves = self.moves.iter().map(|(_, atom)| atom.as_str()).zip(done.iter().copied());
        let mut values: HashMap<&str, bool> = facts.chain(moves).collect();
        let mut next: HashMap<&str, bool> = HashMap::new();
        let mut can_be_done = true;
        for law in &self.laws {
            let all = |body: &str, values: &HashMap<&str, bool>| {
                body.split(" & ").all(|literal| match literal.strip_prefix('-') {
                    Some(name) => !values[name],
                    None => literal == "true" || values[literal],
                })
            };
            if let Some(name) = law.strip_prefix("default -") {
                values.insert(name, false);
            } else if let Some(law) = law.strip_prefix("nonexecutable ") {
                let (done, when) = law.split_once(" if ").unwrap_or((law, "true"));
                can_be_done &= !(all(done, &values) && all(when, &values));
            } else if let Some((head, body)) =
                law.strip_prefix("caused ").and_then(|law| law.split_once(" after "))
            {
                match head.split_once(" if ") {
                    // What is not caused is false.
                    Some((head, when)) => {
                        assert_eq!((head, body), (when, "true"), "{law}");
                        next.entry(head.strip_prefix('-').expect("inertia of what is false"))
                            .or_insert(false);
                    }
                    None => *next.entry(head).or_insert(false) |= all(body, &values),
                }
            } else {
                let law = law.strip_prefix("caused ").expect("a law");
                let (head, body) = law.split_once(" if ").expect("a definition");
                if all(body, &values) {
                    values.insert(head, true);
                }
            }
        }
        let next = can_be_done.then(|| self.facts.iter().map(|fact| next[fact]).collect());
        (values, next)
    }

    /// All moves of all roles, those of a joint move being done.
    fn done(circuit: &Circuit, joint: &[u32]) -> Vec<bool> {
        let roles = circuit.roles.iter().zip(joint);
        roles.flat_map(|(role, &done)| (0..role.moves.len() as u32).map(move |id| id == done)).collect()
    }
}

#[test]
fn causal_laws_lead_where_the_circuit_leads() {
    for (name, rules) in SHEETS {
        let circuit = circuit(rules);
        let text = export(&circuit, Format::CPlus).expect("any game");
        let laws = Laws::read(&text);
        assert_eq!(laws.facts.len(), circuit.bases.len(), "{name}");
        let mut refused = 0;
        let states = follow(name, &circuit, |state, joint| {
            let done = Laws::done(&circuit, joint);
            let (values, next) = laws.say(state, &done);
            let mut moves = laws.moves.iter().map(|(name, _)| values[format!("legal_{name}").as_str()]);
            let legal: Vec<Vec<bool>> =
                circuit.roles.iter().map(|role| moves.by_ref().take(role.moves.len()).collect()).collect();
            // Nobody may do what is not legal. An action has one value, so nobody does two things at once.
            let mut place = 0;
            for (role, legal) in circuit.roles.iter().zip(&legal) {
                let own = place..place + role.moves.len();
                for (other, is_legal) in own.clone().zip(legal).filter(|(other, _)| !done[*other]) {
                    let mut instead = done.clone();
                    instead[own.clone()].fill(false);
                    instead[other] = true;
                    let next = laws.say(state, &instead).1;
                    assert_eq!(
                        next.is_some(),
                        *is_legal && !values["terminal"],
                        "{name}: {:?}",
                        laws.moves[other]
                    );
                    refused += usize::from(next.is_none());
                }
                place = own.end;
            }
            let goals = circuit.roles.iter().enumerate().map(|(number, role)| {
                let held = role.goals.iter().map(|goal| goal.value);
                held.filter(|value| values[format!("goal{number}_{value}").as_str()]).collect()
            });
            let goals = goals.collect();
            let terminal = values["terminal"];
            assert_eq!(terminal, next.is_none(), "{name}");
            Said { legal, terminal, goals, next: next.unwrap_or_default() }
        });
        assert!(states > 3 && refused > 3, "{name}: {states}, {refused}");
    }
}
