//! Files of others are left as they are.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use crate::StoreError;

/// How every database of SQLite begins.
const HEADER: &[u8] = b"SQLite format 3\0";

/// Refuses what is there and no database of matches: devices, pipes, folders, texts, and databases with other
/// tables. Nothing is written.
pub fn refuse_foreign(path: &Path) -> Result<(), StoreError> {
    let shown = || path.display().to_string();
    let Ok(there) = path.metadata() else { return Ok(()) };
    // Before it is opened: a pipe would be waited for, and a device may do something.
    if !there.is_file() {
        return Err(StoreError::NoFile { path: shown() });
    }
    if there.len() == 0 {
        return Ok(());
    }
    let unreadable = |source| StoreError::Guard { path: shown(), source };
    let mut beginning = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(HEADER.len() as u64).read_to_end(&mut beginning).map_err(unreadable)?;
    if beginning != HEADER {
        return Err(StoreError::Foreign { path: shown() });
    }
    match has_other_tables(path) {
        Ok(false) => Ok(()),
        Ok(true) => Err(StoreError::Foreign { path: shown() }),
        Err(source) => Err(StoreError::Database { path: shown(), source }),
    }
}

/// Whether a database has tables, and ours are not among them.
fn has_other_tables(path: &Path) -> rusqlite::Result<bool> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let count = |condition: &str| -> rusqlite::Result<i64> {
        let query = format!("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND {condition}");
        connection.query_row(&query, [], |row| row.get(0))
    };
    Ok(count("name NOT LIKE 'sqlite_%'")? > 0 && count("name IN ('runs', 'matches')")? < 2)
}
