//! Ground terms, interned: equal terms are one number.

use hashbrown::HashTable;

/// A ground term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// All ground terms that were ever built. Symbols are numbers of the caller's choosing.
#[derive(Clone, Debug)]
pub struct TermStore {
    symbols: Vec<u32>,
    /// Where each term's arguments end in `arguments`.
    ends: Vec<u32>,
    arguments: Vec<TermId>,
    known: HashTable<u32>,
}

impl Default for TermStore {
    fn default() -> Self {
        Self { symbols: Vec::new(), ends: Vec::new(), arguments: Vec::new(), known: HashTable::new() }
    }
}

/// Mixes ids into a hash. The tables of this crate hold millions of short tuples of small
/// numbers: one multiplication per element is enough, with a last one to spread the low bits.
pub(crate) fn hash_ids(seed: u32, ids: &[TermId]) -> u64 {
    const MULTIPLIER: u64 = 0xf135_7aea_2e62_a9c5;
    let mut hash = u64::from(seed).wrapping_add(ids.len() as u64).wrapping_mul(MULTIPLIER);
    for id in ids {
        hash = (hash.rotate_left(23) ^ u64::from(id.0)).wrapping_mul(MULTIPLIER);
    }
    hash ^ (hash >> 29)
}

impl TermStore {
    /// No terms.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many terms there are; ids are below this.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// The term `symbol(arguments..)`; a constant has no arguments.
    pub fn intern(&mut self, symbol: u32, arguments: &[TermId]) -> TermId {
        let hash = hash_ids(symbol, arguments);
        if let Some(found) = self.find_hashed(hash, symbol, arguments) {
            return found;
        }
        let index = self.symbols.len() as u32;
        self.symbols.push(symbol);
        self.arguments.extend_from_slice(arguments);
        self.ends.push(self.arguments.len() as u32);
        let (symbols, ends, all) = (&self.symbols, &self.ends, &self.arguments);
        self.known.insert_unique(hash, index, |&other| {
            let start = if other == 0 { 0 } else { ends[other as usize - 1] };
            hash_ids(symbols[other as usize], &all[start as usize..ends[other as usize] as usize])
        });
        TermId(index)
    }

    /// The term `symbol(arguments..)` if it exists.
    pub fn find(&self, symbol: u32, arguments: &[TermId]) -> Option<TermId> {
        self.find_hashed(hash_ids(symbol, arguments), symbol, arguments)
    }

    fn find_hashed(&self, hash: u64, symbol: u32, arguments: &[TermId]) -> Option<TermId> {
        let same = |&index: &u32| {
            self.symbols[index as usize] == symbol && self.arguments(TermId(index)) == arguments
        };
        self.known.find(hash, same).map(|&index| TermId(index))
    }

    /// The symbol of a term.
    pub fn symbol(&self, term: TermId) -> u32 {
        self.symbols[term.0 as usize]
    }

    /// The arguments of a term; none for a constant.
    pub fn arguments(&self, term: TermId) -> &[TermId] {
        let index = term.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.arguments[start as usize..self.ends[index] as usize]
    }

    /// The part of a term, or of a tuple, that a path leads to.
    pub(crate) fn follow(&self, tuple: &[TermId], path: &[u16]) -> TermId {
        let mut term = tuple[path[0] as usize];
        for &step in &path[1..] {
            term = self.arguments(term)[step as usize];
        }
        term
    }

    /// Adds the terms that `other`, an extension of this store, has beyond it.
    pub fn catch_up(&mut self, other: &TermStore) {
        for index in self.len()..other.len() {
            let term = TermId(index as u32);
            self.intern(other.symbol(term), other.arguments(term));
        }
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> usize {
        self.symbols.capacity() * 4
            + self.ends.capacity() * 4
            + self.arguments.capacity() * 4
            + self.known.capacity() * 5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one() {
        let mut store = TermStore::new();
        let (one, two) = (store.intern(1, &[]), store.intern(2, &[]));
        let pair = store.intern(3, &[one, two]);
        assert_eq!(store.intern(3, &[one, two]), pair);
        assert_ne!(store.intern(3, &[two, one]), pair);
        assert_eq!(store.find(3, &[one]), None);
        assert_eq!(store.arguments(pair), [one, two]);
        assert_eq!(store.follow(&[one, pair], &[1, 1]), two);
    }

    #[test]
    fn a_copy_catches_up() {
        let mut store = TermStore::new();
        let one = store.intern(1, &[]);
        let mut copy = store.clone();
        let wrapped = store.intern(2, &[one]);
        copy.catch_up(&store);
        assert_eq!(copy.find(2, &[one]), Some(wrapped));
    }
}
