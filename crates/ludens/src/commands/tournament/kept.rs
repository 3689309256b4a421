//! What is kept of a tournament while it is played.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use parking_lot::Mutex;
use referee::{Event, Listener, MatchRecord};
use store::{Store, StoreError};

/// Writes a file so that it is there as a whole or not at all.
pub(super) fn write_whole(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let write = || -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(content)?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Keeps a match as it goes on.
pub(super) struct Diary {
    store: Arc<Mutex<Store>>,
    failure: Option<StoreError>,
}

impl Diary {
    pub(super) fn new(store: Arc<Mutex<Store>>) -> Self {
        Self { store, failure: None }
    }

    pub(super) fn result(self) -> anyhow::Result<()> {
        self.failure.map_or(Ok(()), |failure| Err(failure.into()))
    }
}

impl Listener for Diary {
    fn hear(&mut self, event: &Event, record: &MatchRecord) -> ControlFlow<()> {
        if !matches!(event, Event::Position { .. } | Event::Ended { .. }) {
            return ControlFlow::Continue(());
        }
        self.failure = self.store.lock().update(record).err();
        // What cannot be kept is not played.
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
