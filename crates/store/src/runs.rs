//! What the file holds: runs, and their matches page by page, for whoever looks at them afterwards.

use referee::MatchRecord;
use rusqlite::{OptionalExtension, params};

use crate::{RunId, Store, StoreError};

/// A run as it was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its number.
    pub id: RunId,
    /// Its settings, in the words of whoever keeps it.
    pub settings: String,
    /// When it was begun: milliseconds since 1970.
    pub created: u64,
}

/// A match that has reached its end.
#[derive(Clone, Debug, PartialEq)]
pub struct EndedMatch {
    /// The run it belongs to.
    pub run: RunId,
    /// Its number in the run.
    pub number: u64,
    /// When it ended: milliseconds since 1970.
    pub ended: u64,
    /// What was played.
    pub record: MatchRecord,
}

const COLUMNS: &str =
    "SELECT run, number, ended, record FROM matches WHERE status IN ('finished', 'aborted')";

impl Store {
    /// All runs, the latest first.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        let work = || -> rusqlite::Result<Vec<Run>> {
            let query = "SELECT id, settings, created FROM runs ORDER BY id DESC";
            let mut statement = self.connection.prepare(query)?;
            let run = |row: &rusqlite::Row<'_>| {
                let created: i64 = row.get(2)?;
                Ok(Run { id: RunId(row.get(0)?), settings: row.get(1)?, created: created as u64 })
            };
            statement.query_map([], run)?.collect()
        };
        work().map_err(|source| self.database(source))
    }

    /// Matches that have ended, the latest first: those of a run or of all, `count` of them after the first `from`.
    pub fn ended_matches(
        &self,
        run: Option<RunId>,
        from: usize,
        count: usize,
    ) -> Result<Vec<EndedMatch>, StoreError> {
        let work = || -> rusqlite::Result<Vec<Columns>> {
            let query = format!("{COLUMNS} AND (?1 IS NULL OR run = ?1) ORDER BY id DESC LIMIT ?2 OFFSET ?3");
            let mut statement = self.connection.prepare(&query)?;
            let values = params![run.map(|run| run.0), count as i64, from as i64];
            statement.query_map(values, columns)?.collect()
        };
        let rows = work().map_err(|source| self.database(source))?;
        rows.into_iter().map(|row| self.ended_match(row)).collect()
    }

    /// The match of this id, if it has ended.
    pub fn find_ended(&self, match_id: &str) -> Result<Option<EndedMatch>, StoreError> {
        let query = format!("{COLUMNS} AND match_id = ?1");
        let row = self.connection.query_row(&query, [match_id], columns).optional();
        row.map_err(|source| self.database(source))?.map(|row| self.ended_match(row)).transpose()
    }

    /// How many matches of a run, or of all, have ended.
    pub fn count_ended(&self, run: Option<RunId>) -> Result<usize, StoreError> {
        let query = "SELECT count(*) FROM matches WHERE status IN ('finished', 'aborted') AND (?1 IS NULL OR run = ?1)";
        let count = self.connection.query_row(query, [run.map(|run| run.0)], |row| row.get(0));
        count.map(|count: i64| count as usize).map_err(|source| self.database(source))
    }

    /// Forgets a run and its matches.
    pub fn forget_run(&mut self, run: RunId) -> Result<(), StoreError> {
        let work = |connection: &mut rusqlite::Connection| -> rusqlite::Result<()> {
            let change = connection.transaction()?;
            change.execute("DELETE FROM matches WHERE run = ?1", [run.0])?;
            change.execute("DELETE FROM runs WHERE id = ?1", [run.0])?;
            change.commit()
        };
        let done = work(&mut self.connection);
        done.map_err(|source| self.database(source))
    }

    fn ended_match(&self, (run, number, ended, record): Columns) -> Result<EndedMatch, StoreError> {
        let record = serde_json::from_str(&record).map_err(|source| self.damaged(source))?;
        Ok(EndedMatch { run: RunId(run), number: number as u64, ended: ended as u64, record })
    }
}

type Columns = (i64, i64, i64, String);

fn columns(row: &rusqlite::Row<'_>) -> rusqlite::Result<Columns> {
    Ok((row.get(0)?, row.get(1)?, row.get::<_, Option<i64>>(2)?.unwrap_or_default(), row.get(3)?))
}
