//! The file of matches that were played: a line of JSON each, added as they end.
//!
//! A process that is killed leaves at worst a last line that is cut off. It is taken away when the
//! file is opened again, and its match is played again; every complete line stays and counts once.
//! Nothing else is ever taken away: a file that is not ours is refused as it is.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::journal::{Journal, Line};
use crate::record::{MatchKey, MatchRecord};
use crate::{ArenaError, Fingerprint};

/// The matches of a file, by what tells them apart and by the conditions they were played under.
pub type Known = HashMap<(MatchKey, Option<Fingerprint>), MatchRecord>;

/// An open file of matches.
#[derive(Debug)]
pub struct Ledger(Journal);

impl Line for MatchRecord {
    // Older versions began with the game.
    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"matchId\":\"", b"{\"game\":\""];

    fn fault(path: PathBuf, number: usize, why: String) -> ArenaError {
        ArenaError::Line { path, number, why }
    }
}

impl Ledger {
    /// Opens a file, or makes it, and reads the matches in it: each once, the first counts.
    ///
    /// One process at a time: the file is locked as long as it is open.
    pub fn open(path: &Path) -> Result<(Self, Known), ArenaError> {
        let mut records = HashMap::new();
        let journal = Journal::open(path, |record: MatchRecord| {
            records.entry((record.key.clone(), record.fingerprint.clone())).or_insert(record);
        })?;
        Ok((Self(journal), records))
    }

    /// Adds a match. When this returns, the system has it.
    pub fn add(&mut self, record: &MatchRecord) -> Result<(), ArenaError> {
        self.0.add(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::example;

    #[test]
    fn matches_come_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("matches.jsonl");
        let records: Vec<_> = (0..5).map(|round| example("g", &["a", "b"], round, &[100, 0])).collect();
        {
            let (mut ledger, known) = Ledger::open(&path).expect("a new file");
            assert!(known.is_empty());
            records[..3].iter().for_each(|record| ledger.add(record).expect("written"));
        }
        let (mut ledger, known) = Ledger::open(&path).expect("the file");
        assert_eq!(known.len(), 3);
        assert!(matches!(Ledger::open(&path), Err(ArenaError::InUse(_))));
        // Twice the same match counts once.
        [&records[0], &records[3]].into_iter().for_each(|record| ledger.add(record).expect("written"));
        drop(ledger);
        let (_, known) = Ledger::open(&path).expect("the file");
        assert_eq!(known.len(), 4);
        assert_eq!(known[&(records[3].key.clone(), None)], records[3]);
    }

    #[test]
    fn wherever_a_line_is_cut_the_others_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("matches.jsonl");
        let records: Vec<_> = (0..3).map(|round| example("g", &["a", "b"], round, &[100, 0])).collect();
        let (mut ledger, _) = Ledger::open(&path).expect("a new file");
        records[..2].iter().for_each(|record| ledger.add(record).expect("written"));
        drop(ledger);
        let whole = std::fs::read(&path).expect("the file");
        let first = whole.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
        for cut in first..whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("written");
            let (mut ledger, known) = Ledger::open(&path).expect("a file that was cut");
            assert_eq!(known.len(), 1, "cut at {cut}");
            ledger.add(&records[2]).expect("written");
            drop(ledger);
            let (_, known) = Ledger::open(&path).expect("the file");
            assert!(known.len() == 2 && known.contains_key(&(records[2].key.clone(), None)), "cut at {cut}");
        }
    }

    #[test]
    fn what_is_no_ledger_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "Dear diary,\nnothing").expect("written");
        let error = Ledger::open(&path).expect_err("no ledger").to_string();
        assert!(error.contains("line 1") && error.contains("notes.txt"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).expect("the file"), "Dear diary,\nnothing");
        assert!(Ledger::open(&folder.path().join("none").join("file")).is_err());
    }

    #[test]
    fn a_foreign_line_without_an_end_keeps_every_byte() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("foreign");
        let record = serde_json::to_string(&example("g", &["a", "b"], 0, &[100, 0])).expect("JSON");
        let after_a_record = format!("{record}\nand a remark");
        for text in [
            "Dear diary",
            "[1, 2, 3]",
            "{\"name\":\"a\"}",
            // It begins as ours do, but it is whole and lacks what ours have.
            "{\"game\":\"chess\",\"moves\":[\"e4\"]}",
            "{\"game\":\"chess\"} and more",
            &after_a_record,
        ] {
            std::fs::write(&path, text).expect("written");
            let error = Ledger::open(&path).expect_err(text).to_string();
            assert!(error.contains("foreign") && error.contains("give another file"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).expect("the file"), text);
        }
    }

    #[test]
    fn a_first_record_that_was_cut_is_healed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("matches.jsonl");
        let record = serde_json::to_vec(&example("\u{265e}", &["a", "b"], 0, &[100, 0])).expect("JSON");
        for cut in 0..=record.len() {
            std::fs::write(&path, &record[..cut]).expect("written");
            let (_, known) = Ledger::open(&path).expect("a file that was cut");
            assert!(known.is_empty(), "cut at {cut}");
            assert_eq!(std::fs::metadata(&path).expect("the file").len(), 0, "cut at {cut}");
        }
    }
}
