//! The batch machine: hundreds of states at once, one bit lane each.
//!
//! A word of a slot holds one proposition of 64 states; a vector of 256 or 512 bits holds it for
//! as many. Evaluating the circuit once on such vectors ("a sweep") moves every lane one step
//! ahead: finished lanes begin anew, legal moves are worked out, one is chosen (see `select`), and
//! the next state computed, all in one straight line of bitwise operations.
//!
//! There are always [`LANES`] lanes. Targets with narrower vectors run them in blocks, one after
//! the other, or in one block of several vectors if the circuit is large; a lane's random numbers depend on the seed and the lane alone, so every target plays
//! the same playouts.

mod captures;
#[cfg(test)]
mod captures_tests;
mod choice;
mod counters;
mod cut;
mod decisive;
#[cfg(test)]
mod decisive_tests;
mod expand;
mod gibbs;
mod greedy;
mod lane_game;
mod lanes;
mod layout;
mod notes;
mod percepts;
mod plan;
mod play;
#[cfg(test)]
mod policy_tests;
mod programs;
mod random;
mod record;
mod run;
mod sample;
mod scratch;
mod select;
mod simulator;
mod step;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use ::circuit::{Circuit, Edge};
use game::{Decisive, Game, RuleFault};

use crate::circuit::CircuitMachine;
use crate::compiled::{AlignedWords, Executable, Target};
use crate::exclusive::Turns;
use crate::program::{Network, Rows};
use layout::{Layout, are_goals_apart};
use plan::{Plan, make_plan};
use programs::{OpenPrograms, Programs, goal_program};
use random::refill_program;
use step::{Style, Sweep, leap};

pub use lane_game::{LaneGame, LaneWorkspace};
pub use sample::Sample;

/// The lanes of a batch.
pub const LANES: usize = 512;

/// From so many gates on the code of a sweep does not stay in the caches. All lanes then share a
/// block, and every piece of code is run for all of them before the next is fetched. With less code
/// that is no gain, and memory is better used with half of the lanes in a block.
const LARGE: usize = 30_000;

/// Final states are kept for at most so many sweeps.
const MOST_GOAL_INTERVAL: usize = 64;

/// A game run in lanes.
#[derive(Debug)]
pub struct BatchMachine {
    machine: Arc<CircuitMachine>,
    target: Target,
    /// Words of 64 lanes in a slot.
    words: usize,
    layout: Layout,
    goals_apart: bool,
    /// With goals apart, they are read every so many sweeps. When must not depend on what happens
    /// in the lanes: how long a lane waits decides which random numbers it gets, and then the
    /// number of lanes in a block would decide on the playouts.
    goal_interval: usize,
    refill: Arc<Executable>,
    /// Playouts by the rules.
    playouts: Playouts,
    /// Playouts that take wins, and those that also stop the others'; none where that is not to be had.
    decisive: [OnceLock<Option<Playouts>>; 2],
    /// Playouts that prefer captures, by how far they look for moves that decide.
    capturing: [OnceLock<Option<Playouts>>; 3],
    goals: Executable,
    expand: OnceLock<Executable>,
    advance: OnceLock<Executable>,
    percepts: OnceLock<Executable>,
}

/// The programs of playouts by some rules. Pairs are with assumptions and without, in case one fails.
#[derive(Debug)]
struct Playouts {
    /// What is legal may be narrowed; the rest is the machine's.
    circuit: Arc<Circuit>,
    /// Where the outcome is certain.
    settled: Option<Edge>,
    plan: Plan,
    random: [OnceLock<Programs>; 2],
    /// Programs that record moves.
    recording: [OnceLock<Programs>; 2],
    /// Programs that leave some choices open.
    mixed: [OnceLock<OpenPrograms>; 2],
    /// Programs that leave all choices open.
    open: [OnceLock<OpenPrograms>; 2],
}

impl Playouts {
    fn new(circuit: Arc<Circuit>, settled: Option<Edge>, plan: Plan) -> Self {
        let (random, recording) = Default::default();
        let (mixed, open) = Default::default();
        Self { circuit, settled, plan, random, recording, mixed, open }
    }

    /// The plan, with or without its assumptions.
    fn plan(&self, careful: bool) -> Plan {
        let plan = self.plan.clone();
        if careful { Plan { turns: Turns::default(), round: Vec::new(), ..plan } } else { plan }
    }
}

