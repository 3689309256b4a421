//! Matches that people play: kept as they are at every moment, and gone on with at any time.

use referee::MatchRecord;
use rusqlite::{OptionalExtension, Row, params};

use crate::{Store, StoreError};

/// A match that can be gone on with.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenMatch {
    /// Its id.
    pub id: String,
    /// When it was last changed: milliseconds since 1970.
    pub changed: u64,
    /// Who plays and how, in the words of whoever keeps it.
    pub settings: String,
    /// What was played so far.
    pub record: MatchRecord,
}

impl Store {
    /// Keeps a match as it is now, in place of what was kept of it before.
    pub fn keep(&mut self, open: &OpenMatch) -> Result<(), StoreError> {
        let record = serde_json::to_string(&open.record).map_err(|source| self.damaged(source))?;
        let insert = "INSERT INTO open_matches (id, changed, settings, record) VALUES (?1, ?2, ?3, ?4)
                      ON CONFLICT (id) DO UPDATE SET changed = ?2, settings = ?3, record = ?4";
        let values = params![open.id, open.changed as i64, open.settings, record];
        self.connection.execute(insert, values).map_err(|source| self.database(source))?;
        Ok(())
    }

    /// The match of this id.
    pub fn kept(&self, id: &str) -> Result<Option<OpenMatch>, StoreError> {
        let query = "SELECT id, changed, settings, record FROM open_matches WHERE id = ?1";
        let row = self.connection.query_row(query, [id], columns).optional();
        row.map_err(|source| self.database(source))?.map(|row| self.open_match(row)).transpose()
    }

    /// The matches that were changed last, the latest first.
    pub fn latest(&self, count: usize) -> Result<Vec<OpenMatch>, StoreError> {
        let work = || -> rusqlite::Result<Vec<Columns>> {
            let query =
                "SELECT id, changed, settings, record FROM open_matches ORDER BY changed DESC, id LIMIT ?1";
            let mut statement = self.connection.prepare(query)?;
            statement.query_map([count as i64], columns)?.collect()
        };
        let rows = work().map_err(|source| self.database(source))?;
        rows.into_iter().map(|row| self.open_match(row)).collect()
    }

    /// Forgets a match; whether there was one.
    pub fn forget(&mut self, id: &str) -> Result<bool, StoreError> {
        let deleted = self.connection.execute("DELETE FROM open_matches WHERE id = ?1", [id]);
        deleted.map(|count| count > 0).map_err(|source| self.database(source))
    }

    /// Forgets all but the matches that were changed last.
    pub fn forget_all_but(&mut self, count: usize) -> Result<(), StoreError> {
        let delete = "DELETE FROM open_matches WHERE id NOT IN
                      (SELECT id FROM open_matches ORDER BY changed DESC, id LIMIT ?1)";
        self.connection.execute(delete, [count as i64]).map_err(|source| self.database(source))?;
        Ok(())
    }

    fn open_match(&self, (id, changed, settings, record): Columns) -> Result<OpenMatch, StoreError> {
        let record = serde_json::from_str(&record).map_err(|source| self.damaged(source))?;
        Ok(OpenMatch { id, changed: changed as u64, settings, record })
    }
}

type Columns = (String, i64, String, String);

fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
}
