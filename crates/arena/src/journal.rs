//! Files with one finding a line, added as they come: a kill costs the line that was being written at most.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ArenaError;

/// What stands in a line.
pub(crate) trait Line: Serialize + DeserializeOwned {
    /// How every line begins: its first field, now and in older versions.
    const BEGINNINGS: &'static [&'static [u8]];

    /// A line that is none.
    fn fault(path: PathBuf, number: usize, why: String) -> ArenaError;
}

/// The longest line that is read: a match of many moves has some megabytes.
const MOST_LINE_BYTES: u64 = 256 << 20;

/// An open file.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens a file, or makes it, and shows the lines in it.
    ///
    /// One process at a time: the file is locked as long as it is open.
    pub(crate) fn open<L: Line>(path: &Path, mut each: impl FnMut(L)) -> Result<Self, ArenaError> {
        let unable = |error: std::io::Error| ArenaError::file(path, &error);
        // Before it is opened: a pipe would be waited for, and a device may do something.
        if path.metadata().is_ok_and(|there| !there.is_file()) {
            return Err(ArenaError::NoFile(path.to_owned()));
        }
        let mut file = OpenOptions::new()
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
        let mut reader = BufReader::new(&file);
        let (mut line, mut complete, mut number) = (Vec::new(), 0u64, 0);
        loop {
            line.clear();
            let read = reader.by_ref().take(MOST_LINE_BYTES).read_until(b'\n', &mut line).map_err(unable)?;
            number += 1;
            if read as u64 == MOST_LINE_BYTES {
                let why = format!("it has more than {MOST_LINE_BYTES} bytes");
                return Err(L::fault(path.to_owned(), number, why));
            }
            if read == 0 {
                break;
            }
            let Some(text) = line.strip_suffix(b"\n") else {
                // It was being written when the process died, unless the file is someone else's.
                if !is_cut::<L>(&line) {
                    return Err(ArenaError::Rest { path: path.to_owned(), number });
                }
                file.set_len(complete).map_err(unable)?;
                break;
            };
            if !text.trim_ascii().is_empty() {
                let read: Result<L, _> = serde_json::from_slice(text);
                each(read.map_err(|error| L::fault(path.to_owned(), number, error.to_string()))?);
            }
            complete += read as u64;
        }
        file.seek(SeekFrom::End(0)).map_err(unable)?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Adds a line. When this returns, the system has it.
    pub(crate) fn add<L: Line>(&mut self, content: &L) -> Result<(), ArenaError> {
        let mut line =
            serde_json::to_vec(content).map_err(|error| ArenaError::file(&self.path, &error.into()))?;
        line.push(b'\n');
        // One call, so that a kill falls between lines as a rule.
        self.file.write_all(&line).map_err(|error| ArenaError::file(&self.path, &error))
    }
}

/// Whether a line without its end may be thrown away: it is one of ours up to some byte.
fn is_cut<L: Line>(rest: &[u8]) -> bool {
    if L::BEGINNINGS.iter().any(|beginning| beginning.starts_with(rest)) {
        return true;
    }
    // What begins alike and is wrong for another reason than its end is not ours.
    let read = serde_json::from_slice::<L>(rest);
    let alike = L::BEGINNINGS.iter().any(|beginning| rest.starts_with(beginning));
    alike && read.err().is_none_or(|error| error.is_eof())
}
