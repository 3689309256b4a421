//! The file of results: a line of JSON for every game, added as it ends.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

/// One game of one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) game: String,
    pub(super) level: usize,
    pub(super) run: u64,
    pub(super) player: String,
    pub(super) seed: u64,
    pub(super) thinking: String,
    /// Milliseconds after which an answer disqualified; none if nobody could be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) limit_milliseconds: Option<f64>,
    /// The build that played; none in files that were written before it was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) build: Option<String>,
    pub(super) won: bool,
    pub(super) score: f64,
    pub(super) ticks: u64,
    /// Answers that came too late.
    pub(super) late: u64,
    pub(super) longest_milliseconds: f64,
    /// Whether the game ended because the player thought for far too long.
    #[serde(default)]
    pub(super) disqualified: bool,
    /// Who played the second avatar, in a game for two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) against: Option<Against>,
    /// What each player did, as records have it; none in files that were written before there were records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) actions: Vec<String>,
}

/// The other player of a game for two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Against {
    pub(super) player: String,
    pub(super) won: bool,
    pub(super) score: f64,
    pub(super) disqualified: bool,
}

/// What a game was for one of its players.
pub(super) struct Share {
    pub(super) won: bool,
    pub(super) score: f64,
    pub(super) disqualified: bool,
}

impl Entry {
    /// What the game was for a player, once for each avatar that it played.
    pub(super) fn shares(&self, player: &str) -> impl Iterator<Item = Share> {
        let first = Share { won: self.won, score: self.score, disqualified: self.disqualified };
        let second = self.against.as_ref().filter(|other| other.player == player);
        let second = second.map(|other| Share {
            won: other.won,
            score: other.score,
            disqualified: other.disqualified,
        });
        (self.player == player).then_some(first).into_iter().chain(second)
    }

    /// The seed of the game itself: the same chances for all players.
    pub(super) fn game_seed(&self) -> u64 {
        game::Dice::stream(self.seed, self.run << 8 | self.level as u64).bits()
    }

    /// Whether both are the same game of the same player under the same conditions.
    pub(super) fn is_same_game(&self, other: &Entry) -> bool {
        let key = |entry: &Entry| (entry.game.clone(), entry.level, entry.run, entry.seed);
        let against = |entry: &Entry| entry.against.as_ref().map(|other| other.player.clone());
        key(self) == key(other)
            && self.player == other.player
            && against(self) == against(other)
            && self.thinking == other.thinking
            && self.limit_milliseconds == other.limit_milliseconds
    }

    /// Who played, for those who have to tell builds apart.
    pub(super) fn shown_build(&self) -> &str {
        self.build.as_deref().unwrap_or("of which nothing is known")
    }
}

/// An open file of results.
pub(super) struct Results {
    file: File,
}

impl Results {
    /// Opens or makes a file, and reads what is in it. A last line that was cut off is taken away.
    pub(super) fn open(path: &Path) -> anyhow::Result<(Self, Vec<Entry>)> {
        let shown = path.display();
        // Before it is opened: a pipe would be waited for, and a device may do something.
        if path.metadata().is_ok_and(|there| !there.is_file()) {
            bail!("{shown} is not a file; results can be kept in a plain file only: give another one");
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.with_context(|| format!("cannot open {shown}"))?;
        if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            bail!("{shown} is in use by another tournament");
        }
        let (mut entries, mut complete, mut line) = (Vec::new(), 0u64, String::new());
        let mut reader = BufReader::new(&file);
        for number in 1.. {
            line.clear();
            let read = reader.read_line(&mut line).with_context(|| format!("cannot read {shown}"))?;
            if read == 0 || !line.ends_with('\n') {
                break;
            }
            let entry = serde_json::from_str(&line);
            entries.push(entry.with_context(|| format!("{shown}:{number} is no result of a game"))?);
            complete += read as u64;
        }
        if complete == 0 && !line.is_empty() && !line.starts_with('{') {
            bail!("{shown} is no file of results");
        }
        file.set_len(complete).and_then(|()| file.seek(SeekFrom::End(0)).map(drop))?;
        Ok((Self { file }, entries))
    }

    pub(super) fn add(&mut self, entry: &Entry) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        Ok(self.file.write_all(&line)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(run: u64) -> Entry {
        Entry {
            game: "g".to_owned(),
            level: 0,
            run,
            player: "p".to_owned(),
            seed: 1,
            thinking: String::new(),
            limit_milliseconds: None,
            build: None,
            won: true,
            score: 0.5,
            ticks: 3,
            late: 0,
            longest_milliseconds: 1.0,
            disqualified: false,
            against: None,
            actions: vec!["lr.".to_owned()],
        }
    }

    #[test]
    fn a_line_that_was_cut_off_is_played_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results.jsonl");
        let (mut results, none) = Results::open(&path).expect("a new file");
        assert!(none.is_empty());
        results.add(&entry(0)).expect("added");
        results.add(&entry(1)).expect("added");
        drop(results);
        let text = std::fs::read_to_string(&path).expect("there");
        std::fs::write(&path, &text[..text.len() - 5]).expect("cut");
        let (mut results, known) = Results::open(&path).expect("opened again");
        assert_eq!(known, [entry(0)]);
        results.add(&entry(2)).expect("added");
        drop(results);
        assert_eq!(Results::open(&path).expect("opened").1, [entry(0), entry(2)]);
    }

    #[test]
    fn results_without_records_are_read() {
        let old = r#"{"game":"g","level":0,"run":1,"player":"p","seed":1,"thinking":"","won":true,"score":0.5,
            "ticks":3,"late":0,"longest_milliseconds":1.0}"#;
        let old: Entry = serde_json::from_str(old).expect("a result");
        assert_eq!(old, Entry { actions: Vec::new(), ..entry(1) });
        let second = Against { player: "q".to_owned(), won: false, score: -1.0, disqualified: false };
        let two = Entry { against: Some(second), ..entry(1) };
        assert!(!two.is_same_game(&old));
        let limited = Entry { limit_milliseconds: Some(50.0), ..entry(1) };
        assert!(!limited.is_same_game(&old) && limited.is_same_game(&limited));
        assert_eq!(
            two.shares("q").map(|share| (share.won, share.score)).collect::<Vec<_>>(),
            [(false, -1.0)]
        );
        assert_eq!(two.shares("p").map(|share| share.won).collect::<Vec<_>>(), [true]);
    }

    #[test]
    fn a_file_of_someone_else_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("letter.txt");
        for text in ["Dear reader", "Dear reader,\nhello\n"] {
            std::fs::write(&path, text).expect("written");
            assert!(Results::open(&path).is_err());
            assert_eq!(std::fs::read_to_string(&path).expect("there"), text);
        }
    }
}
