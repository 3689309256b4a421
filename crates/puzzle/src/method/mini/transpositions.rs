//! Which nodes of the tree have the same state.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash};

use game::Game;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// How states met on several ways are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transpositions {
    /// Not at all.
    None,
    /// By the paper's table of five levels: legal moves, facts, relations that are not empty, facts
    /// of each relation, and a hash of each relation. States are not compared.
    FiveLevels,
    /// By a hash of the whole state; states are compared.
    Exact,
}

/// What the levels of the paper's table look at, the last last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Levels {
    legal: usize,
    facts: usize,
    relations: usize,
    counts: Vec<u32>,
    hashes: Vec<u64>,
}

/// The nodes of each state.
#[derive(Debug)]
pub(super) enum Index<State> {
    None,
    FiveLevels(FxHashMap<Levels, Vec<u32>>),
    Exact(FxHashMap<State, Vec<u32>>),
}

impl<State: Clone + Eq + Hash> Index<State> {
    pub(super) fn new(kind: Transpositions) -> Self {
        match kind {
            Transpositions::None => Self::None,
            Transpositions::FiveLevels => Self::FiveLevels(FxHashMap::default()),
            Transpositions::Exact => Self::Exact(FxHashMap::default()),
        }
    }

    /// Notes a node.
    pub(super) fn add<G: Game<State = State>>(&mut self, game: &G, state: &State, legal: usize, node: u32) {
        match self {
            Self::None => {}
            Self::FiveLevels(nodes) => nodes.entry(levels(game, state, legal)).or_default().push(node),
            Self::Exact(nodes) => nodes.entry(state.clone()).or_default().push(node),
        }
    }

    /// The nodes of a state, one of which is known.
    pub(super) fn same<G: Game<State = State>>(
        &self,
        game: &G,
        state: &State,
        legal: usize,
        known: u32,
    ) -> Vec<u32> {
        let found = match self {
            Self::None => None,
            Self::FiveLevels(nodes) => nodes.get(&levels(game, state, legal)),
            Self::Exact(nodes) => nodes.get(state),
        };
        found.cloned().unwrap_or_else(|| vec![known])
    }
}

/// The properties of a state. A relation's hash is the sum over its facts of the codes of their
/// symbols, each doubled as often as its place says.
fn levels<G: Game>(game: &G, state: &G::State, legal: usize) -> Levels {
    let facts = game.facts(state);
    let mut relations: BTreeMap<&str, (u32, u64)> = BTreeMap::new();
    for fact in &facts {
        let mut symbols = fact.split(['(', ')', ' ']).filter(|symbol| !symbol.is_empty());
        let relation = relations.entry(symbols.next().unwrap_or("")).or_default();
        relation.0 += 1;
        for (place, symbol) in (1u32..).zip(symbols) {
            let code = FxBuildHasher.hash_one(symbol) & 0xffff;
            relation.1 = relation.1.wrapping_add(code << place.min(40));
        }
    }
    Levels {
        legal,
        facts: facts.len(),
        relations: relations.len(),
        counts: relations.values().map(|relation| relation.0).collect(),
        hashes: relations.values().map(|relation| relation.1).collect(),
    }
}
