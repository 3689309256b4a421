//! Exit codes, and how errors are told.

use std::io::{self, Write};
use std::process::ExitCode;

use game::RuleFault;
use machine::reference::BuildError;

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
    tell("error", &format!("{error:#}"));
    let faulty = error.chain().any(|cause| cause.is::<FaultyGame>() || cause.is::<Unbuildable>());
    ExitCode::from(if faulty { FAULTY } else { UNABLE })
}

fn is_broken_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
    // serde_json hides the error of the writer behind its own.
    let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
    io.or(json) == Some(io::ErrorKind::BrokenPipe)
}

/// Writes a line to the standard error. There is nobody to tell if that fails.
pub(crate) fn tell(kind: &str, message: &str) {
    let _ = writeln!(io::stderr().lock(), "{kind}: {message}");
}
