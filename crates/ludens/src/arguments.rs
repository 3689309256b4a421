//! Arguments that several commands share.

use clap::{Args, ValueEnum};
use gdl::Mode;
use serde::{Deserialize, Serialize};

/// Which game, and by which measure its rules are read.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameArguments {
    /// The name of a bundled game, the path of a rule sheet, or - for the standard input
    pub(crate) game: String,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How faults of the rules are taken; a player takes what it is given.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// Refuse rules that break the specification
    #[arg(long)]
    strict: bool,

    /// Make the best of rules that break the specification, with warnings (the default)
    #[arg(long, conflicts_with = "strict")]
    lenient: bool,
}

impl Reading {
    pub(crate) fn mode(self) -> Mode {
        if self.strict { Mode::Strict } else { Mode::Lenient }
    }
}

/// By which reasoner a game is played.
#[derive(Args, Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct MachineArguments {
    /// The reasoner
    #[arg(long, value_enum, default_value_t)]
    pub(crate) machine: MachineKind,

    /// Mebibytes of memory that evaluating the rules may take
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(crate) memory: u64,

    /// Seconds that building a circuit may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub(crate) build_seconds: f64,
}

/// The reasoners there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub(crate) enum MachineKind {
    /// Plain and right: evaluates the rules bottom-up for every state
    #[default]
    Reference,
    /// The rules as a circuit, one state at a time, interpreted
    Circuit,
    /// The circuit for hundreds of states at once, interpreted
    Batch,
    /// The circuit for hundreds of states at once, compiled to the widest vectors there are
    Compiled,
    /// The circuit for hundreds of states at once, compiled to AVX2
    Avx2,
    /// The circuit one state at a time, compiled
    CompiledCircuit,
}

impl MachineKind {
    /// All of them, the plain one first.
    pub(crate) const ALL: [MachineKind; 6] = [
        MachineKind::Reference,
        MachineKind::Circuit,
        MachineKind::CompiledCircuit,
        MachineKind::Batch,
        MachineKind::Compiled,
        MachineKind::Avx2,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            MachineKind::Reference => "reference",
            MachineKind::Circuit => "circuit",
            MachineKind::Batch => "batch",
            MachineKind::Compiled => "compiled",
            MachineKind::Avx2 => "avx2",
            MachineKind::CompiledCircuit => "compiled-circuit",
        }
    }
}
