//! Prolog, as SWI-Prolog reads it: what holds in a state that is kept as `state/1` facts, and a few predicates to play with.

use std::fmt::Write;

use circuit::Circuit;

use crate::definition::{Atom, Head, Literal, definitions};
use crate::names::quoted;

const PLAY: &str = r"
% begin: the initial state. move(Joint): a step, Joint having a move for each role in order.
begin :- retractall(state(_)), retractall(does(_,_)), abolish_all_tables, forall(init(F), assertz(state(F))).
move(Joint) :- findall(R, role(R), Roles), retractall(does(_,_)), pairs(Roles, Joint), abolish_all_tables,
    findall(F, next(F), Facts), retractall(state(_)), retractall(does(_,_)), abolish_all_tables,
    forall(member(F, Facts), assertz(state(F))).
pairs([], []).
pairs([R|Rs], [M|Ms]) :- assertz(does(R, M)), pairs(Rs, Ms).
restore(Facts) :- retractall(state(_)), retractall(does(_,_)), abolish_all_tables, forall(member(F, Facts), assertz(state(F))).
joint([], []).
joint([R|Rs], [M|Ms]) :- legal(R, M), joint(Rs, Ms).
% perft(Depth, Count): how many joint moves lead so far.
perft(0, 1) :- !.
perft(_, 0) :- terminal, !.
perft(D, N) :- findall(F, state(F), Facts), findall(R, role(R), Roles), findall(J, joint(Roles, J), Joints),
    E is D - 1, plays(Joints, Facts, E, 0, N), restore(Facts).
plays([], _, _, N, N).
plays([J|Js], Facts, E, A, N) :- restore(Facts), move(J), perft(E, C), B is A + C, plays(Js, Facts, E, B, N).
";

/// Writes the program.
pub(crate) fn write(circuit: &Circuit) -> String {
    let name = |term: &str| quoted(term, '\'');
    let mut out = String::from(
        "% A game as Prolog. Gates are tabled: each is worked out once in a state.\n\
         :- dynamic(state/1). :- dynamic(does/2). :- table(gate/1).\n\
         :- discontiguous(legal/2). :- discontiguous(goal/2). :- discontiguous(gate/1).\n\
         :- dynamic(legal/2). :- dynamic(goal/2). :- dynamic(next/1). :- dynamic(terminal/0). :- dynamic(init/1).\n\
         :- dynamic(sees/2).\n\n",
    );
    for role in &circuit.roles {
        let _ = writeln!(out, "role({}).", name(&role.name));
    }
    for (base, _) in circuit.bases.iter().zip(&circuit.initial).filter(|(_, initial)| **initial) {
        let _ = writeln!(out, "init({}).", name(base));
    }
    let literal = |literal: &Literal| {
        let atom = match literal.atom {
            Atom::Gate(id) => format!("gate({id})"),
            Atom::Base(fact) => format!("state({})", name(&circuit.bases[fact])),
            Atom::Does(role, id) => {
                format!("does({},{})", name(&circuit.roles[role].name), name(&circuit.roles[role].moves[id]))
            }
        };
        if literal.holds { atom } else { format!("\\+ {atom}") }
    };
    for definition in definitions(circuit) {
        let head = match definition.head {
            Head::Gate(id) => format!("gate({id})"),
            Head::Legal(role, id) => {
                format!("legal({},{})", name(&circuit.roles[role].name), name(&circuit.roles[role].moves[id]))
            }
            Head::Terminal => "terminal".to_owned(),
            Head::Goal(role, value) => format!("goal({},{value})", name(&circuit.roles[role].name)),
            Head::Next(fact) => format!("next({})", name(&circuit.bases[fact])),
            Head::Sees(role, number) => {
                let role = &circuit.roles[role];
                format!("sees({},{})", name(&role.name), name(&role.percepts[number].text))
            }
        };
        for body in &definition.bodies {
            let body: Vec<String> = body.iter().map(literal).collect();
            let body = if body.is_empty() { "true".to_owned() } else { body.join(", ") };
            let _ = writeln!(out, "{head} :- {body}.");
        }
    }
    out.push_str(PLAY);
    out
}