/// Scratch space of a [`BatchMachine`], one per thread.
#[derive(Clone, Debug)]
pub struct BatchWorkspace {
    block: AlignedWords,
    scalar: crate::circuit::CircuitWorkspace,
    play: scratch::Scratch,
    /// Bits on their way from lanes to moves.
    rows: Vec<u64>,
}

/// What the programs of a machine cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchCost {
    /// Operations of a sweep, on average over a round of turns.
    pub operations: usize,
    /// Vector instructions that a sweep of all lanes runs, on average over a round of turns; 0 if
    /// interpreted.
    pub instructions: usize,
    /// Bytes of the machine code of all sweeps of a round; 0 if interpreted.
    pub code_bytes: usize,
    /// Random words of a sweep.
    pub random_words: usize,
    /// Whether goals are evaluated apart from the sweeps.
    pub goals_apart: bool,
    /// Roles that share one choice because they move in turn.
    pub roles_in_turn: usize,
}

impl BatchMachine {
    /// The machine of a circuit, as fast as this processor allows.
    pub fn new(machine: Arc<CircuitMachine>) -> Self {
        Self::with_target(machine, Target::detect())
    }

    /// The machine of a circuit, run in a certain way. A target that the processor does not have
    /// is interpreted.
    pub fn with_target(machine: Arc<CircuitMachine>, target: Target) -> Self {
        let is_large = machine.circuit().gates.len() >= LARGE;
        let words = if is_large { LANES / 64 } else { target.vector_words() };
        Self::assemble(machine, target, words, |_| {})
    }

    /// A machine with so many words in a slot, and with its plan adjusted: all ways must give the
    /// same game.
    fn assemble(
        machine: Arc<CircuitMachine>,
        target: Target,
        words: usize,
        adjust: impl FnOnce(&mut Plan),
    ) -> Self {
        let circuit = Arc::clone(machine.circuit());
        let goals_apart = are_goals_apart(&circuit);
        let layout = Layout::new(&circuit, goals_apart);
        let mut plan = make_plan(&machine, &circuit, &layout, goals_apart);
        adjust(&mut plan);
        let goal_interval = machine.typical_length().clamp(1, MOST_GOAL_INTERVAL);
        let goals = goal_program(&circuit, &layout, goals_apart, (target, words));
        let batch = Self {
            refill: refill_program(target, words),
            playouts: Playouts::new(circuit, None, plan),
            goals,
            decisive: Default::default(),
            capturing: Default::default(),
            expand: OnceLock::new(),
            advance: OnceLock::new(),
            percepts: OnceLock::new(),
            machine,
            target,
            words,
            layout,
            goals_apart,
            goal_interval,
        };
        // These are sure to be asked for.
        batch.main();
        batch
    }

    /// The machine for one state at a time.
    pub fn machine(&self) -> &Arc<CircuitMachine> {
        &self.machine
    }

    /// The way it is run.
    pub fn target(&self) -> Target {
        self.target
    }

    /// What its programs cost.
    pub fn cost(&self) -> BatchCost {
        self.cost_of(&self.playouts)
    }

    /// What the programs of playouts cost that look for moves that decide; `None` where there are none.
    pub fn decisive_cost(&self, level: Decisive) -> Option<BatchCost> {
        self.playouts(level, false).map(|playouts| self.cost_of(playouts))
    }

    fn cost_of(&self, playouts: &Playouts) -> BatchCost {
        let (programs, plan) = (self.random_programs(playouts, false, false), &playouts.plan);
        let of_sweeps = |cost: fn(&Executable) -> usize| programs.sweeps.iter().map(cost).sum::<usize>();
        let vectors = LANES / 64 / self.target.vector_words();
        BatchCost {
            operations: of_sweeps(Executable::operations) / plan.phases(),
            instructions: of_sweeps(Executable::instructions) * vectors / plan.phases(),
            code_bytes: of_sweeps(Executable::code_bytes),
            random_words: programs.rows.random as usize,
            goals_apart: self.goals_apart,
            roles_in_turn: plan.turns.roles.len(),
        }
    }

    fn circuit(&self) -> &Circuit {
        self.machine.circuit()
    }

    /// The number of lanes run at a time.
    fn block_lanes(&self) -> usize {
        self.words * 64
    }

    /// The programs of uniformly random playouts by the rules.
    fn main(&self) -> &Programs {
        self.random_programs(&self.playouts, false, false)
    }

