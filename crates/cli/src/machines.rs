//! From rules to the machine that was asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use circuit::{Circuit, Effort};
use game::{Expansion, Game, GoalReading, MoveId, RoleId, RuleFault};
use gdl::normal::NormalRules;
use ground::Budget;
use machine::Target;
use machine::batch::{BatchMachine, LaneGame};
use machine::circuit::CircuitMachine;
use machine::reference::{Declared, Reference};
use referee::MatchError;

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

/// A machine that runs a circuit, with what the sheet declares.
struct Fast<G> {
    game: G,
    declared: Declared,
    bytes: usize,
}

/// Hands every question on to the machine inside.
impl<G: Game> Game for Fast<G> {
    type State = G::State;
    type Workspace = G::Workspace;

    fn roles(&self) -> &[String] {
        self.game.roles()
    }

    fn workspace(&self) -> G::Workspace {
        self.game.workspace()
    }

    fn initial(&self) -> G::State {
        self.game.initial()
    }

    fn expand(
        &self,
        workspace: &mut G::Workspace,
        state: &G::State,
        out: &mut Expansion,
    ) -> Result<(), RuleFault> {
        self.game.expand(workspace, state, out)
    }

    fn apply(
        &self,
        workspace: &mut G::Workspace,
        state: &G::State,
        joint: &[MoveId],
    ) -> Result<G::State, RuleFault> {
        self.game.apply(workspace, state, joint)
    }

    fn goals(
        &self,
        workspace: &mut G::Workspace,
        state: &G::State,
        out: &mut Vec<GoalReading>,
    ) -> Result<(), RuleFault> {
        self.game.goals(workspace, state, out)
    }

    fn move_text(&self, id: MoveId) -> String {
        self.game.move_text(id)
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        self.game.find_move(role, text)
    }

    fn facts(&self, state: &G::State) -> Vec<String> {
        self.game.facts(state)
    }

    fn state_of(&self, facts: &[&str]) -> Option<G::State> {
        self.game.state_of(facts)
    }
}

impl<G: Game> Machine for Fast<G> {
    fn declared(&self) -> Declared {
        self.declared.clone()
    }

    fn bytes(&self) -> usize {
        self.bytes
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
    if arguments.machine == MachineKind::Reference {
        let limits = datalog::Limits { bytes, stop, ..Default::default() };
        return task.run(&Reference::new(rules, limits).map_err(Unbuildable)?);
    }
    let circuit = build_circuit(arguments, bytes, rules, stop.as_deref())?;
    // What `base` and `input` list is the business of checks, which run on the reference.
    let size = circuit.gates.len() * 12;
    let one_state = |target| Arc::new(CircuitMachine::with_target(circuit.clone(), target));
    let lanes = |target| LaneGame::new(BatchMachine::with_target(one_state(Target::Portable), target));
    match arguments.machine {
        MachineKind::Reference => unreachable!("answered above"),
        MachineKind::Circuit | MachineKind::CompiledCircuit => {
            let target = match arguments.machine {
                MachineKind::Circuit => Target::Portable,
                _ => Target::detect(),
            };
            let game = CircuitMachine::with_target(circuit.clone(), target);
            task.run(&Fast { game, declared: Declared::default(), bytes: size })
        }
        MachineKind::Batch | MachineKind::Avx2 | MachineKind::Compiled => {
            let game = lanes(match arguments.machine {
                MachineKind::Batch => Target::Portable,
                MachineKind::Avx2 => Target::Avx2,
                _ => Target::detect(),
            });
            task.run(&Fast { game, declared: Declared::default(), bytes: size })
        }
    }
}

/// The circuit of some rules, within the time and memory allowed.
fn build_circuit(
    arguments: MachineArguments,
    bytes: usize,
    rules: &NormalRules,
    stop: Option<&AtomicBool>,
) -> anyhow::Result<Arc<Circuit>> {
    let start = Instant::now();
    let budget = Budget {
        clock: &|| start.elapsed(),
        deadline: Duration::try_from_secs_f64(arguments.build_seconds).unwrap_or(Duration::MAX),
        bytes,
        progress: &|_| !stop.is_some_and(|stop| stop.load(Ordering::Relaxed)),
    };
    let build = machine::build::circuit(rules, Effort::Thorough, &budget).map_err(|error| {
        anyhow::anyhow!(
            "{error}; play it with `--machine reference`, or allow more with --build-seconds and --memory"
        )
    })?;
    Ok(build.circuit)
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

/// Why a match was called off, as the error of a command.
pub(crate) fn called_off<G: Game>(game: &G) -> impl Fn(MatchError) -> anyhow::Error {
    move |error| match error {
        MatchError::Rules(fault) => faulty(game)(fault),
        other => other.into(),
    }
}
