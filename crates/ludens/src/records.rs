//! Files of matches.

use std::path::Path;

use anyhow::Context;
use referee::{MatchRecord, read_records};

use crate::input;

/// The matches of a file, compressed or not: one record, or one a line; older forms are converted.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<MatchRecord>> {
    let bytes = input::read_maybe_compressed(path)?;
    read_records(&bytes).with_context(|| format!("cannot read {}", path.display()))
}
