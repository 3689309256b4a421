//! From rules to a circuit, within the limits that a command was given.

use std::sync::Arc;
use std::time::Duration;

use circuit::{BuildReport, Circuit};
use clap::{Args, ValueEnum};
use gdl::normal::NormalRules;
use ground::{Budget, GroundError, GroundRules};

use crate::process::{cpu_seconds_since, cpu_time};

/// How much grounding and building may take.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct BuildArguments {
    /// Processor seconds that grounding and building may take
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = positive)]
    pub(crate) build_seconds: f64,

    /// Mebibytes of memory that grounding, building or evaluating the rules may take
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(crate) memory: u64,

    /// How hard to look for a small circuit
    #[arg(long, value_enum, default_value_t)]
    pub(crate) effort: EffortKind,
}

/// A number of seconds on the command line.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        _ => Err("a number of seconds above 0 is wanted".to_owned()),
    }
}

/// How hard to look for a small circuit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EffortKind {
    /// One way of building: the circuit is needed now
    Quick,
    /// Several ways where that is cheap, the smallest circuit kept
    #[default]
    Thorough,
}

impl EffortKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            EffortKind::Quick => "quick",
            EffortKind::Thorough => "thorough",
        }
    }
}

/// A circuit and what it took.
pub(crate) struct Built {
    pub(crate) circuit: Arc<Circuit>,
    pub(crate) report: BuildReport,
    pub(crate) ground_seconds: f64,
    pub(crate) build_seconds: f64,
}

impl BuildArguments {
    /// The memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        usize::try_from(self.memory << 20).unwrap_or(usize::MAX)
    }

    /// A budget that begins now. The clock is that of the processor.
    pub(crate) fn budget(&self) -> Budget<'static> {
        let deadline = cpu_time() + Duration::from_secs_f64(self.build_seconds);
        Budget { clock: &cpu_time, deadline, bytes: self.bytes(), progress: &|_| true }
    }

    /// Grounds rules and builds their circuit.
    pub(crate) fn build(&self, rules: &NormalRules) -> Result<Built, GroundError> {
        let budget = self.budget();
        let begin = cpu_time();
        let mut ground = ground::ground(rules, &budget)?;
        let ground_seconds = cpu_seconds_since(begin);
        let begin = cpu_time();
        let (circuit, report) = self.circuit(&mut ground, &budget)?;
        let build_seconds = cpu_seconds_since(begin);
        Ok(Built { circuit: Arc::new(circuit), report, ground_seconds, build_seconds })
    }

    /// Builds the circuit of ground rules.
    pub(crate) fn circuit(
        &self,
        ground: &mut GroundRules,
        budget: &Budget<'_>,
    ) -> Result<(Circuit, BuildReport), GroundError> {
        let effort = match self.effort {
            EffortKind::Quick => circuit::Effort::Quick,
            EffortKind::Thorough => circuit::Effort::Thorough,
        };
        circuit::build(ground, effort, budget)
    }
}
