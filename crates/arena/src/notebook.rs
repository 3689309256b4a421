//! The file of trials that were made: a line of JSON each, added as they end, so that a long experiment goes
//! on where it was.
//!
//! As with the file of matches, a last line that was cut off by a kill is taken away, and nothing else is.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ArenaError;
use crate::journal::{Journal, Line};

/// One trial: what it was, in words that say all it depends on, and what came of it.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    trial: String,
    result: Value,
}

impl Line for Entry {
    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"trial\":\""];

    fn fault(path: PathBuf, number: usize, why: String) -> ArenaError {
        ArenaError::Trial { path, number, why }
    }
}

/// An open file of trials.
#[derive(Debug)]
pub struct Notebook(Journal);

impl Notebook {
    /// Opens a file, or makes it, and reads the trials in it: each once, the first counts.
    ///
    /// One process at a time: the file is locked as long as it is open.
    pub fn open(path: &Path) -> Result<(Self, HashMap<String, Value>), ArenaError> {
        let mut known = HashMap::new();
        let journal = Journal::open(path, |entry: Entry| {
            known.entry(entry.trial).or_insert(entry.result);
        })?;
        Ok((Self(journal), known))
    }

    /// Adds a trial. When this returns, the system has it.
    pub fn add(&mut self, trial: &str, result: &Value) -> Result<(), ArenaError> {
        self.0.add(&Entry { trial: trial.to_owned(), result: result.clone() })
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
