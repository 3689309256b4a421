//! The batch machine: hundreds of states at once, one bit lane each.
//!
//! A word of a slot holds one proposition of 64 states; a vector of 256 or 512 bits holds it for
//! as many. Evaluating the circuit once on such vectors ("a sweep") moves every lane one step
//! ahead: finished lanes begin anew, legal moves are worked out, one is chosen (see `select`), and
//! the next state computed, all in one straight line of bitwise operations.
//!
//! There are always [`LANES`] lanes. Targets with narrower vectors run them in blocks, one after
//! the other; a lane's random numbers depend on the seed and the lane alone, so every target plays
//! the same playouts.

mod counters;
mod expand;
mod lane_game;
mod lanes;
mod play;
mod random;
mod ranking;
mod sample;
mod select;
mod step;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use ::circuit::{Circuit, Edge, Gate};
use game::{Game, RuleFault};

use crate::circuit::CircuitMachine;
use crate::compiled::{AlignedWords, Executable, Target};
use crate::exclusive::{Turns, implied};
use crate::program::{Network, Place, Rows};
use counters::Tally;
use random::{Stream, refill_program};
use step::{GoalEvent, Layout, Plan, Sweep, are_goals_apart, leap};

pub use expand::BatchExpansion;
pub use lane_game::{LaneGame, LaneWorkspace};
pub use play::{Job, Outcomes, PlayOptions, Policy};
pub use ranking::Ranking;
pub use sample::Sample;

/// The lanes of a batch.
pub const LANES: usize = 512;

/// Final states are kept for at most so many sweeps.
const MOST_GOAL_INTERVAL: usize = 64;
/// How many random bits decide on a ranking's epsilon.
const EPSILON_BITS: u32 = 16;

/// A game run in lanes.
#[derive(Debug)]
pub struct BatchMachine {
    machine: Arc<CircuitMachine>,
    target: Target,
    /// Words of 64 lanes in a slot.
    words: usize,
    layout: Layout,
    plan: Plan,
    goals_apart: bool,
    /// With goals apart, they are read every so many sweeps. When must not depend on what happens
    /// in the lanes: how long a lane waits decides which random numbers it gets, and then the
    /// number of lanes in a block would decide on the playouts.
    goal_interval: usize,
    refill: Arc<Executable>,
    main: Programs,
    /// Without assumptions, in case one fails.
    cautious: OnceLock<Programs>,
    /// Choosing and moving apart, for rankings.
    ranked: OnceLock<RankedPrograms>,
    goals: Executable,
    expand: OnceLock<Executable>,
    advance: OnceLock<Executable>,
}

/// The programs of playouts.
#[derive(Debug)]
struct Programs {
    sweep: Executable,
    tally: Executable,
    goals: Vec<GoalEvent>,
    rows: Rows,
}

/// The programs of playouts under a ranking.
#[derive(Debug)]
struct RankedPrograms {
    look: Executable,
    leap: Executable,
    goals: Vec<GoalEvent>,
    rows: Rows,
}

/// Scratch space of a [`BatchMachine`], one per thread.
#[derive(Clone, Debug)]
pub struct BatchWorkspace {
    block: AlignedWords,
    scalar: crate::circuit::CircuitWorkspace,
}

