//! Matches kept in SQLite.
//!
//! A *run* is a list of matches with fixed settings. Each of its matches is finished exactly once: an
//! index of the database forbids a second one, so that a process may be killed at any moment and
//! started again. A match that was in progress then is marked as interrupted, with its record so far,
//! and played anew under another id.
//!
//! An [`OpenMatch`] is one that people play: it is kept as it is, and gone on with whenever they like.
//!
//! ```
//! use store::{Store, Outcome};
//! let folder = tempfile::tempdir()?;
//! let mut store = Store::open(&folder.path().join("matches.db"))?;
//! let run = store.run("tic-tac-toe, a against b", 0)?;
//! assert_eq!(store.unfinished(run, 2)?, [0, 1]);
//! let mut record = referee::MatchRecord { match_id: "m.0".to_owned(), ..Default::default() };
//! store.begin(run, 0, &record)?;
//! record.is_completed = true;
//! store.end(&record, Outcome::Finished, 7)?;
//! assert_eq!(store.unfinished(run, 2)?, [1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod foreign;
mod lock;
mod matches;
mod open;
mod runs;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

pub use foreign::refuse_foreign;
pub use matches::{Outcome, RunId};
pub use open::OpenMatch;
pub use runs::{EndedMatch, Run};

/// Why something could not be kept or found.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A device, a pipe or a folder is no place to keep matches.
    #[error("{path} is not a file; matches can be kept in a plain file only: give another one")]
    NoFile {
        /// Which.
        path: String,
    },
    /// The file is somebody else's.
    #[error("{path} is no database of matches, and was left as it is; give another file")]
    Foreign {
        /// Which file.
        path: String,
    },
    /// SQLite says no.
    #[error("cannot use {path}")]
    Database {
        /// Which file.
        path: String,
        /// What it says.
        source: rusqlite::Error,
    },
    /// The file is of a newer version of this program.
    #[error(
        "{path} has the layout {found}, this version of Ludens knows {known}; use a newer one, or another file"
    )]
    Layout {
        /// Which file.
        path: String,
        /// Its layout.
        found: i64,
        /// The newest that is known.
        known: i64,
    },
    /// Another process has the file.
    #[error("another process writes matches to {path}; wait for it to end, or use another file")]
    InUse {
        /// Which file.
        path: String,
    },
    /// The file that guards the database cannot be made.
    #[error("cannot use {path}")]
    Guard {
        /// Which file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// A record cannot be read or written.
    #[error("a record in {path} is damaged")]
    Record {
        /// Which file.
        path: String,
        /// Why.
        source: serde_json::Error,
    },
}

/// The layout of the tables.
const LAYOUT: i64 = 2;

const TABLES: &str = "
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        settings TEXT NOT NULL UNIQUE,
        created INTEGER NOT NULL
    );
    CREATE TABLE matches (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES runs (id),
        number INTEGER NOT NULL,
        match_id TEXT NOT NULL UNIQUE,
        status TEXT NOT NULL CHECK (status IN ('running', 'finished', 'aborted', 'interrupted')),
        started INTEGER NOT NULL,
        ended INTEGER,
        record TEXT NOT NULL
    );
    -- A number is played to its end once; what was interrupted does not count.
    CREATE UNIQUE INDEX once ON matches (run, number) WHERE status <> 'interrupted';
";

/// What came with layout 2.
const OPEN_MATCHES: &str = "
    CREATE TABLE open_matches (
        id TEXT PRIMARY KEY,
        changed INTEGER NOT NULL,
        settings TEXT NOT NULL,
        record TEXT NOT NULL
    );
    CREATE INDEX latest ON open_matches (changed);
";

/// A database of matches, open for writing.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    /// Held as long as the store is open; the system lets go of it when the process ends.
    _guard: lock::Guard,
}

impl Store {
    /// Opens a database, and makes it if there is none. Only one process may have it open for
    /// writing.
    ///
    /// What is no database of matches is refused before anything is written, there or beside it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        foreign::refuse_foreign(path)?;
        let guard = lock::Guard::take(path)?;
        let database = |source| StoreError::Database { path: path.display().to_string(), source };
        let connection = Connection::open(path).map_err(database)?;
        let prepare = || -> rusqlite::Result<i64> {
            // Others may read meanwhile; the log survives the end of the process.
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            connection.busy_timeout(Duration::from_secs(10))?;
            connection.pragma_query_value(None, "user_version", |row| row.get(0))
        };
        let found = prepare().map_err(database)?;
        match found {
            LAYOUT => {}
            0 | 1 => {
                let before = if found == 0 { TABLES } else { "" };
                let tables =
                    format!("BEGIN; {before} {OPEN_MATCHES} PRAGMA user_version = {LAYOUT}; COMMIT;");
                connection.execute_batch(&tables).map_err(database)?;
            }
            found => {
                let path = path.display().to_string();
                return Err(StoreError::Layout { path, found, known: LAYOUT });
            }
        }
        Ok(Self { path: path.to_owned(), connection, _guard: guard })
    }

    fn database(&self, source: rusqlite::Error) -> StoreError {
        StoreError::Database { path: self.path.display().to_string(), source }
    }

    fn damaged(&self, source: serde_json::Error) -> StoreError {
        StoreError::Record { path: self.path.display().to_string(), source }
    }
}
