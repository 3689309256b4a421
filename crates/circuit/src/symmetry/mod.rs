//! Symmetries of a game: permutations of its facts and of the moves of each role under which the rules
//! stay the same. What can be reached from a state can then be reached from its image, with the
//! images of the moves, and every role gets the same for it. The initial state need not be its own image.
//!
//! They are looked for in the ground rules, not in the gates: a permutation that maps every rule to
//! a rule is a symmetry whatever the rules mean, and it is easily checked.

mod colours;
mod graph;
mod search;
mod unfold;

use crate::Circuit;
use crate::origin::Reading;
use graph::Graph;
use search::{Limits, search};

/// Links that are looked at before giving up, about a tenth of a second's work.
const MOST_WORK: usize = 3_000_000;

/// A permutation of facts and moves under which the rules stay the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// For each fact the fact it is mapped to.
    pub facts: Vec<u32>,
    /// For each move, role after role, the move it is mapped to; it belongs to the same role.
    pub moves: Vec<u32>,
}

/// Symmetries of a circuit's rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetries {
    /// Some that generate all that were found.
    pub generators: Vec<Symmetry>,
    /// How many these generate at least.
    pub order: u64,
    /// Whether there are no others, as far as the rules tell.
    pub complete: bool,
    /// For each fact the fact it is read from, and whether as its inverse. Facts that are always
    /// equal or opposite are one.
    pub readings: Vec<(u32, bool)>,
}

impl Circuit {
    /// Symmetries of the rules that the circuit was made of. `colours` has a number for every fact:
    /// facts are mapped only to facts of the same number, and looked for are symmetries that move
    /// facts of number 0. Without an end when `is_over` says so, or after a certain amount of work.
    ///
    /// There are none if the rules are many, or if the circuit was not made of rules.
    pub fn symmetries(&self, colours: &[u32], is_over: &dyn Fn() -> bool) -> Symmetries {
        let identity: Vec<(u32, bool)> = (0..self.bases.len() as u32).map(|fact| (fact, false)).collect();
        let Some(origin) = &self.origin else {
            return Symmetries { order: 1, readings: identity, ..Symmetries::default() };
        };
        let mut readings = identity;
        for (fact, reading) in origin.facts.iter().zip(&origin.readings) {
            if let (Some(fact), Reading::Fact(from, inverted)) = (fact, reading) {
                readings[*fact as usize] = (*from, *inverted);
            }
        }
        let graph = Graph::new(origin, colours);
        let found = search(&graph, 0, &Limits { work: MOST_WORK, is_over });
        let all_moves = self.roles.iter().map(|role| role.moves.len()).sum();
        let of = |image: &Vec<u32>| {
            let nodes = |list: &[(u32, u32)], places: &[Option<u32>], all: usize| {
                let place_at: rustc_hash::FxHashMap<u32, u32> = list
                    .iter()
                    .filter_map(|&(node, number)| Some((node, places[number as usize]?)))
                    .collect();
                let mut mapped: Vec<u32> = (0..all as u32).collect();
                for (&node, &place) in &place_at {
                    mapped[place as usize] = place_at.get(&image[node as usize]).copied().unwrap_or(place);
                }
                mapped
            };
            let moves: Vec<(u32, u32)> = graph.moves.iter().chain(&graph.legal).copied().collect();
            Symmetry {
                facts: nodes(&graph.facts, &origin.facts, self.bases.len()),
                moves: nodes(&moves, &origin.moves, all_moves),
            }
        };
        Symmetries {
            generators: found.generators.iter().map(of).collect(),
            order: found.order,
            complete: found.complete,
            readings,
        }
    }
}
