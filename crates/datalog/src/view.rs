//! An index of a relation by parts of its tuples.

use hashbrown::HashTable;

use crate::term::hash_ids;
use crate::{TermId, TermStore};

/// Where a part stands in a tuple: the argument, then arguments of arguments.
pub(crate) type Path = Box<[u16]>;

/// What an index is by: tuples of a certain shape, grouped by the terms at some paths.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct ViewKey {
    /// Function symbols and their arities that must stand at these paths (outer ones first).
    pub(crate) shape: Vec<(Path, u32, u16)>,
    /// The terms that are known when the index is asked.
    pub(crate) known: Vec<Path>,
}

const NOT_SEEN: u32 = u32::MAX;
const OTHER_SHAPE: u32 = u32::MAX - 1;

#[derive(Clone, Debug, Default)]
struct Bucket {
    epoch: u32,
    rows: Vec<u32>,
}

/// The index itself. Buckets outlive epochs: a row's bucket is computed once.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) key: ViewKey,
    buckets: Vec<Bucket>,
    /// The known terms of each bucket, flat.
    bucket_terms: Vec<TermId>,
    table: HashTable<u32>,
    bucket_of_row: Vec<u32>,
    /// How many of the relation's present rows are in, for which epoch.
    filled: usize,
    filled_epoch: u32,
}

impl View {
    pub(crate) fn new(key: ViewKey) -> Self {
        Self {
            key,
            buckets: Vec::new(),
            bucket_terms: Vec::new(),
            table: HashTable::new(),
            bucket_of_row: Vec::new(),
            filled: 0,
            filled_epoch: 0,
        }
    }

    /// Forgets all rows.
    pub(crate) fn forget(&mut self) {
        *self = View::new(std::mem::take(&mut self.key));
    }

    /// Adds the present rows that are not in yet.
    #[inline]
    pub(crate) fn fill(
        &mut self,
        store: &TermStore,
        rows: &[TermId],
        arity: usize,
        present: &[u32],
        epoch: u32,
    ) {
        if self.filled_epoch != epoch {
            self.filled_epoch = epoch;
            self.filled = 0;
        }
        if self.filled < present.len() {
            self.fill_rest(store, rows, arity, present, epoch);
        }
    }

    fn fill_rest(&mut self, store: &TermStore, rows: &[TermId], arity: usize, present: &[u32], epoch: u32) {
        for &row in &present[self.filled..] {
            let at = row as usize;
            if at >= self.bucket_of_row.len() {
                self.bucket_of_row.resize(at + 1, NOT_SEEN);
            }
            let mut bucket = self.bucket_of_row[at];
            if bucket == NOT_SEEN {
                bucket = self.assign(store, &rows[at * arity..(at + 1) * arity]);
                self.bucket_of_row[at] = bucket;
            }
            if bucket == OTHER_SHAPE {
                continue;
            }
            let bucket = &mut self.buckets[bucket as usize];
            if bucket.epoch != epoch {
                bucket.epoch = epoch;
                bucket.rows.clear();
            }
            bucket.rows.push(row);
        }
        self.filled = present.len();
    }

    /// The bucket that a tuple belongs to.
    fn assign(&mut self, store: &TermStore, tuple: &[TermId]) -> u32 {
        for (path, symbol, arity) in &self.key.shape {
            let part = store.follow(tuple, path);
            if store.symbol(part) != *symbol || store.arguments(part).len() != *arity as usize {
                return OTHER_SHAPE;
            }
        }
        let known: Vec<TermId> = self.key.known.iter().map(|path| store.follow(tuple, path)).collect();
        let hash = hash_ids(0, &known);
        if let Some(bucket) = self.lookup(hash, &known) {
            return bucket;
        }
        let bucket = self.buckets.len() as u32;
        self.buckets.push(Bucket::default());
        self.bucket_terms.extend_from_slice(&known);
        let (width, terms) = (known.len(), &self.bucket_terms);
        self.table.insert_unique(hash, bucket, |&other| {
            hash_ids(0, &terms[other as usize * width..(other as usize + 1) * width])
        });
        bucket
    }

    #[inline]
    fn lookup(&self, hash: u64, known: &[TermId]) -> Option<u32> {
        let width = known.len();
        let same = |&bucket: &u32| {
            self.bucket_terms[bucket as usize * width..(bucket as usize + 1) * width] == *known
        };
        self.table.find(hash, same).copied()
    }

    /// The bucket of some known terms, if it has rows now.
    #[inline]
    pub(crate) fn bucket(&self, known: &[TermId], epoch: u32) -> Option<u32> {
        let bucket = if known.is_empty() {
            if self.buckets.is_empty() {
                return None;
            }
            0
        } else {
            self.lookup(hash_ids(0, known), known)?
        };
        (self.buckets[bucket as usize].epoch == epoch).then_some(bucket)
    }

    /// The rows of a bucket that is filled for the current epoch.
    #[inline]
    pub(crate) fn rows(&self, bucket: u32) -> &[u32] {
        &self.buckets[bucket as usize].rows
    }

    /// Bytes in use, about.
    pub(crate) fn bytes(&self) -> usize {
        let rows: usize = self.bucket_of_row.capacity() * 8;
        rows + self.buckets.capacity() * 32 + self.bucket_terms.capacity() * 4 + self.table.capacity() * 5
    }
}
