//! From rules to the machine that was asked for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use game::{Describe, RuleFault, Simulator};
use gdl::normal::NormalRules;
use machine::{Limits, Machine, MakeError, Target, Visitor, Wanted};
use referee::MatchError;

use crate::arguments::{MachineArguments, MachineKind};
use crate::failure::{FaultyGame, Unbuildable, hint};

/// Something to do with a game, on whichever machine. A trait, as closures cannot be generic.
pub(crate) trait Task {
    /// What comes out of it.
    type Answer;
    /// Does it with a game; `machine` tells what else is known of the machine that plays it.
    fn run<G: Describe>(self, game: &G, machine: &Machine) -> anyhow::Result<Self::Answer>;
}

/// A task and what is known of the machine.
struct Run<'m, T> {
    task: T,
    machine: &'m Machine,
}

impl<T: Task> Visitor<'_> for Run<'_, T> {
    type Answer = anyhow::Result<T::Answer>;

    fn visit<G: Simulator + Describe + 'static>(self, game: &Arc<G>) -> Self::Answer {
        self.task.run(&**game, self.machine)
    }
}

/// Builds the machine that was asked for and does the task with it. Evaluation stops with a fault
/// when `stop` becomes true.
pub(crate) fn with_machine<T: Task>(
    arguments: MachineArguments,
    rules: &NormalRules,
    stop: Option<Arc<AtomicBool>>,
    task: T,
) -> anyhow::Result<T::Answer> {
    let machine = build(arguments, rules, stop)?;
    task.run(&*machine.erased(), &machine)
}

/// The same for a task that counts how fast it is, or takes long: it is compiled for every kind of machine.
pub(crate) fn with_fast_machine<T: Task>(
    arguments: MachineArguments,
    rules: &NormalRules,
    stop: Option<Arc<AtomicBool>>,
    task: T,
) -> anyhow::Result<T::Answer> {
    let machine = build(arguments, rules, stop)?;
    machine.visit(Run { task, machine: &machine })
}

fn build(
    arguments: MachineArguments,
    rules: &NormalRules,
    stop: Option<Arc<AtomicBool>>,
) -> anyhow::Result<Machine> {
    let wanted = match arguments.machine {
        MachineKind::Reference => Wanted::Reference,
        MachineKind::Circuit => Wanted::Circuit(Target::Portable),
        MachineKind::CompiledCircuit => Wanted::Circuit(Target::detect()),
        MachineKind::Batch => Wanted::Lanes(Target::Portable),
        MachineKind::Avx2 => Wanted::Lanes(Target::Avx2),
        MachineKind::Compiled => Wanted::Lanes(Target::detect()),
    };
    let start = Instant::now();
    let limits = Limits {
        clock: &|| start.elapsed(),
        time: Duration::try_from_secs_f64(arguments.build_seconds).unwrap_or(Duration::MAX),
        bytes: usize::try_from(arguments.memory << 20).unwrap_or(usize::MAX),
        stop,
    };
    machine::from_rules(rules, wanted, &limits).map_err(|error| match error {
        MakeError::Reference(error) => Unbuildable(error).into(),
        MakeError::Circuit(error) => anyhow::anyhow!(
            "{error}; play it with `--machine reference`, or allow more with --build-seconds and --memory"
        ),
    })
}

/// A fault in words, with the role's name.
pub(crate) fn fault_text<G: Describe>(game: &G, fault: &RuleFault) -> String {
    match fault {
        RuleFault::NoLegalMove(role) => {
            let name = game.roles().get(role.0 as usize).map_or("?", String::as_str);
            format!("role `{name}` has no legal move in a state that is not terminal")
        }
        other => other.to_string(),
    }
}

/// A fault met in play, as the error of a command.
pub(crate) fn faulty<G: Describe>(game: &G) -> impl Fn(RuleFault) -> anyhow::Error {
    move |fault| FaultyGame(fault_text(game, &fault) + hint(&fault)).into()
}

/// Why a match was called off, as the error of a command.
pub(crate) fn called_off<G: Describe>(game: &G) -> impl Fn(MatchError) -> anyhow::Error {
    move |error| match error {
        MatchError::Rules(fault) => faulty(game)(fault),
        other => other.into(),
    }
}
