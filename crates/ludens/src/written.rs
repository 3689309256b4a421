//! Files that commands write as a whole, and anew the next time. What is there and of others is left as it is.

use std::path::Path;

use anyhow::{Context, bail};

/// A kind of file.
pub(crate) struct FileKind<'a> {
    /// What it is called.
    pub(crate) what: &'a str,
    /// Whether a text is of this kind.
    pub(crate) is_ours: &'a dyn Fn(&str) -> bool,
}

impl FileKind<'_> {
    /// Refuses a place at which there is something else, before anything is written.
    pub(crate) fn refuse_foreign(&self, path: &Path) -> anyhow::Result<()> {
        let Ok(there) = path.metadata() else { return Ok(()) };
        let (shown, what) = (path.display(), self.what);
        // Before it is opened: a pipe would be waited for, and a device may do something.
        if !there.is_file() {
            bail!("{shown} is not a file; {what} can be kept in a plain file only: give another one");
        }
        if there.len() == 0 {
            return Ok(());
        }
        // What cannot be read, or is no text, is of others.
        if !std::fs::read_to_string(path).is_ok_and(|text| (self.is_ours)(&text)) {
            bail!("{shown} is not {what} and is left as it is; give another file, or remove it");
        }
        Ok(())
    }

    /// Writes it, unless there is something else by now.
    pub(crate) fn write(&self, path: &Path, text: &str) -> anyhow::Result<()> {
        self.refuse_foreign(path)?;
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// A picture of a board, or of many.
pub(crate) const PICTURE: FileKind<'static> =
    FileKind { what: "a picture of a game", is_ours: &picture::svg::is_ours };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_others_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let kind = FileKind { what: "a list", is_ours: &|text| text.starts_with("list") };
        let path = folder.path().join("file");
        for text in ["list one", "list two"] {
            kind.write(&path, text).expect("nothing is there, or a list");
        }
        std::fs::write(&path, "Dear diary").expect("written");
        let error = kind.write(&path, "list three").expect_err("it is no list").to_string();
        assert!(error.contains("is not a list") && error.contains("left as it is"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "Dear diary");
        std::fs::write(&path, "").expect("written");
        kind.write(&path, "list four").expect("nothing was in it");
        assert!(kind.refuse_foreign(folder.path()).is_err(), "a folder");
    }
}
