//! The planning domain definition language (PDDL 2.2, with conditional effects and derived predicates): domain and problem in
//! one text, the problem after the line `;; problem`.
//!
//! A step takes two actions: a move is chosen where it is legal, then everything changes at once.

use std::fmt::Write;

use circuit::Circuit;

use crate::ExportError;
use crate::definition::{Atom, Head, Literal, definitions};
use crate::names::word;

/// Writes domain and problem.
pub(crate) fn write(circuit: &Circuit) -> Result<String, ExportError> {
    let [role] = &circuit.roles[..] else { return Err(ExportError::NotOnePlayer(circuit.roles.len())) };
    let fact = |number: usize| word("f", number, &circuit.bases[number]);
    let does = |id: usize| word("m", id, &role.moves[id]);
    let literal = |literal: &Literal| {
        let atom = match literal.atom {
            Atom::Gate(id) => format!("(gate{id})"),
            Atom::Base(number) => format!("({})", fact(number)),
            Atom::Does(_, id) => format!("(does_{})", does(id)),
        };
        if literal.holds { atom } else { format!("(not {atom})") }
    };
    let condition = |bodies: &[Vec<Literal>]| {
        let body =
            |body: &Vec<Literal>| format!("(and {})", body.iter().map(literal).collect::<Vec<_>>().join(" "));
        match bodies {
            [one] => body(one),
            several => format!("(or {})", several.iter().map(body).collect::<Vec<_>>().join(" ")),
        }
    };
    let all = definitions(circuit);
    let mut out = String::from(
        "(define (domain game)\n  (:requirements :adl :conditional-effects :derived-predicates)\n  (:predicates (chosen) (terminal)\n",
    );
    (0..circuit.bases.len()).for_each(|number| {
        let _ = writeln!(out, "    ({})", fact(number));
    });
    (0..role.moves.len()).for_each(|id| {
        let _ = writeln!(out, "    (does_{0}) (legal_{0})", does(id));
    });
    let highest = role.goals.iter().map(|goal| goal.value).max().unwrap_or(0);
    for definition in &all {
        if let Head::Gate(id) = definition.head {
            let _ = writeln!(out, "    (gate{id})");
        }
    }
    role.goals.iter().for_each(|goal| {
        let _ = writeln!(out, "    (goal{})", goal.value);
    });
    out.push_str("  )\n");
    for definition in &all {
        let head = match definition.head {
            Head::Gate(id) => format!("(gate{id})"),
            Head::Legal(_, id) => format!("(legal_{})", does(id)),
            Head::Goal(_, value) => format!("(goal{value})"),
            Head::Terminal => "(terminal)".to_owned(),
            Head::Next(_) | Head::Sees(..) => continue,
        };
        if !definition.bodies.is_empty() {
            let _ = writeln!(out, "  (:derived {head} {})", condition(&definition.bodies));
        }
    }
    for id in 0..role.moves.len() {
        let _ = writeln!(
            out,
            "  (:action {0} :parameters () :precondition (and (not (chosen)) (not (terminal)) (legal_{0})) :effect (and (chosen) (does_{0})))",
            does(id)
        );
    }
    out.push_str("  (:action step :parameters () :precondition (chosen) :effect (and (not (chosen))\n");
    (0..role.moves.len()).for_each(|id| {
        let _ = writeln!(out, "    (not (does_{}))", does(id));
    });
    for definition in &all {
        let Head::Next(number) = definition.head else { continue };
        let fact = fact(number);
        if definition.bodies.is_empty() {
            let _ = writeln!(out, "    (not ({fact}))");
        } else {
            let condition = condition(&definition.bodies);
            let _ = writeln!(out, "    (when {condition} ({fact})) (when (not {condition}) (not ({fact})))");
        }
    }
    out.push_str("  )))\n\n;; problem\n(define (problem game-problem) (:domain game)\n  (:init\n");
    for (number, _) in circuit.initial.iter().enumerate().filter(|(_, initial)| **initial) {
        let _ = writeln!(out, "    ({})", fact(number));
    }
    let _ = writeln!(out, "  )\n  (:goal (and (not (chosen)) (terminal) (goal{highest}))))");
    Ok(out)
}
