//! One writer at a time.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::StoreError;

/// A locked file beside the database. The system frees it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Guard {
    _file: File,
}

impl Guard {
    pub(crate) fn take(database: &Path) -> Result<Self, StoreError> {
        let mut name = database.as_os_str().to_owned();
        name.push(".lock");
        let shown = Path::new(&name).display().to_string();
        let guard = |source| StoreError::Guard { path: shown.clone(), source };
        let file = File::options().create(true).append(true).open(&name).map_err(guard)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse { path: database.display().to_string() }),
            Err(TryLockError::Error(source)) => Err(guard(source)),
        }
    }
}
