//! Small diagrams in place of many states: a game solved by sets of states (after Edelkamp and Kissmann, Symbolic
//! classification of general two-player games, 2008).
//!
//! Forward, a set of states and all joint moves make the set of states behind them, layer after layer. Backward, a role
//! is sure of a goal where some move of its own leads, whatever all others do, to where it is sure of it. Where no state is
//! met in two layers that is asked layer by layer from the last one on; otherwise again and again until nothing
//! is added, so that play without end is worth nothing.

mod reach;
mod sure;

use std::sync::Arc;

use circuit::Circuit;
use diagrams::{Rules, Set, Trouble};
use game::{Game, RoleId};
use machine::circuit::{CircuitMachine, CircuitState};

use crate::line::Solved;
use crate::{Limits, SolverError, Worth};
use reach::Reach;
use sure::Backward;

/// Rooms for nodes that are tried one after the other: a table takes its time to be set up.
const FIRST_NODES: usize = 1 << 18;
const ROOM_GROWS: usize = 16;
/// More nodes than have numbers.
const MOST_NODES: usize = 1 << 30;

/// What is being done, for whoever waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Layers of states that were met.
    pub layers: usize,
    /// Sets of states from which something is sure that were worked out; none yet while states are still met.
    pub sure: usize,
    /// Nodes of all diagrams.
    pub nodes: usize,
}

/// A game solved by sets of states.
pub struct Symbolic {
    rules: Rules,
    reach: Reach,
    /// For each role what it can be sure of, from the highest goal down.
    known: Vec<Vec<Level>>,
    /// Nodes at the most.
    most_nodes: usize,
    comes_back: bool,
    at_once: bool,
    initial: CircuitState,
    states: Option<u128>,
    ends: Option<u128>,
}

/// The states in which a role is sure of a goal.
#[derive(Debug)]
pub(crate) struct Level {
    goal: u8,
    /// Where it is sure of at least so much.
    sure: Set,
    /// Where it is not sure of less, if that is not the same: several roles choose at once, and who mixes moves may get more.
    open: Option<Set>,
    /// Where it is sure of just so much within no moves, within one and not fewer, and so on; none if there was no room.
    within: Option<Vec<Set>>,
}

impl std::fmt::Debug for Symbolic {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Symbolic").field("states", &self.states).finish_non_exhaustive()
    }
}

impl Symbolic {
    /// Solves a game; `tell` hears how far it is.
    pub fn solve(
        machine: &CircuitMachine,
        limits: &Limits<'_>,
        tell: &dyn Fn(Progress),
    ) -> Result<Self, SolverError> {
        let circuit = machine.circuit();
        if circuit.has_percepts {
            return Err(SolverError::HiddenInformation);
        }
        if machine.chance().is_some() {
            return Err(SolverError::Dice);
        }
        let most = Rules::nodes_of(limits.bytes).clamp(1 << 10, MOST_NODES);
        let mut room = FIRST_NODES.min(most);
        loop {
            let mut met = 0;
            let rooms = (room, room == most);
            match Self::within(circuit, &machine.initial(), rooms, limits, tell, &mut met) {
                Err(Stop::Trouble(Trouble::OutOfMemory)) if room < most => {
                    room = room.saturating_mul(ROOM_GROWS).min(most);
                }
                Err(Stop::Trouble(Trouble::OutOfMemory)) => {
                    let megabytes = limits.bytes / 1_000_000;
                    return Err(SolverError::OutOfMemory { states: met, megabytes });
                }
                Err(Stop::Trouble(Trouble::OutOfTime)) => return Err(SolverError::OutOfTime(met)),
                Err(Stop::Fault(error)) => return Err(error),
                Ok(solved) => return Ok(solved),
            }
        }
    }

