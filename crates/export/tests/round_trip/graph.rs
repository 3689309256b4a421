//! The picture of the gates, read by a small reader of its own, and by Graphviz.

use std::collections::HashMap;
use std::process::Command;
use std::sync::Arc;

use circuit::{Circuit, Edge, Gates, GoalOutput, RoleMoves};
use export::{Format, export};

use crate::{SHEETS, Said, circuit, follow, skip};

struct Graph<'a> {
    /// In their order: each node with its label.
    nodes: Vec<(&'a str, &'a str)>,
    /// What each node reads, and whether it is to hold.
    links: HashMap<&'a str, Vec<(&'a str, bool)>>,
}

impl<'a> Graph<'a> {
    fn read(text: &'a str) -> Self {
        let mut graph = Self { nodes: Vec::new(), links: HashMap::new() };
        for line in text.lines().map(str::trim) {
            if let Some((from, to)) = line.split_once(" -> ") {
                let (to, look) = to.split_once([' ', ';']).expect("a node");
                graph.links.entry(to).or_default().push((from, !look.contains("odot")));
            } else if let Some((node, look)) = line.split_once(" [").filter(|(node, _)| *node != "node") {
                let label = look.split_once("label=\"").map_or("", |(_, label)| label);
                graph.nodes.push((node, label.strip_suffix("\"];").unwrap_or(label)));
            }
        }
        graph
    }

    fn values(&self, given: &HashMap<String, bool>) -> HashMap<&'a str, bool> {
        let mut values: HashMap<&str, bool> = HashMap::new();
        for &(node, label) in &self.nodes {
            let mut read =
                self.links.get(node).into_iter().flatten().map(|(from, holds)| values[from] == *holds);
            let value = match label {
                _ if node == "always" => true,
                "xor" => read.fold(false, |odd, value| odd != value),
                _ => given.get(node).copied().unwrap_or_else(|| read.all(|value| value)),
            };
            values.insert(node, value);
        }
        values
    }
}

/// A lamp that is switched by the moves of one role, or not; an exclusive or is its next state.
fn parity() -> Circuit {
    let mut gates = Gates::new();
    let (lamp, switch) = (gates.base(0), gates.does(0, 1));
    let next = vec![gates.xor(lamp, !switch)];
    let roles = vec![RoleMoves {
        name: "player".to_owned(),
        moves: ["leave", "switch"].map(str::to_owned).to_vec(),
        legal: vec![Edge::TRUE, Edge::TRUE],
        goals: vec![GoalOutput { value: 50, edge: lamp }],
        ..RoleMoves::default()
    }];
    let (bases, initial) = (vec!["lamp".to_owned()], vec![true]);
    Circuit { gates, bases, initial, roles, terminal: Edge::FALSE, next, ..Circuit::default() }
}

#[test]
fn a_picture_shows_all_there_is() {
    let all = SHEETS.map(|(name, rules)| (name, circuit(rules)));
    for (name, circuit) in all.into_iter().chain([("parity", Arc::new(parity()))]) {
        let text = export(&circuit, Format::Dot).expect("any game");
        let graph = Graph::read(&text);
        let exclusive = graph.nodes.iter().filter(|(_, label)| *label == "xor").count();
        assert_eq!(exclusive, usize::from(name == "parity"), "{name}");
        let states = follow(name, &circuit, |state, joint| {
            let facts = state.iter().enumerate().map(|(number, &holds)| (format!("base{number}"), holds));
            let moves = circuit.roles.iter().zip(joint).enumerate().flat_map(|(role, (moves, &done))| {
                (0..moves.moves.len() as u32).map(move |id| (format!("does{role}_{id}"), id == done))
            });
            let values = graph.values(&facts.chain(moves).collect());
            let of = |name: String| values[name.as_str()];
            let roles = || circuit.roles.iter().enumerate();
            let legal = roles().map(|(role, moves)| {
                (0..moves.moves.len()).map(|id| of(format!("legal{role}_{id}"))).collect()
            });
            let goals = roles().map(|(role, moves)| {
                let values = moves.goals.iter().map(|goal| goal.value);
                values.filter(|value| of(format!("goal{role}_{value}"))).collect()
            });
            Said {
                legal: legal.collect(),
                terminal: of("terminal".to_owned()),
                goals: goals.collect(),
                next: (0..circuit.bases.len()).map(|number| of(format!("next{number}"))).collect(),
            }
        });
        assert!(states > 3, "{name}: {states}");
    }
}

#[test]
fn graphviz_reads_every_node_and_link() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.dot");
    for (name, rules) in SHEETS {
        let text = export(&circuit(rules), Format::Dot).expect("any game");
        std::fs::write(&path, &text).expect("writable");
        let Ok(output) = Command::new("dot").arg("-Tcanon").arg(&path).output() else {
            return skip("there is no `dot` to read graphs; the package graphviz has it");
        };
        assert!(output.status.success() && output.stderr.is_empty(), "{name}: {output:?}");
        let read = String::from_utf8_lossy(&output.stdout);
        let links = |text: &str| text.matches(" -> ").count();
        assert_eq!(links(&read), links(&text), "{name}");
        for (node, _) in Graph::read(&text).nodes {
            assert!(read.contains(&format!("\t{node}\t")), "{name}: {node}");
        }
    }
}
