//! Runs and their matches.

use std::collections::HashSet;

use referee::MatchRecord;
use rusqlite::{OptionalExtension, params};

use crate::{Store, StoreError};

/// A run, by its number in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunId(pub i64);

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// By its rules.
    Finished,
    /// Called off because the game has a fault.
    Aborted,
    /// Cut short by something outside; to be played anew.
    Interrupted,
}

impl Outcome {
    fn name(self) -> &'static str {
        match self {
            Outcome::Finished => "finished",
            Outcome::Aborted => "aborted",
            Outcome::Interrupted => "interrupted",
        }
    }
}

impl Store {
    /// The run with these settings: the one that was begun before, or a new one. Times are
    /// milliseconds since 1970.
    pub fn run(&mut self, settings: &str, now: u64) -> Result<RunId, StoreError> {
        let find = |store: &Self| {
            let query = "SELECT id FROM runs WHERE settings = ?1";
            store.connection.query_row(query, [settings], |row| row.get(0)).optional()
        };
        let work = || -> rusqlite::Result<i64> {
            if let Some(id) = find(self)? {
                return Ok(id);
            }
            let insert = "INSERT INTO runs (settings, created) VALUES (?1, ?2)";
            self.connection.execute(insert, params![settings, now as i64])?;
            Ok(self.connection.last_insert_rowid())
        };
        work().map(RunId).map_err(|source| self.database(source))
    }

    /// The numbers below `matches` that have not been played to an end.
    pub fn unfinished(&self, run: RunId, matches: u64) -> Result<Vec<u64>, StoreError> {
        let work = || -> rusqlite::Result<HashSet<i64>> {
            let query = "SELECT number FROM matches WHERE run = ?1 AND status IN ('finished', 'aborted')";
            let mut statement = self.connection.prepare(query)?;
            statement.query_map([run.0], |row| row.get(0))?.collect()
        };
        let done = work().map_err(|source| self.database(source))?;
        Ok((0..matches).filter(|&number| !done.contains(&(number as i64))).collect())
    }

    /// How often a number of the run was begun: ids of new attempts can be told from old ones.
    pub fn attempts(&self, run: RunId, number: u64) -> Result<u64, StoreError> {
        let query = "SELECT count(*) FROM matches WHERE run = ?1 AND number = ?2";
        let count = self.connection.query_row(query, params![run.0, number as i64], |row| row.get(0));
        count.map(|count: i64| count as u64).map_err(|source| self.database(source))
    }

    /// Keeps a match that begins.
    pub fn begin(&mut self, run: RunId, number: u64, record: &MatchRecord) -> Result<(), StoreError> {
        let text = serde_json::to_string(record).map_err(|source| self.damaged(source))?;
        let insert = "INSERT INTO matches (run, number, match_id, status, started, record)
                      VALUES (?1, ?2, ?3, 'running', ?4, ?5)";
        let values = params![run.0, number as i64, record.match_id, record.start_time as i64, text];
        self.connection.execute(insert, values).map_err(|source| self.database(source))?;
        Ok(())
    }

    /// Keeps what has happened in a match so far.
    pub fn update(&mut self, record: &MatchRecord) -> Result<(), StoreError> {
        let text = serde_json::to_string(record).map_err(|source| self.damaged(source))?;
        let update = "UPDATE matches SET record = ?2 WHERE match_id = ?1 AND status = 'running'";
        let outcome = self.connection.execute(update, params![record.match_id, text]);
        outcome.map_err(|source| self.database(source))?;
        Ok(())
    }

    /// Keeps a match that has ended.
    pub fn end(&mut self, record: &MatchRecord, outcome: Outcome, now: u64) -> Result<(), StoreError> {
        let text = serde_json::to_string(record).map_err(|source| self.damaged(source))?;
        let update = "UPDATE matches SET record = ?2, status = ?3, ended = ?4
                      WHERE match_id = ?1 AND status = 'running'";
        let values = params![record.match_id, text, outcome.name(), now as i64];
        self.connection.execute(update, values).map_err(|source| self.database(source))?;
        Ok(())
    }

