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
    pub(super) won: bool,
    pub(super) score: f64,
    pub(super) ticks: u64,
    /// Answers that came too late.
    pub(super) late: u64,
    pub(super) longest_milliseconds: f64,
}

impl Entry {
    /// Whether both are the same game of the same player under the same conditions.
    pub(super) fn is_same_game(&self, other: &Entry) -> bool {
        let key = |entry: &Entry| (entry.game.clone(), entry.level, entry.run, entry.seed);
        key(self) == key(other) && self.player == other.player && self.thinking == other.thinking
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
            won: true,
            score: 0.5,
            ticks: 3,
            late: 0,
            longest_milliseconds: 1.0,
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
