//! States that were met, each once, and how they were come by.

use std::hash::BuildHasher;

use game::MoveId;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

/// A state in a [`Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub(crate) u32);

/// States as rows of words, compared in full, each with the state and move before it.
#[derive(Debug)]
pub(crate) struct Table {
    words: usize,
    rows: Vec<u64>,
    origins: Vec<(u32, u32)>,
    known: HashTable<u32>,
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noted {
    /// It was not there before.
    New(NodeId),
    /// It was.
    Known(NodeId),
}

/// The origin of a first state.
const NOWHERE: u32 = u32::MAX;

impl Table {
    /// An empty one for rows of some words.
    pub(crate) fn new(words: usize) -> Self {
        Self { words, rows: Vec::new(), origins: Vec::new(), known: HashTable::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.origins.len()
    }

    /// Bytes in use, about.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.capacity() * 8 + self.origins.capacity() * 8 + self.known.capacity() * 5
    }

    /// Notes a row with where it came from; `None` if it is known.
    pub(crate) fn insert(&mut self, row: &[u64], from: Option<(NodeId, MoveId)>) -> Option<NodeId> {
        match self.note(row) {
            Noted::Known(_) => None,
            Noted::New(node) => {
                self.relink(node, from);
                Some(node)
            }
        }
    }

    /// Notes a row that came from nowhere so far.
    pub(crate) fn note(&mut self, row: &[u64]) -> Noted {
        let (words, rows) = (self.words, &mut self.rows);
        let at = |index: u32| index as usize * words..(index as usize + 1) * words;
        let index = self.origins.len() as u32;
        let entry =
            self.known.entry(hash(row), |&other| rows[at(other)] == *row, |&other| hash(&rows[at(other)]));
        match entry {
            Entry::Occupied(entry) => Noted::Known(NodeId(*entry.get())),
            Entry::Vacant(entry) => {
                entry.insert(index);
                rows.extend_from_slice(row);
                self.origins.push((NOWHERE, 0));
                Noted::New(NodeId(index))
            }
        }
    }

    /// Says where a state came from.
    pub(crate) fn relink(&mut self, node: NodeId, from: Option<(NodeId, MoveId)>) {
        self.origins[node.0 as usize] = from.map_or((NOWHERE, 0), |(node, id)| (node.0, id.0));
    }

    /// The words of a state.
    pub(crate) fn row(&self, node: NodeId) -> &[u64] {
        &self.rows[node.0 as usize * self.words..(node.0 as usize + 1) * self.words]
    }

    /// The moves that led to a state.
    pub(crate) fn line(&self, node: NodeId) -> Vec<MoveId> {
        let mut line = Vec::new();
        let mut node = node.0;
        loop {
            let (before, id) = self.origins[node as usize];
            if before == NOWHERE {
                line.reverse();
                return line;
            }
            line.push(MoveId(id));
            node = before;
        }
    }
}

fn hash(row: &[u64]) -> u64 {
    FxBuildHasher.hash_one(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_are_one_and_lines_lead_back() {
        let mut table = Table::new(2);
        let root = table.insert(&[1, 2], None).expect("new");
        let child = table.insert(&[3, 4], Some((root, MoveId(7)))).expect("new");
        assert_eq!(table.insert(&[1, 2], Some((child, MoveId(8)))), None);
        let leaf = table.insert(&[1, 3], Some((child, MoveId(9)))).expect("differs in one word");
        assert_eq!(table.line(leaf), [MoveId(7), MoveId(9)]);
        assert_eq!(table.row(child), [3, 4]);
        assert!(table.line(root).is_empty());
    }
}
