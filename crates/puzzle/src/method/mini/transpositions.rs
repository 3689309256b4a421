//! Which nodes of the tree have the same state.

use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use super::tree::NodeId;
use crate::facts::{Codes, Facts};

/// How states met on several ways are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transpositions {
    /// Not at all.
    None,
    /// By the paper's table of five levels: legal moves, facts, relations that are not empty, facts
    /// of each relation, and a hash of each relation. At the end states are compared.
    FiveLevels,
    /// By a hash that is kept up move by move (after Zobrist, 1970); states are compared.
    Zobrist,
}

/// The paper's table: from level to level by legal moves, facts, relations with facts, the facts of
/// each relation, and the hash of each relation. There the states are, each by a node that has it.
type FiveLevels =
    FxHashMap<usize, FxHashMap<u32, FxHashMap<usize, FxHashMap<Vec<u32>, FxHashMap<Vec<u64>, Vec<NodeId>>>>>>;

/// A node of each state.
#[derive(Debug)]
pub(super) struct Index {
    table: Table,
    codes: Codes,
    /// Scratch: the facts of each relation and what their symbols add up to.
    census: Vec<(u32, u64)>,
}

#[derive(Debug)]
enum Table {
    None,
    FiveLevels(FiveLevels),
    /// By hash.
    Zobrist(HashTable<(u64, NodeId)>),
}

/// What is asked about: a state, its hash and how many legal moves it has.
pub(super) struct Asked<'a, State> {
    pub(super) state: &'a State,
    pub(super) hash: u64,
    pub(super) legal: usize,
}

impl Index {
    pub(super) fn new<G: Facts>(game: &G, kind: Transpositions) -> Self {
        let table = match kind {
            Transpositions::None => Table::None,
            Transpositions::FiveLevels => Table::FiveLevels(FiveLevels::default()),
            Transpositions::Zobrist => Table::Zobrist(HashTable::new()),
        };
        Self { table, codes: Codes::new(game), census: Vec::new() }
    }

    /// The hash of a state after another one; nothing is computed where it is not needed.
    pub(super) fn hash<G: Facts>(&self, game: &G, state: &G::State, before: Option<(&G::State, u64)>) -> u64 {
        match self.table {
            Table::Zobrist(_) => game.hash(&self.codes, state, before),
            Table::None | Table::FiveLevels(_) => 0,
        }
    }

    /// A node with the same state; without one, that is noted for the state. `of` gives the states of the nodes noted
    /// before.
    pub(super) fn note<'a, G: Facts>(
        &mut self,
        game: &G,
        asked: &Asked<'_, G::State>,
        node: NodeId,
        of: impl Fn(NodeId) -> &'a G::State,
    ) -> Option<NodeId>
    where
        G::State: 'a,
    {
        match &mut self.table {
            Table::None => None,
            Table::FiveLevels(table) => {
                game.census(&mut self.codes, asked.state, &mut self.census);
                let (facts, relations, counts, hashes) = levels(&self.census);
                let by_facts = table.entry(asked.legal).or_default().entry(facts).or_default();
                let by_counts = by_facts.entry(relations).or_default().entry(counts).or_default();
                let states = by_counts.entry(hashes).or_default();
                let same = states.iter().copied().find(|&known| of(known) == asked.state);
                if same.is_none() {
                    states.push(node);
                }
                same
            }
            Table::Zobrist(table) => {
                let same = |known: &(u64, NodeId)| known.0 == asked.hash && of(known.1) == asked.state;
                let same = table.find(asked.hash, same).map(|known| known.1);
                if same.is_none() {
                    table.insert_unique(asked.hash, (asked.hash, node), |known| known.0);
                }
                same
            }
        }
    }
}

/// What the lower four levels look at.
fn levels(census: &[(u32, u64)]) -> (u32, usize, Vec<u32>, Vec<u64>) {
    let counts: Vec<u32> = census.iter().map(|relation| relation.0).collect();
    let hashes = census.iter().map(|relation| relation.1).collect();
    let relations = counts.iter().filter(|&&count| count > 0).count();
    (counts.iter().sum(), relations, counts, hashes)
}
