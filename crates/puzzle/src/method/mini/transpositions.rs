//! Which nodes of the tree have the same state.

use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use crate::facts::{Codes, Facts};

/// How states met on several ways are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transpositions {
    /// Not at all.
    None,
    /// By the paper's table of five levels: legal moves, facts, relations that are not empty, facts
    /// of each relation, and a hash of each relation. States are not compared.
    FiveLevels,
    /// By a hash that is kept up move by move (after Zobrist, 1970); states are compared.
    Zobrist,
}

/// The paper's table: from level to level by legal moves, facts, relations with facts, the facts of
/// each relation, and the hash of each relation.
type FiveLevels =
    FxHashMap<usize, FxHashMap<u32, FxHashMap<usize, FxHashMap<Vec<u32>, FxHashMap<Vec<u64>, Vec<u32>>>>>>;

/// The nodes of each state.
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
    /// Groups of nodes with the same state.
    Zobrist(HashTable<Group>),
}

#[derive(Debug)]
struct Group {
    hash: u64,
    nodes: Vec<u32>,
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

    /// Notes a node. `of` gives the states of the nodes noted before.
    pub(super) fn add<'a, G: Facts>(
        &mut self,
        game: &G,
        asked: &Asked<'_, G::State>,
        node: u32,
        of: impl Fn(u32) -> &'a G::State,
    ) where
        G::State: 'a,
    {
        match &mut self.table {
            Table::None => {}
            Table::FiveLevels(table) => {
                game.census(&self.codes, asked.state, &mut self.census);
                let (facts, relations, counts, hashes) = levels(&self.census);
                let by_facts = table.entry(asked.legal).or_default().entry(facts).or_default();
                let by_counts = by_facts.entry(relations).or_default().entry(counts).or_default();
                by_counts.entry(hashes).or_default().push(node);
            }
            Table::Zobrist(table) => {
                let same = |group: &Group| group.hash == asked.hash && of(group.nodes[0]) == asked.state;
                match table.find_mut(asked.hash, same) {
                    Some(group) => group.nodes.push(node),
                    None => {
                        let group = Group { hash: asked.hash, nodes: vec![node] };
                        table.insert_unique(asked.hash, group, |group| group.hash);
                    }
                }
            }
        }
    }

    /// The nodes of a state; none if there is no table.
    pub(super) fn same<'a, G: Facts>(
        &mut self,
        game: &G,
        asked: &Asked<'_, G::State>,
        of: impl Fn(u32) -> &'a G::State,
    ) -> &[u32]
    where
        G::State: 'a,
    {
        let found = match &self.table {
            Table::None => None,
            Table::FiveLevels(table) => {
                game.census(&self.codes, asked.state, &mut self.census);
                let (facts, relations, counts, hashes) = levels(&self.census);
                table
                    .get(&asked.legal)
                    .and_then(|table| table.get(&facts)?.get(&relations)?.get(&counts)?.get(&hashes))
            }
            Table::Zobrist(table) => {
                let same = |group: &Group| group.hash == asked.hash && of(group.nodes[0]) == asked.state;
                table.find(asked.hash, same).map(|group| &group.nodes)
            }
        };
        found.map_or(&[], Vec::as_slice)
    }
}

/// What the lower four levels look at.
fn levels(census: &[(u32, u64)]) -> (u32, usize, Vec<u32>, Vec<u64>) {
    let counts: Vec<u32> = census.iter().map(|relation| relation.0).collect();
    let hashes = census.iter().map(|relation| relation.1).collect();
    let relations = counts.iter().filter(|&&count| count > 0).count();
    (counts.iter().sum(), relations, counts, hashes)
}
