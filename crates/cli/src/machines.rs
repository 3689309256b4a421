//! From rules to the machine that was asked for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use game::{Game, RuleFault};
use gdl::normal::NormalRules;
use machine::reference::{Declared, Reference};

use crate::arguments::{MachineArguments, MachineKind};
use crate::failure::{FaultyGame, Unbuildable, hint};

/// What the commands need of a machine beside playing.
pub(crate) trait Machine: Game {
    /// What the sheet declares by `base` and `input`.
    fn declared(&self) -> Declared;
    /// Bytes in use, about.
    fn bytes(&self) -> usize;
}

impl Machine for Reference {
    fn declared(&self) -> Declared {
        Reference::declared(self)
    }

    fn bytes(&self) -> usize {
        Reference::bytes(self)
    }
}

/// Something to do with a game, on whichever machine. A trait, as closures cannot be generic.
pub(crate) trait Task {
    /// What comes out of it.
    type Answer;
    /// Does it.
    fn run<M: Machine>(self, machine: &M) -> anyhow::Result<Self::Answer>;
}

/// Builds the machine that was asked for and does the task with it. Evaluation stops with a fault
/// when `stop` becomes true.
pub(crate) fn with_machine<T: Task>(
    arguments: MachineArguments,
    rules: &NormalRules,
    stop: Option<Arc<AtomicBool>>,
    task: T,
) -> anyhow::Result<T::Answer> {
    let bytes = usize::try_from(arguments.memory << 20).unwrap_or(usize::MAX);
    match arguments.machine {
        MachineKind::Reference => {
            let limits = datalog::Limits { bytes, stop, ..Default::default() };
            task.run(&Reference::new(rules, limits).map_err(Unbuildable)?)
        }
    }
}

/// A fault in words, with the role's name.
pub(crate) fn fault_text<G: Game>(game: &G, fault: &RuleFault) -> String {
    match fault {
        RuleFault::NoLegalMove(role) => {
            let name = game.roles().get(role.0 as usize).map_or("?", String::as_str);
            format!("role `{name}` has no legal move in a state that is not terminal")
        }
        other => other.to_string(),
    }
}

/// A fault met in play, as the error of a command.
pub(crate) fn faulty<G: Game>(game: &G) -> impl Fn(RuleFault) -> anyhow::Error {
    move |fault| FaultyGame(fault_text(game, &fault) + hint(&fault)).into()
}
