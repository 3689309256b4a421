//! Exit codes, and how errors are told.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use game::RuleFault;
use machine::reference::BuildError;

use crate::fold::fold;
use crate::output::terminal_width;

/// Exit code: a game, sheet or trace has faults.
pub(crate) const FAULTY: u8 = 1;
/// Exit code: the command could not be carried out.
pub(crate) const UNABLE: u8 = 2;

/// The rules of a game could not be carried out.
#[derive(Debug)]
pub(crate) struct FaultyGame(pub(crate) String);

impl std::fmt::Display for FaultyGame {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for FaultyGame {}

/// No machine could be built for a game.
#[derive(Debug)]
pub(crate) struct Unbuildable(pub(crate) BuildError);

impl std::fmt::Display for Unbuildable {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hint = match &self.0 {
            BuildError::Rules(fault) => hint(fault),
            BuildError::NoRoles | BuildError::TooManyRoles(_) => "",
        };
        write!(out, "{}{hint}", self.0)
    }
}

// Without a source: the message of a `BuildError` holds that of its cause already.
impl std::error::Error for Unbuildable {}

/// What can be done about a fault.
pub(crate) fn hint(fault: &RuleFault) -> &'static str {
    match fault {
        RuleFault::OutOfMemory { .. } => "; `--memory` allows more",
        RuleFault::TooLong(_) => "; `--steps` allows more",
        _ => "; `ludens check` tells more",
    }
}

/// Tells an error on the standard error and gives the exit code for it.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    // Whoever reads has seen enough: `ludens games | head`.
    if error.chain().any(is_broken_pipe) {
        return ExitCode::SUCCESS;
    }
    tell("error", &told_once(error));
    let faulty = error.chain().any(|cause| cause.is::<FaultyGame>() || cause.is::<Unbuildable>());
    ExitCode::from(if faulty { FAULTY } else { UNABLE })
}

/// An error and its causes, without those that were said already: many errors speak of their causes themselves.
fn told_once(error: &anyhow::Error) -> String {
    let mut said: Vec<String> = Vec::new();
    for cause in error.chain() {
        let text = cause.to_string();
        if said.iter().any(|before| before.contains(&text)) {
            continue;
        }
        // One that says the same and more stands for both.
        if said.last().is_some_and(|last| text.contains(last.as_str())) {
            said.pop();
        }
        said.push(text);
    }
    said.join(": ")
}

fn is_broken_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
    // serde_json hides the error of the writer behind its own.
    let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
    io.or(json) == Some(io::ErrorKind::BrokenPipe)
}

/// Writes a line to the standard error. There is nobody to tell if that fails.
pub(crate) fn tell(kind: &str, message: &str) {
    let width = if io::stderr().is_terminal() { terminal_width() } else { usize::MAX };
    let text = format!("{kind}: {message}");
    for line in text.lines().flat_map(|line| fold(line, width)) {
        let _ = writeln!(io::stderr().lock(), "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_told_once() {
        let told = |inner: &'static str, outer: &'static str| {
            told_once(&anyhow::Error::msg(inner).context(outer).context("cannot start"))
        };
        assert_eq!(told("no room", "a.db is full"), "cannot start: a.db is full: no room");
        assert_eq!(told("no room", "a.db: no room"), "cannot start: a.db: no room");
        assert_eq!(told("code 7: no room", "no room"), "cannot start: code 7: no room");
        assert_eq!(told("cannot start", "no room"), "cannot start: no room");
    }
}
