//! Answer set programming, as clingo reads it: an answer set is a play of `n` joint moves, or one that ends before.
//!
//! `-c n=5` says how many; with `--project` and all models wanted their number is that of the plays. For one role a last rule
//! can be switched on (`-c plan=1`) that leaves only plays that end with the highest goal.

use std::fmt::Write;

use circuit::Circuit;

use crate::definition::{Atom, Head, Literal, definitions};

/// Writes the program.
pub(crate) fn write(circuit: &Circuit) -> String {
    // Names of functions cannot be quoted there: facts and moves are strings as a whole.
    let string = |term: &str| format!("\"{}\"", term.replace('\\', "\\\\").replace('"', "\\\""));
    let mut out = String::from(
        "% A game as answer sets: a play of n joint moves, or one that ends before.\n\
         #const n = 5.\n#const plan = 0.\n\
         time(0..n).\n\
         over(T) :- terminal(T).\nover(T+1) :- over(T), time(T+1).\n\
         open(T) :- time(T), not over(T).\n\
         1 { does(R,M,T) : legal(R,M,T) } 1 :- role(R), open(T), T < n.\n\
         #show does/3.\n\n",
    );
    for role in &circuit.roles {
        let _ = writeln!(out, "role({}).", string(&role.name));
    }
    for (base, _) in circuit.bases.iter().zip(&circuit.initial).filter(|(_, initial)| **initial) {
        let _ = writeln!(out, "holds({},0).", string(base));
    }
    let literal = |literal: &Literal| {
        let atom = match literal.atom {
            Atom::Gate(id) => format!("gate({id},T)"),
            Atom::Base(fact) => format!("holds({},T)", string(&circuit.bases[fact])),
            Atom::Does(role, id) => {
                let role = &circuit.roles[role];
                format!("does({},{},T)", string(&role.name), string(&role.moves[id]))
            }
        };
        if literal.holds { atom } else { format!("not {atom}") }
    };
    for definition in definitions(circuit) {
        let (head, when) = match definition.head {
            Head::Gate(id) => (format!("gate({id},T)"), "time(T)"),
            Head::Legal(role, id) => {
                let role = &circuit.roles[role];
                (format!("legal({},{},T)", string(&role.name), string(&role.moves[id])), "open(T)")
            }
            Head::Terminal => ("terminal(T)".to_owned(), "time(T)"),
            Head::Goal(role, value) => {
                (format!("goal({},{value},T)", string(&circuit.roles[role].name)), "time(T)")
            }
            Head::Next(fact) => (format!("holds({},T+1)", string(&circuit.bases[fact])), "open(T), T < n"),
            Head::Sees(role, number) => {
                let role = &circuit.roles[role];
                (
                    format!("sees({},{},T)", string(&role.name), string(&role.percepts[number].text)),
                    "open(T), T < n",
                )
            }
        };
        for body in &definition.bodies {
            let body: Vec<String> = body.iter().map(literal).chain([when.to_owned()]).collect();
            let _ = writeln!(out, "{head} :- {}.", body.join(", "));
        }
    }
    if let [role] = &circuit.roles[..] {
        let highest = role.goals.iter().map(|goal| goal.value).max().unwrap_or(0);
        let _ =
            writeln!(out, "reached :- terminal(T), goal({},{highest},T), not over(T-1).", string(&role.name));
        out.push_str(":- plan = 1, not reached.\n");
    }
    out
}
