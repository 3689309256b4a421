//! The files that a tournament writes anew each time. What is there and none of them is left as it is.

use std::collections::HashMap;

use anyhow::bail;
use serde::de::IgnoredAny;

use super::file::Described;
use super::page::MARK;
use crate::written::FileKind;

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
    store::refuse_foreign(database)?;
    FileKind { what: "the page of a tournament", is_ours: &|text| text.contains(MARK) }
        .refuse_foreign(page)?;
    let has_fields = |text: &str| {
        let fields: Result<HashMap<String, IgnoredAny>, _> = serde_json::from_str(text);
        fields.is_ok_and(|fields| FIELDS.iter().all(|field| fields.contains_key(*field)))
    };
    FileKind { what: "what is known of a tournament", is_ours: &has_fields }.refuse_foreign(json)
}
