//! The rows of a relation, without repetition, with indexes made on demand.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

use crate::term::TermId;

/// The end of a chain of rows.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// Rows in the order of their insertion; a row's number never changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    width: usize,
    count: u32,
    cells: Vec<TermId>,
    known: HashTable<u32>,
    indexes: Vec<Index>,
    /// For each column, which terms occur in it and how many.
    columns: Vec<Column>,
}

#[derive(Clone, Debug, Default)]
struct Column {
    seen: Vec<u64>,
    distinct: u32,
}

/// Rows by the values of some columns. The rows of one key form a chain, the newest first, so that
/// the rows of the last round are met first.
#[derive(Clone, Debug, Default)]
struct Index {
    columns: Box<[u32]>,
    newest: HashTable<u32>,
    older: Vec<u32>,
}

impl Table {
    pub(crate) fn new(width: usize) -> Self {
        Table { width, columns: vec![Column::default(); width], ..Table::default() }
    }

    pub(crate) fn len(&self) -> u32 {
        self.count
    }

    pub(crate) fn row(&self, row: u32) -> &[TermId] {
        &self.cells[row as usize * self.width..][..self.width]
    }

    pub(crate) fn cell(&self, row: u32, column: u32) -> TermId {
        self.cells[row as usize * self.width + column as usize]
    }

    /// How many different terms a column holds.
    pub(crate) fn distinct(&self, column: usize) -> u32 {
        self.columns[column].distinct
    }

    pub(crate) fn find(&self, tuple: &[TermId]) -> Option<u32> {
        let hash = hash(tuple.iter().copied());
        self.known.find(hash, |&row| self.row(row) == tuple).copied()
    }

    /// The number of a row, and whether it is new.
    pub(crate) fn insert(&mut self, tuple: &[TermId]) -> (u32, bool) {
        let width = self.width;
        let (cells, row) = (&self.cells, self.count);
        let at = |row: u32| &cells[row as usize * width..][..width];
        let entry = self.known.entry(
            hash(tuple.iter().copied()),
            |&other| at(other) == tuple,
            |&other| hash(at(other).iter().copied()),
        );
        match entry {
            Entry::Occupied(entry) => return (*entry.get(), false),
            Entry::Vacant(entry) => entry.insert(row),
        };
        self.cells.extend_from_slice(tuple);
        self.count += 1;
        for (column, &term) in self.columns.iter_mut().zip(tuple) {
            let (word, bit) = (term.0 as usize / 64, 1u64 << (term.0 % 64));
            if column.seen.len() <= word {
                column.seen.resize(word + 1, 0);
            }
            column.distinct += u32::from(column.seen[word] & bit == 0);
            column.seen[word] |= bit;
        }
        for index in &mut self.indexes {
            index.insert(&self.cells, width, row);
        }
        (row, true)
    }

    /// The number of the index over these columns; it is made if there is none.
    pub(crate) fn index(&mut self, columns: &[u32]) -> u32 {
        if let Some(known) = self.indexes.iter().position(|index| *index.columns == *columns) {
            return known as u32;
        }
        let mut index = Index { columns: columns.into(), ..Index::default() };
        for row in 0..self.count {
            index.insert(&self.cells, self.width, row);
        }
        self.indexes.push(index);
        self.indexes.len() as u32 - 1
    }

    /// The newest row with this key, or [`NO_ROW`].
    pub(crate) fn newest(&self, index: u32, key: &[TermId]) -> u32 {
        let index = &self.indexes[index as usize];
        let same =
            |&row: &u32| index.columns.iter().zip(key).all(|(&column, &term)| self.cell(row, column) == term);
        index.newest.find(hash(key.iter().copied()), same).copied().unwrap_or(NO_ROW)
    }

    /// The row with the same key that came before, or [`NO_ROW`].
    pub(crate) fn older(&self, index: u32, row: u32) -> u32 {
        self.indexes[index as usize].older[row as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        let indexes: usize =
            self.indexes.iter().map(|index| index.newest.capacity() * 5 + index.older.capacity() * 4).sum();
        self.cells.capacity() * 4 + self.known.capacity() * 5 + indexes
    }

    /// Frees the indexes, which are made again when asked for.
    pub(crate) fn forget_indexes(&mut self) {
        self.indexes.clear();
    }
}

impl Index {
    fn insert(&mut self, cells: &[TermId], width: usize, row: u32) {
        let cell = |row: u32, column: u32| cells[row as usize * width + column as usize];
        let columns = &self.columns;
        let key = |row: u32| columns.iter().map(move |&column| cell(row, column));
        let entry =
            self.newest.entry(hash(key(row)), |&other| key(other).eq(key(row)), |&other| hash(key(other)));
        match entry {
            Entry::Occupied(mut entry) => {
                self.older.push(*entry.get());
                *entry.get_mut() = row;
            }
            Entry::Vacant(entry) => {
                self.older.push(NO_ROW);
                entry.insert(row);
            }
        }
    }
}

fn hash(terms: impl Iterator<Item = TermId>) -> u64 {
    use std::hash::Hasher;
    let mut hasher = FxBuildHasher.build_hasher();
    for term in terms {
        hasher.write_u32(term.0);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_kept_once_and_found_by_key() {
        let mut table = Table::new(2);
        let row = |a, b| [TermId(a), TermId(b)];
        assert_eq!(table.insert(&row(1, 2)), (0, true));
        assert_eq!(table.insert(&row(1, 3)), (1, true));
        assert_eq!(table.insert(&row(1, 2)), (0, false));
        let index = table.index(&[0]);
        assert_eq!(table.insert(&row(1, 4)), (2, true));
        let mut chain = vec![table.newest(index, &[TermId(1)])];
        while *chain.last().unwrap_or(&NO_ROW) != NO_ROW {
            chain.push(table.older(index, chain[chain.len() - 1]));
        }
        assert_eq!(chain, [2, 1, 0, NO_ROW]);
        assert_eq!((table.distinct(0), table.distinct(1)), (1, 3));
        assert_eq!(table.find(&row(2, 2)), None);
    }
}
