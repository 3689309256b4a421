//! Where evaluation happens: terms, relations, and bounds.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;

use crate::{Relation, RelationId, TermId, TermStore};

/// What evaluation may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes for terms, tuples and indexes.
    pub bytes: usize,
    /// Tuples that the evaluation of one component may look at.
    pub work: u64,
    /// Evaluation stops with a fault soon after this becomes true.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 1 << 30, work: u64::MAX, stop: None }
    }
}

/// Terms and relations of one thread. Copies share the relations that are fixed, and agree on the
/// ids of terms: a copy that needs a new term announces it to the others.
#[derive(Clone, Debug)]
pub struct Database {
    terms: TermStore,
    announced: Arc<Mutex<TermStore>>,
    /// Relations that never change any more; empty ones stand for the rest.
    pub(crate) fixed: Arc<Vec<Relation>>,
    /// Relations that do; empty ones stand for the rest.
    pub(crate) open: Vec<Relation>,
    pub(crate) is_fixed: Vec<bool>,
    pub(crate) limits: Limits,
    /// Tuples looked at so far by all evaluations.
    pub(crate) work: u64,
}

impl Database {
    pub(crate) fn new(terms: TermStore, arities: impl Iterator<Item = usize>, limits: Limits) -> Self {
        let open: Vec<Relation> = arities.map(Relation::new).collect();
        Self {
            announced: Arc::new(Mutex::new(terms.clone())),
            terms,
            fixed: Arc::new(Vec::new()),
            is_fixed: vec![false; open.len()],
            open,
            limits,
            work: 0,
        }
    }

    /// The terms known here.
    pub fn terms(&self) -> &TermStore {
        &self.terms
    }

    /// Calls `read` with the terms known to any copy.
    pub fn with_all_terms<T>(&self, read: impl FnOnce(&mut TermStore) -> T) -> T {
        read(&mut self.announced.lock())
    }

    /// A term, made known to all copies if it is new.
    pub fn intern(&mut self, symbol: u32, arguments: &[TermId]) -> TermId {
        match self.terms.find(symbol, arguments) {
            Some(term) => term,
            None => self.announce(symbol, arguments),
        }
    }

    fn announce(&mut self, symbol: u32, arguments: &[TermId]) -> TermId {
        let mut announced = self.announced.lock();
        let term = announced.intern(symbol, arguments);
        self.terms.catch_up(&announced);
        term
    }

    /// Makes sure that a term of another copy is known here.
    pub fn know(&mut self, term: TermId) {
        if term.0 as usize >= self.terms.len() {
            self.terms.catch_up(&self.announced.lock());
        }
    }

    /// Tuples that evaluations here have looked at so far: a measure of effort that is the same on
    /// every computer.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// What evaluation may cost from now on.
    pub fn limits_mut(&mut self) -> &mut Limits {
        &mut self.limits
    }

    /// A relation.
    pub fn relation(&self, relation: RelationId) -> &Relation {
        match self.is_fixed[relation.index()] {
            true => &self.fixed[relation.index()],
            false => &self.open[relation.index()],
        }
    }

    /// Empties an input relation.
    pub fn clear(&mut self, relation: RelationId) {
        self.open[relation.index()].clear();
    }

    /// Puts a tuple into an input relation.
    pub fn insert(&mut self, relation: RelationId, tuple: &[TermId]) {
        self.open[relation.index()].insert(tuple);
    }

    /// Fixes relations for good: they are shared by all later copies.
    pub(crate) fn fix(&mut self, relations: impl Iterator<Item = RelationId>) {
        let empty = |relation: &Relation| relation.is_empty();
        debug_assert!(self.fixed.iter().all(empty), "relations are fixed once");
        let mut fixed: Vec<Relation> = (0..self.open.len()).map(|_| Relation::new(0)).collect();
        for relation in relations {
            let index = relation.index();
            self.is_fixed[index] = true;
            fixed[index] = std::mem::replace(&mut self.open[index], Relation::new(0));
        }
        self.fixed = Arc::new(fixed);
    }

    /// The fixed relations, to be given other indexes before copies are made.
    pub(crate) fn fixed_mut(&mut self) -> &mut Vec<Relation> {
        Arc::make_mut(&mut self.fixed)
    }

    /// Bytes in use here, about; what copies share is counted by each.
    pub fn bytes(&self) -> usize {
        let fixed: usize = self.fixed.iter().map(Relation::bytes).sum();
        self.terms.bytes() + fixed + self.open_bytes()
    }

    fn open_bytes(&self) -> usize {
        self.open.iter().map(Relation::bytes).sum()
    }

    /// Whether the relations that are not fixed take more than half of the memory allowed.
    pub fn is_half_full(&self) -> bool {
        self.open_bytes() > self.limits.bytes / 2
    }

    /// Gives back the memory of all relations that are not fixed; nothing holds in them then.
    pub fn forget(&mut self) {
        self.open.iter_mut().for_each(Relation::forget);
    }
}

/// What only the engine does.
impl Database {
    pub(crate) fn ensure_view(&mut self, relation: RelationId, key: &crate::view::ViewKey) -> u16 {
        match self.is_fixed[relation.index()] {
            true => self.fixed_mut()[relation.index()].ensure_view(key),
            false => self.open[relation.index()].ensure_view(key),
        }
    }

    #[inline]
    pub(crate) fn fill_view(&mut self, relation: RelationId, view: u16) {
        self.open[relation.index()].fill_view(view, &self.terms);
    }

    pub(crate) fn fill_fixed_views(&mut self) {
        let fixed = Arc::make_mut(&mut self.fixed);
        fixed.iter_mut().for_each(|relation| relation.fill_all_views(&self.terms));
    }
}
