//! Running the real binary.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What a run gave.
pub(crate) struct Run {
    /// The exit code; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    /// The standard output.
    pub(crate) out: String,
    /// The standard error.
    pub(crate) err: String,
}

impl Run {
    /// Fails unless the exit code is this one and nothing has panicked.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "output:\n{}\nerrors:\n{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    /// The output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}:\n{}", self.out))
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// The binary with arguments, not yet started.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the binary.
pub(crate) fn ludens(arguments: &[&str]) -> Run {
    command(arguments).output().expect("the binary starts").into()
}

/// Runs the binary with a text on its standard input.
pub(crate) fn ludens_with_input(arguments: &[&str], input: &str) -> Run {
    let mut command = command(arguments);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends").into()
}

/// Writes a file in a folder and gives its path as text.
pub(crate) fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("writable");
    path.to_str().expect("UTF-8").to_owned()
}

/// A game of one player and two steps: take or wait; who has taken wins.
pub(crate) const COUNTDOWN: &str = "; A countdown.
(role you)
(base (left 2))
(base (left 1))
(base (left 0))
(base won)
(input you wait)
(input you take)
(init (left 2))
(legal you wait)
(legal you take)
(<= (next (left 1)) (true (left 2)))
(<= (next (left 0)) (true (left 1)))
(<= (next won) (does you take))
(<= (next won) (true won))
(<= terminal (true (left 0)))
(<= (goal you 100) (true won))
(<= (goal you 0) (not (true won)))
";

/// A trace of the countdown: take, then wait.
pub(crate) const COUNTDOWN_TRACE: &str = r#"{"game": "countdown", "roles": ["you"], "playouts": [{"complete": true, "steps": [
    {"facts": 1, "state": ["(left 2)"], "terminal": false, "legal": {"you": ["take", "wait"]}, "moves": ["take"]},
    {"facts": 2, "state": ["(left 1)", "won"], "terminal": false, "legal": {"you": ["take", "wait"]}, "moves": ["wait"]},
    {"facts": 2, "state": ["(left 0)", "won"], "terminal": true, "goals": {"you": 100}}]}]}"#;
