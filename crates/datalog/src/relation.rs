//! The tuples of one relation: all that were ever seen, and which of them hold now.

use hashbrown::HashTable;

use crate::term::hash_ids;
use crate::view::{View, ViewKey};
use crate::{TermId, TermStore};

const NO_ROW: u32 = u32::MAX;

/// One relation's tuples and indexes.
#[derive(Clone, Debug)]
pub struct Relation {
    arity: usize,
    /// Interned tuples, flat.
    rows: Vec<TermId>,
    count: usize,
    /// Tuple -> row, for arity 2 and more.
    table: HashTable<u32>,
    /// Term -> row, for arity 1.
    by_term: Vec<u32>,
    /// The epoch in which each row was last put in.
    stamps: Vec<u32>,
    /// The rows that hold now, in the order of arrival.
    present: Vec<u32>,
    epoch: u32,
    views: Vec<View>,
}

impl Relation {
    pub(crate) fn new(arity: usize) -> Self {
        Self {
            arity,
            rows: Vec::new(),
            count: 0,
            table: HashTable::new(),
            by_term: Vec::new(),
            stamps: Vec::new(),
            present: Vec::new(),
            epoch: 1,
            views: Vec::new(),
        }
    }

    /// The number of tuples that hold now.
    pub fn len(&self) -> usize {
        self.present.len()
    }

    /// Whether none holds.
    pub fn is_empty(&self) -> bool {
        self.present.is_empty()
    }

    /// The tuples that hold now, in the order of arrival.
    pub fn tuples(&self) -> impl Iterator<Item = &[TermId]> + '_ {
        self.present.iter().map(|&row| self.tuple(row))
    }

    /// Whether a tuple holds now.
    pub fn contains(&self, tuple: &[TermId]) -> bool {
        self.find(tuple).is_some_and(|row| self.holds(row))
    }

    pub(crate) fn present(&self) -> &[u32] {
        &self.present
    }

    #[inline]
    pub(crate) fn tuple(&self, row: u32) -> &[TermId] {
        let start = row as usize * self.arity;
        &self.rows[start..start + self.arity]
    }

    #[inline]
    pub(crate) fn holds(&self, row: u32) -> bool {
        self.stamps[row as usize] == self.epoch
    }

    /// The row of a tuple that was seen before.
    #[inline]
    pub(crate) fn find(&self, tuple: &[TermId]) -> Option<u32> {
        debug_assert_eq!(tuple.len(), self.arity);
        match tuple {
            [] => (self.count > 0).then_some(0),
            [term] => self.by_term.get(term.0 as usize).copied().filter(|&row| row != NO_ROW),
            _ => self.find_hashed(hash_ids(0, tuple), tuple),
        }
    }

    #[inline]
    fn find_hashed(&self, hash: u64, tuple: &[TermId]) -> Option<u32> {
        self.table.find(hash, |&row| self.tuple(row) == tuple).copied()
    }

    /// Puts a tuple in; `true` if it did not hold before.
    #[inline]
    pub(crate) fn insert(&mut self, tuple: &[TermId]) -> bool {
        let row = match tuple {
            [] | [_] => match self.find(tuple) {
                Some(row) => row,
                None => self.add_small(tuple),
            },
            _ => {
                let hash = hash_ids(0, tuple);
                match self.find_hashed(hash, tuple) {
                    Some(row) => row,
                    None => self.add(hash, tuple),
                }
            }
        };
        let stamp = &mut self.stamps[row as usize];
        if *stamp == self.epoch {
            return false;
        }
        *stamp = self.epoch;
        self.present.push(row);
        true
    }

    fn add_small(&mut self, tuple: &[TermId]) -> u32 {
        let row = self.push_row(tuple);
        if let [term] = tuple {
            let at = term.0 as usize;
            if at >= self.by_term.len() {
                self.by_term.resize((at + 1).max(self.by_term.len() * 2), NO_ROW);
            }
            self.by_term[at] = row;
        }
        row
    }

    fn add(&mut self, hash: u64, tuple: &[TermId]) -> u32 {
        let row = self.push_row(tuple);
        let (rows, arity) = (&self.rows, self.arity);
        self.table.insert_unique(hash, row, |&other| {
            hash_ids(0, &rows[other as usize * arity..(other as usize + 1) * arity])
        });
        row
    }

    fn push_row(&mut self, tuple: &[TermId]) -> u32 {
        let row = self.count as u32;
        self.count += 1;
        self.rows.extend_from_slice(tuple);
        self.stamps.push(0);
        row
    }

    /// Nothing holds any more.
    pub(crate) fn clear(&mut self) {
        self.present.clear();
        if self.epoch == u32::MAX {
            self.forget();
        } else {
            self.epoch += 1;
        }
    }

    /// Gives back the memory of all tuples, present ones too.
    pub(crate) fn forget(&mut self) {
        let views = std::mem::take(&mut self.views);
        *self = Relation::new(self.arity);
        self.views = views;
        self.views.iter_mut().for_each(View::forget);
    }

    /// The index with this key, made if it is not there.
    pub(crate) fn ensure_view(&mut self, key: &ViewKey) -> u16 {
        if let Some(found) = self.views.iter().position(|view| view.key == *key) {
            return found as u16;
        }
        self.views.push(View::new(key.clone()));
        (self.views.len() - 1) as u16
    }

    /// Drops all indexes, for plans that want others.
    pub(crate) fn drop_views(&mut self) {
        self.views.clear();
    }

    /// Brings an index up to date.
    #[inline]
    pub(crate) fn fill_view(&mut self, view: u16, store: &TermStore) {
        self.views[view as usize].fill(store, &self.rows, self.arity, &self.present, self.epoch);
    }

    pub(crate) fn fill_all_views(&mut self, store: &TermStore) {
        (0..self.views.len() as u16).for_each(|view| self.fill_view(view, store));
    }

    /// The bucket of an up-to-date index.
    #[inline]
    pub(crate) fn bucket(&self, view: u16, known: &[TermId]) -> Option<u32> {
        self.views[view as usize].bucket(known, self.epoch)
    }

    /// The rows of a bucket.
    #[inline]
    pub(crate) fn bucket_rows(&self, view: u16, bucket: u32) -> &[u32] {
        self.views[view as usize].rows(bucket)
    }

    /// Bytes in use, about.
    pub(crate) fn bytes(&self) -> usize {
        let own = self.rows.capacity() * 4
            + self.stamps.capacity() * 4
            + self.present.capacity() * 4
            + self.by_term.capacity() * 4
            + self.table.capacity() * 5;
        own + self.views.iter().map(View::bytes).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_come_and_go_with_epochs() {
        let mut store = TermStore::new();
        let (a, b) = (store.intern(1, &[]), store.intern(2, &[]));
        let mut relation = Relation::new(2);
        assert!(relation.insert(&[a, b]));
        assert!(!relation.insert(&[a, b]));
        assert!(relation.contains(&[a, b]) && !relation.contains(&[b, a]));
        relation.clear();
        assert!(relation.is_empty() && !relation.contains(&[a, b]));
        assert!(relation.insert(&[a, b]));
    }

    #[test]
    fn nullary_and_unary_relations() {
        let mut store = TermStore::new();
        let a = store.intern(1, &[]);
        let mut flag = Relation::new(0);
        assert!(!flag.contains(&[]));
        assert!(flag.insert(&[]) && !flag.insert(&[]) && flag.contains(&[]));
        flag.clear();
        assert!(!flag.contains(&[]));
        let mut set = Relation::new(1);
        assert!(set.insert(&[a]) && set.contains(&[a]));
    }
}