    /// The same without assumptions.
    fn cautious(&self) -> &Programs {
        self.random_programs(&self.playouts, true, false)
    }

    /// The programs of uniformly random playouts.
    fn random_programs<'a>(&self, playouts: &'a Playouts, careful: bool, record: bool) -> &'a Programs {
        let (programs, style) =
            if record { (&playouts.recording, Style::Recording) } else { (&playouts.random, Style::Random) };
        programs[usize::from(careful)].get_or_init(|| {
            let (plan, way) = (playouts.plan(careful), (self.target, self.words));
            let sweeps = self.sweeps(playouts, &plan, style);
            Programs::new(&sweeps, &self.layout, way)
        })
    }

    fn sweeps(&self, playouts: &Playouts, plan: &Plan, style: Style) -> Vec<Sweep> {
        Sweep::round(&playouts.circuit, playouts.settled, &self.layout, plan, self.goals_apart, style)
    }

    /// The programs of playouts in which choices are left open, all of them or some.
    fn open_programs<'a>(&self, playouts: &'a Playouts, careful: bool, all: bool) -> &'a OpenPrograms {
        let (programs, style) =
            if all { (&playouts.open, Style::Open) } else { (&playouts.mixed, Style::Mixed) };
        programs[usize::from(careful)].get_or_init(|| {
            let plan = playouts.plan(careful);
            let sweeps = self.sweeps(playouts, &plan, style);
            let random = sweeps.iter().map(|sweep| sweep.rows.random).max().unwrap_or(0);
            let extra = if all { 0 } else { greedy::EPSILON_BITS * sweeps[0].choices };
            let scratch = self.layout.scratch as u32;
            let prepare = |network: &Network<'_>| Executable::new(network, self.target, self.words, scratch);
            let numbers = self.machine.move_numbers();
            let idle = |role: game::RoleId| {
                let turn = plan.turns.roles.iter().find(|turn| turn.0 == role.0 as usize)?;
                turn.2.map(|number| numbers.id(role, number).0)
            };
            let phases = sweeps.iter().enumerate().map(|(phase, sweep)| {
                let leap = leap(self.circuit(), &self.layout, &plan.phase(phase).1, prepare);
                (sweep.with_network(random + extra, prepare), leap)
            });
            OpenPrograms {
                phases: phases.collect(),
                rows: Rows { random: random + extra, ..sweeps[0].rows },
                extra_random: extra as usize,
                idle: numbers.roles().map(idle).collect(),
                goals: sweeps[0].goals.clone(),
                settled: sweeps[0].settled,
            }
        })
    }

    /// Room for a block of lanes; what programs expect to find is zero.
    fn prepare_block(&self, workspace: &mut BatchWorkspace, slots: usize) {
        let length = slots.max(self.goals.block_slots()).max(self.layout.scratch) * self.words;
        if workspace.block.len() < length {
            workspace.block = AlignedWords::new(length);
        } else {
            workspace.block[..self.layout.legal * self.words].fill(0);
        }
    }

    /// The fault of a lane that reported to be stuck, if it is one: a lane of a finished game that
    /// idles may report it too.
    fn stuck_fault(&self, workspace: &mut BatchWorkspace, active: &[u64]) -> Option<RuleFault> {
        let slot = self.layout.stuck * self.words;
        for (word, active) in active.iter().enumerate() {
            let mut lanes = workspace.block[slot + word] & active;
            while lanes != 0 {
                let lane = word * 64 + lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let state = lanes::lane(&workspace.block, self.words, lane, self.layout.bases);
                let mut expansion = game::Expansion::new();
                if let Err(fault) = self.machine.expand(&mut workspace.scalar, &state, &mut expansion) {
                    return Some(fault);
                }
                if let Some(role) = expansion.stuck_role() {
                    return Some(RuleFault::NoLegalMove(role));
                }
            }
        }
        workspace.block[slot..slot + self.words].fill(0);
        None
    }
}

/// The lanes whose bit is set, ascending.
fn set_lanes(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(word, &bits)| {
        let next = |bits: &u64| Some(bits & (bits - 1)).filter(|bits| *bits != 0);
        let first = Some(bits).filter(|bits| *bits != 0);
        std::iter::successors(first, next).map(move |bits| word * 64 + bits.trailing_zeros() as usize)
    })
}

fn population(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}
