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

use rustc_hash::FxHashMap;

use crate::Circuit;
use crate::origin::{Origin, Reading};
use graph::Graph;
use search::{Limits, search};

/// Links that are looked at before giving up, about a tenth of a second's work.
const MOST_WORK: usize = 3_000_000;

/// What may become of roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roles {
    /// Each is mapped to itself.
    Kept,
    /// They may be exchanged, with their moves and goals. Chance is mapped to itself.
    Exchanged,
}

/// A permutation of facts, moves and roles under which the rules stay the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// For each fact the fact it is mapped to.
    pub facts: Vec<u32>,
    /// For each move, role after role, the move it is mapped to; it belongs to the role that its own is mapped to.
    pub moves: Vec<u32>,
    /// For each role the role it is mapped to.
    pub roles: Vec<u16>,
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
    /// facts of number 0, or roles. Without an end when `is_over` says so, or after a certain amount of work.
    ///
    /// There are none if the rules are many, or if the circuit was not made of rules.
    pub fn symmetries(&self, colours: &[u32], roles: Roles, is_over: &dyn Fn() -> bool) -> Symmetries {
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
        let graph = Graph::new(origin, colours, roles, self.chance);
        let found = search(&graph, 0, &Limits { work: MOST_WORK, is_over });
        Symmetries {
            generators: found.generators.iter().map(|image| self.read(origin, &graph, image)).collect(),
            order: found.order,
            complete: found.complete,
            readings,
        }
    }

    /// What a permutation of the graph's nodes does to facts, moves and roles.
    fn read(&self, origin: &Origin, graph: &Graph, image: &[u32]) -> Symmetry {
        let read = |list: &[(u32, u32)], places: &[Option<u32>], mapped: &mut [u32]| {
            let named = list.iter().filter_map(|&(node, number)| Some((node, places[number as usize]?)));
            let place_at: FxHashMap<u32, u32> = named.collect();
            for (&node, &place) in &place_at {
                mapped[place as usize] = place_at.get(&image[node as usize]).copied().unwrap_or(place);
            }
        };
        let mut facts: Vec<u32> = (0..self.bases.len() as u32).collect();
        read(&graph.facts, &origin.facts, &mut facts);
        let role_at: FxHashMap<u32, u16> = graph.roles.iter().copied().zip(0..).collect();
        let roles: Vec<u16> = match graph.roles.is_empty() {
            true => (0..self.roles.len() as u16).collect(),
            false => graph.roles.iter().map(|&node| role_at[&image[node as usize]]).collect(),
        };
        // What nothing asks about has no node: the first of a role goes to the first of the other, and so on.
        let unasked = graph.unasked(origin);
        let mut moves: Vec<u32> = (0..self.roles.iter().map(|role| role.moves.len() as u32).sum()).collect();
        for (from, &to) in unasked.iter().zip(&roles) {
            for (&from, &to) in from.iter().zip(&unasked[usize::from(to)]) {
                moves[from as usize] = to;
            }
        }
        let asked: Vec<(u32, u32)> = graph.moves.iter().chain(&graph.legal).copied().collect();
        read(&asked, &origin.moves, &mut moves);
        Symmetry { facts, moves, roles }
    }
}