/// What the programs of a machine cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchCost {
    /// Operations of a sweep.
    pub operations: usize,
    /// Bytes of the machine code of a sweep; 0 if interpreted.
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
        let circuit = Arc::clone(machine.circuit());
        let words = target.words();
        let goals_apart = are_goals_apart(&circuit);
        let layout = Layout::new(&circuit, goals_apart);
        let plan = make_plan(&machine);
        let goal_interval = machine.typical_length().clamp(1, MOST_GOAL_INTERVAL);
        let main = Programs::new(&circuit, &layout, &plan, goals_apart, target);
        let goals = goal_program(&circuit, &layout, goals_apart, target);
        Self {
            refill: refill_program(target, words),
            main,
            goals,
            cautious: OnceLock::new(),
            ranked: OnceLock::new(),
            expand: OnceLock::new(),
            advance: OnceLock::new(),
            machine,
            target,
            words,
            layout,
            plan,
            goals_apart,
            goal_interval,
        }
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
        BatchCost {
            operations: self.main.sweep.operations(),
            code_bytes: self.main.sweep.code_bytes(),
            random_words: self.main.rows.random as usize,
            goals_apart: self.goals_apart,
            roles_in_turn: self.plan.turns.roles.len(),
        }
    }

    /// Fresh scratch space.
    pub fn workspace(&self) -> BatchWorkspace {
        BatchWorkspace { block: AlignedWords::new(0), scalar: self.machine.workspace() }
    }

    fn circuit(&self) -> &Circuit {
        self.machine.circuit()
    }

    /// The number of lanes run at a time.
    fn block_lanes(&self) -> usize {
        self.words * 64
    }

    fn cautious(&self) -> &Programs {
        self.cautious.get_or_init(|| {
            let plan = Plan { turns: Turns::default(), ..self.plan.clone() };
            Programs::new(self.circuit(), &self.layout, &plan, self.goals_apart, self.target)
        })
    }

    fn ranked(&self) -> &RankedPrograms {
        self.ranked.get_or_init(|| {
            // Rankings are per role, so every role chooses for itself.
            let plan = Plan { turns: Turns::default(), implied: Vec::new(), ..self.plan.clone() };
            let sweep = Sweep::new(self.circuit(), &self.layout, &plan, self.goals_apart, false);
            let extra = EPSILON_BITS * self.circuit().roles.len() as u32;
            let scratch = self.layout.scratch as u32;
            let prepare = |network: &Network<'_>| Executable::new(network, self.target, self.words, scratch);
            RankedPrograms {
                look: sweep.with_network(extra, prepare),
                leap: leap(self.circuit(), &self.layout, prepare),
                rows: Rows { random: sweep.rows.random + extra, ..sweep.rows },
                goals: sweep.goals,
            }
        })
    }

    /// Room for a block of lanes, all zero.
    fn prepare_block(&self, workspace: &mut BatchWorkspace, slots: usize) {
        let length = slots.max(self.goals.block_slots()).max(self.layout.scratch) * self.words;
        if workspace.block.len() < length {
            workspace.block = AlignedWords::new(length);
        } else {
            workspace.block.fill(0);
        }
    }

    fn stream(&self, rows: Rows, seed: u64, first_lane: usize) -> Stream {
        let mut stream = Stream::new(&self.refill, self.words, rows.random as usize);
        stream.seed(seed, first_lane / 64);
        stream
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

impl Programs {
    fn new(circuit: &Circuit, layout: &Layout, plan: &Plan, goals_apart: bool, target: Target) -> Self {
        let sweep = Sweep::new(circuit, layout, plan, goals_apart, true);
        let scratch = layout.scratch as u32;
        let words = target.words();
        let executable = sweep.with_network(0, |network| Executable::new(network, target, words, scratch));
        let tally = Tally::program(sweep.rows.events as usize, target, words);
        Self { sweep: executable, tally, rows: sweep.rows, goals: sweep.goals }
    }
}

/// What can be known beforehand about the choice of moves.
fn make_plan(machine: &CircuitMachine) -> Plan {
    // A draw more costs a little in every sweep and saves some idle lanes: measured on six games.
    let tries = match machine.circuit().gates.len() {
        0..1_500 => 2,
        1_500..50_000 => 3,
        _ => 4,
    };
    Plan { turns: machine.turns().clone(), implied: implied(machine.circuit()), tries }
}

/// Evaluates the goal outputs, from the kept states if goals are apart, else from the states.
fn goal_program(circuit: &Circuit, layout: &Layout, goals_apart: bool, target: Target) -> Executable {
    let mut places: Vec<u32> = (0..layout.bases as u32).collect();
    if goals_apart {
        for (index, &base) in layout.kept_bases.iter().enumerate() {
            places[base as usize] = (layout.kept + index) as u32;
        }
    }
    let input = |gate: Gate| match gate {
        Gate::Base(number) => Place::block(places[number as usize]),
        other => unreachable!("{other:?} is no input of goals"),
    };
    let goals = circuit.roles.iter().flat_map(|role| role.goals.iter().map(|goal| goal.edge));
    let outputs: Vec<(Edge, Place)> =
        goals.zip(layout.goals as u32..).map(|(edge, slot)| (edge, Place::block(slot))).collect();
    let network = Network { gates: &circuit.gates, outputs, rows: Rows::default(), input: &input };
    Executable::new(&network, target, target.words(), layout.scratch as u32)
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
