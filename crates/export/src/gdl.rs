//! A sheet of ground rules. Facts that exclude each other are told in comments, a line for each group.

use std::fmt::Write;

use circuit::Circuit;

use crate::definition::{Atom, Head, Literal, definitions};

/// Writes the sheet: what the gates say, with the facts and moves of the rules.
pub(crate) fn write(circuit: &Circuit) -> String {
    let mut out =
        String::from("; Ground rules, made from a circuit: gates are relations without arguments.\n\n");
    // As the rules spell them.
    let spell = |text: &str| circuit.spellings.spell(text);
    let role = |role: usize| spell(&circuit.roles[role].name);
    let move_of = |role: usize, id: usize| spell(&circuit.roles[role].moves[id]);
    (0..circuit.roles.len()).for_each(|number| line(&mut out, format_args!("(role {})", role(number))));
    out.push('\n');
    circuit.bases.iter().for_each(|base| line(&mut out, format_args!("(base {})", spell(base))));
    for (number, moves) in circuit.roles.iter().enumerate() {
        moves
            .moves
            .iter()
            .for_each(|text| line(&mut out, format_args!("(input {} {})", role(number), spell(text))));
    }
    for group in circuit.mutex_groups() {
        let facts: Vec<String> = group.iter().map(|&fact| spell(&circuit.bases[fact as usize])).collect();
        line(&mut out, format_args!("; at most one: {}", facts.join(" ")));
    }
    out.push('\n');
    for (base, _) in circuit.bases.iter().zip(&circuit.initial).filter(|(_, initial)| **initial) {
        line(&mut out, format_args!("(init {})", spell(base)));
    }
    out.push('\n');
    let literal = |literal: &Literal| {
        let atom = match literal.atom {
            Atom::Gate(id) => format!("gate{id}"),
            Atom::Base(fact) => format!("(true {})", spell(&circuit.bases[fact])),
            Atom::Does(who, id) => format!("(does {} {})", role(who), move_of(who, id)),
        };
        if literal.holds { atom } else { format!("(not {atom})") }
    };
    for definition in definitions(circuit) {
        let head = match definition.head {
            Head::Gate(id) => format!("gate{id}"),
            Head::Legal(who, id) => format!("(legal {} {})", role(who), move_of(who, id)),
            Head::Terminal => "terminal".to_owned(),
            Head::Goal(who, value) => format!("(goal {} {value})", role(who)),
            Head::Next(fact) => format!("(next {})", spell(&circuit.bases[fact])),
            Head::Sees(who, number) => {
                format!("(sees {} {})", role(who), spell(&circuit.roles[who].percepts[number].text))
            }
        };
        for body in &definition.bodies {
            if body.is_empty() {
                line(&mut out, format_args!("{head}"));
            } else {
                let body: Vec<String> = body.iter().map(literal).collect();
                line(&mut out, format_args!("(<= {head} {})", body.join(" ")));
            }
        }
    }
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{text}");
}
