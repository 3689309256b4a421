//! Files of video games that were played: what `video match --json` wrote, or the results of a tournament.

use std::path::Path;

use anyhow::{Context, bail};
use serde::Deserialize;
use vgdl::Outcome;
use video::record::{Recording, word};

use super::results::Entry;
use crate::input;

/// A game of a file.
pub(super) struct Kept {
    pub(super) recording: Recording,
    /// What the file says of how it ended, for the first player.
    pub(super) outcome: Option<(String, f64)>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Game(Entry),
    Match {
        #[serde(flatten)]
        recording: Recording,
        #[serde(default)]
        results: Vec<Told>,
    },
}

#[derive(Deserialize)]
struct Told {
    outcome: String,
    score: f64,
}

/// The game of a number, from 1 on.
pub(super) fn read(path: &Path, number: usize) -> anyhow::Result<Kept> {
    let shown = path.display();
    let bytes = input::read_maybe_compressed(path)?;
    let lines: Result<Vec<Line>, _> = serde_json::Deserializer::from_slice(&bytes).into_iter().collect();
    let mut lines = lines.with_context(|| {
        format!("{shown} is no record of a video game; `ludens video match --json` writes one")
    })?;
    if !(1..=lines.len()).contains(&number) {
        bail!("{shown} holds {} games; give --number 1 to {0}", lines.len());
    }
    match lines.swap_remove(number - 1) {
        Line::Match { recording, results } => {
            let outcome = results.into_iter().next().map(|told| (told.outcome, told.score));
            Ok(Kept { recording, outcome })
        }
        Line::Game(entry) => {
            if entry.actions.is_empty() {
                bail!(
                    "game {number} of {shown} was played before records kept what players did; play it again"
                );
            }
            let seed = entry.game_seed();
            let outcome = if entry.won { Outcome::Won } else { Outcome::Lost };
            let outcome = (!entry.disqualified).then(|| (word(outcome).to_owned(), entry.score));
            let players = std::iter::once(entry.player).chain(entry.against.map(|other| other.player));
            let recording = Recording {
                game: entry.game,
                level: entry.level,
                seed,
                players: players.collect(),
                actions: entry.actions,
                ..Recording::default()
            };
            Ok(Kept { recording, outcome })
        }
    }
}