    fn within(
        circuit: &Arc<Circuit>,
        initial: &CircuitState,
        (room, is_last): (usize, bool),
        limits: &Limits<'_>,
        tell: &dyn Fn(Progress),
        met: &mut usize,
    ) -> Result<Self, Stop> {
        let facts = diagrams::by_number(circuit);
        let mut rules = Rules::new(Arc::clone(circuit), facts, |_| false, room)?;
        let mut reach = Reach::new(&rules, initial)?;
        let told = |layers, rules: &Rules| tell(Progress { layers, sure: 0, nodes: rules.nodes() });
        let explored = reach.explore(&mut rules, limits, &told);
        let states = rules.count(&reach.all);
        *met = states.and_then(|states| usize::try_from(states).ok()).unwrap_or(usize::MAX);
        explored?;
        let ends = rules.count(&reach.over);
        let mut backward = Backward::new(&mut rules, &reach, limits, tell, is_last)?;
        let solved = backward.solve()?;
        let most_nodes = backward.most_nodes;
        let (known, comes_back, at_once) = (solved.known, solved.comes_back, solved.at_once);
        let initial = initial.clone();
        Ok(Self { rules, reach, known, most_nodes, comes_back, at_once, initial, states, ends })
    }

    /// How many states there are; `None` if that has more digits than there is room for.
    pub fn states(&self) -> Option<u128> {
        self.states
    }

    /// In how many of them the game is over.
    pub fn ends(&self) -> Option<u128> {
        self.ends
    }

    /// How many moves it takes at most to come to a state, by the shortest way.
    pub fn depth(&self) -> usize {
        self.reach.layers.len().saturating_sub(1)
    }

    /// Joint moves that are legal somewhere.
    pub fn joints(&self) -> usize {
        self.reach.steps.len()
    }

    /// Whether play may come back to a state.
    pub fn comes_back(&self) -> bool {
        self.comes_back
    }

    /// Whether several roles have a choice at once somewhere. Then a role that mixes its moves may get more on average than it
    /// is sure of here.
    pub fn at_once(&self) -> bool {
        self.at_once
    }

    /// Nodes of all diagrams, at the most.
    pub fn most_nodes(&self) -> usize {
        self.most_nodes
    }

    /// Nodes of the set of all states.
    pub fn nodes(&self) -> usize {
        self.reach.all.nodes()
    }

    /// More than this a role is not sure of in a state, however it mixes its moves.
    pub fn most(&self, state: &CircuitState, role: RoleId) -> u8 {
        let row = self.row(state);
        let levels = self.known.get(usize::from(role.0)).map_or(&[][..], |levels| levels);
        let found =
            levels.iter().find(|level| level.open.as_ref().unwrap_or(&level.sure).has(row.iter().copied()));
        found.map_or(0, |level| level.goal)
    }

    /// The initial state.
    pub fn initial(&self) -> &CircuitState {
        &self.initial
    }

    /// A state in the order of the variables.
    fn row(&self, state: &CircuitState) -> Vec<bool> {
        self.rules.facts().iter().map(|&fact| state.get(fact as usize)).collect()
    }
}

impl Solved for Symbolic {
    fn knows_steps(&self) -> bool {
        self.known.iter().flatten().all(|level| level.within.is_some())
    }

    fn worths(&self, state: &CircuitState) -> Result<Option<Vec<Worth>>, SolverError> {
        let row = self.row(state);
        let has = |set: &Set| set.has(row.iter().copied());
        if !has(&self.reach.all) {
            return Ok(None);
        }
        let worth = |levels: &Vec<Level>| {
            let level = levels.iter().find(|level| has(&level.sure))?;
            let steps = level.within.as_ref().and_then(|within| within.iter().position(has));
            Some(Worth { value: f32::from(level.goal), steps: steps.unwrap_or(0) as f32 })
        };
        Ok(Some(self.known.iter().map(|levels| worth(levels).unwrap_or_default()).collect()))
    }
}

/// Why the work ended early.
enum Stop {
    Trouble(Trouble),
    Fault(SolverError),
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        Stop::Trouble(trouble)
    }
}
