//! The files that a tournament writes anew each time. What is there and none of them is left as it is.

use std::collections::HashMap;
use std::path::Path;

use anyhow::bail;
use serde::de::IgnoredAny;

use super::file::Described;
use super::page::MARK;

/// What the file beside the page is known by.
const FIELDS: [&str; 6] = ["is_over", "entrants", "stages", "ranking", "fairness", "matches"];

/// Refuses places at which there is something that no tournament has written, before anything is written.
pub(super) fn refuse_foreign(described: &Described) -> anyhow::Result<()> {
    let Described { page, json, database, .. } = described;
    for (one, other) in [(page, json), (page, database), (json, database)] {
        if one == other {
            bail!("{} cannot be two things: `page`, `json` and `database` need a file each", one.display());
        }
    }
    refuse_unless(page, "the page of a tournament", |text| text.contains(MARK))?;
    refuse_unless(json, "what is known of a tournament", |text| {
        let fields: Result<HashMap<String, IgnoredAny>, _> = serde_json::from_str(text);
        fields.is_ok_and(|fields| FIELDS.iter().all(|field| fields.contains_key(*field)))
    })
}

fn refuse_unless(path: &Path, what: &str, is_ours: impl Fn(&str) -> bool) -> anyhow::Result<()> {
    let Ok(there) = path.metadata() else { return Ok(()) };
    let shown = path.display();
    // Before it is opened: a pipe would be waited for, and a device may do something.
    if !there.is_file() {
        bail!("{shown} is not a file; {what} can be kept in a plain file only: give another one");
    }
    if there.len() == 0 {
        return Ok(());
    }
    // What cannot be read, or is no text, is of others.
    if !std::fs::read_to_string(path).is_ok_and(|text| is_ours(&text)) {
        bail!("{shown} is not {what} and is left as it is; give another file, or remove it");
    }
    Ok(())
}
