//! Files of matches.

use std::path::Path;

use anyhow::Context;
use referee::{MatchRecord, read_records};

use crate::input;
use crate::written::FileKind;

/// The matches of a file, compressed or not: one record, or one a line; older forms are converted.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<MatchRecord>> {
    let bytes = input::read_maybe_compressed(path)?;
    read_records(&bytes).with_context(|| format!("cannot read {}", path.display()))
}

/// A file with a match, as commands write it.
pub(crate) const RECORD: FileKind<'static> = FileKind {
    what: "the record of a match",
    is_ours: &|text| read_records(text.as_bytes()).is_ok_and(|found| found.len() == 1),
};
