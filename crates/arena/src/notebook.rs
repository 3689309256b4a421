//! The file of trials that were made: a line of JSON each, added as they end, so that a long experiment goes
//! on where it was.
//!
//! As with the file of matches, a last line that was cut off by a kill is taken away, and nothing else is.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ArenaError;

/// One trial: what it was, in words that say all it depends on, and what came of it.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    trial: String,
    result: Value,
}

/// An open file of trials.
#[derive(Debug)]
pub struct Notebook {
    path: PathBuf,
    file: File,
}

/// How every entry begins.
const BEGINNING: &[u8] = b"{\"trial\":\"";

impl Notebook {
    /// Opens a file, or makes it, and reads the trials in it: each once, the first counts.
    ///
    /// One process at a time: the file is locked as long as it is open.
    pub fn open(path: &Path) -> Result<(Self, HashMap<String, Value>), ArenaError> {
        let unable = |error: std::io::Error| ArenaError::file(path, &error);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(unable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Err(ArenaError::InUse(path.to_owned())),
            // Where files cannot be locked one has to take care oneself.
            Err(std::fs::TryLockError::Error(_)) => {}
        }
        let mut known = HashMap::new();
        let mut reader = BufReader::new(&file);
        let (mut line, mut complete, mut number) = (Vec::new(), 0u64, 0);
        loop {
            line.clear();
            let read = reader.read_until(b'\n', &mut line).map_err(unable)?;
            number += 1;
            if read == 0 {
                break;
            }
            let Some(text) = line.strip_suffix(b"\n") else {
                let shared = line.len().min(BEGINNING.len());
                if line[..shared] != BEGINNING[..shared] {
                    return Err(ArenaError::Rest { path: path.to_owned(), number });
                }
                file.set_len(complete).map_err(unable)?;
                break;
            };
            if !text.trim_ascii().is_empty() {
                let entry: Entry = serde_json::from_slice(text).map_err(|error| ArenaError::Trial {
                    path: path.to_owned(),
                    number,
                    why: error.to_string(),
                })?;
                known.entry(entry.trial).or_insert(entry.result);
            }
            complete += read as u64;
        }
        let mut notebook = Self { path: path.to_owned(), file };
        notebook.file.seek(SeekFrom::End(0)).map_err(unable)?;
        Ok((notebook, known))
    }

    /// Adds a trial. When this returns, the system has it.
    pub fn add(&mut self, trial: &str, result: &Value) -> Result<(), ArenaError> {
        let entry = Entry { trial: trial.to_owned(), result: result.clone() };
        let mut line =
            serde_json::to_vec(&entry).map_err(|error| ArenaError::file(&self.path, &error.into()))?;
        line.push(b'\n');
        // One call, so that a kill falls between lines as a rule.
        self.file.write_all(&line).map_err(|error| ArenaError::file(&self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_come_back_wherever_the_last_line_is_cut() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("trials.jsonl");
        {
            let (mut notebook, known) = Notebook::open(&path).expect("a new file");
            assert!(known.is_empty());
            notebook.add("one", &serde_json::json!({ "score": 80 })).expect("written");
            notebook.add("two", &serde_json::json!([1, 2])).expect("written");
            assert!(matches!(Notebook::open(&path), Err(ArenaError::InUse(_))));
        }
        let whole = std::fs::read(&path).expect("the file");
        let first = whole.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
        for cut in first..whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("written");
            let (_, known) = Notebook::open(&path).expect("a file that was cut");
            assert_eq!((known.len(), &known["one"]["score"]), (1, &serde_json::json!(80)), "cut at {cut}");
        }
    }

    #[test]
    fn what_is_no_notebook_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notes.txt");
        for text in ["Dear diary,\n", "Dear diary", "{\"game\":\"chess\"}\n"] {
            std::fs::write(&path, text).expect("written");
            let error = Notebook::open(&path).expect_err("no notebook").to_string();
            assert!(error.contains("give another file"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).expect("the file"), text);
        }
    }
}
