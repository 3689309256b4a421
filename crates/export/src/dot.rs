//! A picture of the gates, for Graphviz: boxes are facts, moves and what is asked for, circles are gates, dots on lines are
//! inversions.

use std::fmt::Write;

use circuit::Circuit;

use crate::definition::{Atom, Head, definitions};

/// Writes the graph.
pub(crate) fn write(circuit: &Circuit) -> String {
    let label = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut out =
        String::from("digraph game {\n  rankdir=LR;\n  node [shape=circle];\n  always [shape=box];\n");
    for (number, base) in circuit.bases.iter().enumerate() {
        let _ = writeln!(out, "  base{number} [shape=box, label=\"{}\"];", label(base));
    }
    for (role, moves) in circuit.roles.iter().enumerate() {
        for (number, text) in moves.moves.iter().enumerate() {
            let text = format!("does {} {text}", moves.name);
            let _ = writeln!(
                out,
                "  does{role}_{number} [shape=box, style=rounded, label=\"{}\"];",
                label(&text)
            );
        }
    }
    for definition in definitions(circuit) {
        let (node, look) = match definition.head {
            Head::Gate(id) => {
                let sign = if definition.bodies.len() > 1 { "xor" } else { "and" };
                (format!("gate{id}"), format!("label=\"{sign}\""))
            }
            Head::Legal(role, id) => {
                let text = format!("legal {} {}", circuit.roles[role].name, circuit.roles[role].moves[id]);
                (format!("legal{role}_{id}"), format!("shape=box, label=\"{}\"", label(&text)))
            }
            Head::Terminal => ("terminal".to_owned(), "shape=box, label=\"terminal\"".to_owned()),
            Head::Goal(role, value) => {
                let text = format!("goal {} {value}", circuit.roles[role].name);
                (format!("goal{role}_{value}"), format!("shape=box, label=\"{}\"", label(&text)))
            }
            Head::Next(fact) => {
                let text = format!("next {}", circuit.bases[fact]);
                (format!("next{fact}"), format!("shape=box, label=\"{}\"", label(&text)))
            }
            Head::Sees(role, number) => {
                let role_moves = &circuit.roles[role];
                let text = format!("sees {} {}", role_moves.name, role_moves.percepts[number].text);
                (format!("sees{role}_{number}"), format!("shape=box, label=\"{}\"", label(&text)))
            }
        };
        let _ = writeln!(out, "  {node} [{look}];");
        for (number, literal) in definition.bodies.first().into_iter().flatten().enumerate() {
            let from = match literal.atom {
                Atom::Gate(id) => format!("gate{id}"),
                Atom::Base(fact) => format!("base{fact}"),
                Atom::Does(role, id) => format!("does{role}_{id}"),
            };
            // The first body of an exclusive or is that its first input holds and its second does not.
            let holds = literal.holds != (number == 1 && definition.bodies.len() > 1);
            link(&mut out, &from, &node, holds);
        }
        // What always holds or never.
        if definition.bodies.iter().all(Vec::is_empty) {
            link(&mut out, "always", &node, !definition.bodies.is_empty());
        }
    }
    out.push_str("}\n");
    out
}

fn link(out: &mut String, from: &str, node: &str, holds: bool) {
    let look = if holds { "" } else { " [arrowhead=odot]" };
    let _ = writeln!(out, "  {from} -> {node}{look};");
}