    /// Marks what an earlier process left in progress, and gives the records: their players may be
    /// told that the matches are called off.
    pub fn interrupt(&mut self, run: RunId, now: u64) -> Result<Vec<MatchRecord>, StoreError> {
        let records = self.records_with(run, "running")?;
        let update = "UPDATE matches SET status = 'interrupted', ended = ?2
                      WHERE run = ?1 AND status = 'running'";
        let outcome = self.connection.execute(update, params![run.0, now as i64]);
        outcome.map_err(|source| self.database(source))?;
        Ok(records)
    }

    /// What an earlier process left in progress, to be gone on with: the numbers and the records so far.
    pub fn running(&self, run: RunId) -> Result<Vec<(u64, MatchRecord)>, StoreError> {
        self.numbered(run, "running")
    }

    /// Marks one match as interrupted: it is to be played anew.
    pub fn give_up(&mut self, match_id: &str, now: u64) -> Result<(), StoreError> {
        let update = "UPDATE matches SET status = 'interrupted', ended = ?2
                      WHERE match_id = ?1 AND status = 'running'";
        let outcome = self.connection.execute(update, params![match_id, now as i64]);
        outcome.map_err(|source| self.database(source))?;
        Ok(())
    }

    /// All matches of a run that have ended, by their rules or by a fault of the game, with their numbers.
    pub fn ended(&self, run: RunId) -> Result<Vec<(u64, MatchRecord)>, StoreError> {
        let mut all = self.numbered(run, "finished")?;
        all.extend(self.numbered(run, "aborted")?);
        all.sort_by_key(|(number, _)| *number);
        Ok(all)
    }

    /// The records of all matches of all runs that have reached their end, in the order of runs and numbers, which is
    /// the same however often a run was interrupted.
    pub fn all_records(&self) -> Result<Vec<MatchRecord>, StoreError> {
        let work = || -> rusqlite::Result<Vec<String>> {
            let query = "SELECT record FROM matches WHERE status = 'finished' ORDER BY run, number";
            let mut statement = self.connection.prepare(query)?;
            statement.query_map([], |row| row.get(0))?.collect()
        };
        self.read(work().map_err(|source| self.database(source))?)
    }

    /// The records of all matches of a run that have reached their end, in the order of their
    /// numbers.
    pub fn records(&self, run: RunId) -> Result<Vec<MatchRecord>, StoreError> {
        self.records_with(run, "finished")
    }

    /// How many matches of the run were called off because of the game.
    pub fn aborted(&self, run: RunId) -> Result<u64, StoreError> {
        Ok(self.records_with(run, "aborted")?.len() as u64)
    }

    fn records_with(&self, run: RunId, status: &str) -> Result<Vec<MatchRecord>, StoreError> {
        let work = || -> rusqlite::Result<Vec<String>> {
            let query = "SELECT record FROM matches WHERE run = ?1 AND status = ?2 ORDER BY number";
            let mut statement = self.connection.prepare(query)?;
            statement.query_map(params![run.0, status], |row| row.get(0))?.collect()
        };
        self.read(work().map_err(|source| self.database(source))?)
    }

    fn numbered(&self, run: RunId, status: &str) -> Result<Vec<(u64, MatchRecord)>, StoreError> {
        let work = || -> rusqlite::Result<Vec<i64>> {
            let query = "SELECT number FROM matches WHERE run = ?1 AND status = ?2 ORDER BY number";
            let mut statement = self.connection.prepare(query)?;
            statement.query_map(params![run.0, status], |row| row.get(0))?.collect()
        };
        let numbers = work().map_err(|source| self.database(source))?;
        let numbers = numbers.into_iter().map(|number| number as u64);
        Ok(numbers.zip(self.records_with(run, status)?).collect())
    }

    fn read(&self, texts: Vec<String>) -> Result<Vec<MatchRecord>, StoreError> {
        let read = |text: String| serde_json::from_str(&text).map_err(|source| self.damaged(source));
        texts.into_iter().map(read).collect()
    }
}
