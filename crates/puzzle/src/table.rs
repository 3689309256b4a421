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

    /// Notes a row; `None` if it is known, or there is no number left for it.
    pub(crate) fn insert(&mut self, row: &[u64], from: Option<(NodeId, MoveId)>) -> Option<NodeId> {
        let (words, rows) = (self.words, &mut self.rows);
        let at = |index: u32| index as usize * words..(index as usize + 1) * words;
        let index = u32::try_from(self.origins.len()).ok().filter(|&index| index < NOWHERE)?;
        let entry =
            self.known.entry(hash(row), |&other| rows[at(other)] == *row, |&other| hash(&rows[at(other)]));
        match entry {
            Entry::Occupied(_) => None,
            Entry::Vacant(entry) => {
                entry.insert(index);
                rows.extend_from_slice(row);
                self.origins.push(from.map_or((NOWHERE, 0), |(node, id)| (node.0, id.0)));
                Some(NodeId(index))
            }
        }
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
