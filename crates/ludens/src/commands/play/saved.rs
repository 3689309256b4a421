//! A game kept in a file: a record of a match, as all commands write it.

use std::path::Path;

use anyhow::bail;
use referee::MatchRecord;

use crate::records::{self, RECORD};

/// What is needed to go on.
pub(crate) struct Saved {
    /// Who the person was.
    pub(crate) role: Option<usize>,
    /// The joint moves, in role order.
    pub(crate) moves: Vec<Vec<String>>,
}

pub(crate) fn write(path: &Path, record: &MatchRecord) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(record)?;
    RECORD.write(path, &(text + "\n"))
}

/// Reads the moves of a game; it must be the same one.
pub(crate) fn read(path: &Path, game: &str, roles: &[String]) -> anyhow::Result<Saved> {
    let shown = path.display();
    let records = records::read(path)?;
    let [record] = &records[..] else {
        bail!("{shown} holds {} matches; give a file with one", records.len())
    };
    if record.game_name != game {
        bail!("{shown} holds a game of {}; play that one to go on with it", record.game_name);
    }
    if !record.game_role_names.is_empty() && record.game_role_names != roles {
        bail!(
            "{shown} has the roles {}; the game has {}",
            record.game_role_names.join(", "),
            roles.join(", ")
        );
    }
    let role = record.is_player_human.iter().position(|&human| human);
    Ok(Saved { role, moves: record.moves.clone() })
}
