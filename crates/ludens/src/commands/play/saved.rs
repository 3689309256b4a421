//! A game kept in a file.

use std::path::Path;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

/// What is needed to go on.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedGame {
    pub(crate) game: String,
    pub(crate) role: String,
    /// The joint moves, in role order.
    pub(crate) moves: Vec<Vec<String>>,
}

impl SavedGame {
    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        std::fs::write(path, text + "\n").with_context(|| format!("cannot write {}", path.display()))
    }

    /// Reads the moves of a game; it must be the same one.
    pub(crate) fn read(path: &Path, game: &str) -> anyhow::Result<Self> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        let saved: SavedGame =
            serde_json::from_str(&text).with_context(|| format!("{shown} is no game that `save` wrote"))?;
        if saved.game != game {
            bail!("{shown} holds a game of {}; play that one to go on with it", saved.game);
        }
        Ok(saved)
    }
}
