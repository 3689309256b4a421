//! What lanes run: the programs of playouts, made ready.

use ::circuit::{Circuit, Edge, Gate};

use super::counters::Tally;
use super::layout::Layout;
use super::step::{GoalEvent, Sweep};
use crate::compiled::{Executable, Target};
use crate::program::{Network, Place, Rows};

/// The programs of playouts.
#[derive(Debug)]
pub(super) struct Programs {
    /// One for each phase of a round.
    pub(super) sweeps: Vec<Executable>,
    pub(super) tally: Executable,
    pub(super) goals: Vec<GoalEvent>,
    /// The event that says that a lane moves where the outcome is certain.
    pub(super) settled: Option<usize>,
    pub(super) rows: Rows,
    pub(super) words: usize,
}

/// The programs of playouts in which choices are left open: one looks, then the choices are made,
/// the other leaps.
#[derive(Debug)]
pub(super) struct OpenPrograms {
    /// One pair for each phase of a round.
    pub(super) phases: Vec<(Executable, Executable)>,
    pub(super) goals: Vec<GoalEvent>,
    /// The event that says that a lane moves where the outcome is certain.
    pub(super) settled: Option<usize>,
    /// Random words of a look, and those that come on top to decide what is chosen at random.
    pub(super) rows: Rows,
    pub(super) extra_random: usize,
    /// For each role the move that is no choice, but made when it is not the role's turn.
    pub(super) idle: Vec<Option<u32>>,
}

impl OpenPrograms {
    /// Slots of the block in use.
    pub(super) fn block_slots(&self) -> usize {
        let both = self.phases.iter().flat_map(|(look, leap)| [look, leap]);
        both.map(Executable::block_slots).max().unwrap_or(0)
    }
}

impl Programs {
    /// Those of a round of sweeps.
    pub(super) fn new(sweeps: &[Sweep], layout: &Layout, (target, words): (Target, usize)) -> Self {
        let scratch = layout.scratch as u32;
        let random = sweeps.iter().map(|sweep| sweep.rows.random).max().unwrap_or(0);
        let rows = Rows { random, ..sweeps[0].rows };
        let prepare = |network: &Network<'_>| Executable::new(network, target, words, scratch);
        Self {
            sweeps: sweeps.iter().map(|sweep| sweep.with_network(random, prepare)).collect(),
            tally: Tally::program(rows.events as usize, target, words),
            goals: sweeps[0].goals.clone(),
            settled: sweeps[0].settled,
            rows,
            words,
        }
    }

    /// Slots of the block in use.
    pub(super) fn block_slots(&self) -> usize {
        self.sweeps.iter().map(Executable::block_slots).max().unwrap_or(0)
    }

    /// The program of the `number`-th sweep since the lanes began.
    pub(super) fn phase(&self, number: usize) -> &Executable {
        &self.sweeps[number % self.sweeps.len()]
    }

    /// Runs some sweeps of all lanes, the first of them the `number`-th since the lanes began.
    pub(super) fn sweep(
        &self,
        block: &mut [u64],
        random: &[u64],
        events: &mut [u64],
        sweeps: usize,
        number: usize,
    ) {
        if let [all] = &self.sweeps[..] {
            return all.sweep(block, random, events, sweeps);
        }
        let words = self.words;
        let (random_row, event_row) = (self.rows.random as usize * words, self.rows.events as usize * words);
        for sweep in 0..sweeps {
            let program = self.phase(number + sweep);
            program.sweep(block, &random[sweep * random_row..], &mut events[sweep * event_row..], 1);
        }
    }
}

/// Evaluates the goal outputs, from the kept states if goals are apart, else from the states.
pub(super) fn goal_program(
    circuit: &Circuit,
    layout: &Layout,
    goals_apart: bool,
    (target, words): (Target, usize),
) -> Executable {
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
    Executable::new(&network, target, words, layout.scratch as u32)
}
