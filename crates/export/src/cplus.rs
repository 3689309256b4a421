//! Causal laws of the action language C+ (Giunchiglia, Lee, Lifschitz, McCain and Turner 2004), as the Causal Calculator
//! and its successors read them. Facts are inertial only as far as the rules say so: each is caused by what makes it true
//! next, and false otherwise. Each role has one action, whose values are its moves: so it does exactly one thing.

use std::fmt::Write;

use circuit::Circuit;

use crate::definition::{Atom, Definition, Head, Literal, definitions};
use crate::names::word;

/// Writes the laws.
pub(crate) fn write(circuit: &Circuit) -> String {
    let fact = |number: usize| word("f", number, &circuit.bases[number]);
    let option = |role: usize, id: usize| word(&format!("r{role}m"), id, &circuit.roles[role].moves[id]);
    let all = definitions(circuit);
    let reads_moves = gates_that_read_moves(&all);
    let mut out = String::from("% A game as causal laws of C+.\n\n:- sorts\n");
    for role in 0..circuit.roles.len() {
        let _ = writeln!(out, "  move{role};");
    }
    end_list(&mut out);
    out.push_str(":- objects\n");
    for (role, moves) in circuit.roles.iter().enumerate() {
        for id in 0..moves.moves.len() {
            let _ = writeln!(out, "  {} :: move{role};", option(role, id));
        }
    }
    end_list(&mut out);
    out.push_str(":- constants\n");
    for number in 0..circuit.bases.len() {
        let _ = writeln!(out, "  {} :: simpleFluent;", fact(number));
    }
    for role in 0..circuit.roles.len() {
        let _ = writeln!(out, "  role{role} :: exogenousAction(move{role});");
    }
    for definition in &all {
        match definition.head {
            Head::Gate(id) => {
                let kind = if reads_moves.contains(&id) { "action" } else { "sdFluent" };
                let _ = writeln!(out, "  gate{id} :: {kind};");
            }
            Head::Legal(role, id) => {
                let _ = writeln!(out, "  legal_{} :: sdFluent;", option(role, id));
            }
            Head::Goal(role, value) => {
                let _ = writeln!(out, "  goal{role}_{value} :: sdFluent;");
            }
            Head::Terminal => out.push_str("  terminal :: sdFluent;\n"),
            Head::Next(_) | Head::Sees(..) => {}
        }
    }
    end_list(&mut out);
    let literal = |literal: &Literal| {
        let atom = match literal.atom {
            Atom::Gate(id) => format!("gate{id}"),
            Atom::Base(number) => fact(number),
            Atom::Does(role, id) => format!("(role{role}={})", option(role, id)),
        };
        if literal.holds { atom } else { format!("-{atom}") }
    };
    for definition in &all {
        let (head, word) = match definition.head {
            Head::Gate(id) => (format!("gate{id}"), "if"),
            Head::Legal(role, id) => (format!("legal_{}", option(role, id)), "if"),
            Head::Goal(role, value) => (format!("goal{role}_{value}"), "if"),
            Head::Terminal => ("terminal".to_owned(), "if"),
            Head::Next(number) => (fact(number), "after"),
            // What is told changes nothing.
            Head::Sees(..) => continue,
        };
        match word {
            "after" => {
                let _ = writeln!(out, "caused -{head} if -{head} after true.");
            }
            _ => {
                let _ = writeln!(out, "default -{head}.");
            }
        }
        for body in &definition.bodies {
            let body: Vec<String> = body.iter().map(literal).collect();
            let body = if body.is_empty() { "true".to_owned() } else { body.join(" & ") };
            let _ = writeln!(out, "caused {head} {word} {body}.");
        }
    }
    for (role, moves) in circuit.roles.iter().enumerate() {
        for id in 0..moves.moves.len() {
            let name = option(role, id);
            let _ = writeln!(out, "nonexecutable (role{role}={name}) if -legal_{name}.");
            let _ = writeln!(out, "nonexecutable (role{role}={name}) if terminal.");
        }
    }
    out
}

/// Lists end with a full stop.
fn end_list(out: &mut String) {
    if out.ends_with(";\n") {
        out.truncate(out.len() - 2);
    }
    out.push_str(".\n\n");
}

/// The gates that depend on what is done.
fn gates_that_read_moves(definitions: &[Definition]) -> rustc_hash::FxHashSet<u32> {
    let mut found = rustc_hash::FxHashSet::default();
    for definition in definitions {
        let Head::Gate(id) = definition.head else { continue };
        let reads = |literal: &Literal| match literal.atom {
            Atom::Does(..) => true,
            Atom::Gate(other) => found.contains(&other),
            Atom::Base(_) => false,
        };
        if definition.bodies.iter().flatten().any(reads) {
            found.insert(id);
        }
    }
    found
}
