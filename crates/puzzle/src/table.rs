//! States that were met, each once, and how they were come by.

use std::hash::BuildHasher;
use std::sync::Arc;

use game::MoveId;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use machine::alike::CanonicalForm;
use rustc_hash::FxBuildHasher;

use crate::method::Tally;

/// A state in a [`Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub(crate) u32);

/// States as rows of words, compared in full, each with the state and move before it. With
/// [`CanonicalForm`], states that are images of each other count as one: the first one met.
#[derive(Debug, Default)]
pub(crate) struct Table {
    words: usize,
    rows: Vec<u64>,
    origins: Vec<(u32, u32)>,
    known: HashTable<u32>,
    canonical: Option<Arc<CanonicalForm>>,
    /// With canonical forms, the hash of each row: it takes longer to work out than to keep.
    hashes: Vec<u64>,
    merged: u64,
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noted {
    /// It was not there before.
    New(NodeId),
    /// It was, or an image of it.
    Known(NodeId),
}

/// The origin of a first state.
const NOWHERE: u32 = u32::MAX;

impl Table {
    /// An empty one for rows of some words.
    pub(crate) fn new(words: usize, canonical: Option<Arc<CanonicalForm>>) -> Self {
        Self {
            words,
            rows: Vec::new(),
            origins: Vec::new(),
            known: HashTable::new(),
            canonical,
            hashes: Vec::new(),
            merged: 0,
        }
    }

    /// How many states were noted, and how often one was not because an image of it was there.
    pub(crate) fn tally(&self) -> Tally {
        Tally { states: self.origins.len() as u64, merged: self.merged }
    }

    /// Bytes in use, about.
    pub(crate) fn bytes(&self) -> usize {
        (self.rows.capacity() + self.origins.capacity() + self.hashes.capacity()) * 8
            + self.known.capacity() * 5
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
        let (words, rows, hashes) = (self.words, &self.rows, &self.hashes);
        let at = |index: u32| &rows[index as usize * words..(index as usize + 1) * words];
        let index = self.origins.len() as u32;
        let hash = self.canonical.as_ref().map_or_else(|| plain_hash(row), |canonical| canonical.hash(row));
        let entry = match &self.canonical {
            None => self.known.entry(hash, |&other| at(other) == row, |&other| plain_hash(at(other))),
            Some(canonical) => {
                let is_symmetric = |other: u32| at(other) == row || canonical.are_symmetric(at(other), row);
                let same = |other: u32| hashes[other as usize] == hash && is_symmetric(other);
                self.known.entry(hash, |&other| same(other), |&other| hashes[other as usize])
            }
        };
        match entry {
            Entry::Occupied(entry) => {
                let node = NodeId(*entry.get());
                self.merged += u64::from(self.canonical.is_some() && at(node.0) != row);
                Noted::Known(node)
            }
            Entry::Vacant(entry) => {
                entry.insert(index);
                Noted::New(self.push(row, hash))
            }
        }
    }

    fn push(&mut self, row: &[u64], hash: u64) -> NodeId {
        self.rows.extend_from_slice(row);
        self.origins.push((NOWHERE, 0));
        if self.canonical.is_some() {
            self.hashes.push(hash);
        }
        NodeId(self.origins.len() as u32 - 1)
    }

    /// The row of a known state is to be this one from now on. If it is only an image of the one that
    /// was noted, it gets a number of its own: lines that lead through the other one stay right.
    pub(crate) fn renew(&mut self, node: NodeId, row: &[u64]) -> NodeId {
        let hash = match self.hashes.get(node.0 as usize) {
            Some(&hash) if self.row(node) != row => hash,
            _ => return node,
        };
        let fresh = self.push(row, hash);
        if let Some(entry) = self.known.find_mut(hash, |&other| other == node.0) {
            *entry = fresh.0;
        }
        fresh
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

fn plain_hash(row: &[u64]) -> u64 {
    FxBuildHasher.hash_one(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_are_one_and_lines_lead_back() {
        let mut table = Table::new(2, None);
        let root = table.insert(&[1, 2], None).expect("new");
        let child = table.insert(&[3, 4], Some((root, MoveId(7)))).expect("new");
        assert_eq!(table.insert(&[1, 2], Some((child, MoveId(8)))), None);
        let leaf = table.insert(&[1, 3], Some((child, MoveId(9)))).expect("differs in one word");
        assert_eq!(table.line(leaf), [MoveId(7), MoveId(9)]);
        assert_eq!(table.row(child), [3, 4]);
        assert!(table.line(root).is_empty());
    }
    #[test]
    fn symmetric_states_are_one_and_lines_through_either_stay_right() {
        let swap = circuit::Symmetry { facts: vec![1, 0, 2], moves: Vec::new(), roles: Vec::new() };
        let readings = (0..3).map(|fact| (fact, false)).collect();
        let symmetries = circuit::Symmetries { generators: vec![swap], order: 2, complete: true, readings };
        let mut table = Table::new(1, CanonicalForm::new(&symmetries, &[0b111]));
        let root = table.insert(&[0b000], None).expect("new");
        let left = table.insert(&[0b001], Some((root, MoveId(1)))).expect("new");
        let below = table.insert(&[0b101], Some((left, MoveId(2)))).expect("new");
        assert_eq!(table.note(&[0b010]), Noted::Known(left));
        assert_eq!(table.note(&[0b110]), Noted::Known(below));
        assert_eq!(table.tally(), Tally { states: 3, merged: 2 });
        // A better way leads to the image: it takes the place of the first one.
        let right = table.renew(left, &[0b010]);
        table.relink(right, Some((root, MoveId(3))));
        assert_eq!((table.row(left), table.row(right)), (&[0b001][..], &[0b010][..]));
        assert_eq!(table.note(&[0b001]), Noted::Known(right));
        assert_eq!(table.line(below), [MoveId(1), MoveId(2)]);
        assert_eq!(table.line(right), [MoveId(3)]);
        assert_eq!(table.renew(right, &[0b010]), right);
    }
}
