//! Matches kept in the database.

use parking_lot::Mutex;
use referee::MatchRecord;
use store::{OpenMatch, Store};

use super::seat::Terms;
use crate::error::WebError;

/// Matches that are kept; the oldest are forgotten beyond.
const KEPT: usize = 10_000;

/// The database.
pub(crate) struct Keeper {
    store: Mutex<Store>,
}

impl Keeper {
    pub(crate) fn new(mut store: Store) -> Result<Self, WebError> {
        store.forget_all_but(KEPT)?;
        Ok(Self { store: Mutex::new(store) })
    }

    /// Asks the database something, or tells it.
    pub(crate) fn with<T>(
        &self,
        work: impl FnOnce(&mut Store) -> Result<T, store::StoreError>,
    ) -> Result<T, WebError> {
        Ok(work(&mut self.store.lock())?)
    }

    /// Keeps a match. Its states are told by its moves, and left out.
    pub(crate) fn keep(&self, id: &str, terms: &Terms, record: &MatchRecord) {
        if let Err(error) = self.try_keep(id, terms, record) {
            // The match goes on in memory.
            tracing::error!(%error, "a match could not be kept");
        }
    }

    pub(crate) fn try_keep(&self, id: &str, terms: &Terms, record: &MatchRecord) -> Result<(), WebError> {
        let settings = serde_json::to_string(terms).map_err(|error| WebError::Fault(error.to_string()))?;
        let record = MatchRecord { states: Vec::new(), ..record.clone() };
        let open = OpenMatch { id: id.to_owned(), changed: super::now(), settings, record };
        Ok(self.store.lock().keep(&open)?)
    }

    /// A match that was kept.
    pub(crate) fn find(&self, id: &str) -> Result<Option<(Terms, MatchRecord)>, WebError> {
        let found = self.store.lock().kept(id)?;
        found.map(|open| Ok((terms(&open)?, open.record))).transpose()
    }

    /// The matches that were changed last.
    pub(crate) fn latest(&self, count: usize) -> Result<Vec<(OpenMatch, Terms)>, WebError> {
        let found = self.store.lock().latest(count)?;
        // What cannot be read is of another version, and is left out.
        Ok(found.into_iter().filter_map(|open| terms(&open).ok().map(|terms| (open, terms))).collect())
    }

    pub(crate) fn forget(&self, id: &str) -> Result<bool, WebError> {
        Ok(self.store.lock().forget(id)?)
    }
}

fn terms(open: &OpenMatch) -> Result<Terms, WebError> {
    serde_json::from_str(&open.settings).map_err(|error| WebError::Fault(error.to_string()))
}
